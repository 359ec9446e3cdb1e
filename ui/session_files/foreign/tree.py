"""Records that name the one before them: the path that counts, and the branches that leave it. Pure."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ui.session_files.foreign.parts import Tally


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


def leaving(
    nodes: Mapping[str, Node], order: Iterable[str], starts_turn: Container[str], silent: Container[str], tally: Tally
) -> dict[str, list[Branch]]:
    """Branches that begin with a prompt, by the node they leave at. What says nothing is none; others are counted."""
    found: dict[str, list[Branch]] = {}
    for branch in branches(nodes, order):
        said = [node for node in branch.nodes if node not in silent]
        if said and said[0] in starts_turn:
            found.setdefault(branch.leaves, []).append(branch)
        else:
            tally.branches_left_out += bool(said)
    return found


def ends_turn(order: Sequence[str], at: int, starts_turn: Container[str], silent: Container[str]) -> bool:
    following = next((node for node in order[at + 1 :] if node not in silent), "")
    return not following or following in starts_turn
