"""Blocks of the entries of one page: every word of them, in the order in which it was said. Pure."""

from collections.abc import Iterable
from itertools import groupby

import msgspec

from actors.messages.checkpoint import Checkpointed, TakenBack
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Compacted,
    Entry,
    Foreign,
    ModelChosen,
    Moved,
    ShellEnded,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.conversation import Block as Said
from actors.messages.subagent import SubagentEnded, SubagentMerged, SubagentPrompted, SubagentSpawned
from actors.messages.tool import UserAsked
from actors.settings.mcp.names import shown_tool, shown_wire
from ui.common import harmless
from ui.common.attached_files import shown, shown_quotation
from ui.common.model_change import from_now_on
from ui.screen.pager.block import Block, Code, Heading, Line, Part, WholeDiff, lines, part
from ui.screen.questions.page import page
from ui.screen.terminal.cells import Span
from ui.screen.terminal.piece import Piece
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import calls, diff
from ui.screen.transcript.blocks import ModelSaid, Note, SourcesNamed, Stopped, seconds
from ui.screen.transcript.markdown import CodeLine, MarkdownStream
from ui.screen.transcript.open_answer import Numbers

PROSE = 50_000
"""Characters of an answer that is shown as it means to look; a longer one is shown as it was written."""
_SUBAGENT = SubagentSpawned | SubagentPrompted | SubagentEnded | SubagentMerged


def blocks(entries: Iterable[Entry]) -> list[Block]:
    """A call and its result are one, wherever the result came."""
    entries = list(entries)
    results = {entry.body.call_id: entry.body for entry in entries if isinstance(entry.body, ToolResult)}
    told: list[Block] = []
    for entry in entries:
        if isinstance(entry.body, ToolResult):
            if (lost := results.pop(entry.body.call_id, None)) is not None:
                told.append(_call(None, lost))
        else:
            told += _told(entry.body, results)
    return told


def asked(question: UserAsked) -> Block:
    """All that the user is asked about."""
    return Block("question", Heading(("warning", "?"), "Asked"), [Part(question.detail, [_Asked(question)])])


class _Asked:
    """As the question itself shows it, at any width."""

    def __init__(self, question: UserAsked) -> None:
        self._question = question

    def rows(self, width: int, theme: Theme) -> list[str]:
        return page(self._question, width, theme).all_rows


def _told(body: Body, results: dict[str, ToolResult]) -> list[Block]:
    match body:
        case UserMessage():
            return [_prompt(body)]
        case AssistantMessage():
            return _answer(body, results)
        case ShellEnded():
            return [_typed(body)]
        case SubagentSpawned() | SubagentPrompted() | SubagentEnded() | SubagentMerged():
            return [_of_subagent(body)]
        case _:
            return _beside(body)


def _beside(body: Body) -> list[Block]:
    """What the program has to say of the work."""
    match body:
        case ModelChosen(model=model, effort=effort) if model:
            return [_note(from_now_on(model, effort))]
        case TurnEnded(reason=reason, text=text) if reason != "done":
            return [Block("note", _Bare(Stopped(reason, harmless.sanitise(text))))]
        case Compacted(told=text) | TurnEnded(text=text) | Checkpointed(problem=text) if text:
            return [_note(text)]
        case Foreign(kind="begin", agent=agent):
            return [_note(f"imported from {agent}")]
        case Moved():
            return [_note("the session went back to this place, and goes on from here")]
        case TakenBack(told=text):
            return [_note(text or "what was done to files was taken back")]
        case _:
            return []


class _Bare:
    """Without the blank row that a piece of the transcript begins with."""

    def __init__(self, piece: Piece) -> None:
        self._piece = piece

    def rows(self, width: int, theme: Theme) -> list[str]:
        rows = self._piece.rows(width, theme)
        return rows[1:] if rows[0] == "" else rows


def _note(text: str) -> Block:
    return Block("note", _Bare(Note(harmless.sanitise(text))))


def _prompt(said: UserMessage) -> Block:
    text = said.whole
    files = (*map(shown, said.attachments), *map(shown_quotation, said.quoted))
    if not said.prompt_id:
        head = Heading(("dim", "·"), "Told the model", harmless.one_line(text))
        return Block("note", head, [part(text, "dim")])
    named: list[Piece] = [Line(line, "dim") for line in files]
    head = Heading(("busy", "❯"), "You", harmless.one_line(text))
    return Block("prompt", head, [Part(text, [*lines(text, "user"), *named])])


def _answer(said: AssistantMessage, results: dict[str, ToolResult]) -> list[Block]:
    """Text that its sources have cut into pieces is one again."""
    told: list[Block] = []
    numbers = Numbers()
    for is_text, blocks in groupby(said.blocks, lambda block: isinstance(block, Text)):
        if is_text:
            told += _text([block for block in blocks if isinstance(block, Text)], numbers)
        else:
            told += [shown for block in blocks for shown in _silent(block, results)]
    if said.sources:
        named = "\n".join(source.url for source in said.sources)
        told.append(Block("answer", Heading(("dim", "·"), "Sources"), [Part(named, [SourcesNamed(said.sources)])]))
    return [*told, _note(said.stop_details)] if said.stop_details else told


