"""Reads the tasks of a batch: JSON lines, TOML, a folder of prompts, or JSON lines on standard input."""

import difflib
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from actors.messages.tool import Mode
from actors.texts import front_matter
from ui.batch.task import Isolation, Task
from ui.common.usage_errors import Usage

STDIN = "-"
EXAMPLE = '{"id": "a", "prompt": "..."}'
PROMPTS = (".md", ".txt")
"""What the files of a folder of prompts end in."""
LISTS = ("tags", "attach")
"""Fields that front matter has as words between commas."""
FIELDS = tuple(field for field in Task.__struct_fields__)
WORDS = {"float": "a number", "int": "a whole number", "str": "text", "array": "a list", "object": "an object"}
CHOICES: dict[str, tuple[str, ...]] = {"mode": get_args(Mode), "isolation": get_args(Isolation)}

Found = tuple[str, Any]
"""A task as it was written, and where, for people."""


def read(said: str) -> list[Task]:
    """said: a path, or "-". Raises Usage, which names the place."""
    seen: dict[str, str] = {}
    tasks = []
    for where, written in _found(said):
        task = _task(where, written)
        if task.id in seen:
            raise Usage(f'{where}: the id "{task.id}" is there already, in {seen[task.id]}.')
        seen[task.id] = where
        tasks.append(task)
    if not tasks:
        raise Usage(f"{'standard input' if said == STDIN else said} has no tasks. A task looks like {EXAMPLE}")
    return tasks


def _found(said: str) -> Iterable[Found]:
    if said == STDIN:
        return _lines("standard input", sys.stdin.buffer.read())
    path = Path(said)
    if path.is_dir():
        return _prompts(path)
    data = _read(path)
    return _tables(path, data) if path.suffix == ".toml" else _lines(str(path), data)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Usage(f"cannot read {path}: {error.strerror}.") from error


def _text(where: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Usage(f"cannot read {where}: it is not UTF-8.") from error


def _lines(name: str, data: bytes) -> Iterator[Found]:
    for number, line in enumerate(_text(name, data).split("\n"), 1):
        if line.strip():
            where = f"{name}, line {number}"
            try:
                yield where, msgspec.json.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                raise Usage(f"{where}: {error}. A task looks like {EXAMPLE}") from error


def _tables(path: Path, data: bytes) -> Iterator[Found]:
    try:
        whole = tomllib.loads(_text(str(path), data))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Usage(f"{path}: {error}.") from error
    tables = whole.pop("task", [])
    if whole or not isinstance(tables, list):
        odd = next(iter(whole), "task")
        raise Usage(f'{path}: "{odd}" is no task. Each is a table that begins with [[task]].')
    for number, table in enumerate(tables, 1):
        yield f"{path}, task {number}", table


def _prompts(folder: Path) -> Iterator[Found]:
    files = sorted(path for path in folder.iterdir() if path.suffix in PROMPTS and path.is_file())
    if not files:
        raise Usage(f"{folder} has no prompts: files that end in {' or '.join(PROMPTS)}.")
    for path in files:
        if any("\udc80" <= sign <= "\udcff" for sign in path.name):  # bytes that are no text
            raise Usage(f"{path}: its name, which is the id of its task, is not UTF-8. Rename it.")
        try:
            head, prompt = front_matter.split(_text(str(path), _read(path)))
            given = front_matter.fields(head)
        except front_matter.BadFrontMatter as error:
            raise Usage(f"{path}: its front matter cannot be read: {error}.") from error
        fields: dict[str, object] = {"id": path.stem, "prompt": prompt, **given}
        for name in LISTS:
            if name in given:
                fields[name] = [word.strip() for word in given[name].split(",") if word.strip()]
        yield str(path), fields


def _task(where: str, written: object) -> Task:
    """Raises Usage."""
    if isinstance(written, dict):
        for name in written:
            if name not in FIELDS:
                raise Usage(f'{where}: a task has no "{name}"{_nearest(str(name))}')
    try:
        task = msgspec.convert(written, type=Task, strict=not where.endswith(PROMPTS))
    except msgspec.ValidationError as error:
        raise Usage(f"{where}: {_said(str(error))}. A task looks like {EXAMPLE}") from error
    for name in ("id", "prompt"):
        if not getattr(task, name).strip():
            raise Usage(f"{where}: the {name} is empty.")
    return task


def _said(error: str) -> str:
    """In the user's words, with the field first. error: Expected `int` >= 1 - at `$.max_turns`."""
    what, _, path = error.partition(" - at `$.")
    for ours, theirs in WORDS.items():
        what = what.replace(f"`{ours}`", theirs)
    name = path.rstrip("`")
    choices = f"; it can be {', '.join(CHOICES[name])}" if name in CHOICES else ""
    return f'"{name}": {what[:1].lower()}{what[1:]}{choices}' if name else what


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name, FIELDS, 1, 0.5)
    return f'; did you mean "{near[0]}"?' if near else f". It may have: {', '.join(FIELDS)}."
