"""Between an agent and who watches it: prompts in, events out."""

from actors.messages.base import Message
from actors.messages.conversation import NOTHING_USED, Attachment, Entry, Usage
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.tool import Mode, ToolProgress


class Prompt(Message, frozen=True, kw_only=True):
    """Answered by Accepted once it is on disk. The same id twice is one prompt. During a turn it steers that turn."""

    prompt_id: str
    text: str
    attachments: tuple[Attachment, ...] = ()


class Accepted(Message, frozen=True, kw_only=True):
    turn_id: str


class SetModel(Message, frozen=True, kw_only=True):
    """Another model, or another effort of the same one, from the next request on. Answered by ModelIs.

    Fails as ResolveModel does; then nothing has changed.
    """

    model: str = ""
    """PROVIDER/NAME; "" for the one there is."""
    effort: str | None = None
    """None: the one there is, where the model knows it."""


class ModelIs(Message, frozen=True, kw_only=True):
    model: str
    effort: str
    left_out: tuple[str, ...] = ()
    """Names of attachments of this conversation that the model does not take: it is told that they were there."""


class StartOver(Message, frozen=True, kw_only=True):
    """The turn that runs is ended, and a new session begins with this prompt alone. Answered by Accepted.

    Every subscription ends then: who subscribes again sees the new session. The same prompt_id twice is one new start.
    """

    prompt_id: str
    text: str


class CancelTurn(Message, frozen=True, kw_only=True):
    """Answered by Done when the turn and all below it has ended; at once when none runs."""

    reason: str = "interrupted"
    """An EndReason: "interrupted" or "timeout"."""
    text: str = ""
    """Why, for the end of the turn."""


class Subscribe(Message, frozen=True, kw_only=True):
    """A stream of Event that ends only with the agent: every entry after `after`, then what is open, then live."""

    after: str = ""
    """Id of the last entry the subscriber has; "" for all."""


class SessionInfo(Message, frozen=True, kw_only=True):
    """First event of every subscription."""

    session_id: str
    model: str
    effort: str = ""
    cwd: str
    mode: Mode
    sandbox: str = ""
    """What commands run in: a SandboxLevel; "" where that is not known."""
    unrestricted: bool = False
    busy: bool
    used: Usage = NOTHING_USED
    """Of all answers that the subscriber has: they are not told again."""
    latest: Usage = NOTHING_USED
    """Of the last of these."""


class CaughtUp(Message, frozen=True, kw_only=True):
    """What was stored has been sent; what follows is live."""


class EntryAdded(Message, frozen=True, kw_only=True):
    """An entry is on disk. The order of these is the order of the session."""

    entry: Entry


class TurnStopped(Message, frozen=True, kw_only=True):
    """The turn stopped and its end could not be saved; sending a prompt goes on with it."""

    text: str
    """The cause and the next step."""


class Notice(Message, frozen=True, kw_only=True):
    text: str
    level: str = "info"
    """info, warning or error."""


Event = SessionInfo | CaughtUp | EntryAdded | TextDelta | ThinkingDelta | ToolProgress | Retrying | TurnStopped | Notice
