"""What the user means by a key or a line: the words between the keyboard and who does it."""

from dataclasses import dataclass, field
from typing import Literal

from actors.messages.base import PromptKind
from ui.common.attached_files import AttachedFile
from ui.screen.composer.editor import Draft
from ui.screen.questions.queue import Answer
from ui.screen.questions.session_keys import Wish

Scope = Literal["turn", "tree"]
"""As of CancelTurn."""


@dataclass(frozen=True)
class Send:
    text: str
    files: tuple[AttachedFile, ...] = ()
    draft: Draft = field(default=Draft(""), compare=False)
    """To go on with when it cannot be sent."""
    kind: PromptKind = "steer"

    @property
    def typed(self) -> str:
        """Without what was pasted at length, which others have written; as an argument of /server:prompt it counts."""
        first = self.text.split(maxsplit=1)[:1]
        is_argument = first != [] and first[0].startswith("/") and ":" in first[0]
        return self.text if is_argument else self.draft.text or self.text


@dataclass(frozen=True)
class Command:
    line: str
    """With its slash."""


@dataclass(frozen=True)
class Shell:
    """`!cmd`: the user's own."""

    text: str
    """As it was typed."""
    command: str
    told: bool
    """The model is to be told of it."""
    draft: Draft = field(default=Draft(""), compare=False)
    """To go on with when it cannot be run."""


@dataclass(frozen=True)
class Interrupt:
    scope: Scope = "turn"


@dataclass(frozen=True)
class TakeBack:
    """The prompt that was queued last, into the composer."""


@dataclass(frozen=True)
class GoBack:
    """To the own session."""


@dataclass(frozen=True)
class CycleMode:
    pass


@dataclass(frozen=True)
class OpenPager:
    pass


@dataclass(frozen=True)
class Suspend:
    pass


@dataclass(frozen=True)
class EditOutside:
    """What is being written, in the user's own editor."""


@dataclass(frozen=True)
class Repaint:
    pass


@dataclass(frozen=True)
class Leave:
    at_once: bool = False
    """Whatever still works."""


Intent = (
    Send | TakeBack | Command | Shell | Answer | Wish | Interrupt | GoBack
    | CycleMode | OpenPager | Suspend | EditOutside | Repaint | Leave
)  # fmt: skip
