"""`multi_edit`: several edits of one or more files, all of them or none."""

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
from actors.tools.files.edit import replaced
from actors.tools.text import diff
from actors.tools.workspace.folder import Workspace


class OneEdit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    old: str
    new: str
    replace_all: bool = False


class MultiEdit(Arguments, frozen=True):
    edits: Annotated[
        tuple[OneEdit, ...],
        msgspec.Meta(min_length=1, max_length=limits.EDITS, description="As for edit; done in this order."),
    ]


async def run(arguments: MultiEdit, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_edit_all, arguments, worker.workspace)


def preview(arguments: MultiEdit, workspace: Workspace) -> Preview:
    draft = _drafted(arguments, workspace)
    return Preview(title=f"edit {_names(draft, workspace)}", detail="".join(draft.diffs(whole=True)))


def _edit_all(arguments: MultiEdit, workspace: Workspace) -> Outcome:
    draft = _drafted(arguments, workspace)
    diffs = draft.diffs()
    draft.commit()
    change = "".join(diffs)
    summary = f"{diff.counted(*diffs)} in {how_many(len(diffs), 'file')}"
    return Outcome(
        f"Edited {_names(draft, workspace)}.\n{diff.for_model(change)}", summary, diff=change, changed=draft.changed
    )


def _drafted(arguments: MultiEdit, workspace: Workspace) -> Draft:
    draft = Draft(workspace)
    for number, edit in enumerate(arguments.edits, start=1):
        try:
            path = workspace.locate_for_editing(edit.path)
            name = workspace.shown(path)
            draft.write(path, replaced(draft.text(path), edit.old, edit.new, name, every=edit.replace_all))
        except ToolFailed as failed:
            raise ToolFailed(f"edits[{number - 1}]: {failed}\nNone of the edits was made.") from failed
    return draft


def _names(draft: Draft, workspace: Workspace) -> str:
    return ", ".join(workspace.shown(changed.path) for changed in draft.changed) or "nothing: the edits cancel out"


MULTI_EDIT = Tool(
    "multi_edit",
    "write",
    MultiEdit,
    run,
    preview,
    touches=(Touch(scope="read", argument="edits[].path"), Touch(scope="write", argument="edits[].path")),
    edits=True,
)
