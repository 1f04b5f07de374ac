"""A tiny annotated index: numbers made up, so that every ranking can be worked out by hand."""

import hashlib

import numpy as np
import pytest

from rimshot.corpus import Doc
from rimshot.index import build_index, open_index, write_index

PUNS = [
    ("a", "The banker lost interest in the river bank.", "en", 0.9),
    ("b", "A river runs past the old bank, and past the new one.", "en", 0.1),
    ("c", "Bakers knead bread because they need the dough.", "en", 0.8),
    ("d", "He drew a blank at the bank, then drew the curtains.", "en", 0.6),
    ("e", "Night fell without breaking anything.", "en", 0.7),
    ("f", "Bread and butter, bread and jam.", "en", 0.2),
    ("g", "O padeiro amassa o pão porque precisa da massa.", "pt", 0.9),
    ("h", "O gato subiu ao banco.", "pt", 0.3),
]


class HashEncoder:
    """Vectors made from the words of a text, the same in every language."""

    name, digest, dim = "hash", "hash-1", 16

    def encode(self, texts, langs):
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                seed = int.from_bytes(hashlib.blake2b(word.strip(".,").encode(), digest_size=4).digest(), "little")
                row += np.random.default_rng(seed).normal(size=self.dim)
            row /= max(float(np.linalg.norm(row)), 1e-9)
        return rows


@pytest.fixture
def puns(tmp_path):
    folder = tmp_path / "puns"
    build_index([Doc(doc_id, text, lang) for doc_id, text, lang, _ in PUNS], folder)
    with write_index(folder) as writer:
        writer.set_column("humour", np.array([humour for *_, humour in PUNS], np.float32))
    return open_index(folder)
