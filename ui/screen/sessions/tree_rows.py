"""A session's tree as rows: a prompt each, indented where it branches. No I/O."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from actors.messages.store import TreeNode
from ui.common import harmless
from ui.screen.questions.choice_list import age

WORDS = 60
"""Characters of a prompt."""
DEEPEST = 8
"""Steps that a row is indented by; what branches off further down stands below one another."""
PROMPT = "UserMessage"
SIGNS = {PROMPT: "❯", "Compacted": "⇣"}
OTHER = "●"


@dataclass(frozen=True)
class Row:
    node: TreeNode
    end: str
    """Id of the last entry before the next row: who chooses this one goes there."""
    depth: int
    active: bool
    here: bool
    """The session stands here."""


def rows(nodes: Sequence[TreeNode]) -> list[Row]:
    """Of nodes in the order they were written. What follows on one another is not indented, only what branches."""
    after: dict[str, list[TreeNode]] = {}
    for node in nodes:
        after.setdefault(node.parent, []).append(node)
    here = next((node.entry_id for node in reversed(nodes) if node.active), "")
    return list(_rows(after, here))


def _rows(after: dict[str, list[TreeNode]], here: str) -> Iterator[Row]:
    waiting = [(node, 0) for node in reversed(after.get("", []))]
    if len(waiting) > 1:
        waiting = [(node, 1) for node, _ in waiting]
    while waiting:
        first, depth = waiting.pop()
        run = [first]
        while len(following := after.get(run[-1].entry_id, [])) == 1 and not _begins(following[0]):
            run.append(following[0])
        stands_here = any(node.entry_id == here for node in run)
        yield Row(first, run[-1].last or run[-1].entry_id, depth, any(node.active for node in run), stands_here)
        deeper = depth + 1 if len(following) > 1 else depth
        waiting += [(node, deeper) for node in reversed(following)]


def _begins(node: TreeNode) -> bool:
    """A row of its own."""
    return node.kind != "AssistantMessage" or bool(node.label)


def in_list(row: Row, now: float) -> tuple[str, str, str]:
    """Its words, how old it is, and where it stands to the session. now: seconds since the epoch."""
    node = row.node
    text = harmless.one_line(node.text)
    words = text if len(text) <= WORDS else f"{text[: WORDS - 1]}…"
    named = f" [{harmless.one_line(node.label)}]" if node.label else ""
    sign = SIGNS.get(node.kind, OTHER)
    indent = "│ " * min(row.depth, DEEPEST)
    way = "here" if row.here else "on the path" if row.active else ""
    return f"{indent}{sign} {words}{named}", age(max(now - node.at, 0.0)), way


def numbered(listed: Sequence[Row], now: float) -> list[tuple[str, str, str]]:
    """The same of a whole tree, with the numbers that /tree takes. now: seconds since the epoch."""
    digits = len(str(len(listed)))
    rows = [in_list(row, now) for row in listed]
    return [(f"{number:>{digits}} {words}", old, way) for number, (words, old, way) in enumerate(rows, 1)]
