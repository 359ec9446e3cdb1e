"""An MCP client without the SDK: what it sends is written as it is, and what it is told can all be looked at."""

import json
from typing import Any

from tests.system.harness import Event, Session

OLD = "2025-11-25"
NEW = "2026-07-28"
OURS = "io.modelcontextprotocol/"


class Client:
    """Of the era with a handshake."""

    def __init__(self, session: Session, **capabilities: object) -> None:
        self.session = session
        self._number = 0
        info = {"name": "test", "version": "1"}
        begun = self.ask("initialize", protocolVersion=OLD, capabilities=capabilities, clientInfo=info)
        self.instructions: str = self.result(begun)["instructions"]
        self.tell("notifications/initialized")

    def write(self, line: bytes) -> None:
        assert self.session.stdin is not None
        self.session.stdin.write(line + b"\n")
        self.session.stdin.flush()

    def send(self, message: Event) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def tell(self, method: str, **params: object) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, **params: object) -> int:
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def call(self, tool: str, **arguments: object) -> int:
        """Its progress is told under the id of the call."""
        token = {"progressToken": self._number + 1}
        return self.ask("tools/call", name=tool, arguments=arguments, _meta=token)

    def heard(self, **fields: object) -> Event:
        """The first message with these fields, whenever it came."""
        wanted = fields.items()
        found: list[Event] = []

        def there(lines: list[bytes]) -> bool:
            found[:] = [message for message in map(json.loads, lines) if wanted <= _plain(message).items()]
            return bool(found)

        self.session.out.until(there)
        return found[0]

    def result(self, number: int) -> Any:  # noqa: ANN401  # whatever the method answers
        return self.heard(id=number)["result"]

    def done(self, tool: str, **arguments: object) -> Any:  # noqa: ANN401
        """The result of a call that is waited for."""
        return self.result(self.call(tool, **arguments))

    def until_progress(self, number: int, words: str) -> None:
        """Of that call."""

        def there(lines: list[bytes]) -> bool:
            told = [json.loads(line).get("params", {}) for line in lines]
            return any(one.get("progressToken") == number and words in one.get("message", "") for one in told)

        self.session.out.until(there)

    def leave(self) -> int:
        """As a client does that ends in order. The exit code of the server."""
        assert self.session.stdin is not None
        self.session.stdin.close()
        return self.session.wait()


def _plain(message: Event) -> Event:
    """Its fields that can be compared."""
    return {name: value for name, value in message.items() if isinstance(value, str | int) or value is None}


def said(result: Event) -> str:
    return "".join(block["text"] for block in result["content"])
