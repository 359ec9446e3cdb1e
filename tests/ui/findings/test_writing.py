"""Where a report may be written, and where not: the folder may be somebody else's."""

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from tests import ROOT
from tests.ui.findings.made import FINDING, report
from ui.common.usage_errors import Usage
from ui.findings.report import Form
from ui.findings.writing import check_out, is_report, rendered, write

FORMS = get_args(Form)
REPORT = report(FINDING)
OTHERS = "# Issues\n\n- mine\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    (folder / "docs").mkdir(parents=True)
    return folder


def refused(out: str | Path, workspace: Path) -> str:
    """Why, and that both ways refuse it."""
    before = sorted(workspace.parent.rglob("*"))
    with pytest.raises(Usage) as checked:
        check_out(Path(out), workspace)
    with pytest.raises(Usage) as written:
        write(REPORT, "markdown", Path(out), workspace)
    assert str(checked.value) == str(written.value)
    assert sorted(workspace.parent.rglob("*")) == before
    return str(checked.value).removeprefix(f"cannot write {out}: ").partition(". Name another")[0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("out", ["report", "docs/report", "./docs/report"])
def test_a_report_is_written_and_written_again(form: Form, out: str, workspace: Path) -> None:
    for _ in range(2):
        check_out(Path(out), workspace)
        write(REPORT, form, Path(out), workspace)

    assert (workspace / out).read_text() == rendered(REPORT, form)
    assert is_report((workspace / out).read_bytes()[:1000])
    assert len(list((workspace / out).parent.iterdir())) == 1 + (out == "report")


def test_an_absolute_path_in_the_workspace_is_one(workspace: Path) -> None:
    write(REPORT, "json", workspace / "docs" / "report", workspace)

    assert (workspace / "docs" / "report").exists()


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_in_the_command_is_not_written(form: Form) -> None:
    secret = "sk-" + "a1B2" * 8

    text = rendered(report(command=f"trouper audit 'is {secret} still good?'"), form)

    assert "trouper audit 'is [redacted] still good?'" in text
    assert secret not in text


@pytest.mark.parametrize(
    "out", ["../report", "docs/../../report", "docs/../report", "/report", "~/../../report", ".", "/"]
)
def test_what_is_outside_is_refused(out: str, workspace: Path) -> None:
    assert refused(out, workspace) == f"it is outside of the workspace {workspace}"


@pytest.mark.parametrize("out", [".git/hooks/pre-commit", "docs/.GIT/config", ".git"])
def test_the_folder_of_git_is_refused(out: str, workspace: Path) -> None:
    (workspace / ".git" / "hooks").mkdir(parents=True)
    (workspace / "docs" / ".GIT").mkdir()

    assert refused(out, workspace) in {"it is in git's own folder", "it is there and is no file"}


def test_a_link_is_refused_whatever_it_leads_to(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    write(REPORT, "markdown", Path("real"), workspace)
    (workspace / "to-report").symlink_to("real")
    (workspace / "to-nothing").symlink_to(tmp_path / "new")
    (workspace / "to-outside").symlink_to(tmp_path / "outside")
    (workspace / "to-docs").symlink_to("docs")

    assert refused("to-report", workspace) == "it is a link, or cannot be read"
    assert refused("to-nothing", workspace) == "it is a link, or cannot be read"
    assert refused("to-outside/report", workspace) == '"to-outside" is a link, or no folder'
    assert refused("to-docs/report", workspace) == '"to-docs" is a link, or no folder'


def test_a_workspace_that_is_reached_by_a_link_is_one(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(workspace)

    write(REPORT, "markdown", Path("report"), tmp_path / "link")

    assert (workspace / "report").exists()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", [OTHERS, "{}", '{"runs": []}', " ", "x" * 5000, "<!-- Report -->"])
def test_what_is_no_report_is_not_overwritten(form: Form, text: str, workspace: Path) -> None:
    (workspace / "ISSUES.md").write_text(text)

    with pytest.raises(Usage, match="no report of ours"):
        write(REPORT, form, Path("ISSUES.md"), workspace)

    assert (workspace / "ISSUES.md").read_text() == text


def test_an_empty_file_is_taken_and_keeps_its_mode(workspace: Path) -> None:
    (workspace / "report").touch()
    (workspace / "report").chmod(0o600)

    write(REPORT, "markdown", Path("report"), workspace)

    assert stat.S_IMODE((workspace / "report").stat().st_mode) == 0o600


def test_a_new_file_has_the_rights_that_files_have_here(workspace: Path) -> None:
    (workspace / "other").touch()
    write(REPORT, "markdown", Path("report"), workspace)

    assert (workspace / "report").stat().st_mode == (workspace / "other").stat().st_mode


def test_another_name_of_the_file_keeps_what_it_had(workspace: Path, tmp_path: Path) -> None:
    write(report(), "markdown", Path("report"), workspace)
    os.link(workspace / "report", tmp_path / "kept")

    write(REPORT, "markdown", Path("report"), workspace)

    assert (tmp_path / "kept").read_text() == rendered(report(), "markdown")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.mkdir(), "it is there and is no file"),
        (os.mkfifo, "it is there and is no file"),
        (lambda path: os.mknod(path, stat.S_IFSOCK | 0o600), "it is a link, or cannot be read"),
    ],
    ids=["folder", "fifo", "socket"],
)
def test_what_is_no_file_is_refused_at_once(make: Callable[[Path], None], why: str, workspace: Path) -> None:
    make(workspace / "report")

    assert refused("report", workspace) == why


