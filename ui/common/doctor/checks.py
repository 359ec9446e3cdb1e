"""What is looked at, a row each. It asks nobody."""

import importlib.util
import os
import shutil
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from actors.common import own_code
from actors.common.plurals import how_many
from actors.messages.auth import Credentials
from actors.messages.model import ResolvedModel, ServiceSaid
from actors.messages.tool import Mode, Tools
from actors.settings import workspace_files
from actors.settings.config import Settings
from actors.version import VERSION
from ui.common.doctor.rows import Row
from ui.common.modes import SHORT

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
BETTER = (
    "bubblewrap starts commands faster and is tried by many: apt install bubblewrap (or dnf, pacman, apk); "
    "where it is installed, what is found says why it does not work"
)
WHY_NOT = (
    "the sandbox needs user namespaces: see kernel.unprivileged_userns_clone and "
    "kernel.apparmor_restrict_unprivileged_userns, or the container's settings"
)
OPEN = (
    "every command asks, for it could reach sockets such as docker's, change .git/hooks, .trouper and modes of files "
    "outside, see other processes and end its worker"
)
"""What Landlock alone does not close."""
LANGUAGES = ("c", "cpp", "go", "java", "javascript", "python", "ruby", "rust", "typescript")


@dataclass(frozen=True)
class Here:
    """What only the command itself knows."""

    interactive: bool
    broken: str = ""
    """Why the config files cannot be used: the settings are those without them."""
    service: ServiceSaid | None = None
    """What the model's service answered; None: there is no model, so none was asked."""


def rows(
    settings: Settings, tools: Tools, model: ResolvedModel | str, credentials: Credentials, here: Here
) -> list[Row]:
    """model: or why there is none."""
    return [
        Row(name="version", found=f"trouper {VERSION}, Python {sys.version.split()[0]}, {sys.platform}"),
        _workspace(Path(settings.cwd)),
        _model(model, here.service),
        _credentials(credentials),
        Row(name="mode", found=f"{SHORT[tools.mode]}: {POLICY[tools.mode]}"),
        Row(name="interactive", found="yes" if here.interactive else "no: what would be asked is refused"),
        sandbox_row(tools, settings),
        *own_rows(tools, settings),
        *_programs(),
        _config(settings, here.broken),
        _symbols(settings),
    ]


def sandbox_row(tools: Tools, settings: Settings) -> Row:
    found = tools.sandbox_detail or tools.sandbox
    if settings.unrestricted:
        advice = "only where the whole machine is thrown away afterwards: everything runs unasked and unsandboxed"
        return Row(name="sandbox", state="note", found="none: unrestricted", advice=advice)
    if tools.sandbox == "bubblewrap":
        return Row(name="sandbox", found=found)
    if tools.sandbox == "namespaces":
        enough = settings.sandbox == "namespaces"
        return Row(name="sandbox", state="ok" if enough else "note", found=found, advice="" if enough else BETTER)
    if settings.sandbox in ("landlock", "none"):
        advice = 'set sandbox = "auto", or leave --no-sandbox out'
    elif own_code.loose(Path(settings.cwd)) is not None:
        advice = own_code.ELSEWHERE
    elif sys.platform != "linux":
        advice = "every command needs your approval here"
    else:
        advice = WHY_NOT
    still_open = f"; {OPEN}" if tools.sandbox == "landlock" else ""
    return Row(name="sandbox", state="warning", found=f"{found}{still_open}", advice=advice)


def own_rows(tools: Tools, settings: Settings) -> list[Row]:
    said = own_code.notice(Path(settings.cwd))
    if not said or settings.unrestricted:
        return []
    if tools.sandbox in ("bubblewrap", "namespaces"):
        return [
            Row(name="trouper", state="note", found=said.removesuffix(own_code.ELSEWHERE), advice=own_code.ELSEWHERE)
        ]
    found = "it runs from this workspace, and a command that you let run could change it"
    return [Row(name="trouper", state="warning", found=found, advice=own_code.ELSEWHERE)]


def _workspace(folder: Path) -> Row:
    top = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
    git = f"git repository {top}" if top else "not in a git repository"
    if not os.access(folder, os.W_OK):
        return Row(
            name="workspace", state="note", found=f"{folder} (read-only), {git}", advice="nothing can be changed here"
        )
    if os.geteuid() == 0 and folder.stat().st_uid != 0:
        found = f"{folder}, which is not root's, {git}"
        advice = (
            "commands in the sandbox cannot write it: root has no capabilities there; start as the user it belongs to"
        )
        return Row(name="workspace", state="note", found=found, advice=advice)
    if top is None:
        return Row(
            name="workspace", state="note", found=f"{folder}, {git}", advice="git init: changes can be undone then"
        )
    return Row(name="workspace", found=f"{folder}, {git}")


def _model(model: ResolvedModel | str, service: ServiceSaid | None) -> Row:
    if isinstance(model, str):
        return Row(name="model", state="problem", found=model, advice="trouper models shows all, trouper auth signs in")
    facts = model.facts
    context = f", {how_many(facts.context, 'token')} of context" if facts.context else ""
    if service is None:
        return Row(name="model", found=f"{model.model}{context}")
    return Row(name="model", state=service.state, found=f"{model.model}{context}; {service.text}", advice=service.hint)


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
    files = (Path(settings.home) / "config.toml", *workspace_files.paths(Path(settings.home), folder))
    said = [f"{file} ({how_many(rules[str(file)], 'rule')})" for file in files if file.exists()]
    flags = [f"{source} ({how_many(count, 'rule')})" for source, count in rules.items() if source.startswith("--")]
    found = ", ".join((*said, *flags)) or f"none ({files[0]} would be yours)"
    if settings.left_out:
        names = " and ".join(one.path for one in settings.left_out)
        advice = f"look at what does not count yet, and decide: {workspace_files.TRUST}"
        return Row(name="config", state="note", found=f"{found}; what {names} would loosen is left out", advice=advice)
    return Row(name="config", found=found)


def _symbols(settings: Settings) -> Row:
    grammars = [language for language in LANGUAGES if importlib.util.find_spec(f"tree_sitter_{language}")]
    mapped = "on" if settings.repo_map else "off"
    if not grammars:
        advice = "install Trouper with its extra for symbols and repository maps: pip install '.[symbols]'"
        return Row(name="symbols", state="note", found=f"no grammars, repository map {mapped}", advice=advice)
    return Row(name="symbols", found=f"{', '.join(grammars)}; repository map {mapped}")
