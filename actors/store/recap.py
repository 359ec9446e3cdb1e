"""What a session was about, short enough to go with a prompt of another one: how it was summed up, and how it ended."""

import sqlite3
import time

from actors.messages.conversation import AssistantMessage, Compacted, UserMessage
from actors.messages.store import Recap
from actors.store import entries, lookup, sessions

MOST = 8000
"""Characters of all of it."""
SUMMARY, PROMPT, ANSWER, CALLED = 3000, 700, 1500, 200
"""Characters of each of these: so the last prompt and its answer have room in any case."""
LOOKED_AT = 2000
"""Entries, the last ones: in what is before there is little that still holds."""
LEFT_OUT = "(what was said before this is left out)"


def recap(database: sqlite3.Connection, said: str) -> Recap:
    """said: as of RecapSession. Raises Failed(unknown_session or ambiguous_session)."""
    session_id = lookup.by_beginning(database, said)
    if session_id is None:
        return Recap()
    known = sessions.summary(database, session_id)
    called = entries.first_words(known.name or known.title, CALLED)
    place = f"in the folder {known.cwd}" + (f", on the branch {known.branch}" if known.branch else "")
    facts = f"Session {session_id}: {called}\nFrom {_day(known.created_at)} to {_day(known.updated_at)}, {place}"
    return Recap(session_id=session_id, called=called, text=_together(facts, *_said(database, session_id)))


def _together(facts: str, summary: str, turns: list[str]) -> str:
    """turns: the last one first; as many as there is room for."""
    room = MOST - sum(len(part) + 2 for part in (facts, summary, LEFT_OUT))
    taken: list[str] = []
    for turn in turns:
        room -= len(turn) + 2
        if room < 0:
            taken.append(LEFT_OUT)
            break
        taken.append(turn)
    return "\n\n".join(filter(None, [facts, summary, *reversed(taken)]))[:MOST]


def _said(database: sqlite3.Connection, session_id: str) -> tuple[str, list[str]]:
    """The latest summary, or ""; prompts with what was answered last, from the end back."""
    answer = summary = ""
    turns: list[str] = []
    for number in reversed(entries.path(database, session_id, None, whole=True, most=LOOKED_AT)):
        match entries.bare(database, number).body:
            case AssistantMessage() as said if not answer:
                answer = said.text.strip()
            case UserMessage(prompt_id=prompt_id, text=text) if prompt_id:
                answered = _shortened(answer, ANSWER) or "(none in words)"
                turns.append(f"The user:\n{_shortened(text, PROMPT)}\n\nThe last answer to that:\n{answered}")
                answer = ""
            case Compacted(carried=carried) if carried.summary and not summary:
                summary = f"Summed up by its own model:\n{_shortened(carried.summary, SUMMARY)}"
            case _:
                pass
    return summary, turns


def _shortened(text: str, most: int) -> str:
    text = text.strip()
    return text if len(text) <= most else f"{text[:most]} [...]"


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