def _text(texts: list[Text], numbers: Numbers) -> list[Block]:
    text = "".join(one.text for one in texts)
    if not text.strip():
        return []
    head = Heading(("good", "◆"), "Answer", harmless.one_line(text))
    return [Block("answer", head, [Part(text, _prose(numbers.within(texts)))])]


def _silent(block: Said, results: dict[str, ToolResult]) -> list[Block]:
    match block:
        case Thinking(text=text) if text.strip():
            return [Block("thinking", Heading(("dim", "✻"), "Thinking", harmless.one_line(text)), [_dim(text)])]
        case ToolCall():
            return [_call(block, results.pop(block.call_id, None))]
        case _:
            return []


def _dim(text: str) -> Part:
    return part(text, "dim")


def _prose(text: str) -> list[Piece]:
    if len(text) > PROSE:
        return lines(text, margin="")
    stream = MarkdownStream()
    chunks = [*stream.feed(harmless.sanitise(text)), *stream.finish()]
    return [
        Code(chunk.spans, chunk.gap) if isinstance(chunk, CodeLine) else ModelSaid(chunk, chunk.gap) for chunk in chunks
    ]


def _call(call: ToolCall | None, result: ToolResult | None) -> Block:
    """call: None where it is not on the page of its result, as after a going back."""
    name = shown_tool(call) if call else shown_wire(result.name) if result else ""
    title = calls.title(call) if call else ""
    parts = [_arguments(call)] if call else []
    sign, outcome, time = _outcome(result)
    if result is None:
        parts.append(Part("", [Line("no result yet", "dim")]))
    else:
        parts += _resulted(result)
    return Block("call", Heading(sign, harmless.one_line(name), title, outcome, time), parts)


def _outcome(result: ToolResult | None) -> tuple[Span, list[Span], str]:
    if result is None:
        return ("busy", "○"), [], ""
    summary = harmless.one_line(result.summary)
    told: list[Span] = [("dim", f"  {summary}")] if summary else []
    time = seconds(result.ms / 1000)
    if result.denied:
        return ("warning", "●"), [("warning", "  denied")], time
    if result.failed:
        return ("bad", "●"), [("bad", "  ✗"), *told], time
    return ("good", "●"), told, time


def _arguments(call: ToolCall) -> Part:
    """As text where they are one, such as a command; else each by its name."""
    try:
        arguments = msgspec.json.decode(call.arguments, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError):
        return part(call.arguments, "code")
    match list(arguments.values()):
        case [str() as only]:
            return part(only, "code")
        case _:
            return Part(call.arguments, [piece for item in arguments.items() for piece in _argument(*item)])


def _argument(name: str, value: object) -> list[Piece]:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    if "\n" not in text.strip():
        return lines(f"{name}: {text}", "code")
    return [*lines(f"{name}:", "dim"), *lines(text, "code", "    ")]


def _resulted(result: ToolResult) -> list[Part]:
    parts: list[Part] = []
    if result.diff:
        unified = harmless.sanitise(result.diff)
        whole = [WholeDiff(unified)] if diff.is_whole(unified) else lines(result.diff)
        parts.append(Part(result.diff, whole))
    if result.output.strip():
        parts.append(part(result.output, "", "  │ "))
    named: list[Piece] = [Line(shown(one), "dim") for one in result.attachments]
    warned = lines(result.warning, "warning", "  ! ") if result.warning else []
    return [*parts, Part(result.warning, [*named, *warned])] if named or warned else parts


def _typed(ran: ShellEnded) -> Block:
    """A command of the user."""
    sign: Span = ("bad", "!") if ran.failed or ran.denied else ("good", "!")
    outcome: list[Span] = [("dim", f"  {harmless.one_line(ran.summary)}")] if ran.summary else []
    head = Heading(sign, "You ran", harmless.one_line(ran.command), outcome, seconds(ran.ms / 1000))
    return Block("call", head, [part(ran.command, "code"), part(ran.output, "", "  │ ")])


def _of_subagent(body: _SUBAGENT) -> Block:
    """What it was told, or what it has said; its own session is behind /agents."""
    name = harmless.one_line(body.name)
    match body:
        case SubagentSpawned(kind=kind, prompt=text):
            return Block("call", Heading(("dim", "○"), name, f"{harmless.one_line(kind)} begins"), [part(text)])
        case SubagentPrompted(text=text):
            return Block("call", Heading(("dim", "↳"), name, "is told"), [part(text)])
        case SubagentEnded(state=state, summary=text):
            return Block("call", Heading(("dim", "●"), name, state), [part(text)])
        case SubagentMerged(files=files):
            return Block("call", Heading(("good", "●"), name, "merged"), [part("\n".join(files))])
