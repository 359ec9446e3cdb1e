"""A model service with a window, in all three formats: past it each refuses in the words of its services, in turn.

It works through every prompt in the same way: it calls `read` on a large file, sees the result, and says so; now and
then it notes how far it is in its list of steps. In plan mode it presents a plan, and where that is denied, another.
Asked for a summary, it gives one.
"""

import itertools
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import msgspec
import trio

from actors.providers.scripted import Script, ScriptedAnswer, ScriptedCall, ScriptedUsage, Situation
from tests.fakes import model_formats, overflows
from tests.fakes.model_faults import Reply
from tests.fakes.model_server import FORMATS, Got, ModelServer

BYTES = 3.6
"""Of a token: not as anybody else counts them."""
SUMS_UP = b"## Errors and failed approaches"
"""In the request for a summary."""
SUMMARY = "## Goal and constraints\nThe work goes on as the user said.\n## Next steps\nThe next prompt."
AT_LENGTH = "It says a lot, which is told here at length. " * 160
"""About 2,000 tokens."""
STEPS = tuple(f"step {number}: the changelog of release {number}, word for word" for number in range(12))
NOTED_EVERY = 11
"""Answers to prompts."""
DRAFT = "# The plan\n\n1. everything at once\n"
PLAN = "# The plan\n\n" + "".join(
    f"{number}. what is done in step {number}, and why there\n" for number in range(1, 61)
)
"""Longer than what is left of the arguments of an old call."""
PLAN_KEY = b"what is done in step 60"
DENIED = b"The user denied the plan"
READ, THOUGHT = "read", "First I look."


class Taken(NamedTuple):
    got: Got
    open: tuple[str, ...]
    """Steps of the list that was noted last by then, without those that are done."""


class SmallWindow(ModelServer):
    def __init__(self, window: int, path: str = "large.txt", *, counts: bool = True) -> None:
        """window: tokens of a request; path: the file it reads; counts: it says how many tokens it was sent."""
        super().__init__(Script())
        self._window, self._path, self._counts = window, path, counts
        self._overflows = {path: itertools.cycle(kinds) for path, kinds in overflows.ALL.items()}
        self._numbers = itertools.count()
        self._noted = itertools.count()
        self.taken: list[Taken] = []
        """Requests for an answer to the conversation that it did not refuse."""
        self.summaries = self.refused = 0
        self._open: tuple[str, ...] = ()

    async def _reply(self, got: Got) -> Reply:
        if got.path not in FORMATS:
            return await super()._reply(got)
        tokens = round(len(got.body) / BYTES)
        if tokens > self._window:
            self.refused += 1
            return next(self._overflows[got.path])(tokens, self._window)
        body = msgspec.json.decode(got.body, type=model_formats.Body)
        number = next(self._numbers)
        at = Situation(answered=number, prompt="", result="", tools_offered=bool(body.tools))
        answer = self._answer(got, body, number)
        usage = ScriptedUsage(input_tokens=tokens, output_tokens=20) if self._counts else ScriptedUsage()
        return Reply(tuple(FORMATS[got.path][0](msgspec.structs.replace(answer, usage=usage), at, body.model)))

    def _answer(self, got: Got, body: model_formats.Body, number: int) -> ScriptedAnswer:
        if SUMS_UP in got.body and not body.tools:
            self.summaries += 1
            return ScriptedAnswer(text=SUMMARY)
        self.taken.append(Taken(got, self._open))
        ends_with_result = _ends_with_result(body)
        if _in_plan_mode(body) and (not ends_with_result or DENIED in got.body) and PLAN_KEY not in got.body:
            plan = PLAN if DENIED in got.body else DRAFT
            return ScriptedAnswer(text="My plan.", calls=(ScriptedCall(name="present_plan", arguments={"plan": plan}),))
        if not ends_with_result and [*body.messages, *body.input][-1].role == "user":
            calls = (*self._noting(), ScriptedCall(name=READ, arguments={"path": self._path}))
            return ScriptedAnswer(thinking=THOUGHT, text=f"Looking ({number}).", calls=calls)
        return ScriptedAnswer(text=f"I have read it ({number}). {AT_LENGTH}")

    def _noting(self) -> Iterator[ScriptedCall]:
        asked = next(self._noted)
        if asked % NOTED_EVERY == 0:
            done = asked // NOTED_EVERY % (len(STEPS) - 1)
            self._open = STEPS[done:]
            items = [{"task": step, "status": "completed"} for step in STEPS[:done]]
            items += [{"task": step, "status": "pending"} for step in self._open]
            yield ScriptedCall(name="todo", arguments={"items": items})


def _in_plan_mode(body: model_formats.Body) -> bool:
    """Only who can be asked is offered a plan to present, and here only in that mode."""
    return any(b'"present_plan"' in bytes(tool) for tool in body.tools)


def _ends_with_result(body: model_formats.Body) -> bool:
    return any(part.type == "tool_result" for part in [*body.messages, *body.input][-1].parts)


@asynccontextmanager
async def open_small_window(window: int, *, counts: bool = True) -> AsyncIterator[SmallWindow]:
    server = SmallWindow(window, counts=counts)
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        yield server
        nursery.cancel_scope.cancel()


def words(got: Got) -> str:
    """All that is said in a request; some formats have a call's arguments as JSON text."""
    return re.sub(r"(\s|\\n)+", " ", "\n".join(_texts(msgspec.json.decode(got.body))))


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
