"""A function in a process of its own that is killed at a moment of its work."""

import json
import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests import ROOT
from tests.processes import lives
from tests.system.harness import until

PROGRAM = """
import importlib, json, os, sys
act = getattr(importlib.import_module(sys.argv[1]), sys.argv[2])
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        act(*json.loads(line))
        os._exit(0)
    print(pid, flush=True)
    sys.stdin.readline()
    os.waitpid(pid, 0)
"""
"""Imports once and forks for each line, which has the arguments; the one after it says that the end was seen."""


class Forks:
    """Of a program that has imported what the function needs."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self._program = program
        self._groups: set[int] = set()

    def killed(self, seed: int, longest_s: float, *arguments: str | Path) -> None:
        """The function with these; after a random part of this time it is killed, unless it has ended."""
        pid = int(self._tell(json.dumps([str(argument) for argument in arguments]), answered=True))
        self._groups.add(pid)
        watched = os.pidfd_open(pid)  # it is there, since nobody waits for it before the next line
        try:
            if not select.select([watched], [], [], random.Random(seed).uniform(0, longest_s))[0]:
                signal.pidfd_send_signal(watched, signal.SIGKILL)
            select.select([watched], [], [])
        finally:
            os.close(watched)
        self._tell("")

    def wait_for_the_rest(self) -> None:
        """Programs that those had started go on when these are killed."""
        until(lambda: not any(self._is_of_them(process) for process in psutil.process_iter()))

    def _is_of_them(self, process: psutil.Process) -> bool:
        try:
            return os.getpgid(process.pid) in self._groups and lives(process)
        except ProcessLookupError:
            return False

    def _tell(self, line: str, *, answered: bool = False) -> str:
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(f"{line}\n")
        self._program.stdin.flush()
        return self._program.stdout.readline() if answered else ""


@contextmanager
def forks(module: str, function: str) -> Iterator[Forks]:
    """function: of that module; it takes words."""
    argv = [sys.executable, "-c", PROGRAM, module, function]
    with subprocess.Popen(argv, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        yield Forks(program)