def test_a_folder_that_is_not_there_is_named(workspace: Path) -> None:
    (workspace / "file").touch()

    assert refused("new/report", workspace) == 'there is no folder "new": make it first'
    assert refused("file/report", workspace) == '"file" is a link, or no folder'


def test_a_name_that_is_too_long_is_told(workspace: Path) -> None:
    assert "File name too long" in refused(f"{'x' * 300}/report", workspace)
    with pytest.raises(Usage, match="cannot write"):
        write(REPORT, "markdown", Path("x" * 300), workspace)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_closed_is_told_before_anything_is_paid_for(workspace: Path) -> None:
    (workspace / "docs").chmod(0o500)

    with pytest.raises(Usage, match="you may not write in its folder"):
        check_out(Path("docs/report"), workspace)


def test_a_folder_that_is_made_a_link_while_it_is_written_leads_nowhere(workspace: Path, tmp_path: Path) -> None:
    """Somebody swaps it all the time: what is written is in the workspace, or refused."""
    outside = tmp_path / "outside"
    outside.mkdir()
    docs, aside = workspace / "docs", workspace / "aside"
    ended = threading.Event()

    def swap() -> None:
        while not ended.is_set():
            docs.rename(aside)
            docs.symlink_to(outside)
            docs.unlink()
            aside.rename(docs)

    swapping = threading.Thread(target=swap)
    swapping.start()
    refusals = 0
    for _ in range(200):
        try:
            write(REPORT, "markdown", Path("docs/report"), workspace)
        except Usage:
            refusals += 1
    ended.set()
    swapping.join()

    assert list(outside.iterdir()) == []
    assert [path.name for path in docs.iterdir()] == (["report"] if refusals < 200 else [])


WRITES = """
import itertools
from pathlib import Path
from tests import ROOT
from tests.ui.findings.made import FINDING, report
from ui.findings.writing import write
for number in itertools.count():
    write(report(FINDING, summary="x" * 2_000_000 * (number % 2)), "markdown", Path("report"), Path(r"{workspace}"))
    print(number, flush=True)
"""


@pytest.mark.slow
def test_who_is_killed_while_writing_leaves_a_whole_report(workspace: Path) -> None:
    whole = {rendered(report(FINDING, summary="x" * 2_000_000 * long), "markdown") for long in (False, True)}

    for round_ in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITES.format(workspace=workspace)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        for _ in range(round_ + 1):
            writer.stdout.readline()
        writer.kill()
        writer.communicate()

        assert (workspace / "report").read_text() in whole
        check_out(Path("report"), workspace)
