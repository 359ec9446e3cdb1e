"""Foreign sessions made entries, and what is wrong with them as a conversation: shared by the tests of the import."""

import io
from collections.abc import Iterable, Sequence

from actors.agent.session.history import History
from actors.messages.conversation import AssistantMessage, Body, Entry, Foreign, ToolResult, TurnEnded, UserMessage
from tests import ROOT
from ui.session_files.foreign import recognition
from ui.session_files.foreign.entries import entries
from ui.session_files.foreign.parts import Agent, Tally

SAMPLES = ROOT / "tests" / "data" / "foreign"


def sample(agent: str) -> bytes:
    return (SAMPLES / f"{agent}.jsonl").read_bytes()


def imported(data: bytes, agent: Agent | None = None) -> tuple[list[Entry], Tally]:
    file = io.BytesIO(data)
    known = agent or recognition.agent_of(file)
    assert known is not None
    read = recognition.read(file, known)
    return list(entries(read.facts, read.session_id, read.parts, read.tally, 1.0)), read.tally


def active(made: Sequence[Entry]) -> list[Entry]:
    """From the first to the last one, by their parents."""
    by_id = {entry.id: entry for entry in made}
    path, at = [made[-1]], made[-1].parent
    while at:
        path.append(by_id[at])
        at = by_id[at].parent
    return path[::-1]


def said(path: Iterable[Entry]) -> list[str]:
    """What it comes to: a word for each body."""
    return [_word(entry.body) for entry in path if not isinstance(entry.body, Foreign)]


def _word(body: Body) -> str:
    match body:
        case UserMessage():
            return f"> {body.text}" if body.prompt_id else f"({body.text})"
        case AssistantMessage():
            return " ".join([body.text, *(f"{call.name}!" for call in body.calls)]).strip()
        case ToolResult():
            return f"{'✗' if body.failed else '✓'} {body.output.strip().splitlines()[-1]}"
        case TurnEnded():
            return f"[{body.reason}]"
        case _:
            return type(body).__name__


def faults(made: Sequence[Entry]) -> list[str]:
    """Of each path of the tree: what no model service would take, or no history can go on from."""
    ids = [entry.id for entry in made]
    found = [] if len(set(ids)) == len(ids) else ["an id comes twice"]
    place = {entry_id: at for at, entry_id in enumerate(ids)}
    found += [f"{e.id} hangs on nothing" for at, e in enumerate(made) if e.parent and place.get(e.parent, at) >= at]
    return found or _faults_of_path(active(made))


def _faults_of_path(path: Sequence[Entry]) -> list[str]:
    history = History("s", path)
    found = ["a turn is open"] if history.open_turn else []
    waited: list[str] = []
    messages = history.model_input()
    if messages and not isinstance(messages[0], UserMessage):
        found.append("it does not begin with the user")
    for message in messages:
        if isinstance(message, ToolResult):
            found += [] if waited and waited.pop(0) == message.call_id else [f"a result of {message.call_id} is wrong"]
        else:
            found += [f"{call_id} has no result" for call_id in waited]
            waited = [call.call_id for call in message.calls] if isinstance(message, AssistantMessage) else []
            if isinstance(message, AssistantMessage) and not message.blocks:
                found.append("an answer is empty")
    return [*found, *(f"{call_id} has no result" for call_id in waited)]
