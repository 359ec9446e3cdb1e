"""What stands above a text between two lines of `---`: YAML, of which plain values and lists of words are read.

Anybody may have written it: no types are made, no anchors are followed, and what goes too deep is a mistake.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from actors.texts.documents import plain

MOST = 8 * 1024
"""Bytes of a text in which its front matter has to end."""
EDGE = "---"
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024
"""Characters, as the format of Agent Skills has both; a longer description is cut."""


class BadFrontMatter(Exception):
    """In words that say what is wrong with it."""


def split(text: str) -> tuple[str, str]:
    """The YAML and the text below it; "" for a text that has none."""
    first, _, rest = text.removeprefix("\ufeff").partition("\n")
    if first.rstrip() != EDGE:
        return "", text
    lines = rest.split("\n")
    end = next((number for number, line in enumerate(lines) if line.rstrip() == EDGE), None)
    if end is None:
        return "", text
    return "\n".join(lines[:end]), "\n".join(lines[end + 1 :]).strip()


def fields(head: str) -> dict[str, str]:
    """Values that are lists or tables are left out; a control character counts as a space. Raises BadFrontMatter."""
    return {key: value for key, value in _values(head).items() if isinstance(value, str)}


def name_and_description(said: Mapping[str, str], otherwise: str = "") -> tuple[str, str]:
    """Of what a model is told of. otherwise: its name where none is said. Raises BadFrontMatter."""
    name, description = said.get("name", otherwise), said.get("description", "")
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise BadFrontMatter("its name has to be of small letters, digits and hyphens")
    if not description:
        raise BadFrontMatter("it has no description")
    return name, description[:LONGEST_DESCRIPTION]


def words(head: str, key: str) -> tuple[str, ...] | None:
    """Of a value that is a list, or is written with commas. None: there is no such key. Raises BadFrontMatter."""
    values = _values(head)
    if key not in values:
        return None
    value = values[key]
    if value is None:
        raise BadFrontMatter(f"{key} has to be a list of words")
    each = value.split(",") if isinstance(value, str) else value
    return tuple(word.strip() for word in each if word.strip())


@lru_cache(maxsize=256)
def _values(head: str) -> dict[str, str | tuple[str, ...] | None]:
    """None for what is neither plain nor a list of what is plain. Raises BadFrontMatter."""
    if not head.strip():
        return {}
    import yaml  # 15 ms, and most have nothing to read

    try:
        # only nodes: nothing is constructed, so an alias or a tag means nothing
        top = yaml.compose(head, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise BadFrontMatter(f"it is not valid YAML: {' '.join(str(error).split())[:200]}") from error
    except (RecursionError, ValueError) as error:
        raise BadFrontMatter("it is not valid YAML") from error
    if not isinstance(top, yaml.MappingNode):
        raise BadFrontMatter("it is no list of `key: value`")

    def value_of(node: yaml.Node) -> str | tuple[str, ...] | None:
        if isinstance(node, yaml.ScalarNode):
            return plain(node.value)
        if isinstance(node, yaml.SequenceNode) and all(isinstance(each, yaml.ScalarNode) for each in node.value):
            return tuple(plain(each.value) for each in node.value)
        return None

    return {key.value: value_of(value) for key, value in top.value if isinstance(key, yaml.ScalarNode)}
