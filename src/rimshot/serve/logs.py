"""Structured logs: one JSON object a line on standard error, without what was asked unless that is wanted."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

__all__ = ["LOG", "JsonLines", "log_to_stderr"]

LOG = logging.getLogger("rimshot.serve")


class JsonLines(logging.Formatter):
    """Writes a record as JSON: time, level, event, and the fields given as ``extra={"facts": {...}}``."""

    def format(self, record: logging.LogRecord) -> str:
        """Give the line of a record."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_to_stderr(level: int = logging.INFO) -> None:
    """Send the logs of the service, and the server's warnings, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("rimshot.serve", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level if name == "rimshot.serve" else logging.WARNING)
