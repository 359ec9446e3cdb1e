"""Between an agent and who watches it: prompts in, events out; and the files that the watcher looks for by name."""

from typing import Literal

import msgspec

from actors.messages.base import Message, PromptKind
from actors.messages.checkpoint import CheckpointDiff
from actors.messages.conversation import Attachment, Entry, PromptQueued, Quoted
from actors.messages.model import Retrying, TextDelta, ThinkingDelta
from actors.messages.subagent import SubagentsAre
from actors.messages.tool import Grant, Mode, ToolProgress
from actors.messages.usage import NOTHING_USED, Usage


class Prompt(Message, frozen=True, kw_only=True):
    """Answered by Accepted once it is on disk. The same id twice is one prompt. During a turn it waits, see `kind`."""

    prompt_id: str
    text: str
    attachments: tuple[Attachment, ...] = ()
    quoted: tuple[Quoted, ...] = ()
    kind: PromptKind = "steer"
    """Without a turn that runs both are the same: it begins one."""


class RunShell(Message, frozen=True, kw_only=True):
    """A command that the user has typed, `!cmd`. Answered by Done once it is on disk that it is begun.

    It runs beside the turn, until it ends or a CancelTurn comes. The same id twice is one command.
    """

    id: str
    command: str
    told: bool = True
    """What it printed goes with the next prompt."""


class Accepted(Message, frozen=True, kw_only=True):
    turn_id: str


class WithdrawPrompts(Message, frozen=True, kw_only=True):
    """Prompts that nobody has begun to answer come back. Answered by PromptsWithdrawn, once that is on disk, with
    those among them that have. One that is not known is not taken any more when it comes.
    """

    prompt_ids: tuple[str, ...]


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


class GoTo(Message, frozen=True, kw_only=True):
    """The turn that runs is ended, and the session goes on from another entry of its tree. Answered by Done.

    Every subscription ends then, as with StartOver. Fails with unknown_session where there is no such entry.
    """

    entry_id: str
    """The last one that is to count; "" goes before the first."""


class PreviewRewind(Message, frozen=True, kw_only=True):
    """What would Rewind do? Answered by RewindPreview; nothing is changed. Fails as Rewind."""

    entry_id: str
    remove_others: bool = False
    since: bool = False
    """As of DiffCheckpoint."""


class RewindPreview(Message, frozen=True, kw_only=True):
    prompt: str
    """The first one that would be taken back."""
    prompts: int
    """How many would be."""
    files: CheckpointDiff | None = None
    """None: nothing was written since, or the files were not recorded."""
    problem: str = ""
    """Why the files cannot be brought back."""


class Rewind(Message, frozen=True, kw_only=True):
    """Back to before a prompt of the active path: the turn that runs is ended. Answered by Rewound.

    Every subscription ends where the conversation goes back, as with GoTo. Fails with unknown_session where there is
    no such prompt, with no_checkpoint as RestoreCheckpoint does; then nothing has changed.
    """

    entry_id: str
    """Of the prompt; "" takes the last rewind back."""
    rewind_id: str
    """The same twice is one rewind."""
    files: bool = True
    conversation: bool = True
    remove_others: bool = False
    """As of RestoreCheckpoint."""


class Rewound(Message, frozen=True, kw_only=True):
    prompt: str = ""
    """What was taken back first, to be put into words anew."""
    files: CheckpointDiff = CheckpointDiff()
    """What was changed."""


class OpenOther(Message, frozen=True, kw_only=True):
    """The turn that runs is ended, and this agent goes on with another session of its folder. Answered by Done.

    Every subscription ends then, as with StartOver. Fails with unknown_session or session_in_use; then nothing changed.
    """

    session_id: str
    """As of OpenSession; "" makes a new one."""
    copy_id: str = ""
    """Go on with a copy of it, which gets this id."""
    held: Literal["fail", "view", "take"] = "fail"
    """Where another program has it: fail, only look at it, or have that program let go of it first."""


class WhoHas(Message, frozen=True, kw_only=True):
    """Which program has this session, that cannot be opened? Answered by Holder of the store's words."""

    session_id: str = ""
    """As of OpenSession; "" for the one that this agent was started with."""


