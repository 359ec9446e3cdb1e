"""`trouper demo`: the real system on a scratch repository, offline, with a scripted model and one real SIGKILL."""

import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ui.cli.arguments import Parser, add_common
from ui.cli.prompt import screen_front, screen_run
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import sanitise
from ui.start import session_settings
from ui.start.fronts import Front, HeadlessFront, encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

PROMPT = "The test of the shopping cart fails. Find out why and fix it."
FAULTS = "providers:kill@message:3"
"""The model connection dies when it gets the third request: half-way through the turn."""
SOURCES = {
    "cart.py": '''"""A shopping cart."""


def total(prices: list[float], discount: float = 0.0) -> float:
    """What is to be paid; discount is a fraction of the sum."""
    return sum(prices) * (1 + discount)
''',
    "test_cart.py": """import unittest

from cart import total


class Total(unittest.TestCase):
    def test_without_a_discount(self) -> None:
        self.assertEqual(total([10.0, 5.0]), 15.0)

    def test_with_a_discount(self) -> None:
        self.assertEqual(total([10.0, 10.0], discount=0.25), 15.0)


if __name__ == "__main__":
    unittest.main()
""",
}
TEST = [sys.executable, "-m", "unittest", "-q"]


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code: 0 when the test of the scratch repository passes in the end."""
    parser().parse_args(arguments)
    scratch = Path(tempfile.mkdtemp(prefix="trouper-demo-"))
    os.environ["TROUPER_HOME"] = str(scratch / "home")
    try:
        return _run(scratch, launch)
    finally:
        launch.give_terminal_back()
        shutil.rmtree(scratch, ignore_errors=True)


def parser() -> Parser:
    return Parser(
        prog="trouper demo",
        description="See the whole system work, offline: a scripted model fixes a failing test in a scratch repository "
        "and half-way its connection is killed for real. In a terminal you are asked before edits and commands.",
    )


def _run(scratch: Path, launch: Launch) -> int:
    repository = scratch / "shop"
    make_repository(repository)
    file = scratch / "script.json"
    painted = launch.paint(str(repository)) is not None
    file.write_bytes(msgspec.json.encode(script(chunk_delay_s=0.02 if painted else 0.0)))
    flags = [f"--cwd={repository}", f"--model=scripted:{file}", f"--mode={'default' if painted else 'auto'}"]
    common = Parser()
    add_common(common)
    settings = session_settings.prepare(common.parse_args(flags), launch)
    if painted:
        settings = screen_front(settings, launch, Front(prompt=PROMPT, resumable=False))
        run = screen_run(settings, launch, FAULTS)
    else:
        shown = sanitise(str(repository))
        sys.stderr.write(f"demo: {shown} has a failing test; the scripted model is asked to fix it\n")
        words = HeadlessFront(prompt=PROMPT, prompt_id=uuid.uuid4().hex)
        settings = msgspec.structs.replace(settings, front=encoded(words))
        run = Run(settings=settings, launch=launch, entry="ui.headless.prompt:run", faults=FAULTS)
    code = supervise(run)
    return _verdict(repository, code)


def make_repository(folder: Path) -> None:
    """A small project with a failing test; under git where there is one."""
    folder.mkdir(parents=True)
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    if shutil.which("git"):
        author = ["-c", "user.name=demo", "-c", "user.email=demo@localhost"]
        for command in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "A cart with a bug"]):
            subprocess.run(["git", *command], cwd=folder, check=False, capture_output=True)


def _verdict(repository: Path, code: int) -> int:
    """Look for ourselves: the answer only says so."""
    passed = subprocess.run(TEST, cwd=repository, check=False, capture_output=True).returncode == 0
    if passed:
        sys.stderr.write("demo: the test passes. One process was killed half-way, on purpose, and nothing was lost.\n")
        return DONE
    as_it_was = all((repository / name).read_text() == text for name, text in SOURCES.items())
    why = "nothing was changed, for the edit was not allowed or you left before it; " if as_it_was else ""
    sys.stderr.write(f"demo: {why}the test still fails.\n")
    return code or FAILED


def script(chunk_delay_s: float) -> dict[str, object]:
    """The scripted model's part; see actors/providers/scripted.py."""

    def answer(text: str, *calls: tuple[str, dict[str, object]], if_denied: str = "") -> dict[str, object]:
        asked = [{"name": name, "arguments": arguments} for name, arguments in calls]
        return {"text": text, "calls": asked, "if_denied": if_denied, "chunks": 12, "chunk_delay_s": chunk_delay_s}

    fix: dict[str, object] = {
        "path": "cart.py",
        "old": "sum(prices) * (1 + discount)",
        "new": "sum(prices) * (1 - discount)",
    }
    return {
        "answers": [
            answer(
                "I'll read the cart and look at what the test expects.",
                ("read", {"path": "cart.py"}),
                ("grep", {"pattern": "discount"}),
            ),
            answer("The discount is **added** instead of taken off. That is a one-character fix.", ("edit", fix)),
            answer(
                "Now the tests, in the sandbox.",
                ("bash", {"command": " ".join(TEST)}),
                if_denied="That was not allowed, so nothing is changed: `total` in `cart.py` still adds the discount "
                "instead of taking it off, and its test still fails. With a yes I would have changed one character "
                "and then asked to run the tests.",
            ),
            answer(
                "Fixed. `total` added the discount to the sum; it now takes it off:\n\n"
                "- `cart.py`: `(1 + discount)` is `(1 - discount)`\n"
                "- checked with `python -m unittest`: 2 tests pass\n\n"
                "Half-way through this turn the process that talks to the model was killed with SIGKILL. "
                "The supervisor replaced it and the turn went on.",
                if_denied="Fixed. `total` added the discount to the sum; it now takes it off. To run the tests was not "
                "allowed, so I have not seen them pass.",
            ),
        ],
        "end": {"text": "This was the demo. Leave with Ctrl-D; connect a model as the README says, then run: trouper"},
    }
