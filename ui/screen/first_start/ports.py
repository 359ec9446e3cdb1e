"""What the choice of a first start has of the screen and of the other actors."""

from collections.abc import Callable
from dataclasses import dataclass

from actors.mailbox import Mailbox
from ui.screen.questions.choice_list import Ask
from ui.screen.terminal.piece import Piece


@dataclass(frozen=True)
class Ports:
    mailbox: Mailbox
    agent: str
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""
    show: Callable[[Piece], None]
    opener: str
    """The pipe of ui.start.browser; "" for none."""
