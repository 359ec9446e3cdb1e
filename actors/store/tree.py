"""The tree of a session for who wants to go somewhere in it, and the names that the user gave to places of it."""

import sqlite3
from collections.abc import Iterator

from msgspec.structs import replace

from actors.errors import failed
from actors.messages.conversation import AssistantMessage, Body, Compacted, UserMessage
from actors.messages.store import TreeNode
from actors.store import entries

WORDS = 100
"""Characters of a node's text."""
KINDS = (UserMessage, AssistantMessage, Compacted)
"""What one can go to; all else belongs to one of them."""
OF_SUBAGENTS = ("SubagentSpawned", "SubagentPrompted", "SubagentEnded", "SubagentMerged")
OF_A_TURN = ("Checkpointed", "CallStarted", "ToolResult", "BrokenTry", "Named", "LimitRaised", "TurnEnded")
OF_THE_USER = ("ShellStarted", "ShellEnded")
WITHIN_A_TURN = (*OF_A_TURN, *OF_SUBAGENTS, *OF_THE_USER)


def nodes(database: sqlite3.Connection, session_id: str) -> Iterator[TreeNode]:
    """In the order they were written."""
    active = set(entries.path(database, session_id, None, whole=True))
    labels = dict(database.execute("SELECT entry_id, text FROM labels WHERE session_id = ?", (session_id,)))
    node_of = {"": ""}
    """For each entry the node that it is, or follows on."""
    found: dict[str, TreeNode] = {}
    last: dict[str, str] = {}
    """As of TreeNode."""
    names = {kind.__name__ for kind in KINDS}
    rows = database.execute(
        "SELECT number, id, parent, kind, at FROM entries WHERE session_id = ? ORDER BY number", (session_id,)
    )
    for number, entry_id, parent, kind, at in rows:
        before = node_of.get(parent, "")
        node_of[entry_id] = before
        text = _text(entries.bare(database, number).body) if kind in names else ""
        if not text and entry_id not in labels:
            if kind in WITHIN_A_TURN and last.get(before) == parent:
                last[before] = entry_id
            continue
        node_of[entry_id] = last[entry_id] = entry_id
        found[entry_id] = TreeNode(
            entry_id=entry_id,
            parent=before,
            before=parent,
            kind=kind,
            at=at,
            text=text,
            label=labels.get(entry_id, ""),
            active=number in active,
        )
    yield from (replace(node, last=last[entry_id]) for entry_id, node in found.items())


def _text(body: Body) -> str:
    """ "" for what is no place to go to."""
    match body:
        case UserMessage(prompt_id=prompt_id, text=text) if prompt_id:
            return entries.first_words(text, WORDS) or "(attachments)"
        case AssistantMessage():
            called = ", ".join(call.name for call in body.calls)
            return entries.first_words(body.text, WORDS) or called
        case Compacted(told=told):
            return entries.first_words(told, WORDS) or "compacted"
        case _:
            return ""


def label(database: sqlite3.Connection, session_id: str, entry_id: str, text: str) -> None:
    """Raises Failed(unknown_session)."""
    known = database.execute("SELECT 1 FROM entries WHERE id = ? AND session_id = ?", (entry_id, session_id))
    if known.fetchone() is None:
        raise failed("unknown_session", f"there is no entry {entry_id} in session {session_id[:8]}.", "See: /tree")
    if text:
        database.execute(
            "REPLACE INTO labels(entry_id, session_id, text) VALUES (?, ?, ?)", (entry_id, session_id, text)
        )
    else:
        database.execute("DELETE FROM labels WHERE entry_id = ?", (entry_id,))
