"""The sections that Trouper itself says: NAME.md beside the code, or the user's own TROUPER_HOME/prompt/NAME.md."""

import os
import re
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from actors.agent.prompt.mode_notes import NOTES
from actors.common.checkout import git_branch
from actors.common.small_files import read_regular
from actors.messages.conversation import Section

NAMES = ("role", "working", "tools", "environment")
"""In their order."""
FOLDER = "prompt"
"""In TROUPER_HOME."""
MOST = 64 * 1024
"""Bytes of one of the user's."""
PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class Rendered(msgspec.Struct, frozen=True):
    sections: tuple[Section, ...]
    notices: tuple[str, ...]
    """What the user has to know: of a mistake in a file nothing but that is lost."""


def placeholders(cwd: Path) -> dict[str, str]:
    system = os.uname()
    return {
        "CWD": str(cwd),
        "OS": f"{system.sysname} {system.release} {system.machine}",
        "DATE": time.strftime("%Y-%m-%d %Z (%z)"),
        "BRANCH": git_branch(cwd) or "none: not a git repository",
        "PLAN_MODE": NOTES["plan"],
    }


def rendered(home: Path, cwd: Path) -> Rendered:
    """An empty file of the user's takes its section out."""
    values = placeholders(cwd)
    sections, notices = [], _strays(home)
    for name in NAMES:
        own, notice = _own(home / FOLDER / f"{name}.md")
        template = _ours(name) if own is None else own
        if unknown := sorted(set(PLACEHOLDER.findall(template)) - set(values)):
            known = ", ".join(f"{{{{{each}}}}}" for each in values)
            notice = f"{home / FOLDER / name}.md: there is no {{{{{unknown[0]}}}}}. There are: {known}."
        if text := filled(template, values):
            sections.append(Section(name=name, origin=str(home / FOLDER / f"{name}.md") if own else "", text=text))
        notices += [notice] if notice else []
    return Rendered(tuple(sections), tuple(notices))


def filled(template: str, values: Mapping[str, str]) -> str:
    """In one go, so that no value is taken for a placeholder. What is unknown stays as it is."""
    return PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template).strip()


def _own(path: Path) -> tuple[str | None, str]:
    """Its text, None where there is none; and what is wrong with it."""
    try:
        data = read_regular(path, MOST + 1)
        if len(data) > MOST:
            return None, f"{path} is larger than any section ({MOST // 1024} KB), so it does not count."
        return data.decode("utf-8"), ""
    except FileNotFoundError:
        return None, ""
    except (OSError, UnicodeDecodeError) as error:
        return None, f"cannot read {path}, so it does not count: {error}."


def _strays(home: Path) -> list[str]:
    """A file that replaces nothing would silently not count."""
    folder = home / FOLDER
    names = sorted(path.stem for path in folder.glob("*.md")) if folder.is_dir() else []
    told = '{}: there is no section "{}". There are: ' + f"{', '.join(NAMES)}."
    return [told.format(folder / f"{name}.md", name) for name in names if name not in NAMES]


@cache
def _ours(name: str) -> str:
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8")
