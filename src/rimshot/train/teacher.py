"""The vector space to stay in: what the unchanged all-MiniLM-L6-v2 says of each text.

Both shipped models learn to put a text where MiniLM puts it (Portuguese: where MiniLM puts its
English translation), so one space serves both languages and finding the pun does not cost the
model its sense of topic (Reimers and Gurevych 2020, multilingual distillation).
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from rimshot.train.bases import Base
from rimshot.train.batches import cut
from rimshot.train.precision import has_bfloat16

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from rimshot.train.encoder import WordplayModel
    from rimshot.train.thesaurus import Thesaurus


@dataclass
class Teacher:
    """Unit vectors of known texts; unknown texts are left out of the vector loss."""

    dim: int
    places: dict[str, int] = field(default_factory=dict)
    vectors: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    def look_up(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the vectors of the texts (zeros where unknown) and 1 or 0 for known."""
        found = np.zeros((len(texts), self.dim), np.float32)
        known = np.zeros(len(texts), np.float32)
        for row, text in enumerate(texts):
            place = self.places.get(text)
            if place is not None:
                found[row], known[row] = self.vectors[place], 1.0
        return found, known

    def add(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Take in the vectors of more texts."""
        start = len(self.vectors)
        self.places |= {text: start + row for row, text in enumerate(texts)}
        self.vectors = np.concatenate([self.vectors.reshape(-1, self.dim), vectors])

    def save(self, path: Path) -> None:
        """Write the vectors and their texts."""
        texts = sorted(self.places, key=self.places.__getitem__)
        order = [self.places[text] for text in texts]
        np.savez(path, texts=np.array(json.dumps(texts)), vectors=self.vectors[order].astype(np.float16))


def load_teacher(path: Path) -> Teacher:
    """Return a teacher written by `save`."""
    with np.load(path) as kept:
        texts = json.loads(str(kept["texts"]))
        vectors = kept["vectors"].astype(np.float32)
    return Teacher(vectors.shape[1], {text: row for row, text in enumerate(texts)}, vectors)


def mean_vectors(
    base: Base,
    texts: Sequence[str],
    max_tokens: int = 64,
    size: int = 64,
    step: Callable[[int], Any] | None = None,
) -> NDArray[np.float32]:
    """Return the mean-pooled unit vectors of a base encoder."""
    encoder = copy.deepcopy(base.encoder).eval().to(torch.bfloat16 if has_bfloat16() else torch.float32)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    found = np.zeros((len(texts), base.encoder.shape.dim), np.float32)
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        kept = [cut(e.ids, max_tokens) for e in base.tokenizer.encode_batch([texts[i] for i in rows])]
        length = max(map(len, kept))
        ids = torch.tensor([k + [0] * (length - len(k)) for k in kept])
        mask = torch.tensor([[1] * len(k) + [0] * (length - len(k)) for k in kept])
        with torch.no_grad():
            states = encoder(ids, mask)
        mean = (states.float() * mask[:, :, None]).sum(1)
        found[rows] = torch.nn.functional.normalize(mean, dim=-1).numpy()
        if step:
            step(len(rows))
    return found


def align(model: WordplayModel, tokenizer: Tokenizer, teacher: Teacher, texts: Sequence[str]) -> float:
    """Set the vector head to the linear map that best lands on the teacher; return the mean cosine.

    Ridge regression on the encoder's mean states: a space learnt in one step instead of epochs.
    """
    student = Base(model.encoder, tokenizer, "student")
    means = mean_vectors(student, texts).astype(np.float64)
    wanted = teacher.look_up(texts)[0].astype(np.float64)
    gram = means.T @ means
    weight = np.linalg.solve(gram + np.eye(len(gram)) * 1e-4 * np.trace(gram) / len(gram), means.T @ wanted)
    model.vector.weight.data = torch.from_numpy(weight.T.astype(np.float32)).contiguous()
    landed = means @ weight
    return float(((landed * wanted).sum(1) / np.linalg.norm(landed, axis=1)).mean())


def topics(thesaurus: Thesaurus, rng: random.Random, count: int) -> list[str]:
    """Return words and short definitions to learn as queries."""
    synsets = [s for s in thesaurus.words if s[0] in "nv"]
    chosen = rng.sample(sorted(synsets), min(count, len(synsets)))
    found = {thesaurus.words[s][0] for s in chosen} | {thesaurus.gloss[s] for s in chosen}
    return sorted(text for text in found if text)
