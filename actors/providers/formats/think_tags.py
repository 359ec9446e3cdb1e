"""Thoughts that a server leaves in the text, between tags: told apart from it while it streams. No I/O.

Only where the answer begins with them: further on, tags are what it speaks of. See DECISIONS: Thoughts between tags.
"""

from typing import NamedTuple

from actors.messages.model import TextDelta, ThinkingDelta

BEGIN, END = "<think>", "</think>"
Told = TextDelta | ThinkingDelta


class Said(NamedTuple):
    text: str
    thought: bool


class Tags:
    """Of one answer. What may yet turn out to be a tag is held back."""

    def __init__(self) -> None:
        self._state = "beginning"
        """beginning: nothing but white space and a part of the tag so far; opened: the tag, and white space; thought;
        after: white space behind the end of the thought; text: for good."""
        self._held = ""

    def read(self, piece: str) -> list[Said]:
        if self._state == "text":
            return [Said(piece, False)] if piece else []
        text, self._held = self._held + piece, ""
        said: list[Said] = []
        if self._state == "beginning":
            begun = text.lstrip()
            if begun.startswith(BEGIN):
                self._state, text = "opened", begun[len(BEGIN) :]
            elif BEGIN.startswith(begun):
                self._held = text
            else:
                self._state = "text"
        if self._state == "opened":
            text = text.lstrip()  # models that are not to think open and close it with nothing in between
            self._state = "thought" if text else "opened"
        if self._state == "thought":
            text = self._think(text, said)
        if self._state == "after":
            text = text.lstrip()
            self._state = "text" if text else "after"
        if self._state == "text" and text:
            said.append(Said(text, False))
        return said

    def _think(self, text: str, said: list[Said]) -> str:
        """What comes behind the thought."""
        thought, end, rest = text.partition(END)
        if end:
            self._state = "after"
        else:
            cut = next((size for size in range(len(END) - 1, 0, -1) if thought.endswith(END[:size])), 0)
            if cut:
                thought, self._held = thought[:-cut], thought[-cut:]
        if thought:
            said.append(Said(thought, True))
        return rest

    def finish(self) -> list[Said]:
        """What was held back: the answer ends here."""
        held, self._held = self._held, ""
        return [Said(held, self._state == "thought")] if held else []


class Beginning:
    """Of one answer whose text comes in parts: it begins with the part that says something first."""

    def __init__(self) -> None:
        self._tags = Tags()
        self._part: object = None

    def read(self, part: object, piece: str) -> list[Told]:
        self._part = self._part or part
        return _told(self._tags.read(piece)) if self._part is part else [TextDelta(text=piece)]

    def finish(self, part: object) -> list[Told]:
        """What was held back: this part ends here."""
        return _told(self._tags.finish()) if self._part is part else []

    def finish_answer(self) -> list[Told]:
        """Some servers do not say that a part ended."""
        return _told(self._tags.finish())

    def apart(self, part: object, text: str) -> tuple[str, str]:
        """The thought that the whole text of a part begins with, and what is behind it."""
        if self._part is not part:
            return "", text
        tags = Tags()
        said = [*tags.read(text), *tags.finish()]
        return "".join(one.text for one in said if one.thought), "".join(one.text for one in said if not one.thought)


def _told(said: list[Said]) -> list[Told]:
    return [ThinkingDelta(text=one.text) if one.thought else TextDelta(text=one.text) for one in said]
