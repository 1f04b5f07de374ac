"""The model card, written from measured figures."""

from __future__ import annotations

from typing import Any

NAMES = {"en": "English", "pt": "Portuguese"}
ROWS = (
    ("average precision of P(humour), whole collection", "average_precision"),
    ("AUC, puns against word-swapped twins", "auc_twins"),
    ("expected calibration error, 15 bins", "calibration_error"),
    ("pun word found (top 1)", "pun_word"),
    ("texts a second, two busy cores", "texts_per_second"),
    ("mean cosine with the teacher's vector", "vector_cosine"),
)


def table(figures: dict[str, dict[str, float]]) -> str:
    """Return the figures as a Markdown table, one column for each set of texts."""
    head = "| figure | " + " | ".join(figures) + " |\n|---" * 1 + "|---" * len(figures) + "|\n"
    body = ""
    for title, key in ROWS:
        cells = [f"{part[key]:.3f}" if key in part else "" for part in figures.values()]
        if any(cells):
            body += f"| {title} | " + " | ".join(cells) + " |\n"
    return head + body


def card(about: dict[str, Any], notes: str = "") -> str:
    """Return the text of CARD.md for a model described as in model.json."""
    language = NAMES.get(about["languages"][0], about["languages"][0])
    slope, shift = about["calibration"]["a"], about["calibration"]["b"]
    sources = "\n".join(f"- {name}: {count} texts" for name, count in about["sources"].items())
    return (
        f"# {about['name']}, version {about['version']}\n\n"
        f"One pass over a short {language} text gives the probability that it is wordplay, the word that does it "
        f"and a {about['dim']}-dimensional sentence vector. "
        f"{about['layers']} transformer layers, {about['parameters'] / 1e6:.1f} million parameters, "
        f"{about['megabytes']:.1f} MB in four bits, at most {about['max_tokens']} tokens.\n\n"
        f"Base encoder: {about['base']}. Vectors live in the space of all-MiniLM-L6-v2.\n\n"
        f'## Figures\n\nOf the shipped model. "held out" is a fold of the training texts that chose the epoch '
        f"and the calibration; a collection named here was looked at after that.\n\n{table(about['figures'])}\n"
        f"P(humour) = sigmoid({slope:.4f} x logit {shift:+.4f}), fitted for a collection of which "
        f"{100 * about['prior']:.0f}% is wordplay.\n\n"
        f"## Training texts\n\n{sources}\n\n"
        f"{notes.strip()}\n"
    )
