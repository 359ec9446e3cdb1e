"""What the model is told of its mode: a note in the conversation, whenever it is another one than it was told last.

Not in the system prompt: services cache by prefix, and a mode may change with every turn.
"""

from collections.abc import Iterable

from actors.messages.conversation import Body, UserMessage
from actors.messages.tool import Mode

NOTES: dict[Mode, str] = {
    "default": "The mode is now default: you may change files and run commands; the user is asked where it is needed.",
    "accept-edits": "The mode is now accept-edits: you may change files; the user is asked before commands.",
    "auto": "The mode is now auto: you may change files and run commands without asking.",
    "plan": (
        "The mode is now plan: look, and change nothing. Tools that write or run commands are there for later: calls "
        "of them are refused as long as this mode lasts. Explore first: read everything the plan depends on instead of "
        "guessing, and look up on the web what is not here. Where a decision is the user's, ask with ask_user, "
        "one question at a time, with the answer you recommend first. Then call present_plan with a concrete plan: the "
        "aim, each file and what changes in it, the order, how it is going to be checked. Without these two tools "
        "nobody is there to ask: decide yourself, say so, and answer with the plan."
    ),
    "research": (
        "The mode is now research: only look and answer. Change nothing, run no commands, present no plan: calls of "
        "tools that do so are refused as long as this mode lasts."
    ),
}
UNTOLD: tuple[Mode, ...] = ("default", "accept-edits", "auto")
"""Modes a conversation can begin in without a word: the tools say what is asked about."""


def mode_note(bodies: Iterable[Body], mode: Mode) -> str:
    """What the model has to be told before its next answer; "" for nothing."""
    told = _told(bodies)
    return "" if told == mode or (told is None and mode in UNTOLD) else NOTES[mode]


def _told(bodies: Iterable[Body]) -> Mode | None:
    """The mode the last note was about."""
    modes = {note: mode for mode, note in NOTES.items()}
    notes = (body.text for body in bodies if isinstance(body, UserMessage) and not body.prompt_id)
    return next((modes[text] for text in reversed(list(notes)) if text in modes), None)
