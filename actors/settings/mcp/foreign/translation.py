"""An entry of another program on its way to ours: which keys mean what, and what is lost. Pure."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from actors.settings.mcp import entries
from actors.settings.mcp.entries import Read

Entry = dict[str, Any]
Change = Callable[[Entry, object], str]
"""Writes a foreign value into our entry; says what of it has no meaning here, "" for nothing. May raise
msgspec.ValidationError."""
SAME = ("command", "args", "env", "cwd", "url", "headers", "type")
"""What all programs call so."""


class Translated(NamedTuple):
    name: str
    """One that we take."""
    entry: Entry
    """As our files have it."""
    lost: tuple[str, ...]
    """What does not count here or is different, a few words each."""
    read: Read
    """What we make of it."""


def translated(name: str, foreign: object, keys: Mapping[str, Change], source: str) -> Translated:
    ours: Entry = {}
    fitting = _fitting(name)
    lost = [f'it is called "{fitting}" here'] if fitting != name else []
    if not isinstance(foreign, dict):
        return Translated(fitting, ours, tuple(lost), Read(None, "it is no table"))
    for key, value in foreign.items():
        if key in SAME:
            ours[key] = value
        elif key in keys:
            lost.append(_changed(ours, key, value, keys[key]))
        else:
            lost.append(f'"{key}" is not known here')
    return Translated(fitting, ours, tuple(filter(None, lost)), entries.read(fitting, ours, source, "user"))


def _changed(ours: Entry, key: str, value: object, change: Change) -> str:
    try:
        return change(ours, value)
    except msgspec.ValidationError as error:
        return f'"{key}" is not what it should be: {error}'


def _fitting(name: str) -> str:
    """A name that we take; the same if it is one."""
    if not entries.mistaken_name(name):
        return name
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:40] or "server"


def as_key(ours: str, *, per: float = 1.0) -> Change:
    """The same by another name. per: how many of its units are one of ours; 1000 for milliseconds."""

    def change(entry: Entry, value: object) -> str:
        entry[ours] = value if per == 1.0 else msgspec.convert(value, float) / per
        return ""

    return change


def unused(why: str) -> Change:
    """It has no meaning here."""
    return lambda _entry, _value: why


def oauth(names: Mapping[str, str]) -> Change:
    """Of what is known of a client. names: theirs -> ours."""

    def change(entry: Entry, value: object) -> str:
        said = msgspec.convert(value, dict[str, object])
        known = {names[key]: inner for key, inner in said.items() if key in names}
        if isinstance(scopes := known.get("scopes"), str):
            known["scopes"] = scopes.split()
        entry["oauth"] = known
        lost = [f'"{key}"' for key in said if key not in names]
        return f"of its sign-in {', '.join(lost)} is not known here" if lost else ""

    return change
