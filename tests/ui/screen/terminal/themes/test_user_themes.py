"""Themes of the user's own: what counts of them, and what is said of the rest."""

from pathlib import Path

import pytest

from ui.screen.terminal.themes import user_themes
from ui.screen.terminal.themes.built_in import ANSI, LOOKS


def written(home: Path, text: str, name: str = "mine") -> Path:
    path = home / "themes" / f"{name}.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_what_it_does_not_say_is_as_in_its_base(tmp_path: Path) -> None:
    written(tmp_path, 'base = "light"\nsummary = "ink"\n[styles]\nkeyword = "bold #112233"\n')

    found = user_themes.find(tmp_path)

    assert found.problems == {"mine": ()}
    assert found.looks["mine"].summary == "ink"
    assert found.looks["mine"].dark == {**LOOKS["light"].light, "keyword": "bold #112233"}


def test_without_a_base_it_goes_by_the_background(tmp_path: Path) -> None:
    written(tmp_path, '[styles]\nkeyword = "red"\n')

    look = user_themes.find(tmp_path).looks["mine"]

    assert look.dark == {**LOOKS["dark"].dark, "keyword": "red"}
    assert look.light == {**LOOKS["light"].light, "keyword": "red"}
    assert look.untold == {**ANSI, "keyword": "red"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('[styles]\nadded = "blod"\nkeyword = "red"', '[styles] added: "blod" is neither a colour nor an attribute'),
        (
            '[styles]\nkeywrod = "red"\nkeyword = "red"',
            "[styles] keywrod: there is no such style; did you mean keyword?",
        ),
        ('[styles]\nadded = 3\nkeyword = "red"', "[styles] added: it has to be text made of #rrggbb"),
        ('base = "drak"\n[styles]\nkeyword = "red"', "base: 'drak' is no built-in theme; those are auto, dark"),
        ('colour = 1\n[styles]\nkeyword = "red"', 'unknown key "colour"; known are base, summary, styles'),
    ],
)
def test_a_mistake_is_named_and_the_rest_counts(tmp_path: Path, wrong: str, said: str) -> None:
    path = written(tmp_path, wrong)

    found = user_themes.find(tmp_path)

    assert [problem.startswith(f"{path}: {said}") for problem in found.problems["mine"]] == [True]
    assert found.looks["mine"].dark == {**LOOKS["dark"].dark, "keyword": "red"}


def test_a_file_that_cannot_be_read_is_a_theme_like_auto(tmp_path: Path) -> None:
    path = written(tmp_path, "[styles\n")

    found = user_themes.find(tmp_path)

    assert [problem.startswith(f"{path} is not valid TOML") for problem in found.problems["mine"]] == [True]
    assert found.looks["mine"].dark == LOOKS["dark"].dark


def test_a_built_in_theme_is_not_replaced(tmp_path: Path) -> None:
    path = written(tmp_path, '[styles]\nkeyword = "red"\n', name="dark")

    assert user_themes.find(tmp_path) == user_themes.Found(
        {}, {"dark": (f"{path}: dark is built in. Give it another name.",)}
    )


def test_nothing_in_it_steers_a_terminal(tmp_path: Path) -> None:
    written(tmp_path, 'summary = "a\\u001b]0;title\\u0007b"\n[styles]\n"\\u001b[31m" = "\\u001b[0m"\n', name="x\x1b[1m")

    found = user_themes.find(tmp_path)

    assert "\x1b" not in "".join(
        (*found.looks, *sum(found.problems.values(), ()), *(look.summary for look in found.looks.values()))
    )
