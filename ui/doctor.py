"""What `trouper doctor` finds, as rows: what is there, what that means, what to do about it. Pure but for looking."""

import importlib.util
import os
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from actors.config import Settings, local_path
from actors.messages.auth import Credentials
from actors.messages.model import ResolvedModel
from actors.messages.tool import Mode, Tools
from ui.modes import SHORT
from ui.version import VERSION

State = Literal["ok", "note", "problem"]
MARKS: dict[State, str] = {"ok": "ok", "note": "note", "problem": "PROBLEM"}
POLICY: dict[Mode, str] = {
    "default": "looks unasked; asks before it changes or runs anything else",
    "accept-edits": "looks and edits in the workspace unasked; asks before other commands",
    "plan": "only looks; nothing is changed until you approve its plan",
    "auto": "edits and runs in the sandbox unasked; asks before it leaves the sandbox and before what is dangerous",
    "research": "only looks",
}
PROGRAMS = {
    "bash": "commands run in /bin/sh instead",
    "git": "install git: changes cannot be inspected or undone without it",
    "gh": "install gh to let it look at GitHub",
}
LANGUAGES = ("c", "cpp", "go", "java", "javascript", "python", "ruby", "rust", "typescript")


class Row(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    state: State = "ok"
    found: str
    advice: str = ""
    """The next step."""


@dataclass(frozen=True)
class Here:
    """What only the command itself knows."""

    interactive: bool
    broken: str = ""
    """Why the config files cannot be used: the settings are those without them."""


def rows(
    settings: Settings, tools: Tools, model: ResolvedModel | str, credentials: Credentials, here: Here
) -> list[Row]:
    """model: or why there is none."""
    return [
        Row(name="version", found=f"trouper {VERSION}, Python {sys.version.split()[0]}, {sys.platform}"),
        _workspace(Path(settings.cwd)),
        _model(model),
        _credentials(credentials),
        Row(name="mode", found=f"{SHORT[tools.mode]}: {POLICY[tools.mode]}"),
        Row(name="interactive", found="yes" if here.interactive else "no: what would be asked is refused"),
        sandbox_row(tools, settings),
        *_programs(),
        _config(settings, here.broken),
        _symbols(settings),
    ]


def sandbox_row(tools: Tools, settings: Settings) -> Row:
    found = tools.sandbox_detail or tools.sandbox
    if tools.sandbox == "bubblewrap":
        return Row(name="sandbox", found=found)
    if settings.sandbox in ("landlock", "none"):
        return Row(name="sandbox", state="note", found=found, advice='set sandbox = "auto", or leave --no-sandbox out')
    if sys.platform != "linux":
        advice = "every command needs your approval here"
    elif shutil.which("bwrap") is None:
        advice = "install bubblewrap for the strongest sandbox: apt install bubblewrap (or dnf, pacman, apk)"
    else:
        advice = (
            "bubblewrap needs user namespaces: see kernel.unprivileged_userns_clone and "
            "kernel.apparmor_restrict_unprivileged_userns, or the container's settings"
        )
    return Row(name="sandbox", state="note", found=found, advice=advice)


def _workspace(folder: Path) -> Row:
    top = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
    git = f"git repository {top}" if top else "not in a git repository"
    if not os.access(folder, os.W_OK):
        return Row(
            name="workspace", state="note", found=f"{folder} (read-only), {git}", advice="nothing can be changed here"
        )
    if top is None:
        return Row(
            name="workspace", state="note", found=f"{folder}, {git}", advice="git init: changes can be undone then"
        )
    return Row(name="workspace", found=f"{folder}, {git}")


def _model(model: ResolvedModel | str) -> Row:
    if isinstance(model, str):
        return Row(name="model", state="problem", found=model, advice="trouper models shows all, trouper auth signs in")
    facts = model.facts
    context = f", {facts.context:,} tokens of context" if facts.context else ""
    return Row(name="model", found=f"{model.model}{context}")


def _credentials(credentials: Credentials) -> Row:
    """Names and places, never a key."""
    found = [f"{one.provider} ({one.kind}, {one.place})" for one in credentials.credentials]
    return Row(
        name="credentials",
        state="ok" if found else "note",
        found=", ".join(found) or "none",
        advice="" if found else "trouper auth set PROVIDER, or trouper auth login codex",
    )


def _programs() -> list[Row]:
    found = [(name, shutil.which(name), advice) for name, advice in PROGRAMS.items()]
    rows = [
        Row(name=name, state="ok" if path else "note", found=path or "not found", advice="" if path else advice)
        for name, path, advice in found
    ]
    beside = Path(sys.executable).parent / "rg"
    ripgrep = str(beside) if beside.exists() else shutil.which("rg")
    broken = Row(name="rg", state="problem", found="not found", advice="reinstall Trouper: it brings ripgrep with it")
    bubblewrap = shutil.which("bwrap")
    rows.append(Row(name="rg", found=ripgrep) if ripgrep else broken)
    return [*rows, Row(name="bwrap", state="ok" if bubblewrap else "note", found=bubblewrap or "not found")]


def _config(settings: Settings, broken: str) -> Row:
    if broken:
        advice = "mend that file; the rest is said as if there were no config files"
        return Row(name="config", state="problem", found=broken, advice=advice)
    rules = Counter(line.source for line in settings.rules)
    folder = Path(settings.cwd)
    files = (Path(settings.home) / "config.toml", folder / ".trouper" / "config.toml", local_path(folder))
    said = [f"{file} ({rules[str(file)]} rules)" for file in files if file.exists()]
    flags = [f"{source} ({count} rules)" for source, count in rules.items() if source.startswith("--")]
    return Row(name="config", found=", ".join((*said, *flags)) or f"none ({files[0]} would be yours)")


def _symbols(settings: Settings) -> Row:
    grammars = [language for language in LANGUAGES if importlib.util.find_spec(f"tree_sitter_{language}")]
    mapped = "on" if settings.repo_map else "off"
    if not grammars:
        advice = "pip install 'trouper[symbols]' for symbols and repository maps"
        return Row(name="symbols", state="note", found=f"no grammars, repository map {mapped}", advice=advice)
    return Row(name="symbols", found=f"{', '.join(grammars)}; repository map {mapped}")


def table(found: Sequence[Row]) -> str:
    """For people."""
    width = max(len(row.name) for row in found)
    lines = [f"{row.name:{width}}  {MARKS[row.state]:7}  {row.found}" for row in found]
    steps = [f"  {row.name}: {row.advice}" for row in found if row.advice]
    return "\n".join([*lines, *(["", "what to do next:", *steps] if steps else [])]) + "\n"


def works(found: Sequence[Row]) -> bool:
    return all(row.state != "problem" for row in found)
