"""A folder of programs that only write down their names and arguments, and a shell that finds no others."""

import shutil
import subprocess
from pathlib import Path

NAMES = ("ls", "cat", "foo", "bar", "rm", "git", "grep")
"""Each writes itself down, prints a word and does nothing."""
REAL = ("env", "nohup", "timeout", "nice", "xargs", "find", "bash")
STUB = """#!/bin/sh
printf '%s' "$(printf '%s\\037' "${0##*/}" "$@"; printf '\\036')" >> "$RECORD"
echo word
"""
"""It writes at once, so that those of a pipeline do not mix."""


class Stubs:
    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.workspace = folder / "workspace"
        self.folder = folder
        self.runs = 0
        for name in NAMES:
            (self.bin / name).write_text(STUB)
            (self.bin / name).chmod(0o755)
        for name in REAL:
            (self.bin / name).symlink_to(shutil.which(name) or f"/usr/bin/{name}")
        (self.bin / "sh").symlink_to(shutil.which("bash") or "/bin/bash")

    def run(self, line: str) -> list[tuple[str, ...]]:
        """What was really run, with its arguments."""
        shutil.rmtree(self.workspace, ignore_errors=True)
        self.workspace.mkdir(exist_ok=True)
        for name in ("a", "b", "c d"):
            (self.workspace / name).write_text("word\n")
        self.runs += 1
        record = self.folder / f"record{self.runs}"  # what a process substitution still does is not the next one's
        record.write_bytes(b"")
        environment = {
            "PATH": str(self.bin),
            "RECORD": str(record),
            "HOME": str(self.workspace),
            "LC_ALL": "C.UTF-8",
            "FUNCNEST": "3",  # a function that calls itself ends
        }
        subprocess.run(
            [shutil.which("bash") or "/bin/bash", "-c", line],
            cwd=self.workspace,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=30,
            check=False,
        )
        runs = record.read_text(errors="replace").split("\036")[:-1]
        return [tuple(run.split("\037")[:-1]) for run in runs]
