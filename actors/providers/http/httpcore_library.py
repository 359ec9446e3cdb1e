"""httpcore without what it would import wherever that is installed, and we have no use for."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

UNUSED = ("anyio",)
"""It is for asyncio: 10 ms and 0.7 MB."""


@contextmanager
def _absent(*names: str) -> Iterator[None]:
    """What tries to import them is told that they are not to be had."""
    before = {name: sys.modules[name] for name in names if name in sys.modules}
    for name in names:
        sys.modules[name] = None  # type: ignore[assignment]  # how Python says so
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]
        sys.modules.update(before)


with _absent(*UNUSED):
    import httpcore

__all__ = ["httpcore"]
