"""Front matter: what is read of it, and that no bomb in it costs anything."""

import pytest

from actors.texts.front_matter import MOST, BadFrontMatter, fields, split, words


def test_what_stands_between_two_lines_is_apart_from_the_text() -> None:
    assert split("---\nname: x\n---\n\nbody\n---\n") == ("name: x", "body\n---")
    assert split("\ufeff---\r\nname: x\r\n---\r\nbody") == ("name: x\r", "body")


@pytest.mark.parametrize("text", ["", "body", "---", "---\nname: x\n", "--- \nname: x\n----\n", "text\n---\na: b\n---"])
def test_a_text_without_it_is_whole(text: str) -> None:
    assert split(text) == ("", text)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("name: x\ndescription: two words", {"name": "x", "description": "two words"}),
        ("description: >\n  over\n  lines", {"description": "over lines"}),
        ('description: "a: b\\n\\e[2J"', {"description": "a: b [2J"}),
        ("version: 1.10\nflag: yes\nnone:", {"version": "1.10", "flag": "yes", "none": ""}),
        ("name: x\nmetadata: {a: b}\nallowed-tools: [read]", {"name": "x"}),
        ("name: !!python/object/apply:os.system [ls]", {}),
        ("name: !!python/name:os.system x", {"name": "x"}),
        ("# only a comment", None),
        ("", {}),
        ("- a\n- b", None),
        ("name: [", None),
        ("description: Use this: when", None),
        ("\x00", None),
        ("[" * MOST, None),
        ("- " * (MOST // 2), None),
    ],
)
def test_only_plain_values_are_read(head: str, said: dict[str, str] | None) -> None:
    if said is None:
        with pytest.raises(BadFrontMatter):
            fields(head)
    else:
        assert fields(head) == said


def test_anchors_that_grow_without_end_are_not_followed() -> None:
    lines = ["a: &a0 x", *(f"b{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 60)), "name: ok"]
    merges = ["a: &a0 {x: y}", *(f"b{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 60)), "name: ok"]

    assert fields("\n".join(lines)) == {"a": "x", "name": "ok"}
    assert fields("\n".join(merges)) == {"name": "ok"}


@pytest.mark.parametrize(
    ("head", "read"),
    [
        ("tools: a, b,, c ", ("a", "b", "c")),
        ("tools: [a, b]", ("a", "b")),
        ("tools:\n- a\n- 'b, c'", ("a", "b, c")),
        ("tools:", ()),
        ("tools: []", ()),
        ("other: x", None),
        ("", None),
    ],
)
def test_a_list_of_words_may_be_written_both_ways(head: str, read: tuple[str, ...] | None) -> None:
    assert words(head, "tools") == read


@pytest.mark.parametrize("head", ["tools: {a: b}", "tools: [[a]]", "tools: [a, {b: c}]"])
def test_what_is_no_list_of_words_is_a_mistake_and_not_none(head: str) -> None:
    with pytest.raises(BadFrontMatter, match="tools has to be a list of words"):
        words(head, "tools")
