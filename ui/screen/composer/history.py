"""The prompts of one project, oldest first: JSON lines, only ever appended to. A torn line is dropped on reading."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

LONGEST = 5000
"""Prompts that are read back."""


class _Line(msgspec.Struct, frozen=True):
    text: str


def path_for(home: str, cwd: str) -> Path:
    name = re.sub(r"[^\w.-]+", "-", Path(cwd).name)[:40]
    return Path(home, "history", f"{name}-{hashlib.sha256(cwd.encode()).hexdigest()[:12]}.jsonl")


def read(path: Path) -> list[str]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return []  # none yet, or not ours to read: a history is a comfort
    prompts: list[str] = []
    for line in lines[-LONGEST:]:
        try:
            prompts.append(msgspec.json.decode(line, type=_Line).text)
        except msgspec.DecodeError:
            continue
    return prompts


def append(path: Path, text: str) -> None:
    """Raises OSError."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, msgspec.json.encode(_Line(text)) + b"\n")
    finally:
        os.close(file)


class History:
    """Walking through prompts; the draft one came from waits at the end."""

    def __init__(self, prompts: list[str]) -> None:
        self._prompts = prompts
        self._at: int | None = None
        self._draft = ""

    def extend_back(self, older: list[str]) -> None:
        """The stored prompts have been read."""
        self._prompts = [*older, *self._prompts]
        self._at = None if self._at is None else self._at + len(older)

    def add(self, prompt: str) -> None:
        self._at = None
        if prompt.strip() and self._prompts[-1:] != [prompt]:
            self._prompts.append(prompt)

    @property
    def walking(self) -> bool:
        return self._at is not None

    def older(self, draft: str) -> str | None:
        """None: there is none."""
        at = len(self._prompts) if self._at is None else self._at
        if at == 0:
            return None
        if self._at is None:
            self._draft = draft
        self._at = at - 1
        return self._prompts[self._at]

    def newer(self) -> str | None:
        """At the end the draft; None: we are not walking."""
        if self._at is None:
            return None
        if self._at + 1 < len(self._prompts):
            self._at += 1
            return self._prompts[self._at]
        self._at = None
        return self._draft

    def last_words(self) -> Iterator[str]:
        """Of the prompts before the one that we are at, the latest first."""
        for prompt in reversed(self._prompts[: self._at]):
            if words := prompt.split():
                yield words[-1]

    def having(self, words: str) -> list[str]:
        """Prompts with all of these words in them, in any case and order; the latest first, each once."""
        wanted = words.casefold().split()
        latest = dict.fromkeys(reversed(self._prompts))
        return [prompt for prompt in latest if all(word in prompt.casefold() for word in wanted)]
