"""In what order? The stages, the algebra, the presets."""

from rimshot.rank.parse import STAGES, parse
from rimshot.rank.presets import DEFAULT, PRESETS, preset
from rimshot.rank.ranking import Hit, Ranking
from rimshot.rank.search import search
from rimshot.rank.stage import Stage

__all__ = ["DEFAULT", "PRESETS", "STAGES", "Hit", "Ranking", "Stage", "parse", "preset", "search"]
