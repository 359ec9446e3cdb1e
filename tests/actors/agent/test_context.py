"""The instructions a model is given: whose files count, and what in their place does not hold the agent up."""

import os
from pathlib import Path

import pytest

from actors.agent.context import MOST_INSTRUCTIONS, instructions

NOBODY: set[int] = set()
ME = {os.getuid()}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "above" / "work").mkdir(parents=True)
    return tmp_path / "above" / "work"


def read(workspace: Path, trusted: set[int]) -> list[str]:
    texts = instructions(workspace, workspace.parent, trusted)
    return [text.partition("\n\n")[2] for text in texts]


def test_the_broadest_comes_first(workspace: Path) -> None:
    (workspace / "AGENTS.md").write_text("inner")
    (workspace.parent / "AGENTS.md").write_text("outer")

    assert read(workspace, ME) == ["outer", "inner"]


def test_above_the_workspace_only_trusted_users_count(workspace: Path) -> None:
    (workspace / "AGENTS.md").write_text("inner")
    (workspace.parent / "AGENTS.md").write_text("outer")

    assert read(workspace, NOBODY) == ["inner"]


def test_a_pipe_is_no_instruction(workspace: Path) -> None:
    os.mkfifo(workspace / "AGENTS.md")

    assert read(workspace, ME) == []


def test_a_link_out_of_the_folder_is_not_followed(workspace: Path) -> None:
    (workspace.parent / "secret").write_text("key")
    (workspace / "AGENTS.md").symlink_to("../secret")

    assert read(workspace, ME) == []


def test_a_link_to_itself_is_no_instruction(workspace: Path) -> None:
    (workspace / "AGENTS.md").symlink_to("AGENTS.md")

    assert read(workspace, ME) == []


def test_a_long_one_is_cut_off(workspace: Path) -> None:
    (workspace / "AGENTS.md").write_text("x" * (MOST_INSTRUCTIONS + 1))

    assert read(workspace, ME) == ["x" * MOST_INSTRUCTIONS + "\n(cut off here)"]
