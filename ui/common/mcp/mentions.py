"""@server:uri in what the user has typed: which resources of which servers are meant. Pure."""

import re
from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from actors.settings.mcp.names import SERVER

MENTION = re.compile(rf"(?<![^\s(\[{{<\"',;])@({SERVER.pattern}):([^\s`\U000f0000-\U0010ffff]+)")
"""Not behind a letter, as in an address, nor behind a backtick: so one writes it where it is not meant."""
PUNCTUATION = ".,;:!?'\""
BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}


class Mention(NamedTuple):
    server: str
    uri: str

    @property
    def written(self) -> str:
        return f"@{self.server}:{self.uri}"


def there_may_be(text: str) -> bool:
    return MENTION.search(text) is not None


def found(text: str, known: Mapping[str, Set[str]]) -> tuple[Mention, ...]:
    """known: the URIs of each server that there is, as far as they are known. All else stays plain text."""
    return tuple(dict.fromkeys(_meant(text, known)))


def _meant(text: str, known: Mapping[str, Set[str]]) -> Iterator[Mention]:
    for server, written in MENTION.findall(text):
        if server in known:
            uri = written if written in known[server] else without_punctuation(written)
            if uri:
                yield Mention(server, uri)


def without_punctuation(uri: str) -> str:
    """What is the sentence's, not the address's."""
    while uri:
        last = uri[-1]
        opened = BRACKETS.get(last)
        if last not in PUNCTUATION and not (opened and uri.count(opened) < uri.count(last)):
            break
        uri = uri[:-1]
    return uri
