"""What the tables say of options is what the programs of this machine do with them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from actors.gate.bash.files.file_arguments import FILES_IN_OPTIONS, VALUES
from actors.gate.bash.files.reader_options import WRAPPERS

SECRET = "hunter2hunter2"
BEFORE = ((), (".",), ("-c1-",), ("p",), ("{print}",), ("diff", "--no-index"), ("log", "-1"))
"""One of them lets the program read the file behind an option, if that does not take it for its value."""


def said(folder: Path, *argv: str) -> str:
    ran = subprocess.run(
        argv, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60, text=True
    )
    return ran.stdout + ran.stderr


def taking_values(table: str) -> list[str]:
    return [option for option in table.split() if not option.endswith("?")]


@pytest.mark.parametrize(
    ("program", "option"),
    [
        (name, option)
        for name, table in VALUES.items()
        for option in taking_values(table)
        if shutil.which(name.split()[0]) and option not in FILES_IN_OPTIONS.get(name, "").split()
    ],
)
def test_what_counts_as_a_value_is_not_read(tmp_path: Path, program: str, option: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text(f"{SECRET}\n")
    here = tmp_path / "here"
    here.mkdir()

    seen = [said(here, *program.split(), *before, option, str(secret)) for before in BEFORE]
    seen += [said(here, *program.split(), option, str(secret), *before) for before in BEFORE]

    assert SECRET not in "".join(seen)


@pytest.mark.parametrize(
    ("program", "entry"),
    [
        (name, entry)
        for name, table in WRAPPERS.items()
        for entry in table.split()
        if shutil.which(name) and name != "watch" and not (name == "env" and entry in ("-S:", "--split-string:"))
    ],
)
def test_a_wrapper_runs_what_is_taken_for_its_command(tmp_path: Path, program: str, entry: str) -> None:
    """What an option takes is `echo` otherwise, and then `SECRET` would be the command."""
    own = ("1",) if program == "timeout" else ()

    seen = said(tmp_path, program, entry.rstrip(":?"), *own, "echo", SECRET)

    ran_it = seen.startswith(SECRET)
    tried_the_next = f"{SECRET}: No such file" in seen.replace("\N{RIGHT SINGLE QUOTATION MARK}", "").replace("'", "")
    assert not (entry.endswith(":") and ran_it)
    assert entry.endswith(":") or not tried_the_next
