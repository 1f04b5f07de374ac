// The page works without this file. It adds: suggestions, searching without a reload, copying, the theme, keys.
"use strict";
(() => {
  const $ = (what, where = document) => where.querySelector(what);
  const say = (words) => { $("#said").textContent = words; };

  // Copying, and the senses of a marked word opened in place.
  const prepare = () => { for (const button of document.querySelectorAll(".copy")) button.hidden = false; };
  const copied = async (text, where) => {
    try { await navigator.clipboard.writeText(text); } catch { return false; }
    const before = where.textContent;
    where.textContent = where.dataset.done;
    say(where.dataset.done);
    setTimeout(() => { where.textContent = before; }, 1500);
    return true;
  };
  document.addEventListener("click", async (event) => {
    const copy = event.target.closest(".copy"), share = event.target.closest(".share"), pun = event.target.closest(".pun");
    if (copy) copied($(".joke", copy.closest(".card")).textContent, copy);
    if (share && navigator.clipboard) { event.preventDefault(); copied(share.href, share); }
    if (pun) {
      event.preventDefault();
      const senses = $(".senses", pun.closest(".card"));
      senses.open = !senses.open;
      pun.setAttribute("aria-expanded", senses.open);
    }
    for (const menu of document.querySelectorAll(".export[open]")) if (!menu.contains(event.target)) menu.open = false;
  });

  // The theme: remembered in a cookie, so that the server sends the right page at once.
  const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const label = () => { const link = $(".theme"); if (link) { link.title = dark() ? link.dataset.light : link.dataset.dark; link.setAttribute("aria-label", link.title); } };
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".theme");
    if (!link) return;
    event.preventDefault();
    const theme = dark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
    label();
  });

  // Searching without a reload: the same page is fetched, and its middle put in place of ours.
  let current = 0;
  const show = async (address, push, focus) => {
    const mine = ++current, form = $(".top .search");
    document.body.classList.add("busy");
    try {
      const answer = await fetch(address, { headers: { accept: "text/html" } });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== current) return;
      if (!$(".top .search", fresh) || !form) { location.assign(address); return; }
      const wide = $(".facets details")?.open;
      $("main").replaceWith(document.adoptNode($("main", fresh)));
      for (const name of [".switches"]) $(name).replaceWith(document.adoptNode($(name, fresh)));
      for (const old of form.querySelectorAll("input[type=hidden]")) old.remove();
      form.prepend(...[...fresh.querySelectorAll(".top .search input[type=hidden]")].map((node) => document.adoptNode(node)));
      if (document.activeElement !== $("#q")) $("#q").value = $("#q", fresh).value;
      if ($("#mix") && $("#mix", fresh) && document.activeElement !== $("#mix")) $("#mix").value = $("#mix", fresh).value;
      if ($(".facets details") && wide) $(".facets details").open = true;
      document.title = fresh.title;
      if (push) history.pushState(null, "", address);
      if (focus) { scrollTo(0, 0); $("main").focus({ preventScroll: true }); }
      say($("main h1").textContent);
      prepare(); label();
    } catch { if (mine === current) location.assign(address); }
    finally { if (mine === current) document.body.classList.remove("busy"); }
  };
  const address = (form) => {
    const fields = new URLSearchParams(new FormData(form));
    if (fields.get("mix") === "50") fields.delete("mix");
    return `${form.getAttribute("action")}?${fields}`;
  };
  document.addEventListener("submit", (event) => {
    const form = event.target.closest(".top .search");
    if (!form) return;
    event.preventDefault();
    close();
    show(address(form), true, false);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".facets a, .chosen a, .spoken a, .perhaps a, .pages a, .list > .hidden a, .nothing li a[href^='/?']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    show(link.href, true, true);
  });
  addEventListener("popstate", () => { if (!location.hash) show(location.href, false, false); });
  let later;
  document.addEventListener("input", (event) => {
    if (event.target.id !== "mix") return;
    clearTimeout(later);
    later = setTimeout(() => { if ($("#q").value.trim()) show(address($(".top .search")), true, false); }, 150);
  });

  // Suggestions: a listbox under the search box.
  const box = $("#q");
  let options, chosen = -1, asked = 0;
  const close = () => { options?.remove(); options = null; chosen = -1; box?.setAttribute("aria-expanded", "false"); box?.removeAttribute("aria-activedescendant"); };
  const choose = (at) => {
    const rows = [...options.children];
    chosen = (at + rows.length) % rows.length;
    rows.forEach((row, place) => row.setAttribute("aria-selected", place === chosen));
    box.setAttribute("aria-activedescendant", rows[chosen].id);
  };
  const take = (row) => { box.value = row.textContent; close(); box.form.requestSubmit(); };
  const suggest = async () => {
    const typed = box.value, mine = ++asked;
    if (typed.trim().length < 2) return close();
    let found = [];
    try { found = (await (await fetch(`/api/v1/suggest?${new URLSearchParams({ q: typed, lang: document.documentElement.lang })}`)).json()).suggestions || []; } catch { return; }
    if (mine !== asked || document.activeElement !== box || box.value !== typed) return;
    close();
    if (!found.length || (found.length === 1 && found[0] === typed)) return;
    options = document.createElement("ul");
    options.className = "options"; options.id = "options"; options.setAttribute("role", "listbox");
    options.setAttribute("aria-label", box.labels[0].textContent);
    found.forEach((word, place) => {
      const row = document.createElement("li");
      row.textContent = word; row.id = `option-${place}`; row.setAttribute("role", "option"); row.setAttribute("aria-selected", "false");
      row.addEventListener("mousedown", (event) => { event.preventDefault(); take(row); });
      options.append(row);
    });
    box.after(options);
    box.setAttribute("aria-expanded", "true");
  };
  if (box) {
    for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", "options"]]) box.setAttribute(name, value);
    box.addEventListener("input", () => { clearTimeout(later); later = setTimeout(suggest, 120); });
    box.addEventListener("blur", close);
    box.addEventListener("keydown", (event) => {
      if (!options) return;
      if (event.key === "ArrowDown") { event.preventDefault(); choose(chosen + 1); }
      else if (event.key === "ArrowUp") { event.preventDefault(); choose(chosen < 0 ? -1 : chosen - 1); }
      else if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); take(options.children[chosen]); }
      else if (event.key === "Escape") { event.preventDefault(); close(); }
    });
  }

  // Keys: Ctrl+K to the box; from the box or a card, down and up through the cards.
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); $("#q")?.focus(); $("#q")?.select(); return; }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    if (options || event.altKey || event.ctrlKey || event.metaKey) return;
    const cards = [...document.querySelectorAll(".card")], here = document.activeElement;
    const at = cards.indexOf(here.closest?.(".card"));
    if (at < 0 && here !== $("#q")) return;
    const next = cards[at < 0 ? 0 : at + (event.key === "ArrowDown" ? 1 : -1)];
    if (at < 0 && event.key === "ArrowUp") return;
    event.preventDefault();
    if (next) { next.focus({ preventScroll: true }); next.scrollIntoView({ block: "center" }); } else if (event.key === "ArrowUp") $("#q")?.focus();
  });
  prepare(); label();
})();
