"""The patch format that GPT models are trained on: *** Begin Patch ... *** End Patch. Pure."""

import re

from actors.confinement.errors import ToolFailed
from actors.tools.files.patches.hunks import Add, Delete, Hunk, Operation, Update

BEGIN, END, END_OF_FILE = "*** Begin Patch", "*** End Patch", "*** End of File"
ADD, DELETE, UPDATE, MOVE = "*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "
NUMBERS = re.compile(r"@@ -\d+(,\d+)? \+\d+(,\d+)? @@ ?")
"""Of a unified diff, which some write here too: they say nothing in this format."""


def parse(text: str) -> tuple[Operation, ...]:
    """Raises ToolFailed that names the line."""
    return tuple(_Reader(text.split("\n")).operations())


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0

    def operations(self) -> list[Operation]:
        if not self._lines or self._take().strip() != BEGIN:
            raise ToolFailed(f"A patch begins with the line `{BEGIN}`.")
        made: list[Operation] = []
        while (line := self._peek().strip()) != END:
            if self._at >= len(self._lines):
                raise ToolFailed(f"The patch has no `{END}`: it seems to be cut off. Send it whole.")
            self._at += 1
            if line:
                made.append(self._operation(line))
        if not made:
            raise ToolFailed(f"The patch is empty. Between its first and last line put `{UPDATE}PATH` and hunks.")
        return made

    def _operation(self, header: str) -> Operation:
        for start in (ADD, DELETE, UPDATE):
            path = header.removeprefix(start).strip()
            if header.startswith(start) and path:
                return Add(path, self._new_text()) if start == ADD else self._existing(start, path)
        raise self._wrong(f"`{header}` is none of `{ADD}PATH`, `{UPDATE}PATH`, `{DELETE}PATH` and `{END}`.")

    def _existing(self, start: str, path: str) -> Delete | Update:
        if start == DELETE:
            return Delete(path)
        to = ""
        if self._peek().startswith(MOVE):
            to = self._take().removeprefix(MOVE).strip()
        hunks: list[Hunk] = []
        while not self._peek().startswith("***") and self._at < len(self._lines):
            if not self._peek().strip():
                self._at += 1
            else:
                hunks.append(self._hunk(first=not hunks))
        if not hunks and not to:
            raise self._wrong(f"The update of {path} has no hunk. Put `@@` and lines that begin with space, - or +.")
        return Update(path, tuple(hunks), to)

    def _new_text(self) -> str:
        taken: list[str] = []
        while self._peek().startswith("+") or (not self._peek() and self._at < len(self._lines)):
            taken.append(self._take())
        while taken and not taken[-1]:
            taken.pop()  # an empty line without + between two parts of the patch
        if self._at < len(self._lines) and not self._peek().strip().startswith("***"):
            self._at += 1
            raise self._wrong("Every line of a new file begins with +.")
        return "".join(f"{line[1:]}\n" for line in taken)

    def _hunk(self, *, first: bool) -> Hunk:
        anchors = []
        if not self._peek().startswith("@@") and not first:
            self._at += 1
            raise self._wrong("A hunk begins with @@.")
        while self._peek().startswith("@@"):
            if anchor := NUMBERS.sub("", self._take() + " ").removeprefix("@@").removesuffix(" ").removeprefix(" "):
                anchors.append(anchor)
        lines: list[tuple[str, str]] = []
        while not self._peek().startswith(("@@", "*** ")) and self._at < len(self._lines):
            lines.append(self._line())
        at_end = self._peek().strip() == END_OF_FILE
        self._at += at_end
        if not lines:
            raise self._wrong("This hunk is empty: after @@ come lines that begin with space, - or +.")
        return Hunk(tuple(lines), tuple(anchors), at_end)

    def _line(self) -> tuple[str, str]:
        line = self._take()
        if line and line[0] not in " -+":
            raise self._wrong(f"Every line of a hunk begins with space, - or +, but this is: {line[:100]}")
        return (line[0], line[1:]) if line else (" ", "")

    def _peek(self) -> str:
        """ "" at the end, too."""
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _take(self) -> str:
        self._at += 1
        return self._lines[self._at - 1]

    def _wrong(self, what: str) -> ToolFailed:
        return ToolFailed(f"Line {self._at} of the patch: {what}")
