"""How strong the sandbox of this process is, in a word and in words for people."""

import os
from collections.abc import Mapping
from typing import Literal

import msgspec

from actors.messages.tool import SandboxLevel

REACHED = "TROUPER_SANDBOX"
"""Environment variable that says what was reached, to us and to the commands."""
LAUNCHED: tuple[SandboxLevel, ...] = ("bubblewrap", "namespaces")
"""Where each command is started into namespaces of its own."""
NETWORKS = {"own": "network of its own", "denied": "no network, not even loopback", "open": "network open"}


class Reached(msgspec.Struct, frozen=True):
    level: SandboxLevel
    landlock: int = 0
    """Version; 0: none."""
    network: Literal["own", "denied", "open"] = "open"
    missing: str = ""
    """Why it is not a stronger one."""


def describe(reached: Reached) -> str:
    why = f"; {reached.missing}" if reached.missing else ""
    match reached.level:
        case "bubblewrap" | "namespaces":
            return f"{reached.level}, seccomp, {NETWORKS[reached.network]}{why}"
        case "landlock":
            return f"landlock {reached.landlock}, seccomp, {NETWORKS[reached.network]}{why}"
        case "none":
            return f"none: {reached.missing}"


def reached(environ: Mapping[str, str] = os.environ) -> str:
    """Of this process, in words."""
    return environ.get(REACHED, "")


def level(environ: Mapping[str, str] = os.environ) -> SandboxLevel:
    """Of this process."""
    match environ.get(REACHED, "").partition(" ")[0].strip(",:"):
        case "bubblewrap":
            return "bubblewrap"
        case "namespaces":
            return "namespaces"
        case "landlock":
            return "landlock"
        case _:
            return "none"
