"""The REST operations: one table from which requests are routed, read and described."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rimshot.errors import InputError
from rimshot.rank.why import REASONS
from rimshot.serve.answers import Ask, Desk
from rimshot.serve.balance import MIDDLE
from rimshot.serve.languages import ANY
from rimshot.serve.limits import Limits
from rimshot.serve.parameters import Parameter, choice, flag, text, whole
from rimshot.serve.pipelines import open_presets
from rimshot.serve.traits import CHOICES

__all__ = ["ROOT", "Operation", "operations", "read_ask"]

ROOT = "/api/v1"
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Operation:
    """Something that can be asked: where, with which parameters, and how it is answered."""

    name: str
    path: str
    about: str
    parameters: tuple[Parameter, ...]
    answer: Callable[[Desk, Values], dict[str, Any]]
    schema: str
    posted: bool = False
    place: Parameter | None = None
    faults: tuple[int, ...] = ()
    listed: bool = False


def read_ask(values: Values) -> Ask:
    """Make a search of its parameters."""
    wanted = tuple((name, values[name]) for name in CHOICES if values.get(name) not in (None, ANY))
    return Ask(
        q=values["q"],
        k=values["k"],
        offset=values["offset"],
        preset=values["preset"],
        pipeline=values["pipeline"],
        mix=values["mix"],
        group=values["group"],
        warned=values["warned"],
        family=values["family"],
        wanted=wanted,
        everywhere=values["lang"] == ANY,
        ui=values["ui"],
    )


def operations(limits: Limits) -> tuple[Operation, ...]:
    """Give all operations under these limits."""
    topic = text("q", "The topic, e.g. math.", limits.query, required=True, example="bank")
    optional_topic = text("q", "A topic; left out, everything counts.", limits.query, example="bank")
    lang = choice("lang", "Language of the texts.", CHOICES["lang"])
    joke = text(
        "text", "A short text.", limits.text, required=True, example="Bakers knead bread because they need the dough."
    )
    offset = whole("offset", "How many to leave out at the beginning.", 0, limits.k, 0)
    by_name = choice("preset", "A ranking by name.", open_presets())
    written = Parameter(
        "pipeline",
        "A ranking in full, e.g. Bm25() >> Rm3() >> Bm25() % 100. Stages that read files or load models are refused.",
        {"type": "string", "minLength": 1, "maxLength": limits.pipeline, "pattern": r"\S"},
        example="Bm25(k1=1.2) % 100",
    )
    filters = (
        choice(
            "lang",
            "Language of the hits; any: hits in every language. Left out, hits are in the language of the query where "
            "only one knows its words. A query in another language than the hits is carried over.",
            (*CHOICES["lang"], ANY),
        ),
        choice("kind", "Kind of pun: one spelling with two senses, or two words that sound alike.", CHOICES["kind"]),
        choice("pattern", "Form of the joke.", CHOICES["pattern"]),
        choice("level", "Level of language needed to understand it.", CHOICES["level"]),
        choice("told", "Whether the index holds the joke once or again in other words.", CHOICES["told"]),
    )
    searching = (
        topic,
        whole("k", "How many hits.", 1, limits.k, 10),
        offset,
        by_name,
        written,
        whole("mix", "From on topic (0) to funny (100); 50 leaves the ranking as it is.", 0, 100, MIDDLE),
        flag("group", "Show one version of each joke."),
        whole("family", "Only versions of this joke.", 0, 999_999_999),
        flag("warned", "Keep texts with a content warning (profanity, slurs, adult matter)."),
        *filters,
        flag("facets", "Add the counts of languages, kinds, patterns, levels and retellings."),
        choice("ui", "Language of the reasons (why.because): that of the reader. Field names stay.", REASONS, "en"),
    )
    texts = Parameter(
        "texts",
        "Short texts.",
        {
            "type": "array",
            "minItems": 1,
            "maxItems": limits.texts,
            "items": {"type": "string", "minLength": 1, "maxLength": limits.text, "pattern": r"\S"},
        },
        required=True,
        example=["Bakers knead bread because they need the dough.", "The shop opens at nine."],
    )
    some = whole("k", "How many.", 1, 100, 10)
    name = text("docid", "The document's identifier.", 200, required=True, example="42")
    number = whole("family", "The family's number.", 0, 999_999_999)
    return (
        Operation(
            "search",
            "/search",
            "Find jokes about a topic.",
            searching,
            lambda desk, given: desk.search(read_ask(given), facets=given["facets"]),
            "Answer",
            listed=True,
        ),
        Operation(
            "explain",
            "/explain",
            "Tell why a text is a pun.",
            (joke, lang),
            lambda desk, given: desk.explain(given["text"], given["lang"]),
            "Explanation",
            posted=True,
            faults=(501,),
        ),
        Operation(
            "detect",
            "/detect",
            "Tell how probably texts are wordplay, and which word does it.",
            (texts, lang),
            lambda desk, given: desk.detect(given["texts"], given["lang"]),
            "Detection",
            posted=True,
            faults=(501,),
        ),
        Operation(
            "same",
            "/same",
            "Tell whether a joke has been told, and show its versions.",
            (joke, some),
            lambda desk, given: desk.same(given["text"], given["k"]),
            "Sameness",
            posted=True,
            faults=(501,),
        ),
        Operation(
            "document",
            "/documents/{docid}",
            "Give a document.",
            (),
            lambda desk, given: desk.document(given["docid"]),
            "Document",
            place=name,
            faults=(404,),
        ),
        Operation(
            "families",
            "/families",
            "List jokes that were told more than once.",
            (some, offset),
            lambda desk, given: desk.families(given["k"], given["offset"]),
            "Families",
        ),
        Operation(
            "family",
            "/families/{family}",
            "Give all versions of a joke.",
            (),
            lambda desk, given: desk.family(given["family"]),
            "Family",
            place=number,
            faults=(404,),
        ),
        Operation(
            "facets",
            "/facets",
            "Count languages, kinds, patterns, levels and retellings.",
            (optional_topic, by_name),
            lambda desk, given: desk.facets(given["q"], given["preset"]),
            "Facets",
        ),
        Operation(
            "suggest",
            "/suggest",
            "Complete a query that is being typed.",
            (topic, choice("lang", "Words of this language come first.", CHOICES["lang"])),
            lambda desk, given: desk.suggestions(given["q"], given["lang"]),
            "Suggestions",
        ),
        Operation(
            "random",
            "/random",
            "Give a joke by chance.",
            (optional_topic, lang),
            lambda desk, given: desk.random(given["q"], given["lang"]),
            "Document",
            faults=(404,),
        ),
        Operation("presets", "/presets", "Name the rankings.", (), lambda desk, given: desk.presets(), "Presets"),
    )


def read_place(operation: Operation, written: str) -> dict[str, Any]:
    """Read the part of the path that names something."""
    if operation.place is None:
        return {}
    if operation.place.name == "family" and not written.isascii():
        raise InputError(f"family: {written!r} is not a whole number")
    return {operation.place.name: operation.place.read(written)}
