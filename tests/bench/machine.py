"""The machine that was measured on: its name in the table, and whether something else kept it busy."""

import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Machine:
    cpu: str
    cores: int
    kernel: str
    python: str

    def __str__(self) -> str:
        return f"{self.cpu}, {self.cores} cores; {self.kernel}; Python {self.python}"

    def record(self) -> dict[str, object]:
        return asdict(self)


def here() -> Machine:
    kernel = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Machine(_cpu(), os.cpu_count() or 1, kernel, platform.python_version())


def load() -> float:
    """Of the last minute; what the benchmark itself causes is in it."""
    return os.getloadavg()[0]


def is_noisy(load_average: float) -> bool:
    return load_average > (os.cpu_count() or 1)


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown CPU"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown CPU")
