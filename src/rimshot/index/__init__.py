"""How is it found fast? Build, open, postings, vectors, columns."""

from rimshot.index.reader import Index, open_index
from rimshot.index.writer import IndexWriter, build_index, write_index

__all__ = ["Index", "IndexWriter", "build_index", "open_index", "write_index"]
