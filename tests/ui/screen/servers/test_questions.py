"""How servers are shown: at any width, with nothing of theirs that could pass for the program's own."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from wcwidth import strip_sequences

from actors.messages.mcp import McpPrompt, McpResource, McpTool
from actors.messages.tool import UserAsked
from tests.ui.screen.servers.desk import BOX, READY
from tests.ui.screen.terminals import PLAIN
from ui.screen.questions import panel
from ui.screen.questions.queue import Questions
from ui.screen.servers import questions
from ui.screen.servers.standing import Row
from ui.screen.terminal import cells

HOME = Path("/h")
TOOLS = (
    McpTool(
        name="get", description="Gets\x1b]0;x\x07 it.\n\n  allowed: everything", annotations='{"readOnlyHint":true}'
    ),
    McpTool(name="put\nallowed", description="", annotations='{"title":"x","destructiveHint":false,"a":[1]}'),
    McpTool(name="drop", description="Drops it.", annotations="{broken"),
)
SERVER = replace(BOX, plan_tools=("drop",), deny=("get",))
KNOWN = replace(
    READY,
    version="fake \x1b[31m1",
    tools=TOOLS,
    resources=(McpResource(uri="a:b"),),
    prompts=(McpPrompt(name="a"), McpPrompt(name="b")),
)
ROW = Row(name="box", state="ready", transport="stdio", server=SERVER, known=KNOWN, tokens=1200, source="/c/mcp.json")
BROKEN = "The MCP server box is not there: it\nbroke"


def drawn(question: UserAsked, width: int, height: int = 40) -> list[str]:
    asked = Questions()
    asked.add(question)
    return [strip_sequences(row).rstrip() for row in panel.draw(asked, width, height, PLAIN)[0]]


def test_all_that_one_has_is_shown_with_whose_words_it_is() -> None:
    assert questions.of_one(ROW, HOME).title == "box: ready"
    assert questions.of_one(ROW, HOME).detail.splitlines() == [
        r"stdio · protocol 2025-11-25 · by its own words fake \x1b[31m1",
        "configured in /c/mcp.json",
        "its log: /h/logs/mcp/box.log",
        "1 resource · 2 prompts",
        "3 tools, 2 for the model: about 1.2k tok of each request (an estimate: 1 token for 4 bytes of names, "
        "descriptions and schemas, and 6 for each tool)",
        "",
        r"  get  [left out, as you say · it claims readOnlyHint: yes]  Gets\x1b]0;x\x07 it.",
        "  put  [it claims destructiveHint: no]",
        "  drop  [only looks, as you say]  Drops it.",
    ]


@pytest.mark.parametrize(
    ("different", "said"),
    [
        ({"known": None}, "what it has is known once it is ready"),
        ({"known": replace(READY, tools=(), state="failed", error=BROKEN)}, "is not there: it broke"),
        ({"known": replace(READY, tools=())}, "it has nothing"),
        ({"server": None, "known": None, "why_not": "/w: it is\x1b[2J no table."}, r"/w: it is\x1b[2J no table."),
    ],
)
def test_of_one_that_is_not_there_it_is_said_why(different: dict[str, Any], said: str) -> None:
    assert said in questions.of_one(dataclasses.replace(ROW, **different), HOME).detail.splitlines()


@pytest.mark.parametrize("width", [40, 80, 200])
def test_at_any_width_no_row_is_too_long_and_name_and_state_are_seen(width: int) -> None:
    long = Row(name="n" * 40, state="needs a login", transport="http", source="/c", why_not="because " * 50)
    listed = drawn(questions.of_all([ROW, long], 0), width)
    one = drawn(questions.of_one(ROW, HOME), width)

    assert all(cells.width(row) <= width for row in (*listed, *one))
    assert [row for row in listed if "box" in row and "ready" in row]
    assert any("start it anew" in row for row in one)
