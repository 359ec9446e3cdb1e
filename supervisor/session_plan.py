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
    of_front: msgspec.Raw | None = None
    """For whoever leads: with what it was started for, such as thousands of tasks; None: as `without_secrets`."""
    session_id: str
    run_id: str
    cwd: str
    home: Path
    faults: tuple[chaos.Fault, ...] = ()
    go_on: str = ""
    """What to do when the session was given up."""
    on_terminal_death: Callable[[], None] = lambda: None
    """The actor that owns the terminal died: put the terminal in order."""

    def settings_of(self, spec: ChildSpec) -> msgspec.Raw:
        """For those that are started without settings of their own."""
        if spec.secrets:
            return self.settings
        return self.of_front if spec.leads and self.of_front is not None else self.without_secrets
