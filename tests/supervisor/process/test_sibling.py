"""Forking for one's parent: whose child it is, and that it is as whole as any that was forked."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

HERE = sys.platform == "linux" and Path("/proc/self/task").exists()
SCRIPT = """
import os, signal, sys, threading
from supervisor.process import sibling, zygote
from supervisor.process.spawner import become_subreaper

def be_whole(parent):
    assert os.getppid() == parent
    assert threading.get_native_id() == os.getpid()
    heard, met = [], threading.Barrier(2)
    signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)  # by the number that the C library has of it
    thread = threading.Thread(target=met.wait)
    thread.start()
    met.wait()
    thread.join()
    assert heard == [1]
    grandchild = os.fork()
    if grandchild == 0:
        os._exit(5)
    assert os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]) == 5
    os._exit(7)

fork = eval(sys.argv[1])
become_subreaper()
top = os.getpid()
told, tell = os.pipe()
template = os.fork()
if template == 0:
    pid = fork()
    if pid == 0:
        be_whole(top)
    os.write(tell, b"%d" % pid)
    os._exit(0)
os.waitpid(template, 0)
print(os.waitstatus_to_exitcode(os.waitpid(int(os.read(told, 99)), 0)[1]))
"""
THREADS = """
import threading
from supervisor.process import sibling
stay = threading.Event()
threading.Thread(target=stay.wait).start()
print(sibling.fork())
stay.set()
"""


@pytest.mark.skipif(not HERE, reason="Linux tells who is whose child")
@pytest.mark.parametrize("fork", ["sibling.fork", "zygote._fork_twice"])
def test_what_is_forked_is_a_whole_child_of_the_parent(fork: str) -> None:
    assert _run(SCRIPT, fork) == ["7"]


@pytest.mark.skipif(not HERE, reason="elsewhere nothing is forked this way")
def test_nothing_is_forked_beside_another_thread() -> None:
    assert _run(THREADS) == ["None"]


def _run(script: str, *arguments: str) -> list[str]:
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
