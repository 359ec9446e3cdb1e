"""`trouper sessions tree`: the places of a session that one can go to, and which of them count."""

import argparse

import msgspec

from actors.mailbox import Mailbox
from actors.messages.store import TreeNode
from actors.settings.config import Settings
from ui.cli.which_session import HELP, meant, places
from ui.common import json_text
from ui.common.exit_codes import DONE
from ui.common.harmless import one_line
from ui.headless.stdout import write
from ui.start.fronts import encoded

SUMMARY = "its places: what was said, what was compacted, where it branches"
SIGNS = {"UserMessage": ">", "AssistantMessage": "●", "Compacted": "≡"}
SHORT = 8
WORDS = 60
"""Characters."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    json: bool = False


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help=HELP)
    parser.add_argument("--json", action="store_true", help="all that is known of each")


def wanted(options: argparse.Namespace) -> msgspec.Raw:
    return encoded(Wanted(session_id=options.id, json=options.json))


async def answer(mailbox: Mailbox, settings: Settings, wanted: msgspec.Raw) -> int:
    asked = msgspec.msgpack.decode(wanted, type=Wanted)
    session_id = (await meant(mailbox, settings, asked.session_id)).session_id
    nodes = await places(mailbox, session_id)
    await write(json_text.pretty(nodes) if asked.json else drawn(nodes))
    return DONE


def drawn(nodes: list[TreeNode]) -> str:
    """A line each; what branches off is indented, and a star stands before what is on the active path."""
    below: dict[str, list[TreeNode]] = {}
    for node in nodes:
        below.setdefault(node.parent, []).append(node)
    lines: list[str] = []
    to_draw = [(node, 0) for node in reversed(below.get("", []))]
    while to_draw:
        node, depth = to_draw.pop()
        lines.append(_line(node, depth))
        children = below.get(node.entry_id, [])
        deeper = depth + (len(children) > 1)
        to_draw += [(child, deeper) for child in reversed(children)]
    return "".join(lines)


def _line(node: TreeNode, depth: int) -> str:
    label = f"  [{one_line(node.label)}]" if node.label else ""
    words = one_line(node.text)[:WORDS]
    sign = SIGNS.get(node.kind, "·")
    return f"{'*' if node.active else ' '} {node.entry_id[:SHORT]}  {'  ' * depth}{sign} {words}{label}\n"
