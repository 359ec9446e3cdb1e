"""Markdown as it streams: whatever the pieces, the rows are those of the whole."""

import random

import pytest

from ui.screen.terminal.theme import Theme
from ui.screen.transcript import prose
from ui.screen.transcript.blocks import ModelSaid
from ui.screen.transcript.markdown import Chunk, MarkdownStream

TEXT = """# Title

Some **bold *and* text** with `code`. And [a link](http://x.y) and a\\
hard break, 世界 and 👩‍👩‍👧.
- one
- two
  with more

  another paragraph
- three
    - nested a
    - nested b

1. first
2. second

> quote here
> - list in quote

```python
def f(x: int) -> str:
    \"\"\"over
    lines\"\"\"

    return str(x)
```
~~~
tildes
```
~~~

| a | b |
|---|:-:|
| 1 | a long cell which has to be wrapped because it is long |

Setext
------
***
<b>html</b>

    indented code

ends without a newline"""

PLAIN = Theme(colour=True)


def rows(chunks: list[Chunk], width: int = 40) -> list[str]:
    return [row for chunk in chunks for row in ModelSaid(chunk, chunk.gap).rows(width, PLAIN)]


def streamed(pieces: list[str]) -> list[Chunk]:
    stream = MarkdownStream()
    chunks = [chunk for piece in pieces for chunk in stream.feed(piece)]
    return chunks + stream.finish()


@pytest.mark.parametrize("seed", range(30))
def test_the_pieces_do_not_matter(seed: int) -> None:
    chance = random.Random(seed)
    cuts = sorted(chance.sample(range(1, len(TEXT)), chance.randrange(1, 120)))
    pieces = [TEXT[a:b] for a, b in zip([0, *cuts], [*cuts, len(TEXT)], strict=True)]

    assert streamed(pieces) == streamed([TEXT])


def test_each_character_on_its_own_gives_the_same_rows() -> None:
    assert rows(streamed(list(TEXT))) == rows(streamed([TEXT]))


def test_looking_at_the_open_block_changes_nothing() -> None:
    stream = MarkdownStream()
    chunks: list[Chunk] = []
    for character in TEXT:
        chunks += stream.feed(character)
        rows(stream.tail())

    assert chunks + stream.finish() == streamed([TEXT])


def test_the_open_block_is_what_it_would_be_at_the_end() -> None:
    for end in range(0, len(TEXT), 7):
        stream = MarkdownStream()
        closed = stream.feed(TEXT[:end])

        assert rows(closed + stream.tail()) == rows(streamed([TEXT[:end]]))


def test_ends_are_where_the_blocks_end() -> None:
    chunks = streamed([TEXT])

    assert [chunk.end for chunk in chunks] == sorted(chunk.end for chunk in chunks)
    assert chunks[-1].end == len(TEXT)


def test_how_blocks_look() -> None:
    plain = Theme(colour=False)
    text = [row for chunk in streamed([TEXT]) for row in ModelSaid(chunk, chunk.gap).rows(40, plain)]
    words = [_without_styles(row) for row in text]

    assert words[:14] == [
        "Title",
        "",
        "Some bold and text with code. And a link",
        "(http://x.y) and a",
        "hard break, 世界 and 👩‍👩‍👧.",
        "",
        "• one",
        "• two with more",
        "",
        "  another paragraph",
        "• three",
        "  ◦ nested a",
        "  ◦ nested b",
        "",
    ]


def test_a_line_of_code_is_printed_as_it_is() -> None:
    long = "x = " + "1 + " * 30 + "1"

    assert rows(streamed([f"```\n{long}\n```\n"])) == [long]


def test_a_fence_gives_each_line_at_once() -> None:
    stream = MarkdownStream()

    stream.feed("```python\n")

    assert len(stream.feed("a = 1\n")) == 1
    assert len(stream.feed("b = 2\n")) == 1


@pytest.mark.parametrize("width", [1, 2, 3, 10, 200])
def test_any_width_will_do(width: int) -> None:
    for chunk in streamed([TEXT]):
        ModelSaid(chunk, chunk.gap).rows(width, PLAIN)


def test_prose_never_wider_than_the_screen() -> None:
    for row in prose.rows("word " * 50 + "w" * 100, 20):
        assert sum(len(text) for _, text in row) <= 20


def _without_styles(row: str) -> str:
    while "\x1b[" in row:
        before, _, after = row.partition("\x1b[")
        row = before + after.partition("m")[2]
    return row.rstrip()
