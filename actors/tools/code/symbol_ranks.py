"""Which symbols of a repository matter most: PageRank over "this file uses what that file defines". Pure."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

DAMPING = 0.85
ROUNDS = 20
COMMON = 0.5
"""A name that more than this part of the files define says nothing about any of them."""


class Symbols(msgspec.Struct, frozen=True):
    """Of one file."""

    defined: tuple[str, ...]
    used: Mapping[str, int]
    """How often it refers to a name."""


def ranks(files: Mapping[str, Symbols]) -> dict[str, float]:
    """A number for each file; they add up to 1."""
    definers = _definers(files)
    links = {path: _links(path, symbols, definers) for path, symbols in files.items()}
    rank = dict.fromkeys(files, 1 / max(len(files), 1))
    for _ in range(ROUNDS):
        given: dict[str, float] = defaultdict(float)
        for path, targets in links.items():
            total = sum(targets.values())
            for target, weight in targets.items():
                given[target] += rank[path] * weight / total
        lost = 1 - sum(given.values())  # of files that use nothing: everybody's
        base = (1 - DAMPING + DAMPING * lost) / max(len(files), 1)
        rank = {path: base + DAMPING * given[path] for path in files}
    return rank


def weights(files: Mapping[str, Symbols]) -> dict[str, float]:
    """How much each name is used, by how much its users matter; a name that many define is shared among them."""
    rank = ranks(files)
    definers = Counter(name for symbols in files.values() for name in symbols.defined)
    weight: dict[str, float] = defaultdict(float)
    for path, symbols in files.items():
        total = sum(symbols.used.values())
        for name, times in symbols.used.items():
            weight[name] += rank[path] * times / total / max(definers[name], 1)
    return weight


def _definers(files: Mapping[str, Symbols]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path, symbols in files.items():
        for name in dict.fromkeys(symbols.defined):
            found[name].append(path)
    most = max(len(files) * COMMON, 1)
    return {name: paths for name, paths in found.items() if len(paths) <= most}


def _links(path: str, symbols: Symbols, definers: Mapping[str, Sequence[str]]) -> Counter[str]:
    """To whom, how strongly (in thousandths)."""
    links: Counter[str] = Counter()
    for name, times in symbols.used.items():
        targets = [target for target in definers.get(name, ()) if target != path]
        for target in targets:
            links[target] += round(1000 * times / len(targets))
    return +links
