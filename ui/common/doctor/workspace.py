"""The folder that is worked in: whether it can be changed, whether changes can be undone, and whose code runs in it."""

import os
from collections.abc import Sequence
from pathlib import Path

from actors.common import own_code
from actors.messages.tool import SandboxLevel
from actors.settings.config import Settings
from ui.common.doctor.rows import Row


def rows(settings: Settings) -> Sequence[Row]:
    return [_workspace(Path(settings.cwd))]


def own_rows(level: SandboxLevel, settings: Settings) -> Sequence[Row]:
    """Where Trouper itself lies in the workspace."""
    said = own_code.notice(Path(settings.cwd))
    if not said or settings.unrestricted:
        return []
    if level in ("bubblewrap", "namespaces"):
        return [
            Row(name="trouper", state="note", found=said.removesuffix(own_code.ELSEWHERE), advice=own_code.ELSEWHERE)
        ]
    found = "it runs from this workspace, and a command that you let run could change it"
    return [Row(name="trouper", state="warning", found=found, advice=own_code.ELSEWHERE)]


def _workspace(folder: Path) -> Row:
    top = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
    git = f"git repository {top}" if top else "not in a git repository"
    if not os.access(folder, os.W_OK):
        return Row(
            name="workspace", state="note", found=f"{folder} (read-only), {git}", advice="nothing can be changed here"
        )
    if os.geteuid() == 0 and folder.stat().st_uid != 0:
        found = f"{folder}, which is not root's, {git}"
        advice = (
            "commands in the sandbox cannot write it: root has no capabilities there; start as the user it belongs to"
        )
        return Row(name="workspace", state="note", found=found, advice=advice)
    if top is None:
        return Row(
            name="workspace", state="note", found=f"{folder}, {git}", advice="git init: changes can be undone then"
        )
    return Row(name="workspace", found=f"{folder}, {git}")
