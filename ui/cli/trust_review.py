"""`trouper permissions trust`: shows what a workspace's files say, and vouches for exactly what was shown."""

import difflib
import sys
from collections.abc import Iterable
from pathlib import Path

from actors.settings import trust, workspace_files
from actors.settings.config import Settings
from actors.settings.workspace_files import Found, WorkspaceFile
from actors.texts import instruction_files
from actors.texts.documents import Bounds, hidden_by
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import exposed
from ui.headless import one_answer


def main(settings: Settings, *, agreed: bool) -> int:
    """Returns the exit code. Raises BadConfiguration.

    agreed: beforehand; else the user says yes to what was shown, and where nobody can be asked it is a no.
    """
    home = Path(settings.home)
    found = [workspace_files.find(home, path) for path in workspace_files.paths(home, Path(settings.cwd))]
    found.append(_instructions(home, Path(settings.cwd), settings))
    open_ones = [one for one in found if not one.is_trusted and (one.text or one.record.text)]
    if not open_ones:
        return one_answer.printed("There is nothing to trust here: nothing is left out.\n")
    if one_answer.printed("".join(map(_shown, open_ones))) != DONE:
        return FAILED  # nobody vouches for what could not be seen
    if not agreed and not sys.stdin.isatty():
        one_answer.complain("nobody is here to say yes, so nothing was changed. Without the question: --yes")
        return FAILED
    if not agreed and not yes("Trust exactly this, in this folder?"):
        return one_answer.printed("Nothing was changed: it goes on being left out.\n")
    try:
        for one in open_ones:
            _decide(home, one)
    except OSError as error:
        one_answer.complain(f"cannot write down what is trusted: {error}.")
        return FAILED
    return one_answer.printed(
        "".join(f"{one.path} {'counts as it is now' if one.text else 'is forgotten'}.\n" for one in open_ones)
    )


def _instructions(home: Path, cwd: Path, settings: Settings) -> Found:
    """The user's own for this folder: they speak for the user once they are vouched for."""
    path = cwd / instruction_files.PERSONAL
    text = instruction_files.personal_text(Bounds(cwd, cwd, hidden_by(settings.rules)))
    return Found(path, text, WorkspaceFile(), trust.record(home, path))


def _decide(home: Path, one: Found) -> None:
    """Raises OSError."""
    if one.text:
        trust.vouch(home, one.path, one.text)
    else:
        trust.forget(home, one.path)


def _shown(one: Found) -> str:
    """All of it, set off so that it cannot pass for something that we say; and what it does."""
    if not one.text:
        return f"{one.path} is gone; what you trusted there is forgotten.\n\n"
    before = one.record.text
    changes = difflib.unified_diff((before or "").split("\n"), one.text.split("\n"), "trusted", "now", lineterm="")
    parts = [f"{one.path}:", *set_off(one.text.rstrip("\n").split("\n"))]
    parts += ["", "what has changed since you trusted it:", *set_off(changes)] if before is not None else []
    parts += ["", "trusted, it would:", *(f"  {exposed(what)}" for what in _would(one))]
    return "\n".join(parts) + "\n\n"


def _would(one: Found) -> tuple[str, ...]:
    speaks = one.path.name == Path(instruction_files.PERSONAL).name
    return ("speak to the model as you",) if speaks else one.says.loosens() or ("only forbid",)


def set_off(lines: Iterable[str]) -> list[str]:
    """Harmless, and so that it cannot pass for something that we say."""
    return [f"  | {exposed(line)}" for line in lines]


def yes(question: str) -> bool:
    """On a terminal, once what is asked about was shown."""
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")
