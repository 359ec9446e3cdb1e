"""Lines of a client that may send anything."""

import pytest

from ui.serve.stdio import Lines, refusal


@pytest.mark.parametrize("piece", [1, 3, 1000])
def test_lines_are_whole_bounded_and_not_blank(piece: int) -> None:
    data = b'{"a": 1}\r\n\n  \n' + b"x" * 50 + b"\nlast\nopen"
    lines = Lines(longest=40)

    found = [line for at in range(0, len(data), piece) for line in lines.feed(data[at : at + piece])]

    assert found == [b'{"a": 1}', 50, b"last"]


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"{", None, -32700),
        (b"\xff", None, -32700),
        (b"[" * 100_000, None, -32700),
        (b"[1]", None, -32600),
        (b'{"id": 7}', 7, -32600),
        (b'{"id": "a"}', "a", -32600),
        (b'{"id": {}}', None, -32600),
        (12, None, -32700),
    ],
)
def test_junk_is_answered_by_its_id_where_it_has_one(line: bytes | int, number: object, code: int) -> None:
    error = refusal(line).message.model_dump(by_alias=True)

    assert (error["id"], error["error"]["code"]) == (number, code)
