"""Where other agents keep the sessions of a folder: what is there to be imported."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

import msgspec

from ui.session_files.foreign import records
from ui.session_files.foreign.parts import Agent

MOST = 5000
"""Files of an agent that are looked at, the newest ones where their names say so."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    agent: Agent
    path: str
    modified_at: float
    bytes: int


class _Payload(msgspec.Struct, frozen=True):
    cwd: str | None = None


class _First(msgspec.Struct):
    """The first line, of pi or of Codex."""

    cwd: str | None = None
    payload: _Payload = _Payload()


def of_folder(cwd: str, home: Path, environment: Mapping[str, str]) -> list[Found]:
    """Newest first."""
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    codex = Path(environment.get("CODEX_HOME") or home / ".codex") / "sessions"
    pi = Path(environment.get("PI_CODING_AGENT_DIR") or home / ".pi" / "agent") / "sessions"
    found = [
        *_found("claude", (claude / re.sub(r"[^A-Za-z0-9]", "-", cwd)).glob("*.jsonl")),
        *_found("codex", _begun_in(cwd, sorted(codex.glob("*/*/*/*.jsonl"), reverse=True))),
        *_found("pi", _begun_in(cwd, pi.glob("*/*.jsonl"))),
    ]
    return sorted(found, key=lambda one: one.modified_at, reverse=True)


def files_in(folder: Path) -> list[Path]:
    """Session files, those of subagents left out: they are told of in the session that had them."""
    walked = os.walk(folder, followlinks=False)
    paths = (Path(top, name) for top, _, names in walked if Path(top).name != "subagents" for name in names)
    return sorted(path for path in paths if path.suffix in (".jsonl", ".trouper"))


def _begun_in(cwd: str, paths: Iterable[Path]) -> Iterator[Path]:
    return (path for path in islice(paths, MOST) if _cwd(path) == cwd)


def _cwd(path: Path) -> str:
    """As its first line says; "" where it says nothing."""
    try:
        with path.open("rb") as file:
            line = next(records.lines(file), None)
        first = records.read((line and line.data) or b"", _First)
    except (OSError, records.Unreadable):
        return ""
    return first.cwd or first.payload.cwd or ""


def _found(agent: Agent, paths: Iterable[Path]) -> Iterator[Found]:
    for path in paths:
        try:
            about = path.stat()
        except OSError:
            continue
        yield Found(agent=agent, path=str(path), modified_at=about.st_mtime, bytes=about.st_size)
