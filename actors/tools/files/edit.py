"""`edit`: replace one piece of text that is in the file exactly once, or all that are like it."""

from typing import Annotated

import msgspec
import trio

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.files.draft import Draft
from actors.tools.text import diff, line_ends, lookalikes
from actors.tools.text.nearest_lines import nearest
from actors.tools.workspace.folder import Workspace


class Edit(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="The file, relative to the workspace.")]
    old: Annotated[str, msgspec.Meta(description="The text to replace, exactly as it is in the file, there only once.")]
    new: Annotated[str, msgspec.Meta(description="The text to put in its place.")]
    replace_all: Annotated[bool, msgspec.Meta(description="Replace it wherever it is, however often.")] = False


async def run(arguments: Edit, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_edit, arguments, worker.workspace)


def preview(arguments: Edit, workspace: Workspace) -> Preview:
    draft = _drafted(arguments, workspace)
    return Preview(title=f"edit {_name(arguments, workspace)}", detail="".join(draft.diffs(whole=True)))


def _edit(arguments: Edit, workspace: Workspace) -> Outcome:
    draft = _drafted(arguments, workspace)
    diffs = draft.diffs()
    draft.commit()
    change = "".join(diffs)
    said = f"Edited {_name(arguments, workspace)}.\n{diff.for_model(change)}"
    return Outcome(said, diff.counted(*diffs), diff=change, changed=draft.changed)


def _name(arguments: Edit, workspace: Workspace) -> str:
    return workspace.shown(workspace.locate_for_editing(arguments.path))


def _drafted(arguments: Edit, workspace: Workspace) -> Draft:
    draft = Draft(workspace)
    path = workspace.locate_for_editing(arguments.path)
    wanted = (arguments.old, arguments.new)
    draft.write(path, replaced(draft.text(path), *wanted, workspace.shown(path), every=arguments.replace_all))
    return draft


def replaced(text: str, old: str, new: str, name: str, *, every: bool = False) -> str:
    """Raises ToolFailed unless `old` is in the text exactly once, or for `every` at least once."""
    if not old:
        raise ToolFailed("old is empty. Give the text to replace; to make or replace a whole file use write.")
    if old == new:
        raise ToolFailed("old and new are the same: nothing to change.")
    if "\r" not in old and line_ends.has_crlf(text):
        old, new = line_ends.as_crlf(old), line_ends.as_crlf(new)  # read shows such lines without their \r
    places = _places(text, old)
    if not places:
        raise ToolFailed(_missing(text, old, name))
    if every:
        return text.replace(old, new)
    if len(places) > 1:
        raise ToolFailed(_ambiguous(text, places, name))
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
        f"old is in {name} {how_many(len(places), 'time')}, at lines {', '.join(lines)}{more}. "
        "Add lines around it until it is there only once, or set replace_all to change all of them."
    )


def _missing(text: str, old: str, name: str) -> str:
    if "\n" in old and old.replace("\r\n", "\n").replace("\n", "\r") in text:
        return f"old is not in {name} as given: its lines end with CR alone. Write \\r for each line end, in new too."
    have, wanted = line_ends.split_all(text), line_ends.split_all(old)
    if alike := lookalikes.alike(have, wanted, plain=line_ends.has_crlf(text)):
        return f"old is not in {name} exactly as given. {alike}"
    if parted := lookalikes.parted(have, wanted, "old"):
        return f"old is not in {name} as given. {parted}"
    near = nearest([line for line, _ in have], next((line for line, _ in wanted if line.strip()), ""))
    if not near:
        return f"old is not in {name}, nor anything like its first line. Read the file again."
    return (
        f"old is not in {name} exactly as given; check spaces, indentation and the lines after the first. "
        "Nearest lines:\n" + "\n".join(near)
    )


EDIT = Tool(
    "edit",
    "write",
    Edit,
    run,
    preview,
    touches=(Touch(scope="read", argument="path"), Touch(scope="write", argument="path")),
    edits=True,
)
