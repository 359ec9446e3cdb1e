"""What the launcher tells the headless fronts (Settings.front), and what they print: plain structs."""

from typing import Literal

import msgspec

from ui.attachments import AttachedFile

Output = Literal["text", "json", "stream-json"]


class HeadlessFront(msgspec.Struct, frozen=True, kw_only=True):
    prompt: str
    prompt_id: str
    """Made by the launcher, so that a restarted front sends the same prompt again, not a second one."""
    files: tuple[AttachedFile, ...] = ()
    output: Output = "text"
    timeout_s: float | None = None
