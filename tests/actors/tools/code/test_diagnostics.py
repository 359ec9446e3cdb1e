"""New errors after an edit: with ruff itself, and with stand-ins that print what the other checkers print."""

import json
import os
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.messages.conversation import ToolCall
from actors.messages.tool import Grant
from actors.tools import limits
from actors.tools.actor import execute
from actors.tools.base import Outcome, Worker
from actors.tools.code import checkers
from actors.tools.code.checkers import Found
from actors.tools.code.diagnostics import Diagnostics

TOLD = "\n\nErrors that were not there before this change:\n"
BY_NAME = {checker.program: checker for checker in checkers.ALL}
RUFF, TSC = BY_NAME["ruff"], BY_NAME["tsc"]


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    """ruff is where this interpreter is."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH."""
    made = tmp_path / "bin"
    made.mkdir()
    monkeypatch.setenv("PATH", str(made))
    return made


def install(programs: Path, name: str, body: str) -> Path:
    """A program that counts how often it ran; gives back the file of the count."""
    ran = programs / f"{name}.ran"
    (programs / name).write_text(
        f"#!{sys.executable}\nimport pathlib, sys\nopen({str(ran)!r}, 'a').write('x')\n{body}\n"
    )
    (programs / name).chmod(0o755)
    return ran


async def edit(worker: Worker, path: Path, text: str) -> Outcome:
    async def report(_text: str) -> None: ...

    granted = worker.granted(Grant(paths=(str(path),)))
    call = ToolCall(call_id="c", name="write", arguments=json.dumps({"path": str(path), "content": text}))
    return await execute(call, granted, report)


def checking(worker: Worker, *which: checkers.Checker) -> Worker:
    return replace(worker, checked=Diagnostics(which or checkers.ALL).checked)


async def test_an_error_that_the_edit_made_is_added(folder: Path, worker: Worker) -> None:
    worker = checking(worker, RUFF)
    file = folder / "a.py"
    file.write_text("print(old)\nx = 1\n")

    outcome = await edit(worker, file, "\nprint(old)\nprint(new)\n")
    broken = await edit(worker, file, "print(old\n")

    assert outcome.output.endswith(f"{TOLD}a.py:3: F821 Undefined name `new` (ruff)")
    assert outcome.summary.endswith(", 1 new error")
    assert not outcome.failed
    assert "invalid-syntax" in broken.output


async def test_of_a_new_file_all_errors_are_new(folder: Path, worker: Worker) -> None:
    outcome = await edit(checking(worker, RUFF), folder / "a.py", "print(x)\n")

    assert outcome.output.endswith(f"{TOLD}a.py:1: F821 Undefined name `x` (ruff)")


async def test_what_two_checkers_find_is_told_once(folder: Path, worker: Worker, programs: Path) -> None:
    install(programs, "ruff", "print('a.py:1:1: one'); print('a.py:1:5: two')")
    install(
        programs, "pyright", f"print('  {folder}/a.py:1:1 - error: same'); print('  {folder}/a.py:2:1 - error: other')"
    )

    outcome = await edit(checking(worker), folder / "a.py", "x")

    assert outcome.output.endswith(f"{TOLD}a.py:1: one (ruff)\na.py:1: two (ruff)\na.py:2: other (pyright)")


async def test_a_style_is_no_error(folder: Path, worker: Worker) -> None:
    outcome = await edit(checking(worker, RUFF), folder / "a.py", "import os, sys\nl = 1; y=2\n")

    assert TOLD not in outcome.output


async def test_only_so_many_are_shown(folder: Path, worker: Worker) -> None:
    lines = "".join(f"print(x{number})\n" for number in range(limits.CHECK_SHOWN + 3))

    outcome = await edit(checking(worker, RUFF), folder / "a.py", lines)

    assert outcome.output.count("Undefined name") == limits.CHECK_SHOWN
    assert outcome.output.endswith("[and 3 more]")


async def test_what_it_said_last_is_not_asked_again(folder: Path, worker: Worker, programs: Path) -> None:
    ran = install(programs, "ruff", "print('a.py:1:1: F821 same')")
    worker = checking(worker, RUFF)
    (folder / "a.py").write_text("one")

    await edit(worker, folder / "a.py", "two")
    await edit(worker, folder / "a.py", "three")

    assert ran.read_text() == "xxx"


