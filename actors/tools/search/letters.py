"""Which of many paths somebody means by a few letters: those that have them in order, the nearest first. Pure."""

import heapq
import re
from collections.abc import Sequence

NEAREST = 200
"""Of those that fit about as well, so many are compared in detail."""


def best(letters: str, paths: Sequence[str], most: int) -> tuple[list[str], int]:
    """At most so many, and how many fit. In time that grows with the paths, whatever they are called."""
    wanted = letters.removeprefix("./").casefold()
    if not wanted:
        top = [path for path in paths if "/" not in path.rstrip("/")]
        return sorted(top, key=lambda path: not path.endswith("/"))[:most], len(paths)
    in_order = re.compile("".join(f"[^{re.escape(letter)}]*{re.escape(letter)}" for letter in wanted), re.DOTALL)
    found = [path for path in paths if in_order.match(path.casefold())]
    near = heapq.nsmallest(max(most, NEAREST), found, key=lambda path: _distance(wanted, path.casefold()))
    return _in_detail(wanted, near)[:most], len(found)


def _distance(wanted: str, path: str) -> tuple[int, int, str]:
    """How the letters stand in a path, then how long it is."""
    bare = path.rstrip("/")
    name = bare.rpartition("/")[2]
    ways: tuple[bool, ...]
    if "/" in wanted:
        ways = (path == wanted, path.startswith(wanted), wanted in path)
    else:
        ways = (name == wanted, name.startswith(wanted), wanted in name, wanted in path)
    step = next((at for at, fits in enumerate(ways) if fits), len(ways))
    return step, len(path), path


def _in_detail(wanted: str, paths: Sequence[str]) -> list[str]:
    from rapidfuzz import fuzz  # only who completes a path pays for it

    def key(path: str) -> tuple[int, float, int, str]:
        folded = path.casefold()
        step, length, _ = _distance(wanted, folded)
        return step, -fuzz.partial_ratio(wanted, folded), length, path

    return sorted(paths, key=key)
