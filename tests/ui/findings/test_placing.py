"""What lying answers come to: a finding is placed where its quote stands, or nowhere."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.findings.made import FINDING, QUOTE, RAW, TEXT, raw
from ui.findings.finding import Dropped, Finding
from ui.findings.placing import (
    MOST_SHOWN,
    MOST_SHOWN_LINES,
    NO_QUOTE,
    NOT_THERE,
    Checked,
    check,
    check_all,
    is_safe,
    known_path,
)

PATH = RAW.path
TWICE = "eval(text)\n" * 2 + "\n" * 50 + "eval(text)\n"


def placed(text: str, **said: object) -> Finding:
    found = check(raw(**said), text, PATH)
    assert isinstance(found, Finding)
    return found


def bare(text: str) -> str:
    return "".join(text.replace("\\", "").split())


def lines(text: str, **said: object) -> tuple[int, int]:
    found = placed(text, **said)
    return found.first_line, found.last_line


def test_a_true_finding_has_its_place_and_the_lines_of_the_file() -> None:
    found = placed(TEXT)

    assert found == Finding(
        **{name: getattr(FINDING, name) for name in FINDING.__struct_fields__ if name != "fingerprint"},
        fingerprint=found.fingerprint,
    )


@pytest.mark.parametrize("said", [0, 1, 4, 6, 999, 10_000_000])
def test_the_place_is_where_the_quote_is_whatever_was_said(said: int) -> None:
    assert lines(TEXT, first_line=said, last_line=said + 3) == (5, 5)


@pytest.mark.parametrize(("said", "expected"), [(0, 1), (1, 1), (2, 2), (20, 2), (40, 53), (9999, 53)])
def test_of_several_the_nearest_is_taken(said: int, expected: int) -> None:
    assert lines(TWICE, quote="eval(text)", first_line=said) == (expected, expected)


@pytest.mark.parametrize(
    "quote",
    [
        QUOTE.strip(),
        QUOTE.replace(" ", "  "),
        f"\n\n{QUOTE}\n\n",
        f"5|{QUOTE}",
        f"  5: {QUOTE}",
        "SELECT * FROM users",
        "query = f\"SELECT *\n FROM users WHERE name = '{name}'\"",
    ],
)
def test_how_a_quote_is_indented_and_broken_does_not_matter(quote: str) -> None:
    found = placed(TEXT, quote=quote)

    assert (found.first_line, found.last_line, found.quote) == (5, 5, QUOTE)
    assert found.fingerprint == placed(TEXT).fingerprint


@pytest.mark.parametrize(
    ("line", "quote"),
    [
        (r'split(text, "\n", "\t")', 'split(text, "\n", "\t")'),
        (r'open("C:\temp\users")', 'open("C:\temp\\users")'),
        (r'match("\\d+\\.", text)', r'match("\d+\.", text)'),
        (r"hidden\u200b = eval(\u202ename)", "hidden\u200b = eval(\u202ename)"),
        ("print('cafe\u0301')", "print('caf\u00e9')"),
        ("print('caf\u00e9')", "print('cafe\u0301')"),
    ],
)
def test_what_a_model_loses_when_it_copies_does_not_matter(line: str, quote: str) -> None:
    found = placed(f"first = 1\n{line}\n", quote=quote)

    assert (found.first_line, found.quote) == (2, line)


@pytest.mark.parametrize(
    "quote",
    [
        "def find(connection, name):\n    ...\n    return connection.execute(query)",
        "def find(conn…",
        "...def find(conn...",
    ],
)
def test_where_lines_are_left_out_the_first_part_is_the_place(quote: str) -> None:
    assert lines(TEXT, quote=quote) == (4, 4)


def test_a_quote_of_several_lines_has_all_of_them() -> None:
    quote = f"def find(connection, name):\n{QUOTE}\n    return connection.execute(query)"

    assert lines(TEXT, quote=quote) == (4, 6)
    assert lines(TEXT, quote="\n".join(f"{number}|{line}" for number, line in enumerate(quote.split("\n"), 4))) == (
        4,
        6,
    )


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        ("", NO_QUOTE),
        (" \n\t", NO_QUOTE),
        ("}", NO_QUOTE),
        ("else:", NO_QUOTE),
        ("######################", NO_QUOTE),
        ("5|", NO_QUOTE),
        ("12345|  ", NOT_THERE),
        ("os.system(name)", NOT_THERE),
        (QUOTE.upper(), NOT_THERE),
        (QUOTE + "x", NOT_THERE),
        ("import sqlite3\n...\nreturn other(connection)", NOT_THERE),
        ("...", NO_QUOTE),
        ("}\n…\n}", NO_QUOTE),
        ("import sqlite3 return connection", NOT_THERE),
        (TEXT + "more", NOT_THERE),
        ("x" * 4001, NOT_THERE),
    ],
)
def test_a_quote_that_is_not_there_or_says_nothing_is_dropped(quote: str, reason: str) -> None:
    assert check(raw(quote=quote), TEXT, PATH) == Dropped(reason)


def test_the_quote_of_another_file_is_dropped() -> None:
    texts = {"a.py": "first = one(1)\n", "b.py": "second = two(2)\n"}

    checked = check_all([raw(path="a.py", quote="second = two(2)")], texts, texts.get)

    assert checked == Checked((), (NOT_THERE,))


@pytest.mark.parametrize(
    "path",
    [
        "", "app/other.py", "users.py", "/app/users.py", "/etc/passwd", "../app/users.py", "app/../app/users.py",
        "app//users.py", "app/users.py/", "APP/users.py", "app/users.py\\x00", "C:\\app\\users.py", "file:app/users.py",
        "app/users.py:x", "~/app/users.py", "./../users.py", ".", "..", "/", "x" * 5000,
    ],
)  # fmt: skip
def test_what_is_of_no_file_that_was_sent_is_nowhere(path: str) -> None:
    asked: list[str] = []

    (found,), dropped = check_all([raw(path=path)], {PATH}, lambda known: asked.append(known) or TEXT)

    assert (found.placed, found.path, found.first_line, found.last_line, found.quote) == (False, "", 0, 0, "")
    assert (dropped, asked) == ((), [])


@pytest.mark.parametrize("path", [PATH, f"./{PATH}", "app\\users.py", ".\\app\\users.py", f"{PATH}:5", f"./{PATH}:5-7"])
def test_a_path_is_known_however_a_model_begins_and_divides_it(path: str) -> None:
    (found,), _ = check_all([raw(path=path)], {PATH}, {PATH: TEXT}.get)

    assert (found.placed, found.path) == (True, PATH)


def test_a_name_that_cannot_be_shown_is_known_by_how_it_is_shown() -> None:
    hidden = "a\u202eb.py"

    assert known_path("a\\u202eb.py", {hidden}) == hidden
    assert known_path("a\\u202eb.py", {hidden, "a\\u202eb.py"}) == "a\\u202eb.py"
    assert known_path("a\\x01.py", {"a\x01.py", "b"}) == "a\x01.py"


def test_a_file_that_is_gone_has_no_places() -> None:
    (found,), dropped = check_all([RAW], {PATH}, lambda _: None)

    assert (found.placed, dropped) == (False, ())


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/", "", "a\udc80"])
def test_a_path_that_leads_elsewhere_is_never_a_place(path: str) -> None:
    found = check(RAW, TEXT, path)

    assert not is_safe(path)
    assert isinstance(found, Finding)
    assert (found.placed, found.path) == (False, "")


def test_each_file_is_asked_for_once() -> None:
    asked: list[str] = []

    check_all([RAW] * 50, {PATH}, lambda path: asked.append(path) or TEXT)

    assert asked == [PATH]


def test_a_long_quote_is_shown_in_part() -> None:
    text = "".join(f"line {number} {'x' * 60}\n" for number in range(60))

    found = placed(text, quote=text[:4000])

    assert (found.first_line, found.last_line) == (1, 59)
    assert len(found.quote.split("\n")) == MOST_SHOWN_LINES
    assert len(placed("x" * 100_000, quote="x" * 4000).quote) == MOST_SHOWN


def test_thousands_of_findings_about_a_large_file_are_checked_at_once() -> None:
    text = "".join(f"    value_{number} = eval(input_{number})\n" for number in range(12_000))
    raws = [raw(quote=f"value_{number} = eval(input_{number})") for number in range(1000, 2000)]

    findings, dropped = check_all(raws, {PATH}, {PATH: text}.get)

    assert [one.first_line for one in findings] == list(range(1001, 2001))
    assert dropped == ()


LINES = st.lists(
    st.sampled_from(["eval(a)", "  eval(a)", "x = 1", "", "}", "call(b, c)", "ev al(a)", "a" * 30]), max_size=12
)
QUOTES = st.one_of(
    LINES.map("\n".join), st.text(max_size=20), st.sampled_from(["eval(a)", "eval(a", "x=1call(b", "aaaaaaa"])
)


@given(LINES.map("\n".join), QUOTES, st.integers(min_value=0, max_value=20), st.sampled_from([PATH, "other", "../x"]))
@settings(max_examples=500, deadline=None)
def test_nothing_that_is_not_there_is_ever_placed(text: str, quote: str, said: int, path: str) -> None:
    findings, dropped = check_all([raw(path=path, quote=quote, first_line=said)], {PATH}, {PATH: text}.get)

    assert len(findings) + len(dropped) == 1
    for found in findings:
        there = text.split("\n")[found.first_line - 1 : found.last_line]
        assert found.placed == (path == PATH)
        assert not found.placed or 1 <= found.first_line <= found.last_line <= len(text.split("\n"))
        assert not found.placed or bare(quote) in bare("\n".join(there))
        assert found.placed or found.path == found.quote == ""
    if path == PATH and dropped == (NOT_THERE,):
        assert bare(quote) not in bare(text)