class Compact(Message, frozen=True, kw_only=True):
    """Send the model less of this session from now on. Answered by Done when that is on disk; not while a turn runs."""

    instructions: str = ""
    """Of the user, for the summary."""


class DescribeContext(Message, frozen=True, kw_only=True):
    """Where would the window go with the next request? Answered by Context."""


class ContextPart(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """For people: system prompt, tools, the user's instructions, messages, tool results."""
    tokens: int
    detail: str = ""


class Context(Message, frozen=True, kw_only=True):
    model: str
    window: int
    """Tokens; 0: not known."""
    parts: tuple[ContextPart, ...]
    """Estimates, by what was used last."""


Scope = Literal["turn", "tree"]


class CancelTurn(Message, frozen=True, kw_only=True):
    """Answered by Done when the turn and all below it has ended; at once when none runs."""

    reason: str = "interrupted"
    """An EndReason: "interrupted" or "timeout"."""
    text: str = ""
    """Why, for the end of the turn."""
    scope: Scope = "turn"
    """turn: with the subagents that it waits for; tree: and those in the background."""
    withdraw: tuple[str, ...] = ()
    """Prompts that come back before the turn ends, as of WithdrawPrompts."""


class Subscribe(Message, frozen=True, kw_only=True):
    """A stream of Event that ends only with the agent: every entry after `after`, then what is open, then live."""

    after: str = ""
    """Id of the last entry the subscriber has; "" for all."""
    prompt_id: str = ""
    """Where it has nothing of this path: from this prompt on, also where that is still to come."""
    only_end: bool = False
    """Where it has nothing of this path: only the last entries of it. They may come before the agent has read the
    session; then SessionInfo comes again behind them, for what follows."""


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
    has_spoken: bool = False
    """The model has said all it has to say in the turn that runs: what that still waits for are subagents."""
    read_only: str = ""
    """Why the session can only be looked at here: another program has it. "" where it is this one's."""
    steered: str = ""
    """The name of the subagent of that program whose session it is, while it can be told things and cancelled."""
    used: Usage = NOTHING_USED
    """Of all that was billed and that the subscriber has: it is not told again."""
    latest: Usage = NOTHING_USED
    """Of the last answer among it."""
    goes_on: bool = True
    """What is sent follows on the entry that the subscriber has; False: that is elsewhere."""
    earlier: int = 0
    """Entries of the session that are not sent, for only the end of the path is wanted; other paths count, too."""


class CaughtUp(Message, frozen=True, kw_only=True):
    """What was stored has been sent; what follows is live."""


class QueueIs(Message, frozen=True, kw_only=True):
    """Told at the beginning of a subscription, where there is something to tell: what became of queued prompts."""

    waiting: tuple[PromptQueued, ...]
    """Oldest first, without the data of what is attached."""
    withdrawn: tuple[str, ...]
    """Their ids; the latest."""


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


class FromSubagent(Message, frozen=True, kw_only=True):
    """Told to who watches its parent: what one met on its way, which no entry of the parent says."""

    name: str
    event: Retrying | Notice


Event = (
    SessionInfo
    | CaughtUp
    | QueueIs
    | EntryAdded
    | TextDelta
    | ThinkingDelta
    | ToolProgress
    | Retrying
    | TurnStopped
    | Notice
    | SubagentsAre
    | FromSubagent
)


class FindFiles(Message, frozen=True, kw_only=True):
    """Asked of the gate by the ui, which hands it on to the worker: files by a few letters. Answered by FilesFound."""

    letters: str
    """ "" for what is at the top; with a slash at its end: what is in that folder first."""
    most: int
    grant: Grant = Grant()
    """The gate's: what may be looked at."""


class FilesFound(Message, frozen=True, kw_only=True):
    paths: tuple[str, ...]
    """The best first, relative to the workspace; those of folders end in a slash."""
    total: int
    """That fit."""
    why: str = ""
    """None can be listed, or not all were looked at: in words for the user."""
