"""A model service with a window, in all three formats: past it each refuses in its own words, as real ones do.

It works through every prompt in the same way: it calls `read` on a large file, sees the result, and says so; with the
first one it notes a list of steps. Asked for a summary, it gives one. What it was sent is kept.
"""

import itertools
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import msgspec
import trio

from actors.providers.scripted import Script, ScriptedAnswer, ScriptedCall, ScriptedUsage, Situation
from tests.fakes import model_formats
from tests.fakes.model_faults import Reply, refusal
from tests.fakes.model_server import FORMATS, Got, ModelServer

BYTES = 3.6
"""Of a token: not as anybody else counts them."""
SUMS_UP = b"## Errors and failed approaches"
"""In the request for a summary."""
SUMMARY = "## Goal and constraints\nThe work goes on as the user said.\n## Next steps\nThe next prompt."
AT_LENGTH = "It says a lot, which is told here at length. " * 160
"""About 2,000 tokens."""
STEP = "write the changelog of the whole release"
TODO = ScriptedCall(name="todo", arguments={"items": [{"task": STEP, "status": "pending"}]})


class SmallWindow(ModelServer):
    def __init__(self, window: int, path: str = "large.txt", *, counts: bool = True) -> None:
        """window: tokens of a request; path: the file it reads; counts: it says how many tokens it was sent."""
        super().__init__(Script())
        self._window, self._path, self._counts = window, path, counts
        self._numbers = itertools.count()
        self.taken: list[Got] = []
        """Requests for an answer to the conversation that it did not refuse."""
        self.summaries = self.refused = 0

    async def _reply(self, got: Got) -> Reply:
        if got.path not in FORMATS:
            return await super()._reply(got)
        tokens = round(len(got.body) / BYTES)
        if tokens > self._window:
            self.refused += 1
            return too_long(got.path, tokens, self._window)
        body = msgspec.json.decode(got.body, type=model_formats.Body)
        number = next(self._numbers)
        at = Situation(answered=number, prompt="", result="", tools_offered=bool(body.tools))
        answer = self._answer(got, body, number, tokens)
        return Reply(tuple(FORMATS[got.path][0](answer, at, body.model)))

    def _answer(self, got: Got, body: model_formats.Body, number: int, tokens: int) -> ScriptedAnswer:
        usage = ScriptedUsage(input_tokens=tokens, output_tokens=20) if self._counts else ScriptedUsage()
        if SUMS_UP in got.body and not body.tools:
            self.summaries += 1
            return ScriptedAnswer(text=SUMMARY, usage=usage)
        self.taken.append(got)
        if [*body.messages, *body.input][-1].role == "user" and not _ends_with_result(body):
            calls = (*((TODO,) if number == 0 else ()), ScriptedCall(name="read", arguments={"path": self._path}))
            return ScriptedAnswer(text=f"Looking ({number}).", calls=calls, usage=usage)
        return ScriptedAnswer(text=f"I have read it ({number}). {AT_LENGTH}", usage=usage)


def _ends_with_result(body: model_formats.Body) -> bool:
    return any(part.type == "tool_result" for part in [*body.messages, *body.input][-1].parts)


def too_long(path: str, tokens: int, window: int) -> Reply:
    """As OpenAI, Anthropic and a llama.cpp server say it."""
    match path:
        case "/v1/messages":
            error = {
                "type": "invalid_request_error",
                "message": f"prompt is too long: {tokens} tokens > {window} maximum",
            }
            return Reply((msgspec.json.encode({"type": "error", "error": error}),), 400)
        case "/v1/responses":
            text = "Your input exceeds the context window of this model. Please adjust your input and try again."
            return refusal(400, text, "context_length_exceeded")
        case _:
            text = f"This model's maximum context length is {window} tokens. However, you requested {tokens} tokens."
            return refusal(400, text, "invalid_request_error")


@asynccontextmanager
async def open_small_window(window: int, *, counts: bool = True) -> AsyncIterator[SmallWindow]:
    server = SmallWindow(window, counts=counts)
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        yield server
        nursery.cancel_scope.cancel()


def words(got: Got) -> str:
    """All that is said in the messages of a request."""
    return re.sub(r"\s+", " ", "\n".join(_texts(msgspec.json.decode(got.body))))


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _texts(each)
        case list():
            for each in value:
                yield from _texts(each)
