"""What is kept of a command's output, and how it is made fit for a model."""

import pytest

from actors.confinement.sandbox import environment
from actors.tools import limits
from actors.tools.output import Output, clean, shortened


def test_short_output_is_kept_whole() -> None:
    output = Output(head=10, tail=10)
    output.feed(b"one\n")
    output.feed(b"two\n")

    assert output.text() == "one\ntwo\n"


def test_of_long_output_head_and_tail_are_kept() -> None:
    output = Output(head=4, tail=4)
    for letter in b"abcdefghijklmnopqrstuvwxyz":
        output.feed(bytes([letter]))

    assert output.text() == "abcd\n[... 18 bytes cut from the middle ...]\nwxyz"


def test_the_size_of_the_parts_does_not_matter() -> None:
    output = Output(head=4, tail=4)
    output.feed(b"abcdefghijklmnopqrstuvwxyz")

    assert output.text() == "abcd\n[... 18 bytes cut from the middle ...]\nwxyz"


def test_fresh_output_is_taken_once() -> None:
    output = Output()
    output.feed(b"one")

    assert (output.take_fresh(), output.take_fresh()) == ("one", "")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"\x1b[1;31mred\x1b[0m", "red"),
        (b"\x1b]0;title\x07text", "text"),
        (b"\x1b]52;c;ZXZpbA==\x1b\\text", "text"),
        (b"10%\r50%\r100%\ndone", "100%\ndone"),
        (b"dos\r\nlines\r\n", "dos\nlines\n"),
        (b"a\0b\x08", "a\\x00b\\x08"),
        (b"caf\xe9", "caf\N{REPLACEMENT CHARACTER}"),
        ("tab\t ü".encode(), "tab\t ü"),
        (b"\x1b]0;never ended", ""),
    ],
)
def test_output_becomes_text(raw: bytes, text: str) -> None:
    assert clean(raw) == text


def test_of_a_long_result_the_middle_is_left_out() -> None:
    text = "a" * limits.RESULT_CHARS + "b" * 10

    short = shortened(text)

    assert shortened("short") == "short"
    assert len(short) < limits.RESULT_CHARS + 100
    assert short.endswith("b" * 10)
    assert "[... 10 characters cut from the middle; ask for less at a time ...]" in short


def test_commands_see_no_secrets() -> None:
    ours = {
        "PATH": "/bin",
        "LC_ALL": "C",
        "LC_AUTH_TOKEN": "x",
        "OPENAI_API_KEY": "x",
        "SSH_AUTH_SOCK": "x",
        "BASH_ENV": "x",
        "PYTHONPATH": "x",
        "TERM": "xterm",
    }

    assert environment.for_commands(ours) == {
        "PATH": "/bin",
        "LC_ALL": "C",
        **environment.FIXED,
    }


def test_a_long_line_that_overwrites_nothing_is_taken_whole() -> None:
    line = b"x" * 400_000  # a pattern that is not linear would take minutes

    assert clean(b"gone\rleft\n" + line) == "left\n" + line.decode()
