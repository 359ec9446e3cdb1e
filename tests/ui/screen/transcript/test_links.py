"""Where text leads: only to the web, the same for each piece of a wrapped link, and never past what is shown."""

import re

import pytest

from actors.messages.conversation import Source
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import Address, ModelSaid, SourcesNamed
from ui.screen.transcript.markdown import MarkdownStream

LINKING, PLAIN = Theme(colour=False, links=True), Theme(colour=False)
OPENED = re.compile(r"\x1b\]8;id=([0-9a-f]+);([^\x1b]*)\x1b\\")
CLOSED = "\x1b]8;;\x1b\\"


def said(text: str, width: int, theme: Theme = LINKING) -> list[str]:
    stream = MarkdownStream()
    chunks = [*stream.feed(text), *stream.finish()]
    return [row for chunk in chunks for row in ModelSaid(chunk, gap=False).rows(width, theme)]


def targets(rows: list[str]) -> list[list[str]]:
    return [[target for _, target in OPENED.findall(row)] for row in rows]


def test_each_piece_of_a_wrapped_link_leads_there_with_one_id() -> None:
    address = "https://example.com/" + "a/" * 19

    rows = said(f"See {address}.", 20)

    assert targets(rows) == [[], *([[address]] * (len(rows) - 1))]
    assert len({number for row in rows for number, _ in OPENED.findall(row)}) == 1
    assert [row.count(CLOSED) for row in rows] == [0, *([1] * (len(rows) - 1))]
    assert max(map(cells.width, rows)) <= 20


def test_where_a_link_leads_is_shown_beside_its_text() -> None:
    (row,) = said("[the docs](https://example.com/x)", 60)

    assert targets([row]) == [["https://example.com/x", "https://example.com/x"]]
    assert OPENED.sub("", row).replace(CLOSED, "") == said("[the docs](https://example.com/x)", 60, PLAIN)[0]


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](file:///etc/passwd)",
        "ftp://example.com",
        "`https://example.com`",
        "```\nhttps://example.com\n```",
        "[x](https://example.com/" + "a" * 3000 + ")",
    ],
)
def test_nothing_else_leads_anywhere(text: str) -> None:
    assert not any("\x1b]8" in row for row in said(text, 80))


def test_an_address_cannot_end_the_sequence() -> None:
    hostile = "https://example.com/\x1b\\\x1b]0;title\x07\u202e"

    rows = SourcesNamed((Source(url=hostile, title="t"), Source(url="https://a b", title=""))).rows(200, LINKING)

    assert "".join(rows).count("\x1b]") == 2 * len(OPENED.findall("".join(rows)))
    assert "\x07" not in "".join(rows)


def test_without_links_there_is_no_sequence() -> None:
    assert not any("\x1b]" in row for row in said("https://example.com [x](https://example.com)", 80, PLAIN))


def test_an_address_to_be_copied_is_one_row_and_leads_there() -> None:
    address = "https://example.com/authorize?" + "a=b&" * 40

    rows = Address(address).rows(20, LINKING)

    assert [OPENED.sub("", row).replace(CLOSED, "") for row in rows] == ["", address, ""]
    assert targets(rows) == [[], [address], []]


@pytest.mark.parametrize("address", ["file:///etc/passwd", "https://example.com/ javascript:x", "javascript:alert(1)"])
def test_an_address_that_is_none_of_the_web_leads_nowhere(address: str) -> None:
    assert Address(address).rows(20, LINKING) == ["", address, ""]
