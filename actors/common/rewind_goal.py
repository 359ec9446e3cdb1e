"""Where going back to before a prompt leads, read off the path of a session; what the model is told of files alone."""

from collections.abc import Iterator, Sequence

import msgspec

from actors.errors import failed
from actors.messages.checkpoint import CheckpointDiff, Checkpointed, TakenBack
from actors.messages.conversation import Entry, TurnEnded, UserMessage

NAMED = 30
"""Files of a kind, in a note."""
WORDS = 80
"""Characters of the prompt, in a note."""


class Goal(msgspec.Struct, frozen=True):
    entry_id: str
    """The last entry that still counts then."""
    checkpoint_id: str = ""
    """What the files go back to; "" where nothing was written since, or `problem` says why not."""
    problem: str = ""
    prompt: str = ""
    """The first that is taken back."""
    prompts: int = 0
    moves: bool = True
    """The conversation goes back."""
    open_turn: str = ""
    """Of the prompt that steers a turn: what is left of that turn is to be ended."""


def goal(path: Sequence[Entry], entry_id: str) -> Goal:
    """Of before this prompt, or for "" of before the latest rewind. Raises Failed."""
    if not entry_id:
        return _before_latest(path)
    at = next((place for place, entry in enumerate(path) if entry.id == entry_id), len(path))
    match path[at:]:
        case [Entry(body=UserMessage(text=text, prompt_id=prompt_id), parent=parent), *_] as since if prompt_id:
            first = _first(path, since, prompt_id) or Checkpointed(prompt_id=prompt_id)
            return Goal(
                parent,
                first.checkpoint_id,
                first.problem,
                prompt=text,
                prompts=len(prompts(since)),
                open_turn=_open_turn(path[:at]),
            )
        case _:
            raise failed("unknown_session", "there is no such prompt on the path that the session is on.")


def _first(path: Sequence[Entry], since: Sequence[Entry], prompt_id: str) -> Checkpointed | None:
    """Its own may be before it: where it brought commands with it, and had to wait for its place in a turn."""
    own = (e.body for e in path if isinstance(e.body, Checkpointed) and e.body.prompt_id == prompt_id)
    return next(own, None) or next((entry.body for entry in since if isinstance(entry.body, Checkpointed)), None)


def _open_turn(path: Sequence[Entry]) -> str:
    """At its end; "" for none. All calls before a prompt that joins a turn have their results."""
    for entry in reversed(path):
        match entry.body:
            case TurnEnded():
                return ""
            case UserMessage(turn_id=turn_id):
                return turn_id
            case _:
                continue
    return ""


def prompts(path: Sequence[Entry]) -> list[Entry]:
    """Those one can go back to, oldest first."""
    return [entry for entry in path if isinstance(entry.body, UserMessage) and entry.body.prompt_id]


def latest_rewind(path: Sequence[Entry]) -> TakenBack | None:
    return next((entry.body for entry in reversed(path) if isinstance(entry.body, TakenBack)), None)


def _before_latest(path: Sequence[Entry]) -> Goal:
    latest = latest_rewind(path)
    if latest is None:
        raise failed("unknown_session", "there is no rewind on this path that could be taken back.")
    return Goal(latest.left, latest.undo_id, moves=bool(latest.left))


def note(goal: Goal, done: CheckpointDiff) -> str:
    """For the model, when only the files went back: what it knows of them does not count any more. "": none did."""
    if done.is_empty:
        return ""
    prompt = " ".join(goal.prompt.split())
    words = f'"{prompt}"' if len(prompt) <= WORDS else f'"{prompt[: WORDS - 1]}…"'
    then = f"how they were before the prompt {words}" if goal.prompts else "how they were before the last rewind"
    lines = [
        f"The user has taken the files of the workspace back to {then}; the conversation stays. "
        "Read a file again before you rely on what you knew of it.",
        *_named("As they were then", done.restored, done.counts[0]),
        *_named("Removed", done.removed, done.counts[1]),
        *_named("Could not be brought back", done.not_restored, done.counts[4]),
    ]
    return "\n".join(lines)


def _named(what: str, paths: tuple[str, ...], count: int) -> Iterator[str]:
    if count:
        more = [f"and {count - NAMED} more"] if count > NAMED else []
        named = (path if path.isprintable() else ascii(path) for path in paths[:NAMED])
        yield f"{what}: {', '.join([*named, *more])}"
