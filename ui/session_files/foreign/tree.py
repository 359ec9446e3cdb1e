"""Records that name the one before them: the path that counts, and the branches that leave it. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    id: str
    parent: str
    """Id of the node before it; "" for the first."""


@dataclass(frozen=True)
class Branch:
    leaves: str
    """Id of the last node that it has in common with the path; "" for none."""
    nodes: tuple[str, ...]


def path(nodes: Mapping[str, Node], leaf: str) -> list[str]:
    """Ids from the first to the leaf. A parent that is missing, or a circle, is where it begins."""
    found: dict[str, None] = {}
    at = leaf
    while at in nodes and at not in found:
        found[at] = None
        at = nodes[at].parent
    return [*found][::-1]


def branches(nodes: Mapping[str, Node], on_path: Iterable[str]) -> list[Branch]:
    """One for each end of the tree that is not on the path; what two of them share is in the first. In file order."""
    placed = set(on_path)
    parents = {node.parent for node in nodes.values()}
    found: list[Branch] = []
    for end in nodes.values():
        if end.id in placed or end.id in parents:
            continue
        own = _until(nodes, end, placed)
        placed.update(own)
        found.append(Branch(nodes[own[0]].parent if own else "", tuple(own)))
    return found


def _until(nodes: Mapping[str, Node], end: Node, placed: set[str]) -> Sequence[str]:
    own: dict[str, None] = {}
    at = end.id
    while at in nodes and at not in placed and at not in own:
        own[at] = None
        at = nodes[at].parent
    return [*own][::-1]
