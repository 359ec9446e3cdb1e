"""A repository with a change in it, and a model that finds things there and mends them."""

import json
from pathlib import Path

from tests.repositories import git
from tests.system.harness import Event, Place, answer, call

DIVIDES, UNTESTED = "Divides by zero", "Nothing tests this"


def begin(place: Place) -> Path:
    """Two files, both changed since the first commit."""
    root = place.workspace
    git(root, "init", "-q")
    write(root, divisor="1", count="5")
    commit(root, "first")
    write(root, divisor="0", count="five")
    return root


def write(root: Path, *, divisor: str, count: str) -> None:
    (root / "divide.py").write_text(f"def divide(x):\n    return x / {divisor}\n")
    (root / "count.py").write_text("".join(f"line {number}\n" for number in range(1, 5)) + f"line {count}\n")


def commit(root: Path, message: str) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD")


def finding(title: str, path: str, line: int, quote: str, severity: str = "high") -> Event:
    said = {"severity": severity, "kind": "correctness-x", "title": title, "path": path, "why": "Why.", "fix": "Fix."}
    return {**said, "first_line": line, "last_line": line, "quote": quote}


FINDINGS = (
    finding(DIVIDES, "divide.py", 2, "    return x / 0"),
    finding(UNTESTED, "count.py", 99, "line five", "low"),
    finding("A lie", "divide.py", 2, "os.system(anything)", "critical"),
)
USED = {"input_tokens": 100, "output_tokens": 10}
ASKED = 'path="divide.py"'
"""What the question has in it that is about these."""


def says(*findings: Event) -> Event:
    return answer(json.dumps({"findings": findings}), usage=USED)


def case(prompt: str, *answers: Event) -> Event:
    """What an agent, or the model without tools, does whose prompt has this in it."""
    return {"prompt": prompt, "answers": answers}


def edits(path: str, old: str, new: str) -> tuple[Event, ...]:
    return answer("", call("edit", path=path, old=old, new=new), usage=USED), answer("Done.", usage=USED)


def model(place: Place, *cases: Event) -> str:
    """It finds FINDINGS unless a case says otherwise."""
    return place.script(says(), end=says(), cases=[*cases, case(ASKED, says(*FINDINGS))])
