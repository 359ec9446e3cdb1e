"""A task of a batch as the user writes it, and what the command line hands to the batch's front."""

from typing import Annotated, Literal

import msgspec

from actors.messages.tool import Mode
from ui.common.attached_files import AttachedFile
from ui.start.fronts import START_S

Isolation = Literal["worktree", "none"]
Positive = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
"""As large as a number of JSON is exact."""
Amount = Annotated[float, msgspec.Meta(gt=0)]


class Task(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is left out is as the command line has it."""

    id: str
    prompt: str
    cwd: str = ""
    """Absolute once it is read; where the user wrote none, that of the command."""
    repo: str = ""
    """A git repository; with it, cwd is within it."""
    commit: str = ""
    """Any name of a commit of it; "" for HEAD."""
    model: str = ""
    mode: Mode | None = None
    """At most as wide as the command line's."""
    effort: str = ""
    max_cost: Amount | None = None
    """US dollars."""
    max_tokens: Positive | None = None
    timeout: Amount | str | None = None
    """Seconds, or such as "10m"."""
    max_turns: Positive | None = None
    """Model requests."""
    check: str = ""
    """A command that must pass afterwards."""
    setup: str = ""
    """A command that must pass before."""
    tags: tuple[str, ...] = ()
    attach: tuple[str, ...] = ()
    """Images and PDFs, relative to its folder."""
    isolation: Isolation | None = None


class Reports(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a batch is to leave behind beside its results. Absolute paths; "" for none."""

    files: tuple[str, ...] = ()
    predictions: str = ""
    artifacts: str = ""
    """A folder."""


class BatchFront(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of a batch."""

    run_id: str
    """Of the batch: the same for every start of it."""
    tasks: tuple[Task, ...]
    tasks_from: str = "-"
    """Absolute path, or "-" for standard input."""
    files: dict[str, tuple[AttachedFile, ...]] = {}
    """By the id of the task they go with."""
    workers: int
    out: str
    max_turns: int
    isolation: Isolation | None = None
    """None: by what the task may do and where."""
    patch_folder: str = ""
    """Absolute path of where patches go, as ID.patch; "": into the result itself."""
    timeout_s: float | None = None
    """Of one task."""
    start_s: float = START_S
    """For the start, and for each step before and after a task's turn; 0: any time."""
    stall_s: float = 600.0
    retries: int = 1
    soft_cost_usd: float | None = None
    again: bool = False
    """Tasks that failed are run again."""
    again_only: tuple[str, ...] = ()
    """Of those only these, by their ids; (): all."""
    resumed: bool = False
    """Asked for by the run's name."""
    reports: Reports = Reports()
