"""Which tools a search finds: by name exactly these, by words the nearest first."""

import pytest

from actors.gate.mcp.deferral import tokens, within
from actors.gate.mcp.search import found
from actors.messages.model import ToolSpec

SCHEMA = '{"type":"object","properties":{"repository":{"type":"string"}}}'


def tool(server: str, name: str, description: str, parameters: str = '{"type":"object"}') -> ToolSpec:
    return ToolSpec(
        name=f"{server}___{name}",
        description=description,
        parameters=parameters,
        effect="execute",
        runs_in="mcp",
        server=server,
        server_tool=name,
    )


TOOLS = (
    tool("hub", "createIssue", "Opens a new ticket.", SCHEMA),
    tool("hub", "list_issues", "All tickets of a place."),
    tool("mail", "send", "Sends a letter; mentions issues nowhere else."),
    tool("db", "query", "Runs SQL on the database."),
)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("create issue", ["hub___createIssue", "hub___list_issues", "mail___send"]),
        ("creating issues", ["hub___createIssue", "hub___list_issues", "mail___send"]),
        ("sql", ["db___query"]),
        ("repository", ["hub___createIssue"]),
        ("HUB", ["hub___createIssue", "hub___list_issues"]),
        ("db___query", ["db___query"]),
        ("select:mail:send,mcp__db__query", ["mail___send", "db___query"]),
        ("db___query letters", ["db___query", "mail___send"]),
        ("nothing like this", []),
        ("\" OR * NEAR( -- ' ; ^", []),
        ("\x00\ud800 ***", []),
    ],
)
def test_words_and_names(query: str, names: list[str]) -> None:
    assert [one.name for one in found(query, TOOLS)] == names


def test_a_description_that_no_file_could_hold_is_searched_all_the_same() -> None:
    odd = tool("odd", "one", "lone \ud800 surrogate \x00 and {{{", "[not json")

    assert found("surrogate", [odd]) == [odd]


def test_tools_that_cost_more_than_the_budget_are_searched_instead_and_own_ones_stay_first() -> None:
    own = ToolSpec(name="read", description="Read." * 1000, parameters="{}", effect="read")
    finder = ToolSpec(name="search_tools", description="Find.", parameters="{}", effect="read", runs_in="gate")
    cost = tokens(TOOLS)

    assert within((own, *TOOLS), cost, (finder,)) == ((own, *TOOLS), ())
    assert within((own,), 0, (finder,)) == ((own,), ())
    offered, findable = within((own, *TOOLS), cost - 1, (finder,))
    assert offered == (own, finder)
    assert [(one.name, one.server_tool, one.effect) for one in findable] == [
        (one.name, one.server_tool, one.effect) for one in TOOLS
    ]
    assert {(one.description, one.parameters) for one in findable} == {("", "{}")}
