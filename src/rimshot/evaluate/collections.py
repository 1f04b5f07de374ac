"""A test collection on disk: texts, queries and judgments in a folder, in JOKER's formats."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rimshot.corpus.query import Query
from rimshot.corpus.sample import SAMPLE_LANGUAGES, sample_path
from rimshot.errors import InputError, did_you_mean
from rimshot.evaluate.qrels import Qrels, read_qrels
from rimshot.index import Index

__all__ = ["Collection", "find_collections", "needs_annotation", "open_collection"]

_WORDS_ENOUGH = frozenset({"Bm25", "Tfidf", "QueryLikelihood", "Rm3", "Top", "Blend", "Rrf"})


@dataclass(frozen=True)
class Collection:
    """A folder with ``corpus.json``, ``queries.json``, ``qrels.json`` and, where it was judged, ``topical.json``."""

    name: str
    path: Path
    lang: str | None = None

    @cached_property
    def queries(self) -> list[Query]:
        """The queries, in order."""
        from rimshot.corpus.queries import read_queries

        return read_queries(self.path / "queries.json", self.lang)

    @cached_property
    def qrels(self) -> Qrels:
        """The official judgments: on the topic, and humorous."""
        return read_qrels(self.path / "qrels.json")

    @cached_property
    def topical(self) -> Qrels | None:
        """The topical judgments, where there are any for these queries."""
        path = self.path / "topical.json"
        return read_qrels(path) if path.is_file() else None

    @contextmanager
    def index(self, annotated: bool = False, keep: Path | None = None) -> Iterator[Index]:
        """Give an index of the texts, built now; ``annotated`` with humour and meaning.

        It is removed afterwards, or kept as ``keep/NAME``.
        """
        from rimshot.index import open_index

        folder = Path(tempfile.mkdtemp(prefix="rimshot-", dir=_made(keep)))
        try:
            _build(self.path / "corpus.json", folder / "index", self.lang)
            if annotated:
                from rimshot.index.complete import enrich_index

                enrich_index(folder / "index")
            where = folder / "index"
            if keep is not None:
                shutil.rmtree(keep / self.name, ignore_errors=True)
                where = where.rename(keep / self.name)
            yield open_index(where)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _made(folder: Path | None) -> Path | None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _build(corpus: Path, out: Path, lang: str | None) -> None:
    from rimshot.corpus.readers import DocReader
    from rimshot.index import build_index

    build_index(DocReader([corpus], lang or "auto"), out)


def needs_annotation(pipelines: Iterable[str]) -> bool:
    """Tell whether one of some pipelines, as written, reads more of an index than words.

    >>> needs_annotation(["Bm25() >> Rm3() >> Bm25() % 1000"]), needs_annotation(["Bm25() >> Humour()"])
    (False, True)
    """
    stages = {name for text in pipelines for name in re.findall(r"\b[A-Z]\w*(?=\()", text)}
    return not stages <= _WORDS_ENOUGH


def _guess(path: Path) -> str | None:
    for part in (path.name, path.parent.name):
        if part in SAMPLE_LANGUAGES:
            return part
    return None


def open_collection(what: str | Path) -> Collection:
    """Give a collection by folder, or the embedded sample as ``sample-en`` or ``sample-pt``."""
    names = {f"sample-{lang}": lang for lang in SAMPLE_LANGUAGES}
    if str(what) in names:
        return Collection(str(what), sample_path(names[str(what)]), names[str(what)])
    path = Path(what)
    if not path.is_dir():
        raise InputError(f'no collection "{what}": not a folder; {did_you_mean(str(what), names)}')
    for name in ("corpus.json", "queries.json", "qrels.json"):
        if not (path / name).is_file():
            raise InputError(f"{path}: no {name}; a collection has corpus.json, queries.json and qrels.json")
    return Collection(_name(path), path, _language(path))


def _name(path: Path) -> str:
    path = path.resolve()
    return f"{path.parent.name}-{path.name}" if _guess(path.parent) else path.name


def _language(path: Path) -> str | None:
    card = path / "collection.json"
    if card.is_file():
        found = json.loads(card.read_text(encoding="utf-8")).get("lang")
        return str(found) if found in SAMPLE_LANGUAGES else None
    return _guess(path.resolve())


def find_collections(*folders: Path) -> list[Collection]:
    """Give the embedded sample in both languages, then every collection below the folders."""
    found = [Collection(f"sample-{lang}", sample_path(lang), lang) for lang in SAMPLE_LANGUAGES]
    found = [collection for collection in found if (collection.path / "qrels.json").is_file()]
    for folder in folders:
        for qrels in sorted(folder.glob("**/qrels.json")):
            if (qrels.parent / "corpus.json").is_file() and (qrels.parent / "queries.json").is_file():
                found.append(open_collection(qrels.parent))
    return found
