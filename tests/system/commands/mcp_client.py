"""An MCP client without the SDK: what it sends is written as it is, and what it is told can all be looked at."""

import contextlib
import json
import os
from typing import Any, Protocol

from tests.system.harness import Event, Place, answer, call

OLD, NEW = "2025-11-25", "2026-07-28"
INFO = {"name": "test", "version": "1"}
PREFIX = "io.modelcontextprotocol/"
WRITES = (answer("I write.", call("write", path="a.txt", content="hi\n")), answer("It said: {result}"))
"""Of a scripted model: what needs approval in the mode default."""
ELICITS: Event = {"elicitation": {"form": {}}}


class Client:
    """Of the era with a handshake, once it has greeted."""

    def __init__(self, place: Place, *arguments: str, **environment: str) -> None:
        theirs, ours = os.pipe()
        self.session = place.talk(theirs, "mcp", "serve", *arguments, **environment)
        os.close(theirs)
        self._stdin = os.fdopen(ours, "wb")
        self._number = 0

    def greet(self, **capabilities: object) -> None:
        begun = self.ask("initialize", protocolVersion=OLD, capabilities=capabilities, clientInfo=INFO)
        self.result(begun)
        self.tell("notifications/initialized")

    def write(self, line: bytes) -> None:
        self._stdin.write(line + b"\n")
        self._stdin.flush()

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
        """The first message with these fields, whenever it came; an answer, unless a method is wanted."""
        wanted = ({"method": None} | fields).items()
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
        """As a client does that ends, however. The exit code of the server."""
        self.close()
        return self.session.wait()

    def close(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._stdin.close()


class Serving(Protocol):
    """Starts a server of this model and greets it."""

    def __call__(self, model: str, *more: str) -> Client: ...


class StatelessClient(Client):
    """Of the newer era: each request says all that there is to know of it. It can ask its user."""

    def ask(self, method: str, **params: object) -> int:
        said = {"protocolVersion": NEW, "clientInfo": INFO, "clientCapabilities": ELICITS}
        return super().ask(method, **params, _meta={PREFIX + name: value for name, value in said.items()})

    def call(self, tool: str, **arguments: object) -> int:
        return self.ask("tools/call", name=tool, arguments=arguments)

    def go_on(self, state: str, action: str, **content: object) -> int:
        """With the answer to what was asked."""
        answers = {"approval": {"action": action, "content": content}}
        return self.ask("tools/call", name="run_task", arguments={}, requestState=state, inputResponses=answers)


def _plain(message: Event) -> Event:
    """Its fields that can be compared."""
    known = {"method": None} | message
    return {name: value for name, value in known.items() if isinstance(value, str | int) or value is None}


def said(result: Event) -> str:
    return "".join(block["text"] for block in result["content"])
