"""The built-in table of models, models.toml: one line a model, and only the lines that are asked for are parsed."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec

from actors.messages.model import ModelFacts

FILE = Path(__file__).with_name("models.toml")
SHOWN = 3
_SNAPSHOT = re.compile(r"-20\d\d-?\d\d-?\d\d$")


def facts(provider: str, name: str) -> ModelFacts | None:
    """None for a model that is not in it. `name` may be an alias; then the facts hold the id.

    A dated snapshot that has no line of its own has the facts of its model, under its own name.
    """
    found = _line_of(provider, name)
    if found is None and (undated := _SNAPSHOT.sub("", name)) != name:
        found = _line_of(provider, undated)
        return found and msgspec.structs.replace(found, id=name, aliases=())
    return found


def names(provider: str) -> list[str]:
    """The ids of a provider's models, in the table's order."""
    return [_id(line) for line in _section(provider)]


def everything() -> Iterator[tuple[str, ModelFacts]]:
    """Every model with its provider. Parses all of it: for listings."""
    for provider in re.findall(r"^\[(.+)\]$", _text(), re.MULTILINE):
        for line in _section(provider):
            yield provider, _parsed(line)


def nearest(model: str, known: Iterable[str] = ()) -> list[str]:
    """PROVIDER/NAMEs like this one, best first: from the table and from `known`."""
    import difflib  # for mistakes alone

    every = dict.fromkeys(known) | {f"{provider}/{name}": None for provider, name in _all_names()}
    wanted = model.casefold()
    name = wanted.partition("/")[2] or wanted
    by_name: dict[str, list[str]] = {}
    for one in every:
        by_name.setdefault(one.partition("/")[2].casefold(), []).append(one)
    alike = [
        *(one for one in every if one.casefold().endswith((f"/{wanted}", f"/{name}"))),
        *(one for one in every if len(name) > 2 and one.partition("/")[2].casefold().startswith(name)),
        *(difflib.get_close_matches(wanted, every, n=SHOWN, cutoff=0.75) if "/" in wanted else ()),
        *(one for near in difflib.get_close_matches(name, by_name, n=SHOWN, cutoff=0.6) for one in by_name[near]),
    ]
    return list(dict.fromkeys(alike))[:SHOWN]


def _all_names() -> Iterator[tuple[str, str]]:
    for provider in re.findall(r"^\[(.+)\]$", _text(), re.MULTILINE):
        for name in names(provider):
            yield provider, name


def _line_of(provider: str, name: str) -> ModelFacts | None:
    quoted = json.dumps(name)
    mentioning = [line for line in _section(provider) if quoted in line]
    for line in sorted(mentioning, key=lambda line: not line.startswith(f"{quoted} = ")):
        found = _parsed(line)
        if name == found.id or name in found.aliases:
            return found
    return None


def _section(provider: str) -> list[str]:
    _, heading, rest = _text().partition(f"\n[{provider}]\n")
    return rest.partition("\n\n")[0].splitlines() if heading else []


def _parsed(line: str) -> ModelFacts:
    ((name, members),) = tomllib.loads(line).items()
    return msgspec.convert({"id": name, **members}, ModelFacts)


def _id(line: str) -> str:
    return str(json.loads(line[: line.index(" = ")]))


@cache
def _text() -> str:
    return FILE.read_text(encoding="utf-8")