async def test_without_a_checker_nothing_is_run(folder: Path, worker: Worker, programs: Path) -> None:
    ran = install(programs, "ruff", "")

    await edit(checking(worker), folder / "a.txt", "text")
    await edit(checking(worker), folder / "a.go", "text")

    assert not ran.exists()


async def test_what_edits_nothing_is_not_checked(folder: Path, worker: Worker, programs: Path) -> None:
    ran = install(programs, "ruff", "")
    (folder / "a.py").write_text("text")

    async def report(_text: str) -> None: ...

    call = ToolCall(call_id="c", name="delete", arguments='{"path": "a.py"}')
    await execute(call, checking(worker.granted(Grant(paths=(str(folder / "a.py"),)))), report)

    assert not ran.exists()


async def test_one_that_takes_too_long_is_not_used_again(folder: Path, worker: Worker, programs: Path) -> None:
    ran = programs / "ruff.ran"
    (programs / "ruff").write_text(f"#!/bin/sh\nprintf x >> '{ran}'\nexec /bin/sleep 300\n")  # it starts at once
    (programs / "ruff").chmod(0o755)
    worker = replace(worker, checked=Diagnostics((RUFF,), seconds=0.5).checked)
    (folder / "a.py").write_text("one")

    outcome = await edit(worker, folder / "a.py", "two")
    await edit(worker, folder / "a.py", "three")

    assert outcome.output.startswith("Replaced a.py")
    assert TOLD not in outcome.output
    assert ran.read_text() == "x"


async def test_one_that_does_not_work_says_nothing(folder: Path, worker: Worker, programs: Path) -> None:
    install(programs, "ruff", "print('a.py:1:1: nonsense'); sys.exit(2)")

    assert TOLD not in (await edit(checking(worker, RUFF), folder / "a.py", "two")).output


async def test_a_checker_that_the_workspace_brings_is_not_run(
    folder: Path, worker: Worker, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought = folder / "node_modules" / ".bin"
    brought.mkdir(parents=True)
    theirs = install(brought, "ruff", "")
    monkeypatch.setenv("PATH", f"{brought}{os.pathsep}{programs}")
    ours = install(programs, "ruff", "")

    await edit(checking(worker, RUFF), folder / "a.py", "text")

    assert not theirs.exists()
    assert ours.exists()


async def test_a_project_is_checked_from_its_own_folder(folder: Path, worker: Worker, programs: Path) -> None:
    install(programs, "tsc", "print('src/a.ts(2,5): error TS2304: Cannot find name.'); sys.exit(2)")
    (folder / "web" / "src").mkdir(parents=True)
    (folder / "lone").mkdir()
    (folder / "web" / "tsconfig.json").write_text("{}")

    inside = await edit(checking(worker, TSC), folder / "web" / "src" / "a.ts", "x")
    outside = await edit(checking(worker, TSC), folder / "lone" / "a.ts", "x")

    assert inside.output.endswith(f"{TOLD}web/src/a.ts:2: TS2304: Cannot find name. (tsc)")
    assert TOLD not in outside.output


@pytest.mark.parametrize(
    ("program", "output", "found"),
    [
        (
            "ruff",
            "src/a.py:2:7: F821 Undefined name `x`\nFound 1 error.",
            Found(Path("/w/src/a.py"), 2, "F821 Undefined name `x` (ruff)"),
        ),
        (
            "pyright",
            '/w/a.py\n  /w/a.py:2:7 - error: "x" is not defined (reportUndefinedVariable)\n1 error, 0 warnings',
            Found(Path("/w/a.py"), 2, '"x" is not defined (reportUndefinedVariable) (pyright)'),
        ),
        (
            "tsc",
            "src/a.ts(3,5): error TS2304: Cannot find name 'x'.\n  more about it",
            Found(Path("/w/src/a.ts"), 3, "TS2304: Cannot find name 'x'. (tsc)"),
        ),
        ("gopls", "/w/a.go:3:2-9: undefined: y", Found(Path("/w/a.go"), 3, "undefined: y (gopls)")),
        (
            "rust-analyzer",
            'at crate c, file /w/src/main.rs: Error RustcHardError("E0425") from LineCol { line: 1, col: 4 } '
            "to LineCol { line: 1, col: 8 }: no such value in this scope",
            Found(Path("/w/src/main.rs"), 2, "no such value in this scope (rust-analyzer)"),
        ),
    ],
)
def test_what_checkers_print(program: str, output: str, found: Found) -> None:
    assert BY_NAME[program].errors(output, Path("/w")) == [found]
