"""Files of git's settings, read as git itself reads them, or not at all."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.confinement.sandbox.git.settings import MOST, Unreadable, elsewhere, entries, risky

PIECES = (
    *(
        "[core]",
        '[a "b c"]',
        "[a.b]",
        '[A "x\\"y"]',
        "[",
        "]",
        '[ "x"]',
        "\n",
        "\n",
        "\r\n",
        " ",
        "\t",
        "fsmonitor",
        "x-1",
    ),
    *("=", " = ", "true", '"', "\\\n", "\\n", "\\", "#", ";", ".", "va lue", "1", "é", "\v", "\0"),
)


def by_git(text: bytes) -> list[tuple[str, str]] | None:
    command = ["git", "config", "--no-includes", "--file", "-", "--list", "-z"]
    ran = subprocess.run(command, input=text, cwd="/", capture_output=True, check=False)
    if ran.returncode:
        return None
    listed = ran.stdout.decode(errors="surrogateescape").split("\0")[:-1]
    return [(name, value) for name, _, value in (entry.partition("\n") for entry in listed)]


def ours(text: bytes) -> list[tuple[str, str]] | None:
    try:
        return entries(text)
    except Unreadable:
        return None


@pytest.mark.parametrize(
    "text",
    [
        '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@example.com:a/b.git ; comment\n[Branch "Main"]merge=x',
        '[a "b\\"c"] d = "x # y" z \\\n  more # "\n[e.F]\n  g\nh=\n',
        "\ufeff# only\n[core]\r\n\tfsmonitor = x\r\n",
    ],
)
def test_it_is_read_as_git_reads_it(text: str) -> None:
    assert entries(text.encode()) == by_git(text.encode())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_whatever_is_read_git_reads_so(pieces: list[str]) -> None:
    text = f"[core]\n{''.join(pieces)}".encode()

    assert (said := ours(text)) is None or said == by_git(text)


@pytest.mark.parametrize("text", [b"fsmonitor = x", b"[core]\nx = \0", b'[core]\nx = "', b"[a]\n" + b"b = c\n" * MOST])
def test_what_is_odd_counts_as_risky_and_as_another_when_it_changes(text: bytes) -> None:
    assert risky(text)
    assert risky(text) != risky(text + b"\n")


def test_a_partial_clone_and_another_place_for_the_files_are_risky(tmp_path: Path) -> None:
    said = risky(b"[extensions]\npartialClone = origin\nobjectFormat = sha1\n[core]\nworktree = ../..\nbare = false\n")

    assert said == {"extensions.partialclone\norigin", "core.worktree\n../.."}
    assert elsewhere(said, tmp_path / "a" / "b", tmp_path) == {"extensions.partialclone\norigin"}
    assert elsewhere(said, tmp_path / "b", tmp_path) == said
