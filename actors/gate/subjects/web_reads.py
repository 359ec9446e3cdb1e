"""What a call is judged, asked about and run as: a `read` of a URL is a `web_fetch` of it. Pure."""

import re

import msgspec

from actors.common.call_arguments import decoded
from actors.messages.conversation import ToolCall

READ, WEB_FETCH = "read", "web_fetch"
ON_THE_WEB = re.compile(r"https?://", re.IGNORECASE)


def meant(call: ToolCall) -> ToolCall:
    """Rules, hooks and what may leave are then those of the web."""
    if call.name != READ:
        return call
    try:
        path = decoded(call.arguments).get("path")
    except (msgspec.DecodeError, RecursionError):
        return call  # its tool says what is wrong with it
    if not isinstance(path, str) or not ON_THE_WEB.match(path):
        return call
    return msgspec.structs.replace(call, name=WEB_FETCH, arguments=msgspec.json.encode({"url": path}).decode())
