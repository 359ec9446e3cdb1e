"""`edit`: replace one piece of text that is in the file exactly once."""

from typing import Annotated

import msgspec
import trio

from actors.messages.tool import Preview
from actors.tools import diff, files, limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.errors import ToolFailed
from actors.tools.workspace import Workspace


class Edit(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="The file, relative to the workspace.")]
    old: Annotated[str, msgspec.Meta(description="The text to replace, exactly as it is in the file, there only once.")]
    new: Annotated[str, msgspec.Meta(description="The text to put in its place.")]


async def run(arguments: Edit, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_edit, arguments, worker.workspace)


def preview(arguments: Edit, workspace: Workspace) -> Preview:
    path = workspace.locate_for_writing(arguments.path)
    name = workspace.shown(path)
    before, _ = files.read_whole(workspace, path)
    after = replaced(before, arguments.old, arguments.new, name)
    return Preview(title=f"edit {name}", detail=diff.unified(name, before, after))


def _edit(arguments: Edit, workspace: Workspace) -> Outcome:
    path = workspace.locate_for_writing(arguments.path)
    name = workspace.shown(path)
    if files.existing(workspace, path) is None:
        raise ToolFailed(f"No such file: {name}. To make a new file use write.")
    before, info = files.read_whole(workspace, path)
    if workspace.has_changed(path, info):
        raise ToolFailed(f"{name} changed on disk since you read it. Read it again, then edit.")
    after = replaced(before, arguments.old, arguments.new, name)
    files.replace(workspace, path, after, info)
    change = diff.unified(name, before, after)
    return Outcome(f"Edited {name}.\n{change}", diff.counted(change), diff=change)


def replaced(text: str, old: str, new: str, name: str) -> str:
    """Raises ToolFailed unless `old` is in the text exactly once."""
    if not old:
        raise ToolFailed("old is empty. Give the text to replace; to make or replace a whole file use write.")
    if old == new:
        raise ToolFailed("old and new are the same: nothing to change.")
    if "\r\n" in text and "\r" not in old and text.count("\n") == text.count("\r\n"):
        old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")  # read shows such lines without their \r
    places = _places(text, old)
    if len(places) > 1:
        raise ToolFailed(_ambiguous(text, places, name))
    if not places:
        raise ToolFailed(_missing(text, old, name))
    return text[: places[0]] + new + text[places[0] + len(old) :]


def _places(text: str, old: str) -> list[int]:
    """Overlapping ones count too: which of them is meant cannot be known either."""
    places = []
    place = text.find(old)
    while place >= 0:
        places.append(place)
        place = text.find(old, place + 1)
    return places


def _ambiguous(text: str, places: list[int], name: str) -> str:
    lines = [str(text.count("\n", 0, place) + 1) for place in places[: limits.NAMED_MATCHES]]
    more = ", ..." if len(places) > len(lines) else ""
    return (
        f"old is in {name} {len(places)} times, at lines {', '.join(lines)}{more}. "
        "Add lines around it until it is there only once."
    )


def _missing(text: str, old: str, name: str) -> str:
    import difflib  # 10 ms, and only a miss needs it

    wanted = next((line.strip() for line in old.splitlines() if line.strip()), "")
    numbered: dict[str, int] = {}
    for number, line in enumerate(text.split("\n")[: limits.NEAR_LINES], start=1):
        numbered.setdefault(line.strip(), number)
    near = [wanted] if wanted in numbered else difflib.get_close_matches(wanted, numbered, n=3, cutoff=0.6)
    if not near:
        return f"old is not in {name}, nor anything like its first line. Read the file again."
    shown = [
        f"{numbered[line]:>6}\t{text.split(chr(10))[numbered[line] - 1].rstrip()}"
        for line in sorted(near, key=numbered.__getitem__)
    ]
    return (
        f"old is not in {name} exactly as given; check spaces, indentation and the lines after the first. "
        "Nearest lines:\n" + "\n".join(shown)
    )


EDIT = Tool("edit", "write", Edit, run, preview)
