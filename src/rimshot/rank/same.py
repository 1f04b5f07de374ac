"""Retellings of a joke, best first: a joke is the query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rimshot.corpus.analyser import Analyser
from rimshot.corpus.document import LANGUAGES
from rimshot.corpus.language import guess_language
from rimshot.corpus.query import Query
from rimshot.errors import IndexFault, PipelineError
from rimshot.index.english import read_in_english, vectors_in_english
from rimshot.index.families import JOKES, hinges_of, pun_of
from rimshot.index.reader import Index
from rimshot.rank.dense import cosines, query_vector
from rimshot.rank.lexical import accumulate
from rimshot.rank.products import products
from rimshot.rank.ranking import Array, Ranking, best
from rimshot.rank.stage import Shape, Stage
from rimshot.retell.context import context_features
from rimshot.retell.joke_encoder import NOT_READ, InEnglish, hinge_map, joke_reader, scenes
from rimshot.retell.likeness import HINGED
from rimshot.retell.parts import punch_line
from rimshot.retell.rarity import rarity
from rimshot.retell.similarity import NAMES, Likeness, Similarity, shipped_similarity
from rimshot.retell.telling import Telling, read_telling

if TYPE_CHECKING:
    from rimshot.wordplay.detector import Detector

__all__ = [
    "DEPTH",
    "Asked",
    "Same",
    "asked_document",
    "asked_text",
    "neighbours",
    "pair_probability",
    "read_joke",
    "retellings",
    "standing",
]

DEPTH = 60
"""How many candidates are read and judged; all figures are measured with it."""
_BY_WORDS, _BY_MEANING, _BY_ENDING, _BY_TURN, _BY_JOKE, _BY_HINGE, _ACROSS = 100, 60, 30, 60, 60, 60, 8
_SEEN = 1e6
"""The quick guess of the few best texts in the other language: they are always read."""
_PLAIN = 4.0
"""Rarity up to which a single word in common is no reason to look at a text."""


@dataclass(frozen=True, repr=False)
class Same(Stage):
    """The documents most probably the same joke as the query's text, with the column ``probability``.

    Candidates come from shared words (by the score of Friedland and Allan 2008), from a single rare word near the end, from meaning,
    from the punch line and from the joke's own vector; the best ``depth`` of them by a quick look are read and judged. Scores are
    the log-odds of trees. Documents identical to the query are left
    out unless ``copies``.
    """

    depth: int = DEPTH
    copies: bool = False

    needs: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if isinstance(self.depth, bool) or not isinstance(self.depth, int) or self.depth < 1:
            raise PipelineError(f"{self!r}: depth must be at least 1")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Find, judge and sort."""
        text = ranking.query.text
        if not text.strip() or not index.size:
            return Ranking(ranking.query)
        return self.by(shipped_similarity(), ranking, index)

    def by(self, similarity: Similarity, ranking: Ranking, index: Index) -> Ranking:
        """Find, judge by a similarity of one's own, and sort."""
        text = ranking.query.text
        asked = asked_text(text, ranking.query.lang or guess_language(text), index)
        docs, found = retellings(asked, index, similarity, self.depth, self.copies)
        parts = {name: found.features[:, at] for at, name in enumerate(NAMES)}
        order = standing(docs, found, index)
        return Ranking(ranking.query, docs, order, {}).rescored(
            order, {"probability": found.probabilities, "log_odds": found.odds, **parts}
        )


@dataclass(frozen=True, eq=False)
class Asked:
    """A joke whose retellings are sought: as read for comparison, with the vectors of text and punch line if there are any."""

    telling: Telling
    meaning: Array | None = None
    ending: Array | None = None
    english: Array | None = None
    """The vector of its translation; of an English text, its own. Texts in two languages are compared by it alone."""
    joke: Array | None = None
    """Its vector as a joke; without, that of its meaning stands in."""

    def cosines(self, other: Asked) -> Array | None:
        """Give the cosines [[meaning, ending, joke, scene]] with another joke, None without vectors."""
        if self.meaning is None or other.meaning is None or self.ending is None or other.ending is None:
            return None
        meaning = float(self.meaning @ other.meaning)
        if self.english is not None and other.english is not None:
            english = float(self.english @ other.english)
            meaning = (meaning + english) / 2 if self.telling.lang == other.telling.lang else english
        joke = scene = meaning
        if self.joke is not None and other.joke is not None:
            joke, scene = float(self.joke @ other.joke), float(scenes(self.joke) @ scenes(other.joke))
        return np.array([[meaning, float(self.ending @ other.ending), joke, scene]])


