"""Files with MCP servers in JSON: read strictly, since anybody may have written the one in a workspace."""

import re
from pathlib import Path
from typing import Any

from actors.errors import BadConfiguration

KEYS = ("mcpServers", "servers")
"""What the table of servers is called."""
MOST_SERVERS = 50
LONGEST = 80
"""Characters that are shown of a key."""
DEEPEST = 16
"""Tables and lists in one another; what is known of a server needs 3."""
STRING = r'("(?>(?:\\.?|[^"\\])*)(?:"|\Z))'
"""It never fails once it has begun, so a search takes time by the length of a file and not by its square."""
COMMENTS = re.compile(rf"{STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
TRAILING = re.compile(rf"{STRING}|,(?=\s*+[}}\]])", re.DOTALL)


def entries(text: str, path: Path) -> dict[str, Any]:
    """What is written of each server, by its name, whatever it is. Raises BadConfiguration."""
    return servers_in(parse(text, path), path)


def servers_in(whole: dict[str, Any], path: Path) -> dict[str, Any]:
    """Raises BadConfiguration."""
    found = [key for key in KEYS if key in whole]
    if not whole:
        return {}
    if len(found) != 1:
        why = 'has both "mcpServers" and "servers"; keep one' if found else 'has no "mcpServers"'
        raise BadConfiguration(f'{path} {why}: {{"mcpServers": {{"NAME": {{"command": "..."}}}}}}.')
    servers = whole[found[0]]
    if not isinstance(servers, dict):
        raise BadConfiguration(f'{path}: "{found[0]}" is no table of servers by name. Correct it, or move it away.')
    if len(servers) > MOST_SERVERS:
        raise BadConfiguration(f"{path} has more than {MOST_SERVERS} MCP servers. Remove some, or move it away.")
    return servers


def parse(text: str, path: Path) -> dict[str, Any]:
    """An empty file is an empty table. Raises BadConfiguration."""
    if not text.strip():
        return {}
    import json  # only who has such a file pays for it

    try:
        whole = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once, parse_constant=_no_number)
        json.dumps(whole, ensure_ascii=False).encode()  # half a character, written as an escape, is none
        is_too_deep = not _within(whole, DEEPEST)
    except (ValueError, RecursionError) as error:
        raise BadConfiguration(f"{path} is not valid JSON: {error}. Correct it, or move it away.") from error
    if is_too_deep or not isinstance(whole, dict):
        why = f"has more than {DEEPEST} tables in one another" if is_too_deep else "is no JSON object"
        raise BadConfiguration(f"{path} {why}. Correct it, or move it away.")
    return whole


def without_comments(text: str) -> str:
    """Of the JSON that editors read: no comments, and no commas before a closing bracket."""
    return TRAILING.sub(r"\1", COMMENTS.sub(r"\1", text))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Raises ValueError: which of two counts would be anybody's guess."""
    table: dict[str, Any] = {}
    for name, value in pairs:
        if name in table:
            raise ValueError(f"the key {ascii(name)[:LONGEST]} is there twice")
        table[name] = value
    return table


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def _within(value: object, levels: int) -> bool:
    match value:
        case dict():
            return levels > 0 and all(_within(inner, levels - 1) for inner in value.values())
        case list():
            return levels > 0 and all(_within(inner, levels - 1) for inner in value)
        case _:
            return True
