"""Which hosts of a call the user or a result has named before it: what the gate cannot know. Pure."""

import re
from collections.abc import Iterable, Iterator

from actors.common.call_arguments import said
from actors.messages.conversation import AssistantMessage, Body, Compacted, ToolResult, UserMessage

HOST = re.compile(r"(?<![\w-])[\w-]+(?:\.[\w-]+)+")  # from the beginning of a word, or a long one takes for ever
LONGEST_HOST = 253
MOST = 16
"""Hosts of one call that are looked for."""


def named(arguments: str, bodies: Iterable[Body]) -> tuple[str, ...]:
    """A result counts unless its own call has named the host: else `echo` could name any."""
    hosts = (found.casefold() for found in HOST.findall(said(arguments)) if len(found) <= LONGEST_HOST)
    wanted = list(dict.fromkeys(hosts))[:MOST]
    texts = list(_texts(bodies))
    return tuple(host for host in wanted if any(_names(text, host) and not _names(own, host) for text, own in texts))


def _texts(bodies: Iterable[Body]) -> Iterator[tuple[str, str]]:
    """What was said by others than the model, and the arguments of the call that it answers."""
    calls: dict[str, str] = {}
    for body in bodies:
        match body:
            case UserMessage(text=text):
                yield text.casefold(), ""
            case AssistantMessage(calls=made, sources=sources):
                calls |= {call.call_id: said(call.arguments).casefold() for call in made}
                yield "\n".join(source.url for source in sources).casefold(), ""
            case ToolResult(call_id=call_id, output=output, denied=False):
                yield output.casefold(), calls.get(call_id, "")
            case Compacted(carried=carried):
                yield "\n".join(carried.said).casefold(), ""
            case _:
                continue


def _names(text: str, host: str) -> bool:
    """As a whole, not as a part of another host's name."""
    at = text.find(host)
    while at >= 0:
        end = at + len(host)
        if not _continues(text[at - 1 : at]) and not re.match(r"[\w-]|\.\w", text[end : end + 2]):
            return True
        at = text.find(host, at + 1)
    return False


def _continues(before: str) -> bool:
    return before.isalnum() or before in ("-", "_", ".")
