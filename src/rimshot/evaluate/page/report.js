"use strict";
// Each plot is one stop of the tab key; the arrow keys walk its marks, and the line below says what a mark is.
function attach(figure) {
  const say = figure.querySelector(".say");
  const hint = say ? say.textContent : "";
  let at = -1;
  const marks = () => Array.from(figure.querySelectorAll(".mark"));
  const show = (mark) => {
    figure.querySelectorAll(".mark.on").forEach((other) => other.classList.remove("on"));
    if (mark) mark.classList.add("on");
    if (say) say.textContent = mark ? mark.dataset.say : hint;
  };
  figure.addEventListener("keydown", (event) => {
    if (event.target !== figure) return;
    const all = marks();
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    if (event.key in steps) at = Math.min(all.length - 1, Math.max(0, at + steps[event.key]));
    else if (event.key === "Home") at = 0;
    else if (event.key === "End") at = all.length - 1;
    else if (event.key === "Escape") at = -1;
    else return;
    event.preventDefault();
    show(all[at]);
  });
  figure.addEventListener("blur", () => { at = -1; show(null); });
  figure.addEventListener("mouseover", (event) => { if (event.target.dataset && event.target.dataset.say) show(event.target); });
  figure.addEventListener("mouseleave", () => show(null));
}
document.querySelectorAll("figure[tabindex]").forEach(attach);

// Selects that swap one drawing for another: every drawing is in the page, all but one hidden.
document.querySelectorAll("[data-swap]").forEach((select) => {
  const swap = () => {
    document.querySelectorAll(`[data-of="${select.dataset.swap}"]`).forEach((one) => { one.hidden = one.dataset.value !== select.value; });
  };
  select.addEventListener("change", swap);
  swap();
});

// The scatter of any two systems, moved in place.
const data = JSON.parse(document.getElementById("data").textContent);
const pair = document.getElementById("pair-plot");
if (pair && data.systems.length > 1) {
  const [up, across] = pair.parentElement.querySelectorAll("select");
  const svg = pair.querySelector("svg");
  const labels = svg.querySelectorAll("text.tick");
  const draw = () => {
    const a = Number(across.value), b = Number(up.value);
    const x = data.values[a], y = data.values[b];
    const frame = data.frame;
    const place = (value) => value / frame.most;
    svg.querySelectorAll(".mark").forEach((mark, number) => {
      mark.setAttribute("cx", frame.left + place(x[number]) * frame.side);
      mark.setAttribute("cy", frame.top + (1 - place(y[number])) * frame.side);
      mark.dataset.say = `${data.queries[number]}: ${y[number].toFixed(4)} with ${data.systems[b]}, ${x[number].toFixed(4)} with ${data.systems[a]}`;
    });
    labels[labels.length - 2].textContent = `${data.primary}, ${data.systems[a]}`;
    labels[labels.length - 1].textContent = `${data.primary}, ${data.systems[b]}`;
    const above = y.filter((value, number) => value > x[number] + 1e-9).length;
    const below = y.filter((value, number) => value < x[number] - 1e-9).length;
    document.getElementById("pair-count").textContent =
      `${data.systems[b]} is better for ${above} queries, ${data.systems[a]} for ${below}, and they are even for ${x.length - above - below}.`;
  };
  across.addEventListener("change", draw);
  up.addEventListener("change", draw);
  draw();
}
