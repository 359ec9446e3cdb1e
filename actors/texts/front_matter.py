"""What stands above a text between two lines of `---`: YAML, of which only plain `key: value` at the top is read.

Anybody may have written it: no types are made, no anchors are followed, and what goes too deep is a mistake.
"""

from functools import lru_cache

from actors.texts.documents import plain

MOST = 8 * 1024
"""Bytes of a text in which its front matter has to end."""
EDGE = "---"


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


@lru_cache(maxsize=256)
def fields(head: str) -> dict[str, str]:
    """Values that are lists or tables are left out; a control character counts as a space. Raises BadFrontMatter."""
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
    scalar = yaml.ScalarNode
    pairs = [(key, value) for key, value in top.value if isinstance(key, scalar) and isinstance(value, scalar)]
    return {key.value: plain(value.value) for key, value in pairs}
