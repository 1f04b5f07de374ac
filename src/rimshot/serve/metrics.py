"""Counts and times of requests, in the text format of Prometheus (version 0.0.4)."""

from __future__ import annotations

import os
import threading
from collections import Counter, defaultdict
from collections.abc import Mapping

__all__ = ["Metrics", "resident_bytes"]

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


def resident_bytes() -> int:
    """Give the memory that this process holds now, 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - not a file of the disk
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


class Metrics:
    """Counters of the service since it started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(_BOUNDS) + 1))
        self.seconds: dict[str, float] = defaultdict(float)
        self.running = 0

    def done(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a finished request."""
        at = next((at for at, bound in enumerate(_BOUNDS) if seconds <= bound), len(_BOUNDS))
        with self._lock:
            self.requests[method, route, status] += 1
            self.buckets[route][at] += 1
            self.seconds[route] += seconds

    def text(self, gauges: Mapping[str, tuple[str, str, float]]) -> str:
        """Write everything; ``gauges`` adds name -> (kind, help, value)."""
        lines = ["# HELP rimshot_requests_total Requests answered.", "# TYPE rimshot_requests_total counter"]
        with self._lock:
            for (method, route, status), count in sorted(self.requests.items()):
                lines.append(f'rimshot_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}')
            lines += ["# HELP rimshot_request_seconds Time to answer.", "# TYPE rimshot_request_seconds histogram"]
            for route, row in sorted(self.buckets.items()):
                total = 0
                for bound, count in zip((*map(str, _BOUNDS), "+Inf"), row, strict=True):
                    total += count
                    lines.append(f'rimshot_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}')
                lines.append(f'rimshot_request_seconds_sum{{route="{route}"}} {self.seconds[route]:.6f}')
                lines.append(f'rimshot_request_seconds_count{{route="{route}"}} {total}')
        everything = {
            "rimshot_requests_running": ("gauge", "Requests being answered.", self.running),
            "process_resident_memory_bytes": ("gauge", "Resident memory.", resident_bytes()),
            **gauges,
        }
        for name, (kind, about, value) in everything.items():
            lines += [
                f"# HELP {name} {about}",
                f"# TYPE {name} {kind}",
                f"{name} {value:g}" if value < 1e6 else f"{name} {value:.0f}",
            ]
        return "\n".join(lines) + "\n"
