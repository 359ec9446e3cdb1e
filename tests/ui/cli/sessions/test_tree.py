"""How the tree of a session is drawn."""

from msgspec.structs import replace

from actors.messages.store import TreeNode
from ui.cli.sessions.tree import drawn


def node(entry_id: str, parent: str, kind: str, text: str, *, active: bool = False) -> TreeNode:
    return TreeNode(entry_id=entry_id, parent=parent, before=parent, kind=kind, at=0.0, text=text, active=active)


def test_what_branches_off_is_indented_and_the_active_path_is_marked() -> None:
    nodes = [
        node("aaaaaaaaaa", "", "UserMessage", "fix it", active=True),
        node("bbbbbbbbbb", "aaaaaaaaaa", "AssistantMessage", "I did.", active=True),
        replace(node("cccccccccc", "bbbbbbbbbb", "UserMessage", "no"), label="first\x1b try"),
        node("dddddddddd", "cccccccccc", "AssistantMessage", "I see."),
        node("eeeeeeeeee", "bbbbbbbbbb", "UserMessage", "well", active=True),
        node("ffffffffff", "eeeeeeeeee", "Compacted", "less", active=True),
    ]

    assert drawn(nodes) == (
        "* aaaaaaaa  > fix it\n"
        "* bbbbbbbb  ● I did.\n"
        "  cccccccc    > no  [first\\x1b try]\n"
        "  dddddddd    ● I see.\n"
        "* eeeeeeee    > well\n"
        "* ffffffff    ≡ less\n"
    )
