"""What can go wrong with a server, in words for who has to act on it: its errors as the SDK raises them, made ours."""

import anyio
import httpx2
import trio
from mcp.client.auth import OAuthFlowError
from mcp.shared.exceptions import MCPError
from mcp_types.jsonrpc import CONNECTION_CLOSED, REQUEST_TIMEOUT

CHARS = 2000
"""Of what a server says with an error."""


STREAMS = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream)
FOREIGN = (MCPError, httpx2.HTTPError, OSError, ValueError, RuntimeError, trio.TooSlowError, OAuthFlowError, *STREAMS)
"""What the SDK raises. ValueError is also what pydantic does."""


def words(error: BaseException) -> str:
    """One line of it, or a few; of a group the first that says something."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    match error:
        case MCPError():
            return error.error.message[:CHARS] or f"error {error.error.code}"
        case httpx2.HTTPStatusError():
            return f"it answered HTTP {error.response.status_code}"
        case anyio.ClosedResourceError() | anyio.BrokenResourceError() | anyio.EndOfStream():
            return "the connection broke"
        case httpx2.TimeoutException() | TimeoutError() | trio.TooSlowError():
            return "it did not answer in time"
        case httpx2.HTTPError() | OSError():
            return f"it cannot be reached: {str(error)[:CHARS] or type(error).__name__}"
        case ValueError():
            return f"what it says is not as the protocol has it: {str(error).splitlines()[0][:CHARS]}"
        case _:
            return str(error)[:CHARS] or type(error).__name__


def is_lost(error: MCPError) -> bool:
    """It is no answer of the server: there is no connection any more."""
    return error.error.code == CONNECTION_CLOSED


def is_timeout(error: MCPError) -> bool:
    return error.error.code == REQUEST_TIMEOUT
