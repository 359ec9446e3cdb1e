"""What a session runs, where, and what the launcher has prepared for it."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from supervisor.child_spec import ChildSpec
from supervisor.process import chaos


class Plan(msgspec.Struct, kw_only=True):
    tree: Sequence[ChildSpec]
    start: Sequence[str]
    settings: msgspec.Raw
    """Settings, encoded."""
    without_secrets: msgspec.Raw
    """The same for those whose spec has no `secrets`."""
    session_id: str
    run_id: str
    cwd: str
    home: Path
    faults: tuple[chaos.Fault, ...] = ()
    go_on: str = ""
    """What to do when the session was given up."""
    on_terminal_death: Callable[[], None] = lambda: None
    """The actor that owns the terminal died: put the terminal in order."""
