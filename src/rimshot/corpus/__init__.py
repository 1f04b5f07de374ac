"""What is searched? Documents, readers, the analyser, the embedded sample."""

from rimshot.corpus.analyser import Analyser
from rimshot.corpus.document import Doc
from rimshot.corpus.queries import read_queries
from rimshot.corpus.query import Query
from rimshot.corpus.readers import DocReader, read_docs

__all__ = ["Analyser", "Doc", "DocReader", "Query", "read_docs", "read_queries"]
