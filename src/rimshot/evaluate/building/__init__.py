"""Building a JOKER-style test collection: items, expansions, judgments, splits, sheets, a data card."""

from rimshot.evaluate.building.build import Built, build_collection, write_collection
from rimshot.evaluate.building.items import Item, read_items

__all__ = ["Built", "Item", "build_collection", "read_items", "write_collection"]
