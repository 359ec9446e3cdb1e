"""To add one thing is one new file, or one with its text, and one line in one table: done here with one of each."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT, additions
from tests.additions import Addition

SOURCES = ("actors", "supervisor", "ui")
WITHIN_S = 120


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in SOURCES:
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("addition", additions.ALL, ids=lambda addition: addition.kind)
def test_one_more_is_one_line_in_one_table(copy: Path, addition: Addition) -> None:
    add(addition, copy)

    assert touched(copy) == {addition.table: [addition.line]}
    assert shown(addition, copy).strip() == addition.prints.strip()


@pytest.mark.slow
def test_one_more_of_each_keeps_to_the_floors(copy: Path) -> None:
    for addition in additions.ALL:
        add(addition, copy)
    shutil.copy(ROOT / "pyproject.toml", copy)

    run(copy, "from importlinter.cli import lint_imports_command as lint; lint()")


def add(addition: Addition, copy: Path) -> None:
    for path, text in addition.files.items():
        (copy / path).parent.mkdir(exist_ok=True)
        (copy / path).write_text(text)
    lines = (copy / addition.table).read_text().splitlines()
    (at,) = (at for at, line in enumerate(lines) if line.strip() == addition.after)
    indent = lines[at].removesuffix(addition.after)
    lines.insert(at + 1, indent + addition.line)
    (copy / addition.table).write_text("\n".join([*lines, ""]))


def touched(copy: Path) -> dict[str, list[str]]:
    """Of the files that were there: what each has more now. Nothing may be gone."""
    return {str(path): list(new_lines(ROOT / path, copy / path)) for path in sources() if differs(path, copy)}


def sources() -> Iterator[Path]:
    for name in SOURCES:
        yield from (path.relative_to(ROOT) for path in (ROOT / name).rglob("*") if path.suffix in (".py", ".toml"))


def differs(path: Path, copy: Path) -> bool:
    return (ROOT / path).read_bytes() != (copy / path).read_bytes()


def new_lines(before: Path, after: Path) -> Iterator[str]:
    old = before.read_text().splitlines()
    for line in after.read_text().splitlines():
        if old and line == old[0]:
            old.pop(0)
        else:
            yield line.strip()
    assert old == []


def shown(addition: Addition, copy: Path) -> str:
    home = copy / "home"
    home.mkdir()
    (home / "config.toml").write_text(addition.config)
    return run(copy, additions.SETTINGS + addition.shown_by)


def run(copy: Path, code: str) -> str:
    """What a Python prints that has never seen the sources without what was added."""
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=copy,
        env={**os.environ, "TROUPER_HOME": str(copy / "home"), "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
