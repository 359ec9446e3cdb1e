"""Lines out of a stream in pieces of any size; a line that is too long is dropped whole, and its id is known."""

from hypothesis import given
from hypothesis import strategies as st

from actors.mcp.transports.lines import Lines, TooLong


def fed(data: bytes, size: int, most: int = 1000) -> list[bytes | TooLong]:
    lines = Lines(most)
    return [line for start in range(0, len(data), size) for line in lines.feed(data[start : start + size])]


@given(st.lists(st.binary(min_size=1, max_size=50).filter(lambda line: b"\n" not in line)), st.integers(1, 70))
def test_whatever_the_pieces_the_lines_are_the_same(lines: list[bytes], size: int) -> None:
    data = b"".join(line + b"\n" for line in lines)

    assert fed(data, size) == [line.removesuffix(b"\r") for line in lines if line.strip()]


def test_ends_of_windows_and_empty_lines_are_none_of_the_message() -> None:
    assert fed(b"a\r\n\r\n\nb\n", 3) == [b"a", b"b"]


@given(st.integers(1, 700), st.integers(101, 5000))
def test_a_line_that_is_too_long_is_dropped_and_the_next_one_is_read(size: int, length: int) -> None:
    dropped, after = fed(b"x" * length + b"\nafter\n", size, most=100)

    assert isinstance(dropped, TooLong)
    assert (dropped.size, after) == (length, b"after")


def test_the_id_of_what_was_dropped_is_found_at_either_end() -> None:
    first = b'{"jsonrpc":"2.0","id":7,"result":{"text":"' + b"x" * 9000 + b'"}}\n'
    last = b'{"result":{"id":1,"text":"' + b"x" * 9000 + b'"},"jsonrpc":"2.0","id":"a8"}\n'
    none = b'{"result":{"id":1,"text":"' + b"x" * 9000 + b'"}}\n'
    found = [line.id for line in fed(first + last + none, 512) if isinstance(line, TooLong)]

    assert found == [7, "a8", None]
