"""Every line of the pages that runs trouper is run as it stands there, or marked why not.

In a small repository, with a home of its own and a scripted model, so that nothing leaves this machine. A line that
begins a session on the screen is run on a terminal and left again. The exit code has to be 0, or what a comment at the
line's end says: `# exit code 3`.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs import pages
from tests.system.harness import BOUND_S, LAUNCHER, Place, answer
from tests.ui.screen.pty_stage import PtyTerminal
from ui.cli.table import SUBCOMMANDS

CALLS = re.compile(r"(?:\$ )?(?:[^#]*[|;&] *)?(?:[A-Z_]+=\S+ )*trouper(?=\s|$)")
"""A line of a shell that runs the program, at its start or behind another command."""
EXPECTED = re.compile(r"#.*\bexit code (\d+)")
SESSION = re.compile(r"(?<= )(?<!allow )[0-9a-f]{4,32}(?=\s|$)")
"""The id of a session, or its beginning."""
READY = "sandbox:"
"""In the status line, once the session is there."""
NOWHERE = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")
"""Nobody listens there: what would ask a service of the network fails at once."""
AUTHOR = ("-c", "user.name=docs", "-c", "user.email=docs@localhost")
SCRIPT = {"end": answer("It is done.", usage={"input_tokens": 100, "output_tokens": 10, "cost_usd": 0.01})}
FILES = {
    "app.py": "def total(prices):\n    return sum(prices)\n",
    "test_app.py": "from app import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "notes.md": "# Notes\n\nThe totals are wrong by a cent.\n",
    "Makefile": "test:\n\t@echo 2 passed\n",
    "tasks.jsonl": '{"id": "one", "prompt": "look"}\n{"id": "two", "prompt": "look again"}\n',
}
BINARIES = {
    "shot.png": b"\x89PNG\r\n\x1a\nplanted pixels",
    "spec.pdf": b"%PDF-1.4\nplanted page\n%%EOF\n",
}


@dataclass(frozen=True)
class Line:
    page: str
    text: str

    @property
    def expected(self) -> int:
        found = EXPECTED.search(self.text)
        return int(found[1]) if found else 0

    @property
    def opens_a_screen(self) -> bool:
        words = shlex.split(self.text, comments=True)
        rest = words[words.index("trouper") + 1 :] if "trouper" in words else ["--help"]
        asks = any(word.startswith(("-p", "--print", "--help", "--version")) for word in rest)
        return not asks and (not rest or rest[0] not in SUBCOMMANDS)

    @property
    def needs_a_session(self) -> bool:
        return bool(SESSION.search(self.text) or re.search(r" (-c|-r|--continue|--resume|sessions)\b", self.text))


def lines(text: str) -> list[str]:
    """With those that a backslash continues."""
    return [line for line in text.replace("\\\n", " ").split("\n") if CALLS.match(line)]


def fences() -> Iterator[tuple[str, pages.Fence]]:
    for page in pages.PAGES:
        if page.name not in ("ARCHITECTURE.md", "CHANGELOG.md"):
            yield from ((pages.name(page), fence) for fence in pages.fences(page))


RUN = [
    Line(page, text)
    for page, fence in fences()
    if fence.language == "sh" and not fence.not_run
    for text in lines(fence.text)
]


def test_no_line_is_left_unnoticed() -> None:
    """In a fence of another language nothing is run: what looks typed there has to say why."""
    others = [(page, fence) for page, fence in fences() if fence.language != "sh" and not fence.not_run]
    typed = [(page, line) for page, fence in others for line in lines(fence.text) if is_typed(line, fence.language)]

    assert typed == []


def is_typed(line: str, language: str) -> bool:
    """Other fences also hold what is said, and drawings."""
    return line.startswith("$ ") or language in ("bash", "console", "shell", "zsh")


def test_lines_are_found() -> None:
    text = 'trouper doctor  # a word\ngit diff | trouper -p "x"\n$ trouper demo\npip install trouper\necho "trouper"\n'

    assert lines(text) == ["trouper doctor  # a word", 'git diff | trouper -p "x"', "$ trouper demo"]
    assert Line("", "trouper -c --copy").opens_a_screen
    assert not Line("", "git diff | trouper -p 'x'").opens_a_screen
    assert Line("", "trouper -p 'x'  # exit code 3").expected == 3


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    own = tmp_path / "bin"
    own.mkdir()
    (own / "trouper").write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{LAUNCHER}" "$@"\n')
    (own / "trouper").chmod(0o755)
    (place.home / "config.toml").write_text(f"model = {json.dumps(place.script(**SCRIPT))}\n")
    place.environment |= NOWHERE | {
        "PATH": f"{own}{os.pathsep}{os.environ['PATH']}",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        "LANG": "C.UTF-8",
    }
    make_repository(place.workspace)
    yield place
    place.close()


def make_repository(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    for command in (["init", "-q"], ["add", "."], [*AUTHOR, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
    for name, data in BINARIES.items():
        (folder / name).write_bytes(data)
    (folder / "app.py").write_text(FILES["app.py"].replace("sum(prices)", "round(sum(prices), 2)"))


@pytest.mark.slow
@pytest.mark.parametrize("line", RUN, ids=lambda line: f"{line.page}: {line.text[:60]}")
def test_a_line_does_what_it_says(place: Place, line: Line) -> None:
    text = line.text.removeprefix("$ ")
    if line.needs_a_session:
        said = place.run("-p", "hello", "--output", "json")
        text = SESSION.sub(json.loads(said.out)["session"][:8], text)
    if line.opens_a_screen:
        code, out = on_a_terminal(place, text)
    else:
        done = subprocess.run(
            ["bash", "-c", text],
            cwd=place.workspace,
            env=place.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=BOUND_S,
            check=False,
        )
        code, out = done.returncode, done.stdout + done.stderr

    assert code == line.expected, out


def on_a_terminal(place: Place, text: str) -> tuple[int, str]:
    """A session on the screen, left as soon as it is there."""
    terminal = PtyTerminal(["bash", "-c", text], place.workspace, place.environment)
    try:
        terminal.wait_for(READY)

        def ended() -> bool:
            terminal.type("\x15\x04")
            return terminal.process.poll() is not None

        terminal.wait(ended)
        return terminal.wait_for_end(), terminal.text
    finally:
        terminal.close()
