"""The scripts of `trouper completion`, tried in the shells that are here."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ui.cli.subcommands.completion import SHELLS, script
from ui.cli.table import SUBCOMMANDS

LINES = {
    ("trouper", "ba"): {"batch"},
    ("trouper", "auth", "logo"): {"logout"},
    ("trouper", "batch", "--workers", "2", "--mode", "acc"): {"accept-edits"},
    ("trouper", "--no-s"): {"--no-sandbox"},
}
BASH = """
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_shtab_trouper
printf "%s\\n" "${COMPREPLY[@]}"
"""


def completed(shell: str, file: Path, words: tuple[str, ...]) -> set[str]:
    if shell == "bash":
        command = ["bash", "--norc", "-c", BASH, "bash", str(file), *words]
    else:
        command = ["fish", "--no-config", "-c", f"source {file}; complete -C '{' '.join(words)}'"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.partition("\t")[0] for line in done.stdout.splitlines()}


@pytest.mark.parametrize("shell", ["bash", "fish"])
@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_a_shell_completes_what_is_there(shell: str, words: tuple[str, ...], tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    file = tmp_path / "script"
    file.write_text(script(shell))

    assert completed(shell, file, words) == LINES[words]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_one_of_that_shell_and_has_every_command(shell: str, tmp_path: Path) -> None:
    file = tmp_path / "script"
    file.write_text(script(shell))

    assert [name for name in SUBCOMMANDS if name not in file.read_text()] == []
    if shutil.which(shell):
        subprocess.run([shell, "-n", str(file)], check=True)