def asked_text(text: str, lang: str, index: Index) -> Asked:
    """Read any text; the word it puns on is asked of the detector if the index knows such words."""
    if not (index.has_column("meaning") and index.has_column("punch")):
        return Asked(read_telling(text, lang))
    # One core reads the text in English, translated if need be, while the other reads it as it stands.
    with ThreadPoolExecutor(1) as aside:
        english = aside.submit(_read_english, text, lang, index)
        pun, meaning, ending = _read(text, lang, index)
        joke, hinges = read_joke(text, lang, index, lambda: english.result()[1])
        translated = english.result()[0]
    telling = read_telling(text, lang, *pun, None, hinges)
    return Asked(telling, meaning, ending, meaning if translated is None else translated, joke)


def _read(text: str, lang: str, index: Index) -> tuple[tuple[str, float], Array, Array]:
    """Give the word that a text puns on, with how sure that is, and the vectors of text and punch line."""
    pun: tuple[str, float] = ("", 0.0)
    meaning: Array | None = None
    if index.has_column("pun_start"):
        word, certainty, meaning = _pun(text, lang)
        pun = (word, certainty)
    # Where the detector gives vectors, those of the documents came from it too.
    if meaning is None or len(meaning) != index.column("meaning").shape[1]:
        meaning = query_vector(Query("", text, lang), index)
    ending = query_vector(Query("", punch_line(text), lang), index)
    return pun, meaning, ending


def read_joke(
    text: str, lang: str, index: Index, english: Callable[[], InEnglish] | None = None
) -> tuple[Array | None, Mapping[int, float]]:
    """Give the vector of a text as a joke and the words it may hang on, nothing where the index has none to compare with.

    ``english`` gives what the text is as a joke in English, if that is not to be read here.
    """
    if not index.has_column("joke"):
        return None, {}
    made = index.manifest.get("notes", {}).get(JOKES)
    reader = joke_reader()
    if made != reader.digest:
        raise IndexFault(f"{index.path}: its jokes were encoded by another model ({made}); build the index again")
    own = reader.both.read([text], lang)
    found = reader.joined(own, [lang], english() if english else _read_english(text, lang, index)[1])
    return found.vectors[0], hinge_map(found.hinges[0], found.shares[0])


def _read_english(text: str, lang: str, index: Index) -> tuple[Array | None, InEnglish]:
    """Give the vector of a text's translation, None where it is not translated, and what the text is as a joke in English."""
    known: dict[int, str] = {}
    if lang != "en" and vectors_in_english(index) is not index.column("meaning"):
        known = read_in_english([text], [lang], np.ones(1, bool))
    joke = joke_reader().in_english([text], [lang], known) if index.has_column("joke") else NOT_READ
    return query_vector(Query("", known[0], "en"), index) if known else None, joke


def asked_document(index: Index, number: int) -> Asked:
    """Take a document of the index, whose vectors and pun word are known."""
    vectors: list[Array | None] = []
    if index.has_column("meaning") and index.has_column("punch"):
        columns = [index.column("meaning"), index.column("punch"), vectors_in_english(index)]
        columns += [index.column("joke")] if index.has_column("joke") else []
        vectors = [np.asarray(rows[number], dtype=np.float32) for rows in columns]
    return Asked(_telling(index, number), *vectors)


