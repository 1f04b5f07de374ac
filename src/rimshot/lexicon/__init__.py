"""Words: what can a word mean, and how does it sound."""

from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.related import expansion, related
from rimshot.lexicon.wordnet import Sense, Synset, WordNet, synset, wordnet

__all__ = ["Sense", "Synset", "WordNet", "expansion", "lemmas", "related", "synset", "wordnet", "zipf"]
