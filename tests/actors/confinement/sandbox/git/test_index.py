"""Submodules that an index names: the same that git itself says, and nothing of the repository is run."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.confinement.sandbox.git import repository_places
from actors.confinement.sandbox.git.folders import Finder
from actors.confinement.sandbox.git.index import named
from actors.confinement.sandbox.git.nested import MOST, Nested
from actors.confinement.sandbox.git_guard import Inside, Outside
from tests.actors.confinement.sandbox.test_git_guard import granted, refused
from tests.repositories import git

PATHS = ("a/b", "a/bb/" + "l" * 5000, "deep/er/x", "z", "é")
HASHES = {"sha1": "1" * 40, "sha256": "1" * 64}


def add_links(top: Path, *paths: str, kind: str = "sha1") -> None:
    lines = "".join(f"160000 {HASHES[kind]} 0\t{path}\n" for path in paths)
    subprocess.run(["git", "update-index", "--index-info"], cwd=top, input=lines.encode(), check=True)


def submodules(top: Path) -> set[str]:
    return {os.path.relpath(link, top) for link in named(top, repository_places.all_folders(top)).submodules}


@pytest.mark.parametrize("kind", HASHES)
@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_is_read_as_git_reads_it(folder: Path, kind: str, version: str) -> None:
    git(folder, "init", "-q", f"--object-format={kind}")
    for name in ("file", "intended"):
        (folder / name).write_text("x")
    git(folder, "add", "file")
    if version == "3":
        git(folder, "add", "-N", "intended")
    add_links(folder, *PATHS, kind=kind)
    git(folder, "update-index", "--index-version", version)

    assert (folder / ".git" / "index").read_bytes()[7] == int(version)
    assert submodules(folder) >= set(PATHS)
    assert kind == "sha256" or submodules(folder) == set(PATHS)


def test_a_file_of_a_shared_index_that_became_a_link_is_among_them(folder: Path) -> None:
    git(folder, "init", "-q")
    for name in ("one", "two"):
        (folder / name).write_text("x")
    git(folder, "add", ".")
    git(folder, "update-index", "--split-index")
    git(folder, "update-index", "--cacheinfo", f"160000,{HASHES['sha1']},two")

    assert "two" in submodules(folder)


def test_a_repository_in_a_folder_that_was_left_out_is_found(folder: Path) -> None:
    (folder / "lib").mkdir()
    git(folder, "init", "-q")
    (folder / "lib" / "file").write_text("x")
    (folder / "kept").write_text("x")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "x")
    git(folder, "sparse-checkout", "set", "--cone", "--sparse-index")
    git(folder, "init", "-q", "lib/sub")

    assert submodules(folder) == set()
    assert named(folder, repository_places.all_folders(folder)).there() == [folder / "lib" / "sub"]


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(version=st.integers(0, 5), count=st.integers(0, 2**32 - 1), body=st.binary(max_size=400), links=st.booleans())
def test_a_hostile_index_names_nothing_outside(
    tmp_path: Path, version: int, count: int, body: bytes, links: bool
) -> None:
    entry = bytes(24) + (0o160000).to_bytes(4) + bytes(32) + b"\0\x09/etc/x/..\0\0"
    head = b"DIRC" + version.to_bytes(4) + count.to_bytes(4)
    (tmp_path / "index").write_bytes(head + (entry if links else b"") + body)

    found = named(tmp_path / "top", [tmp_path])

    assert all(path.is_relative_to(tmp_path / "top") and ".." not in path.parts for path in found.submodules)


CONFIG = """
[core]
    repositoryformatversion = 1
    bare = true
    sparseCheckout = true
    sparseCheckoutCone = true
[index]
    sparse = true
[extensions]
    partialClone = origin
[remote "origin"]
    promisor = true
    url = ext::sh run.sh
[protocol]
    allow = always
[protocol "ext"]
    allow = always