def retellings(
    asked: Asked, index: Index, similarity: Similarity, depth: int = DEPTH, copies: bool = True
) -> tuple[Array, Likeness]:
    """Give the best ``depth`` candidates by a quick look, in no order, with what the similarity says of them."""
    docs, quick, near = _candidates(asked, index, similarity)
    if not copies:
        plain = " ".join(asked.telling.text.split())
        other = np.array([" ".join(index.text(int(n)).split()) != plain for n in docs], dtype=bool)
        docs, quick = docs[other], quick[other]
        near = near[other] if near is not None else None
    rows, docs, _ = best(docs, quick, depth)
    near = near[rows] if near is not None else None
    return docs, similarity.compare(asked.telling, [_telling(index, int(n)) for n in docs], near)


def standing(docs: Array, found: Likeness, index: Index) -> Array:
    """Give the scores to rank candidates by: versions of one joke, by the families of the index, come near the best of them."""
    return found.order_among(index.column("family")[docs]) if index.has_column("family") else found.order


def neighbours(index: Index, number: int, similarity: Similarity) -> dict[int, float]:
    """Give the documents nearest to one of the index, with the log-odds of each."""

    def find() -> dict[int, float]:
        docs, found = retellings(asked_document(index, number), index, similarity)
        return {int(n): float(value) for n, value in zip(docs, found.logits, strict=True) if int(n) != number}

    return index.memo(("neighbours", number, id(similarity)), find)


def pair_probability(index: Index, a: int, b: int, similarity: Similarity | None = None) -> float:
    """Give the probability that two documents are the same joke, by the two texts and by what their neighbours say."""
    model = similarity or shipped_similarity()
    one, other = asked_document(index, a), asked_document(index, b)
    alone = model.compare(one.telling, [other.telling], one.cosines(other))
    around = context_features(float(alone.logits[0]), a, neighbours(index, a, model), b, neighbours(index, b, model))
    return model.pair_probability(one.telling, other.telling, alone, around)


def _telling(index: Index, number: int) -> Telling:
    return index.memo(("telling", number), lambda: _read_document(index, number))


def _read_document(index: Index, number: int) -> Telling:
    humour = float(index.column("humour")[number]) if index.has_column("humour") else None
    known = hinges_of(index)
    hinges = None if known is None else hinge_map(*(rows[number] for rows in known))
    return read_telling(index.text(number), index.lang(number), *pun_of(index, number), humour, hinges)


@lru_cache(maxsize=1)
def _detector() -> Detector:
    """The networks alone: the word and the vector are theirs, and nobody here asks whether the text is funny."""
    from rimshot.wordplay.choose import choose_detector

    return choose_detector("network")


@lru_cache(maxsize=256)
def _pun(text: str, lang: str) -> tuple[str, float, Array | None]:
    scores = _detector().score([text], lang)
    word, vectors = scores.word(0, text), scores.vectors
    vector = None if vectors is None else np.asarray(vectors[0], dtype=np.float32)
    return (word, float(scores.confidence[0]), vector) if word else ("", 0.0, vector)


