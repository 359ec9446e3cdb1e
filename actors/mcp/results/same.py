"""Whether the text of a result says what its structured content says: then the model needs only one of them. Pure."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

MOST_LEAVES = 5000
"""Of structured content that is compared; of more nothing is known."""
DEPTH = 50


def says_the_same(texts: Sequence[str], structured: dict[str, Any]) -> bool:
    """texts: also the data of images, in base64. Each value has to be in one of them, or one of them is its JSON."""
    return any(_is_json_of(text, structured) for text in texts) or _all_there(texts, structured)


def _is_json_of(text: str, structured: dict[str, Any]) -> bool:
    if not text.lstrip().startswith("{"):
        return False
    try:
        return bool(json.loads(text) == structured)
    except (ValueError, RecursionError):
        return False


def _all_there(texts: Sequence[str], structured: dict[str, Any]) -> bool:
    whole = "\n".join(texts)
    count = 0
    for leaf in _leaves(structured, DEPTH):
        count += 1
        if count > MOST_LEAVES or leaf is None or leaf not in whole:
            return False
    return count > 0


def _leaves(value: object, depth: int) -> Iterator[str | None]:
    """None: it goes too deep to be known."""
    if depth == 0:
        yield None
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, depth - 1)
    else:
        yield value if isinstance(value, str) else json.dumps(value)