"""


@pytest.fixture
def running(folder: Path, tmp_path: Path) -> Path:
    """A workspace that brings a bare repository: asked for all of its index, git runs `run.sh`."""
    source = tmp_path / "source"
    (source / "sub").mkdir(parents=True)
    git(source, "init", "-q")
    for name in ("top", "sub/file"):
        (source / name).write_text("x")
    git(source, "add", ".")
    add_links(source, "link")
    git(source, "commit", "-q", "-m", "x")
    git(source, "sparse-checkout", "set", "--cone", "--sparse-index")
    bare = folder / "docs" / "ref"
    for name in ("objects", "refs"):
        (bare / name).mkdir(parents=True)
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    (bare / "config").write_text(CONFIG)
    (bare / "run.sh").write_text(f"touch {tmp_path}/mark\n")
    shutil.copy(source / ".git" / "index", bare)
    return folder


def test_the_repository_of_these_tests_does_run_something(running: Path, tmp_path: Path) -> None:
    every = ["git", "-c", "safe.bareRepository=all", "ls-files", "--stage"]
    subprocess.run(every, cwd=running / "docs" / "ref", capture_output=True, check=False)

    assert (tmp_path / "mark").exists()


def test_nothing_runs_when_a_worker_starts_nor_after_a_command(running: Path, tmp_path: Path) -> None:
    guard = Inside(running)
    (running / "docs").rename(running / "more")
    guard.after()

    assert not (tmp_path / "mark").exists()


def test_nothing_runs_before_an_approved_git(running: Path, tmp_path: Path) -> None:
    refused(running, "git -C docs/ref log --oneline")

    assert not (tmp_path / "mark").exists()
    assert Outside(running, 0).known == {}
    assert granted(running, "git -C docs/ref log").folders == (str(running / "docs" / "ref"),)


def plant(top: Path) -> None:
    top.mkdir(parents=True)
    git(top, "init", "-q")
    git(top, "config", "core.fsmonitor", "x")


def with_a_long_commondir(top: Path) -> None:
    top.mkdir()
    (top / "HEAD").write_text("ref: refs/heads/main\n")
    (top / "commondir").write_text("y" * 300)


def with_a_long_gitdir(top: Path) -> None:
    top.mkdir()
    (top / ".git").write_text("gitdir: " + "y" * 4000)


def that_includes_what_never_ends(top: Path) -> None:
    plant(top)
    add_links(top, "link")
    (top / ".git" / "config").write_text("[include]\n\tpath = /dev/ptmx\n")


ODD = [with_a_long_commondir, with_a_long_gitdir, that_includes_what_never_ends]


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_repository_keeps_no_worker_from_starting_and_hides_no_other(folder: Path, odd: object) -> None:
    assert callable(odd)
    odd(folder / "first")
    guard = Inside(folder)
    odd(folder / "m")
    for name in ("a", "z"):
        plant(folder / name)

    told = guard.after()

    assert "a/.git" in told
    assert "z/.git" in told


def test_settings_of_the_workspace_that_never_end_keep_no_worker_from_starting(folder: Path) -> None:
    git(folder, "init", "-q")
    (folder / ".git" / "config").write_text("[include]\n\tpath = /dev/ptmx\n[core]\n\thooksPath = mine\n")
    (folder / "mine").mkdir()

    assert folder / "mine" in repository_places.protected(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_closed_repository_is_looked_at_when_it_opens(folder: Path) -> None:
    plant(folder / "n")
    guard = Inside(folder)
    plant(folder / "m")
    (folder / "m" / ".git").chmod(0)
    before = guard.after()
    (folder / "m" / ".git").chmod(0o755)

    assert before == ""
    assert "m/.git" in guard.after()


def test_of_very_many_repositories_some_are_looked_at_and_the_rest_is_told(folder: Path) -> None:
    git(folder, "init", "-q")
    names = [f"m{number}" for number in range(MOST + 10)]
    add_links(folder, *names, *(f"not-there/{number}" for number in range(20_000)))
    guard = Inside(folder)
    before = guard.after()
    for name in names:
        (folder / name).mkdir()
        (folder / name / ".git").write_text("gitdir: ../nowhere")
        (folder / name / "HEAD").touch()

    assert before == ""
    assert f"more than {MOST} repositories" in guard.after()
    assert guard.after() == ""
    assert len(Nested(folder, Finder(folder, 1), ()).folders()) == MOST
