"""What happened in a session, for readers: entries in, parts in their order out, without secrets and harmless. Pure.

The forms for people are written from this, so what is left out of one is left out of all.
"""

import json
import re

import msgspec

from actors.common.attachments import kind
from actors.common.budget import spent
from actors.common.plurals import how_many
from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    Body,
    BrokenTry,
    Compacted,
    Entry,
    Foreign,
    ModelChosen,
    Moved,
    Named,
    ShellEnded,
    Source,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.subagent import SubagentEnded, SubagentMerged, SubagentSpawned
from actors.messages.usage import NOTHING_USED
from actors.settings.mcp.names import shown_tool, shown_wire
from actors.settings.redaction import redacted
from ui.common.harmless import one_line, sanitise
from ui.common.model_change import from_now_on
from ui.session_files.redaction import redacted_json

TITLE = 80
"""Characters."""
ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]"
)
"""What a program steers a terminal with: CSI, OSC and other strings, and short ones."""


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    at: float
    text: str
    attachments: tuple[Attachment, ...] = ()
    is_users: bool = True
    """Else the program said it in the user's place."""


class Thought(msgspec.Struct, frozen=True):
    text: str


class Said(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    sources: tuple[Source, ...] = ()


class Result(msgspec.Struct, frozen=True, kw_only=True):
    output: str
    failed: bool
    summary: str
    diff: str
    attachments: tuple[Attachment, ...]
    ms: int


class Call(msgspec.Struct, kw_only=True):
    name: str
    arguments: str
    """JSON on several lines, or what the model wrote instead."""
    is_json: bool
    result: Result | None = None
    """None: it had not come by then."""


class Note(msgspec.Struct, frozen=True):
    """What the program says of the work: who answers, how a turn ended, what was compacted."""

    text: str


Part = Prompt | Thought | Said | Call | Note


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    facts: dict[str, str]
    """About the session, for people: their names and what they are."""
    parts: tuple[Part, ...]


def readable(text: str) -> str:
    """Without secrets and without what steers a terminal; tabs stay, since code may need them."""
    return "\t".join(map(sanitise, ESCAPES.sub("", redacted(text)).split("\t")))


class Telling:
    """Entries of one path, one after the other; what they come to."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._models: dict[str, None] = {}
        self._open: dict[str, Call] = {}
        self._billed: list[AssistantMessage | BrokenTry] = []
        self._used = NOTHING_USED
        self._times: list[float] = []

    def add(self, entry: Entry) -> None:
        self._times = [*self._times[:1], entry.at]
        match entry.body:
            case UserMessage() as said:
                self._parts.append(
                    Prompt(
                        at=entry.at,
                        text=readable(said.whole),
                        attachments=tuple(map(_named, said.attachments)),
                        is_users=bool(said.prompt_id),
                    )
                )
            case AssistantMessage() as answer:
                self._answered(answer)
            case ToolResult() as result:
                self._resulted(result)
            case BrokenTry(usage=usage) | Named(usage=usage):
                self._bill(BrokenTry(usage=usage))
            case ModelChosen(model=model, effort=effort) if model:
                self._parts.append(Note(from_now_on(model, effort)))
            case TurnEnded(reason=reason, text=text) if reason != "done":
                self._parts.append(Note(": ".join(filter(None, [f"The turn ended: {reason}", readable(text)]))))
            case Compacted() as compacted:
                self._compacted(compacted)
            case Foreign(kind="begin", agent=agent):
                self._parts.append(Note(f"Imported from {one_line(agent)}."))
            case Moved():
                self._parts.append(Note("The user went back to this place, and on from here."))
            case body:
                self._beside(body)

    def _beside(self, body: Body) -> None:
        match body:
            case SubagentSpawned(name=name, kind=kind):
                self._parts.append(Note(f"The agent {one_line(name)} ({one_line(kind)}) was started."))
            case SubagentEnded(name=name, state=state, used=used):
                self._parts.append(Note(f"The agent {one_line(name)}: {state}."))
                self._bill(BrokenTry(usage=used))
            case ShellEnded():
                self._ran(body)
            case SubagentMerged(name=name, files=files):
                self._parts.append(Note(f"{how_many(len(files), 'file')} of the agent {one_line(name)} merged."))
            case _:
                pass

    def transcript(self, session_id: str, cwd: str, name: str = "") -> Transcript:
        """name: that the user gave the session."""
        prompts = (part.text for part in self._parts if isinstance(part, Prompt) and part.is_users)
        title = one_line(redacted(name)) or one_line(next(prompts, "")) or session_id
        facts = {"Session": session_id, "Folder": one_line(cwd), "Model": ", ".join(self._models), **self._counted()}
        said = {fact: value for fact, value in facts.items() if value}
        return Transcript(title=title[:TITLE], facts=said, parts=tuple(self._parts))

    def _counted(self) -> dict[str, str]:
        """Facts that are sums, and times."""
        tokens = self._used.input_tokens + self._used.output_tokens
        cost = spent(self._billed)
        return {
            "From": when(self._times[0]) if self._times else "",
            "To": when(self._times[-1]) if self._times else "",
            "Used": how_many(tokens, "token") if tokens else "",
            "Cost": "" if not tokens else "unknown" if cost is None else f"${cost:.4f}",
        }

    def _bill(self, one: AssistantMessage | BrokenTry) -> None:
        self._billed.append(one)
        self._used += one.usage

    def _answered(self, answer: AssistantMessage) -> None:
        self._bill(answer)
        self._models[one_line(answer.model)] = None
        for block in answer.blocks:
            match block:
                case Text(text=text, sources=sources) if text.strip():
                    self._parts.append(Said(text=readable(text), sources=tuple(map(_source, sources))))
                case Thinking(text=text) if text.strip():
                    self._parts.append(Thought(readable(text)))
                case ToolCall() as call:
                    self._parts.append(self._called(call))
                case _:
                    pass
        if answer.stop_details:
            self._parts.append(Note(readable(answer.stop_details)))

    def _called(self, call: ToolCall) -> Call:
        arguments = redacted_json(call.arguments)
        is_json = not isinstance(arguments, str)
        text = json.dumps(arguments, ensure_ascii=False, indent=2) if is_json else str(arguments)
        told = Call(name=one_line(shown_tool(call)), arguments=readable(text), is_json=is_json)
        self._open[call.call_id] = told
        return told

    def _resulted(self, result: ToolResult) -> None:
        call = self._open.pop(result.call_id, None)
        if call is None:
            call = Call(name=one_line(shown_wire(result.name)), arguments="", is_json=False)
            self._parts.append(call)
        call.result = Result(
            output=readable(result.output),
            failed=result.failed,
            summary=one_line(redacted(result.summary)),
            diff=readable(result.diff),
            attachments=tuple(map(_named, result.attachments)),
            ms=result.ms,
        )

    def _ran(self, ended: ShellEnded) -> None:
        """By the user."""
        result = Result(
            output=readable(ended.output),
            failed=ended.failed,
            summary=one_line(redacted(ended.summary)),
            diff="",
            attachments=(),
            ms=ended.ms,
        )
        called = Call(name="!" if ended.told else "!!", arguments=readable(ended.command), is_json=False, result=result)
        self._parts.append(called)

    def _compacted(self, compacted: Compacted) -> None:
        self._bill(BrokenTry(usage=compacted.usage))  # it is no answer of the conversation either, and is billed
        told = readable(compacted.told) or "From here on the model is sent less of what is before."
        self._parts.append(Note(f"Compacted: {told}"))


def when(at: float) -> str:
    """To the second, in UTC."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, OSError, ValueError):
        return ""  # of an entry that was made elsewhere


def attached(attachment: Attachment) -> str:
    """image shot.png, 12,345 bytes."""
    return f"{kind(attachment.media_type)} {attachment.name}, {how_many(attachment.size, 'byte')}"


def _named(one: Attachment) -> Attachment:
    size = len(one.data) or one.size
    return msgspec.structs.replace(one, name=one_line(redacted(one.name)), size=size)


def _source(one: Source) -> Source:
    return Source(url=one_line(redacted(one.url)), title=one_line(redacted(one.title)))
