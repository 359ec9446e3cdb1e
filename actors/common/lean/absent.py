"""Importing a library without what it would import wherever that is installed, and we have no use for."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def absent(*names: str) -> Iterator[None]:
    """What tries to import them is told that they are not to be had."""
    with _in_place_of(dict.fromkeys(names)):
        yield


@contextmanager
def hollow(*names: str) -> Iterator[None]:
    """What tries to import them gets modules in which everything is None: of a library that cannot do without."""
    with _in_place_of({name: _hollow(name) for name in names}):
        yield


def _hollow(name: str) -> ModuleType:
    module = ModuleType(name)
    module.__getattr__ = lambda _name: None  # type: ignore[method-assign]  # PEP 562
    return module


@contextmanager
def _in_place_of(others: dict[str, ModuleType | None]) -> Iterator[None]:
    """Those that are imported already are there again afterwards; the others can be imported then."""
    before = {name: sys.modules[name] for name in others if name in sys.modules}
    sys.modules.update(others)  # type: ignore[arg-type]  # None is how Python says that it is not to be had
    try:
        yield
    finally:
        for name in others:
            del sys.modules[name]
        sys.modules.update(before)
