"""The deterministic model: `scripted:FILE` answers from a script. For tests, the demo and bug reports; no network.

FILE is TOML, or JSON when it ends in .json; relative to the workspace or absolute. The n-th answer is for the request
whose history has n assistant messages before it, so a restarted provider or agent hears exactly the same again.

    summary = "I stopped at the limit."       # instead of an answer, when the request offers no tools

    [[answers]]
    thinking = "They said: {prompt}"          # {prompt}: the last thing the user said
    text = "The last result was {result}"     # {result}: the last tool result
    calls = [{ name = "read", arguments = { path = "a.txt" } }]   # arguments may be raw text, even malformed
    suggested = true                          # also the call that a line of the last result asks for, written
                                              #     suggests: NAME {"path": "a.txt"}
    chunks = 3                                # stream the text in so many deltas
    delay_s = 0.5                             # before anything
    chunk_delay_s = 0.1                       # before each delta
    retry = { why = "overloaded", wait_s = 1.0 }                  # announce a retry and wait, then answer
    error = { code = "overloaded", text = "Too many.", hint = "Wait." }   # fail, after the deltas
    if_denied = "Then not."                   # the whole answer when a call of the one before was denied; then [end]
    cut = true                                # the token limit cuts the answer in its last call
    stop_reason = "refusal"                   # else it follows from the calls
    usage = { input_tokens = 10, output_tokens = 5 }

    [end]                                     # every answer after the last one; the same keys
    text = "Done."

    [[cases]]                                 # a conversation whose first prompt has these words has its own answers,
    prompt = "look for A"                     # such as that of a subagent; the first case that fits
    answers = [{ text = "A is in a.txt" }]    # and `end`, as above

Placeholders work in text, thinking and the strings inside arguments. Calls are named call_ANSWER_NUMBER.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import trio

from actors.errors import Failed, failed
from actors.mailbox import Request
from actors.messages.base import Problem, ProblemCode
from actors.messages.conversation import (
    AssistantMessage,
    StopReason,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import Answer, AskModel, Retrying, TextDelta, ThinkingDelta
from actors.messages.usage import Usage
from actors.providers.models.targets import SCRIPTED

SUGGESTION = re.compile(r"^suggests: (\S+) (\{.*\})\s*$", re.MULTILINE)

Json = Any  # what a TOML or JSON file may hold; msgspec knows no recursive types


class ScriptedCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    arguments: dict[str, Json] | str = {}


class ScriptedRetry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: str
    wait_s: float = 0.0


class ScriptedError(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: ProblemCode
    text: str
    hint: str = ""


class ScriptedUsage(Usage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class ScriptedAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    thinking: str = ""
    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    suggested: bool = False
    chunks: int = 1
    delay_s: float = 0.0
    chunk_delay_s: float = 0.0
    retry: ScriptedRetry | None = None
    error: ScriptedError | None = None
    if_denied: str = ""
    cut: bool = False
    stop_reason: StopReason | None = None
    usage: ScriptedUsage = ScriptedUsage()


class ScriptedCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prompt: str
    answers: tuple[ScriptedAnswer, ...] = ()
    end: ScriptedAnswer = ScriptedAnswer(text="Done.")


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    answers: tuple[ScriptedAnswer, ...] = ()
    end: ScriptedAnswer = ScriptedAnswer(text="Done.")
    summary: str = ""
    cases: tuple[ScriptedCase, ...] = ()

    def told(self, first: str) -> "Script":
        """As it is for a conversation that begins with this."""
        case = next((case for case in self.cases if case.prompt in first), None)
        return msgspec.structs.replace(self, answers=case.answers, end=case.end) if case else self


class Situation(NamedTuple):
    """All an answer depends on."""

    answered: int
    prompt: str
    result: str
    tools_offered: bool
    denied: int | None = None
    """So many answers came before the first call that was denied had its result; None: none was."""


def is_priced(script: Script) -> bool:
    """It says what an answer costs."""
    return any(answer.usage.cost_usd is not None for answer in (*script.answers, script.end))


def load(model: str, cwd: str) -> Script:
    """Raises Failed: bad_configuration."""
    return read(Path(cwd) / model.removeprefix(SCRIPTED))


def read(path: Path) -> Script:
    """Raises Failed: bad_configuration."""
    try:
        return _parsed(path, path.stat().st_mtime_ns)
    except (OSError, UnicodeDecodeError) as error:
        raise failed("bad_configuration", f"Cannot read the script {path}: {error}.", "Check --model.") from error
    except (tomllib.TOMLDecodeError, msgspec.DecodeError) as error:
        text = f"The script {path} is not valid: {_plain(str(error))}."
        raise failed("bad_configuration", text, "See actors/providers/scripted.py for its format.") from error


@lru_cache(maxsize=8)
def _parsed(path: Path, _changed: int) -> Script:
    data = path.read_bytes()
    if path.suffix == ".json":
        return msgspec.json.decode(data, type=Script)
    return msgspec.convert(tomllib.loads(data.decode()), Script)


def _plain(error: str) -> str:
    """msgspec's "Object contains unknown field `x` - at `$.answers[0]`" in a user's words."""
    return re.sub(r"Object contains unknown field `([^`]*)`", r'unknown key "\1"', error).replace("`", '"').rstrip(".")


async def answer(script: Script, model: str, ask: AskModel, request: Request) -> None:
    at = situation(ask)
    scripted = chosen(script.told(_first_prompt(ask)), at)
    await trio.sleep(scripted.delay_s)
    if scripted.retry:
        await request.send(Retrying(why=scripted.retry.why, wait_s=scripted.retry.wait_s))
        await trio.sleep(scripted.retry.wait_s)
    for delta in deltas(scripted, at):
        await trio.sleep(scripted.chunk_delay_s)
        await request.send(delta)
    if scripted.error:
        raise Failed(Problem(code=scripted.error.code, text=scripted.error.text, hint=scripted.error.hint))
    request.reply(whole(scripted, at, model))


def _first_prompt(ask: AskModel) -> str:
    return next((message.text for message in ask.history if isinstance(message, UserMessage)), "")


def situation(ask: AskModel) -> Situation:
    prompts = [message.whole for message in ask.history if isinstance(message, UserMessage)]
    results = [message.output for message in ask.history if isinstance(message, ToolResult)]
    answered, denied = 0, None
    for message in ask.history:
        answered += isinstance(message, AssistantMessage)
        if denied is None and isinstance(message, ToolResult) and message.denied:
            denied = answered
    return Situation(answered, (prompts or [""])[-1], (results or [""])[-1], bool(ask.tools), denied)


def chosen(script: Script, at: Situation) -> ScriptedAnswer:
    if script.summary and not at.tools_offered:
        return ScriptedAnswer(text=script.summary)
    if at.denied is not None and at.denied < len(script.answers) and (text := script.answers[at.denied].if_denied):
        return ScriptedAnswer(text=text) if at.answered == at.denied else script.end
    return script.answers[at.answered] if at.answered < len(script.answers) else script.end


def deltas(scripted: ScriptedAnswer, at: Situation) -> Iterator[TextDelta | ThinkingDelta]:
    if scripted.thinking:
        yield ThinkingDelta(text=_filled(scripted.thinking, at))
    text, parts = _filled(scripted.text, at), max(scripted.chunks, 1)
    cuts = [len(text) * number // parts for number in range(parts + 1)]
    for start, end in pairwise(cuts):
        if piece := text[start:end]:
            yield TextDelta(text=piece)


def whole(scripted: ScriptedAnswer, at: Situation, model: str) -> Answer:
    said = [Thinking(text=_filled(scripted.thinking, at))] if scripted.thinking else []
    spoken = [Text(text=_filled(scripted.text, at))] if scripted.text else []
    called = [
        ToolCall(call_id=f"call_{at.answered}_{number}", name=name, arguments=arguments)
        for number, (name, arguments) in enumerate(calls(scripted, at))
    ]
    cut_call = called.pop().name if scripted.cut and called else ""
    judged: StopReason = "max_tokens" if scripted.cut else "tool_calls" if called else "end_turn"
    message = AssistantMessage(
        blocks=(*said, *spoken, *called),
        stop_reason=scripted.stop_reason or judged,
        model=model,
        usage=Usage(**msgspec.structs.asdict(scripted.usage)),
    )
    return Answer(message=message, cut_call=cut_call)


def calls(scripted: ScriptedAnswer, at: Situation) -> Iterator[tuple[str, str]]:
    for call in scripted.calls:
        raw = call.arguments
        yield call.name, raw if isinstance(raw, str) else msgspec.json.encode(_filled_in(raw, at)).decode()
    if scripted.suggested and (suggestion := SUGGESTION.search(at.result)):
        yield suggestion[1], suggestion[2]


def _filled(text: str, at: Situation) -> str:
    return re.sub(r"\{(prompt|result)\}", lambda found: at.prompt if found[1] == "prompt" else at.result, text)


def _filled_in(value: Json, at: Situation) -> Json:
    match value:
        case str():
            return _filled(value, at)
        case dict():
            return {key: _filled_in(inner, at) for key, inner in value.items()}
        case list():
            return [_filled_in(inner, at) for inner in value]
        case _:
            return value
