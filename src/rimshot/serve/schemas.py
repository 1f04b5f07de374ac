"""The shapes of the answers, and an example of each; field names are stable within /api/v1."""

from __future__ import annotations

from typing import Any

__all__ = ["EXAMPLES", "SCHEMAS"]

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_DOCID = {"type": ["integer", "string"], "description": "As in the file that was indexed."}


def _object(properties: dict[str, Any], *optional: str, more: bool | dict[str, Any] = False) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": more}


def _list(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}}


_SHORT = {"docid": _DOCID, "text": _TEXT, "lang": {"type": "string", "enum": ["en", "pt"]}}
_DOCUMENT = {
    **_SHORT,
    "humour": {
        "type": ["number", "null"],
        "minimum": 0,
        "maximum": 1,
        "description": "P(wordplay), if the index knows it.",
    },
    "pun": {"type": ["object", "null"], "description": "The explanation, if the index has one."},
    "family": {
        "type": ["integer", "null"],
        "description": "Number of the joke's family, if it was told more than once.",
    },
    "versions": _list("Version"),
}
_FACETS = {
    "type": "object",
    "description": "Trait -> value -> number of documents.",
    "additionalProperties": {"type": "object", "additionalProperties": _COUNT},
}

SCHEMAS: dict[str, Any] = {
    "Version": _object(_SHORT),
    "Document": _object(_DOCUMENT),
    "Hit": _object(
        {
            "rank": {"type": "integer", "minimum": 1},
            **_DOCUMENT,
            "score": {"type": "number"},
            "topic": {
                "type": ["number", "null"],
                "minimum": 0,
                "maximum": 1,
                "description": "How much it is about the topic, if one was given.",
            },
            "why": _object(
                {
                    "matched": {"type": "array", "items": _TEXT, "description": "Words of the query in the text."},
                    "because": {
                        "type": "array",
                        "items": _TEXT,
                        "description": "The reasons in words, in the language that ui= asks for (en, pt).",
                    },
                },
                more={"type": "number", "description": "A part of the score, by its name."},
            ),
        }
    ),
    "Answer": _object(
        {
            "query": _TEXT,
            "pipeline": _TEXT,
            "total": {**_COUNT, "description": "Hits in the whole list."},
            "hidden": {**_COUNT, "description": "Hits left out for a content warning."},
            "offset": _COUNT,
            "lang": {
                "type": ["string", "null"],
                "enum": ["en", "pt", None],
                "description": "Language that the hits were kept to: the one asked for, or that of the query; null: "
                "none, as with lang=any.",
            },
            "index": {"type": "string", "description": "Digest of the collection."},
            "hits": _list("Hit"),
            "facets": _FACETS,
        },
        "facets",
    ),
    "Explanation": _object({"text": _TEXT, "humour": _SHARE, "word": {"type": ["string", "null"]}}, "word", more=True),
    "Detection": _object({"detector": _TEXT, "results": _list("Detected")}),
    "Detected": _object(
        {
            "lang": _TEXT,
            "humour": _SHARE,
            "word": {"type": ["string", "null"]},
            "start": {"type": ["integer", "null"], "minimum": 0},
            "end": {"type": ["integer", "null"], "minimum": 0},
            "confidence": _SHARE,
        }
    ),
    "Sameness": _object({"text": _TEXT, "told": {"type": "boolean"}, "versions": _list("Told")}),
    "Told": _object({**_SHORT, "pun": _DOCUMENT["pun"], "probability": _SHARE}),
    "Families": _object({"total": _COUNT, "offset": _COUNT, "families": _list("Family")}),
    "Family": _object(
        {
            "family": _COUNT,
            "size": _COUNT,
            "first": {"$ref": "#/components/schemas/Version"},
            "versions": _list("Version"),
        },
        "versions",
    ),
    "Facets": _object({"query": {"type": ["string", "null"]}, "total": _COUNT, "facets": _FACETS}),
    "Suggestions": _object({"query": _TEXT, "suggestions": {"type": "array", "items": _TEXT}}),
    "Presets": _object({"default": _TEXT, "presets": {"type": "object", "additionalProperties": _TEXT}}),
    "Health": _object({"status": {"const": "alive"}}),
    "Ready": _object(
        {
            "status": {"const": "ready"},
            "documents": _COUNT,
            "generation": _COUNT,
            "index": _TEXT,
            "traits": {"type": "array", "items": _TEXT},
        }
    ),
    "Problem": _object(
        {
            "type": {"type": "string", "format": "uri"},
            "title": _TEXT,
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string", "description": "What is wrong and what to do, as the command line says it."},
            "instance": {"type": "string", "format": "uri"},
        }
    ),
}

_VERSION = {"docid": "c", "text": "Bakers knead bread because they need the dough.", "lang": "en"}
_EXPLAINED = {
    "humour": 0.97,
    "word": "knead",
    "start": 7,
    "end": 12,
    "kind": "heterographic",
    "senses": [],
    "alternatives": ["need"],
    "sentence": '"knead" sounds like "need".',
}
_HIT: dict[str, Any] = {
    "rank": 1,
    **_VERSION,
    "humour": 0.97,
    "pun": _EXPLAINED,
    "family": None,
    "versions": [],
    "score": 3.2,
    "topic": 1.0,
    "why": {"matched": ["bread"], "because": [], "bm25": 3.2},
}
EXAMPLES: dict[str, Any] = {
    "Answer": {
        "query": "bread",
        "pipeline": "Bm25() % 1000",
        "total": 1,
        "hidden": 0,
        "offset": 0,
        "lang": "en",
        "index": "0d5c3b8f6a1e47f2a6c9d0e1b2a3f4c5",
        "hits": [_HIT],
    },
    "Document": {**_VERSION, "humour": 0.97, "pun": _EXPLAINED, "family": None, "versions": []},
    "Explanation": {"text": _VERSION["text"], **_EXPLAINED},
    "Detection": {
        "detector": "rimshot-en",
        "results": [{"lang": "en", "humour": 0.97, "word": "knead", "start": 7, "end": 12, "confidence": 0.9}],
    },
    "Sameness": {
        "text": _VERSION["text"],
        "told": True,
        "versions": [{**_VERSION, "pun": _EXPLAINED, "probability": 0.99}],
    },
    "Suggestions": {"query": "bre", "suggestions": ["bread", "breath"]},
}
