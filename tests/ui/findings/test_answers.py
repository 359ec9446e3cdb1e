"""What models answer: well, sloppily, cut off, or as somebody hostile has them answer."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.findings.made import RAW, raw
from ui.common.harmless import exposed
from ui.findings.answers import (
    INCOMPLETE,
    LONGEST_PATH,
    LONGEST_QUOTE,
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_BROKEN,
    MOST_FINDINGS,
    NO_LIST,
    SCHEMA_TEXT,
    TOO_MANY,
    UNREADABLE,
    parse,
)

SAID: dict[str, object] = {
    "severity": "high",
    "kind": "sql-injection",
    "cwe": 89,
    "title": RAW.title,
    "path": RAW.path,
    "first_line": 5,
    "last_line": 5,
    "quote": RAW.quote,
    "why": RAW.why,
    "fix": RAW.fix,
}
WHOLE = json.dumps({"findings": [SAID]})
NONE: tuple[str, ...] = ()


def one(**changes: object) -> str:
    return json.dumps({"findings": [{**SAID, **changes}]})


def test_an_answer_as_it_was_asked_for_is_read() -> None:
    assert parse(WHOLE) == ((RAW,), NONE)


def test_no_findings_are_none() -> None:
    assert parse('{"findings": []}') == ((), NONE)


def test_the_example_of_the_prompt_is_read_but_for_its_severity() -> None:
    assert parse(SCHEMA_TEXT) == ((), (INCOMPLETE,))


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{WHOLE}\n```",
        f"Here is what I found:\n\n```\n{WHOLE}\n```\nTell me if {{you}} need more.",
        f'<think>maybe {{"findings": []}}?</think>{WHOLE}',
        json.dumps([SAID]),
        json.dumps({"summary": "bad", "findings": [SAID], "more": {"findings": []}}),
        json.dumps({"findings": [SAID]}, indent=4),
        WHOLE.replace("}]}", "},]}"),
        WHOLE.removesuffix("]}"),
        f"{WHOLE}\n{'{' * 2000}",
    ],
    ids=[
        "fence",
        "prose",
        "thought",
        "bare list",
        "more keys",
        "indented",
        "comma",
        "cut at the end",
        "brackets behind",
    ],
)
def test_what_stands_around_the_list_does_not_matter(text: str) -> None:
    assert parse(text) == ((RAW,), NONE)


@pytest.mark.parametrize("text", ["", "No problems found.", "{}", "[]", "null", '{"findings": null}', "{" * 100_000])
def test_an_answer_without_a_list_is_told(text: str) -> None:
    assert parse(text) == ((), (NO_LIST,))


def test_what_was_cut_off_is_dropped_and_what_came_before_is_kept() -> None:
    two = json.dumps({"findings": [SAID, SAID]})

    assert parse(two[:-20]) == ((RAW,), (UNREADABLE,))


def test_what_follows_on_a_broken_one_is_read() -> None:
    broken = json.dumps(SAID).replace('"first_line": 5', '"first_line": five')

    assert parse(f'{{"findings": [{broken}, {json.dumps(SAID)}]}}') == ((RAW,), (UNREADABLE,))


def test_backslashes_that_are_no_escapes_are_backslashes() -> None:
    text = WHOLE.replace(json.dumps(RAW.quote), r'"re.match(\d+\s\"x\" \u00e9 \\ C:\path"')

    assert [each.quote for each in parse(text)[0]] == ['re.match(\\d+\\s"x" é \\ C:\\path']


def test_lines_in_a_string_are_lines() -> None:
    text = WHOLE.replace(json.dumps(RAW.why), '"one\ntwo"')

    assert [each.why for each in parse(text)[0]] == ["one\ntwo"]


def test_of_two_lists_both_are_read() -> None:
    """A file that says to answer with an empty one, which a model repeats, hides nothing."""
    assert parse(f'The file wants {{"findings": []}} but: {WHOLE}') == ((RAW,), NONE)
    assert parse('{"findings": [], ' + WHOLE[1:]) == ((RAW,), NONE)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"severity": "HIGH "}, {}),
        ({"severity": "Moderate"}, {"severity": "medium"}),
        ({"severity": "Informational"}, {"severity": "info"}),
        ({"first_line": "5", "last_line": "6"}, {"last_line": 6}),
        ({"first_line": None, "line": 5}, {}),
        ({"first_line": 9, "last_line": 2}, {"first_line": 9, "last_line": 9}),
        ({"first_line": -3, "last_line": 1e300}, {"first_line": 0, "last_line": 0}),
        ({"first_line": True, "last_line": [5]}, {"first_line": 0, "last_line": 0}),
        ({"first_line": 10**18, "last_line": 5.5}, {"first_line": 0, "last_line": 0}),
        ({"quote": ["one line", "another"]}, {"quote": "one line\nanother"}),
        ({"quote": None, "why": 3, "fix": {"a": 1}, "path": False}, {"quote": "", "why": "3", "fix": "", "path": ""}),
        ({"kind": "SQL Injection!"}, {}),
        ({"kind": "SQLi"}, {}),
        ({"kind": "something bad", "cwe": "CWE-89"}, {}),
        ({"kind": "CWE-89: injection", "cwe": None}, {}),
        ({"kind": "something bad", "cwe": 12345}, {"kind": "cwe-12345"}),
        ({"kind": "something bad", "cwe": None}, {"kind": "something-bad"}),
        ({"kind": "../<b>`|\n", "cwe": None}, {"kind": "b"}),
        ({"kind": "…", "cwe": None}, {"kind": "other"}),
        ({"kind": "x" * 500, "cwe": None}, {"kind": "x" * 40}),
        ({"title": "two\nlines\tand\x1b[31m"}, {"title": "two lines and\\x1b[31m"}),
        ({"path": "a\x00b\n\u202ec"}, {"path": "a\\x00b\\x0a\\u202ec"}),
        ({"fix": "```python\nbind(name)\n```\n"}, {"fix": "bind(name)"}),
        ({"fix": "Bind it:\n```\nbind(name)\n```"}, {"fix": "Bind it:\n```\nbind(name)\n```"}),
        ({"unknown": {"deep": [1]}}, {}),
    ],
)
def test_what_is_written_sloppily_is_understood(changes: dict[str, object], expected: dict[str, object]) -> None:
    assert parse(one(**changes)) == ((raw(**expected),), NONE)


@pytest.mark.parametrize(
    "value", [None, 3, "text", [], [[SAID]], {}, {**SAID, "severity": "awful"}, {**SAID, "title": " \n"}, {"a": SAID}]
)
def test_what_has_no_severity_or_no_title_is_dropped(value: object) -> None:
    assert parse(json.dumps({"findings": [SAID, value, SAID]})) == ((RAW, RAW), (INCOMPLETE,))


def test_of_a_key_that_stands_twice_the_last_one_counts() -> None:
    assert parse(WHOLE.replace('"path":', '"path": "/etc/passwd", "path":')) == ((RAW,), NONE)


def test_everything_is_bounded() -> None:
    huge = "x\x01" * 20_000

    ((found,), dropped) = parse(one(title=huge, path=huge, quote=huge, why=huge, fix=huge, kind=huge))

    assert dropped == NONE
    assert len(found.title) <= LONGEST_TITLE
    assert len(found.path) <= LONGEST_PATH * 4 + 4
    assert len(found.quote) <= LONGEST_QUOTE + 1
    assert len(found.why) <= LONGEST_TEXT


def test_thousands_are_bounded_and_the_rest_is_counted() -> None:
    raws, dropped = parse(json.dumps({"findings": [SAID] * (MOST_FINDINGS + 7)}))

    assert raws == (RAW,) * MOST_FINDINGS
    assert dropped == (TOO_MANY,) * 7


@pytest.mark.parametrize(
    "text",
    [
        '{"findings": [' + '{"a": ' * 50_000,
        '{"findings": [' + "[" * 200_000,
        '{"findings": [' * 50_000,
        '{"findings": [{"title": "' * 50_000,
        '{"findings": [' + "{}, " * 200_000,
        '{"findings": [' + "{x}, " * 200_000,
        '{"findings": [{"first_line": ' + "9" * 1_000_000 + "}]}",
        "\\" * 1_000_000,
        '"findings"' + " " * 1_000_000,
    ],
    ids=["deep", "lists", "openings", "strings", "empty", "broken", "digits", "backslashes", "blanks"],
)
def test_what_is_made_to_take_long_does_not(text: str) -> None:
    raws, dropped = parse(text)

    assert raws == ()
    assert 1 <= len(dropped) <= 200_000
    assert dropped.count(UNREADABLE) <= MOST_BROKEN


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*SAID, "line"]), inner, max_size=12),
    max_leaves=15,
)


@given(st.lists(VALUES, max_size=4), st.integers(min_value=0, max_value=400))
@settings(max_examples=300, deadline=None)
def test_whatever_is_said_comes_out_harmless(said: list[object], cut: int) -> None:
    text = json.dumps({"findings": [*said, SAID]})

    raws, _ = parse(text)
    parse(text[: len(text) - cut])

    assert raws[-1] == RAW
    assert all(each.title and each.title == " ".join(each.title.split()) for each in raws)
    assert all(shown == exposed(shown) for each in raws for shown in (each.title, each.path, each.why, each.fix))
    assert all(0 <= each.first_line <= each.last_line for each in raws)


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_without_an_error(text: str) -> None:
    parse(text)
    parse('{"findings": [' + text)
