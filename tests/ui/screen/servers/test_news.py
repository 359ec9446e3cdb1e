"""Which changes of a server are told: one line each, and nothing of the tries between."""

from actors.messages.mcp import McpTool, ServerIs
from ui.screen.servers.news import News

READY = ServerIs(name="box", state="ready", transport="stdio", tools=(McpTool(name="get"), McpTool(name="put")))
STARTING = ServerIs(name="box", state="starting", transport="stdio", error="it broke")
FAILED = ServerIs(name="box", state="failed", transport="stdio", error="it broke again")
GIVEN_UP = ServerIs(name="box", state="failed", transport="stdio", error="it broke\nfor good", given_up=True)
NEEDS_LOGIN = ServerIs(name="box", state="needs_login", transport="http", error="it lets nobody in: /mcp login box")


def told(*states: ServerIs) -> list[tuple[str, str] | None]:
    news = News()
    return [news.heard(state) for state in states]


def test_a_server_that_comes_up_and_is_tried_again_is_no_news() -> None:
    assert told(STARTING, READY, STARTING, FAILED, STARTING, FAILED, READY) == [None] * 7


def test_one_that_is_gone_for_good_is_told_once_and_so_is_that_it_is_back() -> None:
    assert told(READY, STARTING, GIVEN_UP, GIVEN_UP, STARTING, FAILED, READY, READY) == [
        None,
        None,
        ("it broke for good", "warning"),
        None,
        None,
        None,
        ("the MCP server box is back: 2 tools", "info"),
        None,
    ]


def test_one_that_wants_a_login_says_so_each_time_it_has_been_there() -> None:
    assert told(NEEDS_LOGIN, STARTING, NEEDS_LOGIN, READY, NEEDS_LOGIN) == [
        ("it lets nobody in: /mcp login box", "warning"),
        None,
        None,
        ("the MCP server box is back: 2 tools", "info"),
        ("it lets nobody in: /mcp login box", "warning"),
    ]


def test_what_the_user_waits_for_is_told_by_who_was_asked() -> None:
    news = News()
    with news.awaited("box"):
        during = [news.heard(state) for state in (GIVEN_UP, READY, NEEDS_LOGIN)]

    assert during == [None, None, None]
    assert news.heard(READY) == ("the MCP server box is back: 2 tools", "info")
