"""`@path` in a text: what it may bring in, and that nothing that a repository writes there gets anything else."""

import os
from pathlib import Path

import pytest

from actors.texts.documents import Bounds
from actors.texts.includes import DEEPEST, MOST_CHARACTERS, MOST_FILES, Included


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "work/docs").mkdir(parents=True)
    (tmp_path / "outside.md").write_text("SECRET")
    (tmp_path / "work/docs/style.md").write_text("tabs")
    return tmp_path / "work"


def expanded(workspace: Path, text: str, *hidden: str) -> str:
    (workspace / "AGENTS.md").write_text(text)
    return Included(Bounds(workspace, workspace, hidden)).expanded(text, workspace / "AGENTS.md")


@pytest.mark.parametrize(
    "line", ["@docs/style.md", "   @docs/style.md", "@docs/style.md  ", "@./docs/../docs/style.md"]
)
def test_a_line_of_its_own_is_replaced(workspace: Path, line: str) -> None:
    assert expanded(workspace, f"one\n{line}\ntwo") == "one\ntabs\ntwo"


@pytest.mark.parametrize(
    "text",
    [
        "see @docs/style.md",
        "    @docs/style.md",
        "```\n@docs/style.md\n```",
        "~~~~ text\n@docs/style.md\n~~~\n~~~~",
        "```\n~~~\n@docs/style.md",
        "@alice",
        "@docs/none.md",
        "@",
        "@ docs/style.md",
        "@~nobody-of-that-name/x.md",
        "@x\0.md",
        "@docs",
    ],
)
def test_other_lines_stay_as_they_are(workspace: Path, text: str) -> None:
    assert expanded(workspace, text).partition(" (not included")[0] == text


def test_after_a_fence_lines_count_again(workspace: Path) -> None:
    assert expanded(workspace, "```\n@docs/style.md\n```\n@docs/style.md") == "```\n@docs/style.md\n```\ntabs"


@pytest.mark.parametrize(
    "name",
    ["../outside.md", "docs/../../outside.md", "{above}/outside.md", "docs/link.md", "docs/out/outside.md"],
)
def test_nothing_outside_the_workspace_is_included(workspace: Path, name: str) -> None:
    (workspace / "docs/link.md").symlink_to("../../outside.md")
    (workspace / "docs/out").symlink_to("../..")

    told = expanded(workspace, f"@{name.format(above=workspace.parent)}")

    assert "SECRET" not in told
    assert "leads out of" in told


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "~/.ssh/id_rsa", "../../.ssh/id_rsa", "/dev/zero", "/proc/self/environ"]
)
def test_no_place_of_the_machine_is_included(workspace: Path, name: str) -> None:
    told = expanded(workspace, f"@{name}")

    assert told.startswith(f"@{name}")
    assert len(told) < 500


@pytest.mark.parametrize("name", [".env", "id_rsa", "key.pem", "config.json", "docs/secret"])
def test_only_texts_are_included(workspace: Path, name: str) -> None:
    (workspace / name).write_text("SECRET")
    (workspace / "docs/link.md").symlink_to(workspace / name)

    assert expanded(workspace, f"@{name}").startswith(f"@{name} (not included: only texts are: ")
    assert "SECRET" not in expanded(workspace, "@docs/link.md")


def test_what_a_rule_hides_is_not_included(workspace: Path) -> None:
    assert expanded(workspace, "@docs/style.md", "docs/**") == "@docs/style.md (not included: a rule hides it)"


def test_credentials_are_not_included_where_the_home_folder_is_worked_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh/notes.md").write_text("SECRET")
    monkeypatch.setenv("HOME", str(tmp_path))

    assert expanded(tmp_path, "@.ssh/notes.md") == "@.ssh/notes.md (not included: credentials are kept there)"


def test_a_pipe_holds_nobody_up(workspace: Path) -> None:
    os.mkfifo(workspace / "docs/pipe.md")

    assert expanded(workspace, "@docs/pipe.md") == "@docs/pipe.md"


def test_a_text_that_includes_itself_ends(workspace: Path) -> None:
    (workspace / "docs/style.md").write_text("tabs\n@../AGENTS.md\n@style.md")

    assert expanded(workspace, "@docs/style.md").splitlines() == [
        "tabs",
        "@../AGENTS.md (not included: it includes itself)",
        "@style.md (not included: it includes itself)",
    ]


def test_texts_in_one_another_end(workspace: Path) -> None:
    for number in range(20):
        (workspace / f"{number}.md").write_text(f"@{number + 1}.md")

    assert expanded(workspace, "@0.md") == f"@{DEEPEST}.md (not included: files are included {DEEPEST} deep at most)"


def test_a_bomb_of_includes_is_bounded(workspace: Path) -> None:
    """Each includes the next one many times."""
    for number in range(DEEPEST):
        (workspace / f"{number}.md").write_text(f"@{number + 1}.md\n" * 100)
    included = Included(Bounds(workspace, workspace))

    told = included.expanded("@0.md\n" * 10_000, workspace / "AGENTS.md")

    assert len(included.files) <= MOST_FILES
    assert len(told) < MOST_CHARACTERS + 128 * 100 + 10_000 * 7


def test_huge_files_are_cut(workspace: Path) -> None:
    with (workspace / "huge.md").open("wb") as file:
        file.truncate(1 << 32)

    told = expanded(workspace, "@huge.md\n@docs/style.md")

    assert len(told) < MOST_CHARACTERS + 200
    assert told.endswith("(cut off here)\n@docs/style.md (not included: too much is included already)")
