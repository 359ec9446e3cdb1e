"""What the model is told when only the files went back: what it knows of them from before does not count any more."""

from collections.abc import Iterator

from actors.common.rewind_goal import Goal
from actors.messages.checkpoint import CheckpointDiff

NAMED = 30
"""Files of a kind."""
WORDS = 80
"""Characters of the prompt."""


def note(goal: Goal, done: CheckpointDiff) -> str:
    """ "" where no file was changed."""
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
