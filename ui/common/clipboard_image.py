"""An image out of the clipboard, by whichever tool there is; kept as a file, since what goes with a prompt is one."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import trio

from ui.common.attached_files import MOST_OF_ONE, AttachedFile, NotAttachable, look_at

TOOLS = (
    ("WAYLAND_DISPLAY", ("wl-paste", "--no-newline", "--type", "image/png")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-t", "image/png", "-o")),
    ("", ("pngpaste", "-")),
)
"""What has to be in the environment for it, and the command."""
NEEDED = ("PATH", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR")
LONGEST_S = 3.0
"""Whoever owns the clipboard may never answer."""
NO_TOOL = "an image of the clipboard needs wl-paste, xclip or pngpaste, and none of them can be used here."
NO_IMAGE = "there is no image in the clipboard."


async def taken(folder: Path) -> AttachedFile:
    """In this folder, named by what is in it. Raises NotAttachable."""
    commands = [
        command for needs, command in TOOLS if (not needs or os.environ.get(needs)) and shutil.which(command[0])
    ]
    if not commands:
        raise NotAttachable(NO_TOOL)
    data = await _output(commands[0])
    if not data:
        raise NotAttachable(NO_IMAGE)
    try:
        return look_at(_kept(folder, data))
    except OSError as error:
        raise NotAttachable(f"the image of the clipboard cannot be kept: {error.strerror}.") from error


async def _output(command: tuple[str, ...]) -> bytes:
    """b"" where it took too long. More than can be attached is not read."""
    environment = {name: os.environ[name] for name in NEEDED if name in os.environ}
    data = bytearray()
    with trio.move_on_after(LONGEST_S) as limit:
        process = await trio.lowlevel.open_process(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        try:
            while process.stdout and len(data) <= MOST_OF_ONE and (more := await process.stdout.receive_some()):
                data += more
        finally:
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()
                if process.stdout:
                    await process.stdout.aclose()
    return b"" if limit.cancelled_caught else bytes(data)


def _kept(folder: Path, data: bytes) -> Path:
    """Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"pasted-{hashlib.sha256(data).hexdigest()[:12]}.png"
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(file, "wb") as opened:
        opened.write(data)
    return path
