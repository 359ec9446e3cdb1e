"""What runs here, and in which version: Trouper and what it is made of, the programs it uses, the kernel."""

import importlib.metadata
import importlib.util
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from actors.common.installed_programs import find, ripgrep
from actors.settings.config import Settings
from actors.version import VERSION
from ui.common.doctor.rows import Row

PROGRAMS = {
    "bash": "install bash: commands run in /bin/sh instead",
    "git": "install git: changes cannot be inspected or undone without it",
    "gh": "install gh to let it look at GitHub",
    "rg": "reinstall Trouper: it brings ripgrep with it",
    "bwrap": "",  # what its absence means the sandbox's own row says
}
LIBRARIES = ("trio", "msgspec")
LANGUAGES = ("c", "cpp", "go", "java", "javascript", "python", "ruby", "rust", "typescript")
SAYS_S = 5.0
LONGEST = 80
OLDEST_PYTHON = (3, 11)


def rows(settings: Settings) -> Sequence[Row]:
    workspace = Path(settings.cwd).resolve()
    with ThreadPoolExecutor(len(PROGRAMS)) as threads:
        programs = list(threads.map(lambda name: _program(name, workspace), PROGRAMS))
    return [version_row(), _kernel(), *programs, _symbols(settings)]


def version_row() -> Row:
    libraries = ", ".join(f"{name} {_installed(name)}" for name in LIBRARIES)
    python = sys.version.split()[0]
    found = f"trouper {VERSION}, Python {python}, {libraries}, SQLite {sqlite3.sqlite_version}, {sys.platform}"
    if sys.version_info < OLDEST_PYTHON:
        return Row(name="version", state="problem", found=found, advice="install Python 3.11 or newer")
    return Row(name="version", found=found)


def _installed(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "of an unknown version"


def _kernel() -> Row:
    system = os.uname()
    return Row(name="kernel", found=f"{system.sysname} {system.release}, {system.machine}")


def _program(name: str, workspace: Path) -> Row:
    path = ripgrep(workspace) if name == "rg" else find(name, workspace)  # nothing that the workspace brings is run
    if not path:
        broken = name == "rg"
        return Row(name=name, state="problem" if broken else "note", found="not found", advice=PROGRAMS[name])
    try:
        ran = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SAYS_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        said = f"{path} does not say its version within {SAYS_S:g} s"
        return Row(name=name, state="warning", found=said, advice=f"try it by hand: {path} --version")
    except OSError as error:
        why = f"{path} cannot be run: {error.strerror or error}"
        return Row(name=name, state="warning", found=why, advice=PROGRAMS[name] or f"reinstall {name}")
    line = ran.stdout.decode(errors="replace").strip().partition("\n")[0][:LONGEST]
    if ran.returncode:
        why = f"{path} --version ends with code {ran.returncode}: {line}"
        return Row(name=name, state="warning", found=why, advice=PROGRAMS[name] or f"reinstall {name}")
    return Row(name=name, found=f"{path} ({line})")


def _symbols(settings: Settings) -> Row:
    grammars = [language for language in LANGUAGES if importlib.util.find_spec(f"tree_sitter_{language}")]
    mapped = "on" if settings.repo_map else "off"
    if not grammars:
        advice = "install Trouper with its extra for symbols and repository maps: pip install '.[symbols]'"
        return Row(name="symbols", state="note", found=f"no grammars, repository map {mapped}", advice=advice)
    return Row(name="symbols", found=f"{', '.join(grammars)}; repository map {mapped}")
