"""No two tools of any servers have one name for models."""

from itertools import product

import pytest

from actors.errors import BadConfiguration
from actors.messages.conversation import ToolCall
from actors.settings.mcp.names import LONGEST, shown, shown_tool, shown_wire, wire_name
from actors.settings.permissions import Rule, parse


def test_no_two_tools_share_a_name() -> None:
    servers = ["a", "a_", "a__", "a___", "_a", "a___b", "a____b", "b" * 40]
    tools = ["b", "_b", "__b", "b___c", "_", "___", "ä", "ö", "a.b", "a/b", "a_b", "x" * 70, "x" * 71]

    names = [wire_name(server, tool) for server, tool in product(servers, tools)]

    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= LONGEST


def test_no_tool_can_have_the_name_of_one_whose_name_was_changed() -> None:
    changed = wire_name("a", "b c")
    of_another = wire_name("a___b", "c")

    assert wire_name("a", changed.removeprefix("a___")) != changed
    assert wire_name("a", of_another.removeprefix("a___")) != of_another


@pytest.mark.parametrize(
    "text", ["github:create_issue", "github___create_issue", "mcp__github__create_issue", " Mcp(github:create_issue) "]
)
def test_a_rule_may_call_a_tool_as_others_do(text: str) -> None:
    assert parse(text, "here") == Rule("mcp", "github:create_issue")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("mcp__github", "github"),
        ("mcp__github__*", "github:*"),
        ("github___*", "github:*"),
        ("*:delete_*", "*:delete_*"),
        ("a____b", "a:_b"),
        ("files:read/all.of-it", "files:read/all.of-it"),
    ],
)
def test_patterns_are_read_in_each_form(text: str, pattern: str) -> None:
    assert parse(text, "here") == Rule("mcp", pattern)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mcp__a__b__c", "can be read in several ways. Write Mcp(server:tool)."),
        ("mcp__a___b", "can be read in several ways"),
        ("mcp__a_", "can be read in several ways"),
        ("mcp__", 'unknown rule "mcp__"'),
        ("a___", 'unknown rule "a___"'),
        ("Bash:*", 'unknown rule "Bash:*"'),
        ("Edit:x", 'unknown rule "Edit:x"'),
        ("https://x.com", 'unknown rule "https://x.com"'),
    ],
)
def test_what_could_be_another_rule_is_an_error(text: str, said: str) -> None:
    with pytest.raises(BadConfiguration) as refused:
        parse(text, "here")

    assert said in str(refused.value)


def test_what_people_call_a_tool_is_kept_with_its_call_for_its_name_for_models_may_be_another() -> None:
    name = wire_name("files", "read all.of\nit")
    call = ToolCall(call_id="c", name=name, arguments="{}", shown=shown("files", "read all.of\nit"))

    assert shown_tool(call) == "files:read all.of\nit"
    assert shown_wire(name) == f"files:{name.removeprefix('files___')}"


@pytest.mark.parametrize(
    ("name", "shows"),
    [
        ("github___create_issue", "github:create_issue"),
        ("a___b___c", "a:b___c"),
        ("bash", "bash"),
        ("mcp__github__create_issue", "mcp__github__create_issue"),
        ("___x", "___x"),
        ("x___", "x___"),
        ("rm -rf ___x", "rm -rf ___x"),
    ],
)
def test_a_call_of_an_older_session_is_shown_by_its_name_for_models(name: str, shows: str) -> None:
    assert shown_tool(ToolCall(call_id="c", name=name, arguments="{}")) == shows
