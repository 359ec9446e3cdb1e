"""The sections of the system prompt: placeholders, and the user's own texts in place of ours."""

import os
from pathlib import Path

import pytest

from actors.agent.prompt.sections import NAMES, filled, placeholders, rendered


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "prompt").mkdir()
    return tmp_path


def test_ours_have_no_placeholder_left(home: Path) -> None:
    found = rendered(home, home)

    assert [section.name for section in found.sections] == list(NAMES)
    assert not any("{{" in section.text for section in found.sections)
    assert str(home) in found.sections[-1].text
    assert found.notices == ()


def test_a_section_of_the_users_takes_the_place_of_ours(home: Path) -> None:
    own = home / "prompt/role.md"
    own.write_text("You are a parrot in {{CWD}} on {{ BRANCH }}.\n")

    first, *others = rendered(home, home).sections

    assert (first.origin, first.text) == (str(own), f"You are a parrot in {home} on none: not a git repository.")
    assert [section.origin for section in others] == ["", "", ""]


def test_an_empty_one_takes_its_section_out(home: Path) -> None:
    (home / "prompt/working.md").write_text("\n")

    found = rendered(home, home)

    assert [section.name for section in found.sections] == ["role", "tools", "environment"]
    assert found.notices == ()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("role", b"You work in {{FOLDER}}.", "there is no {{FOLDER}}. There are: {{CWD}}, {{OS}}, "),
        ("roles", b"You work.", 'there is no section "roles". There are: role, working, tools, environment.'),
        ("role", b"\xff\xfe", "so it does not count"),
        ("role", b"x" * 70_000, "is larger than any section"),
    ],
)
def test_a_mistake_is_a_notice_and_the_rest_counts(home: Path, name: str, text: bytes, said: str) -> None:
    (home / f"prompt/{name}.md").write_bytes(text)

    found = rendered(home, home)

    (notice,) = found.notices
    assert notice.startswith(str(home / f"prompt/{name}.md")) or str(home / "prompt/role.md") in notice
    assert said in notice
    assert [section.name for section in found.sections] == list(NAMES)


def test_a_pipe_in_place_of_a_section_holds_nobody_up(home: Path) -> None:
    os.mkfifo(home / "prompt/role.md")

    assert "not a regular file" in rendered(home, home).notices[0]


def test_no_value_is_taken_for_a_placeholder() -> None:
    assert filled("{{CWD}} {{DATE}} {{WHAT}}", {"CWD": "/{{DATE}}", "DATE": "today"}) == "/{{DATE}} today {{WHAT}}"


def test_plan_mode_can_be_named_whatever_the_mode_is(home: Path) -> None:
    assert "change nothing" in placeholders(home)["PLAN_MODE"]
