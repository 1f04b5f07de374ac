"""What every trained learner in a folder has: a model.json that tells its name, language and calibration."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

__all__ = ["FolderModel"]


@dataclass(frozen=True, eq=False)
class FolderModel:
    """A model in a folder of ``files``."""

    folder: Path
    files: ClassVar[tuple[str, ...]]

    @cached_property
    def about(self) -> dict[str, Any]:
        """What model.json says."""
        return dict(json.loads((self.folder / "model.json").read_text("utf-8")))

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self.about["name"])

    @cached_property
    def digest(self) -> str:
        """A digest of the folder's files."""
        name = hashlib.blake2b(digest_size=16)
        for file in self.files:
            name.update((self.folder / file).read_bytes())
        return name.hexdigest()

    @property
    def languages(self) -> tuple[str, ...]:
        """The language that it was trained on."""
        return (str(self.about["lang"]),)

    @property
    def calibration(self) -> tuple[float, float]:
        """The slope and the shift that make its logit a probability."""
        return float(self.about["calibration"]["a"]), float(self.about["calibration"]["b"])