def _candidates(asked: Asked, index: Index, similarity: Similarity) -> tuple[Array, Array, Array | None]:
    """Give documents by several signals, a quick guess at the log-odds of each, and their cosines if there are vectors."""
    docs, gains = _by_words(asked.telling, index)
    share, turn = np.zeros(index.size), _by_turn(asked.telling, index)
    share[docs] = gains / max(float(gains.max(initial=0.0)), 1e-9)
    live = index.numbers()
    turning = live[turn[live] > 0]
    hinged = _by_hinge(asked.telling, index)
    hanging = live[hinged[live] > 0]
    sets = [
        best(docs, gains, _BY_WORDS)[1],
        best(turning, turn[turning], _BY_TURN)[1],
        best(hanging, hinged[hanging], _BY_HINGE)[1],
    ]
    if asked.meaning is None or asked.ending is None:
        chosen = np.unique(np.concatenate(sets)).astype(np.int32)
        return chosen, 5.0 * share[chosen] + turn[chosen], None
    meaning = cosines(asked.meaning, index)
    ending = products(index.column("punch"), asked.ending)
    inside = _languages(index) == LANGUAGES.index(asked.telling.lang)
    if asked.english is not None and vectors_in_english(index) is not index.column("meaning"):
        english = products(vectors_in_english(index), asked.english)
        meaning = np.where(inside, (meaning + english) / 2, english)
    joke = meaning if asked.joke is None else products(index.column("joke"), asked.joke)
    # Cosines in one language and across two are not alike, so each has candidates of its own.
    own = inside[live]
    for values, count in ((meaning, _BY_MEANING), (ending, _BY_ENDING), (joke, _BY_JOKE)):
        sets.append(best(live[own], values[live[own]], count)[1])
    foreign = np.union1d(*(best(live[~own], values[live[~own]], _ACROSS)[1] for values in (meaning, joke)))
    chosen = np.unique(np.concatenate([*sets, foreign])).astype(np.int32)
    chosen = chosen[inside[chosen] | np.isin(chosen, foreign)]
    scene = joke[chosen]
    if asked.joke is not None:
        scene = scenes(np.asarray(index.column("joke")[chosen], np.float32)) @ scenes(asked.joke)
    pair = np.column_stack([meaning[chosen], ending[chosen], joke[chosen], scene]).astype(np.float64)
    scaled = similarity.scaled(pair, [asked.telling.lang] * len(chosen), [index.lang(int(n)) for n in chosen])
    quick = similarity.vectors.logit(scaled) + 5.0 * share[chosen] + turn[chosen] + hinged[chosen]
    return chosen, np.where(np.isin(chosen, foreign), _SEEN, quick), pair


def _languages(index: Index) -> Array:
    """The number of each document's language."""
    return index.memo("language numbers", lambda: np.concatenate([s.array("doc:lang") for s in index.segments]))


def _by_hinge(asked: Telling, index: Index) -> Array:
    """For every document, how far it hangs on a word that the joke hangs on."""
    found = np.zeros(index.size, dtype=np.float32)
    known = hinges_of(index)
    if known is not None:
        codes, shares = known
        for code, share in asked.hinges.items():
            docs, at = np.nonzero(codes == np.uint32(code))
            found[docs] += np.float32(share) * shares[docs, at].astype(np.float32)
    return np.asarray(np.log1p(found / HINGED))


def _by_turn(asked: Telling, index: Index) -> Array:
    """For every document, what the one word in common that is rarest and latest in the joke is worth: jokes turn near the end."""
    field, own = index.field("text"), index.analysers[asked.lang]
    worth: dict[str, float] = {}
    words = own.split(asked.text)
    for at, word in enumerate(words, 1):
        if (term := own.term(word)) and (stem := Analyser(asked.lang).term(word)) in asked.weight:
            place = 1.0 if stem == asked.pun else at / len(words)
            worth[term] = max(worth.get(term, 0.0), (rarity(stem, asked.lang) - _PLAIN) * place)
    found = np.zeros(index.size, dtype=np.float32)
    for term, value in worth.items():
        if value > 0:
            docs, _ = field.postings(term)
            found[docs] = np.maximum(found[docs], np.float32(value))
    return found


def _by_words(asked: Telling, index: Index) -> tuple[Array, Array]:
    """KL divergence of the joke from each document under linear smoothing in equal parts, without its constant."""
    field = index.field("text")
    stopping, own = Analyser(asked.lang, stop=True), index.analysers[asked.lang]
    counts: dict[str, float] = {}
    for word in own.split(asked.text):
        if stopping.term(word) and (term := own.term(word)):
            counts[term] = counts.get(term, 0.0) + 1.0
    total = max(sum(counts.values()), 1.0)

    def formula(term: str, docs: Array, tfs: Array) -> Array:
        background = max(field.cf(term), 1) / max(field.total, 1)
        return np.log1p(tfs.astype(np.float32) / np.maximum(field.lengths[docs], 1) / np.float32(background))

    return accumulate({term: count / total for term, count in counts.items()}, field, formula)
