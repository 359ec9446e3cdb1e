"""A conversation: what the user, the model and the tools said, as it is stored, replayed and sent to a model."""

from typing import Literal

import msgspec

from actors.messages.base import Message, ProblemCode, PromptKind, PromptsWithdrawn
from actors.messages.budget import LimitRaised
from actors.messages.checkpoint import Checkpointed, TakenBack
from actors.messages.subagent import SubagentEntry
from actors.messages.usage import NOTHING_USED, Usage

StopReason = Literal["end_turn", "tool_calls", "max_tokens", "refusal", "pause", "context_window", "cancelled", "error"]
EndReason = Literal[
    "done", "failed", "refused", "turn_limit", "budget", "no_credentials", "no_progress", "timeout", "interrupted"
]
Effect = Literal["read", "write", "execute", "network", "meta"]


class Attachment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An image or a PDF that goes with a message."""

    name: str
    """For people: a file name without its folder."""
    media_type: str
    """Such as "image/png" or "application/pdf"."""
    data: bytes = b""
    """Empty for who only has to show that it is there."""
    size: int = 0
    """Bytes of the data, also where that is left out."""


class Quoted(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody else's words that the user has sent with a prompt, such as a resource of an MCP server."""

    of: str
    """As the user named it."""
    head: str
    """Tells the model whose words they are."""
    text: str
    summary: str = ""
    """How much it is, for people; "": its lines are counted."""

    @property
    def whole(self) -> str:
        """Marked line by line, so that nothing in it can end it."""
        return "\n".join([self.head, "", *(f"> {line}".rstrip() for line in self.text.splitlines())])


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where the service found what it says."""

    url: str
    title: str = ""


class Text(Message, frozen=True, kw_only=True):
    text: str
    sources: tuple[Source, ...] = ()
    cited: bool = False  # the sources are of what this text says, whose end has their numbers; not of the whole answer
    extra: str = ""
    """A JSON object of what its own service wants back with it, such as citations or a phase; "" for nothing."""


class Thinking(Message, frozen=True, kw_only=True):
    text: str
    signature: str = ""
    """Proof of origin that the service wants back unchanged."""


class ToolCall(Message, frozen=True, kw_only=True):
    call_id: str
    name: str
    arguments: str
    """JSON text as the model wrote it; it may be malformed."""
    extra: str = ""
    """As of Text."""
    through: str = ""
    """Where it was made through `call_tool`: the arguments of that, as the model wrote them."""
    shown: str = ""
    """SERVER:TOOL, whose name for models may be cut; "" for others, for what was not offered, in older sessions."""


class Opaque(Message, frozen=True, kw_only=True):
    """A block only its own service understands; it is sent back to that service unchanged."""

    api: str
    """The wire format it belongs to, such as "anthropic-messages"."""
    data: str
    """The block as JSON text."""


Block = Text | Thinking | ToolCall | Opaque


class UserMessage(Message, frozen=True, kw_only=True):
    text: str
    turn_id: str
    """The turn this prompt began, or the one it steers."""
    prompt_id: str = ""
    """Of the Prompt it came from; "" for what the program says in the user's place."""
    attachments: tuple[Attachment, ...] = ()
    quoted: tuple[Quoted, ...] = ()

    @property
    def whole(self) -> str:
        """As models are told it."""
        return "\n\n".join([self.text, *(one.whole for one in self.quoted)])


class PromptQueued(Message, frozen=True, kw_only=True):
    """A prompt that came during a turn and waits for a boundary of it, or its end. Then it is a UserMessage."""

    prompt_id: str
    text: str
    attachments: tuple[Attachment, ...] = ()
    quoted: tuple[Quoted, ...] = ()
    kind: PromptKind = "steer"


class ModelChosen(Message, frozen=True, kw_only=True):
    """Who answers from the next request on."""

    model: str
    """PROVIDER/NAME, or "" for the one the providers choose."""
    effort: str = ""
    """As of AskModel."""
    run_id: str
    """The start of the program it was chosen in: what a later one is told on its command line counts more."""


class AssistantMessage(Message, frozen=True, kw_only=True):
    blocks: tuple[Block, ...]
    stop_reason: StopReason
    model: str
    """PROVIDER/NAME that answered."""
    usage: Usage = Usage()
    answers: str = ""
    """Fingerprint of the conversation it answers. Its thinking is bound to that: after an edit it is void."""
    stop_details: str = ""  # why the service stopped, in its own words, for the user
    thought_ms: int = 0  # from its first thought to its first word, or to its calls, as its agent heard them

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.blocks if isinstance(block, Text))

    @property
    def sources(self) -> tuple[Source, ...]:
        """Each once, in the order they are named."""
        texts = (block for block in self.blocks if isinstance(block, Text))
        return tuple({source.url: source for text in texts for source in text.sources}.values())

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(block for block in self.blocks if isinstance(block, ToolCall))


class BrokenTry(Message, frozen=True, kw_only=True):
    """The service broke off as it answered, or summed up by itself: no part of the conversation, but it is billed."""

    usage: Usage
    """As far as it was counted by then; with an unknown cost where it was not."""


class CallStarted(Message, frozen=True, kw_only=True):
    """Written before a worker gets the call: without a result after it, its outcome is unknown."""

    call_id: str


Stamp = tuple[int, int, int]
"""Of a file: inode, bytes, when it was changed in nanoseconds. Another one: it is not what it was."""
MOST_SEEN = 256
"""Files that the model is known to know; those it has read longest ago are forgotten."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a call has read or written, as it was then."""

    path: str
    """Absolute, symlinks resolved."""
    stamp: Stamp


class ToolResult(Message, frozen=True, kw_only=True):
    call_id: str
    name: str
    output: str
    """For the model."""
    failed: bool = False
    denied: bool = False
    """Permission was refused; the call did not run."""
    summary: str = ""
    """One line for the user."""
    diff: str = ""
    """A unified diff of what an edit changed, for the user."""
    attachments: tuple[Attachment, ...] = ()
    """For the model, beside the output."""
    warning: str = ""
    """In the output, too: what the user has to know, whatever the model says of it."""
    seen: tuple[Seen, ...] = ()
    """At most MOST_SEEN."""
    ms: int = 0


class TurnEnded(Message, frozen=True, kw_only=True):
    turn_id: str
    reason: EndReason
    text: str = ""
    """Why, when it is not "done": the cause and the next step. With "done": where the work goes on, or ""."""
    refused_prompts: tuple[str, ...] = ()
    """Ids of those whose attachments the model's service would not take: they are left out from then on."""
    code: ProblemCode | Literal[""] = ""
    """Of the problem that ended it; "" where there was none."""


class Moved(Message, frozen=True, kw_only=True):
    """The session goes on elsewhere in its tree: at this entry's parent, which need not be the entry before it."""

    left: str
    """Id of the entry it stood at until then: to move there takes this back."""


class Section(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of the system prompt."""

    name: str
    """Of Trouper's own: role, working, tools, environment. Others: instructions, memory, skills, mcp, hooks, map."""
    origin: str = ""
    """Path of the file that it is from, or name of the MCP server that it is about; "" for what is from none."""
    text: str
    """As the model reads it; "" where it is gone."""


class Instructed(Message, frozen=True, kw_only=True):
    """What the system prompt is made of: the first one since the latest Compacted is all of it.

    The prompt stays like that, for services cache by prefix. Each later one is what is different by then, and the
    model and the user are told of it by a note.
    """

    sections: tuple[Section, ...]


CompactionReason = Literal["window", "overflow", "asked"]
"""The window fills; the service would not take the request any more; the user wanted it."""
HERE = "here"
"""In the place of the id of a Compacted's own entry, which it cannot know."""


class Carried(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the model is told in the place of entries that it is sent no more."""

    said: tuple[str, ...] = ()
    """What the user said, word for word, oldest first."""
    plan: str = ""
    """The plan that was approved last, word for word."""
    todo: str = ""
    """Arguments of the last call of `todo`, as JSON text."""
    subagents: str = ""
    """Those that have not ended, and those whose changes are not merged, a line each."""
    found: tuple[str, ...] = ()
    """Tools that were called through `call_tool`, by name; the latest last."""
    summary: str = ""
    """Of all the rest."""


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """What a service made of a conversation for itself: only it can read that."""

    model: str
    """PROVIDER/NAME that it is bound to."""
    blocks: tuple[Opaque, ...]


class ShellStarted(Message, frozen=True, kw_only=True):
    """A command that the user has typed, `!cmd`: without an end after it, its outcome is unknown."""

    id: str
    """As of RunShell."""
    command: str
    told: bool
    """The model is to be told of it."""


class ShellEnded(Message, frozen=True, kw_only=True):
    id: str
    command: str
    told: bool
    output: str
    """As of a call of `bash`: head and tail, and how it ended; or why it did not run."""
    failed: bool = False
    denied: bool = False
    """It did not run, and no model is told of it."""
    summary: str = ""  # one line for the user
    ms: int = 0


ShellEntry = ShellStarted | ShellEnded


class Compacted(Message, frozen=True, kw_only=True):
    """From here on the model is sent less of what is before; the history itself stays, and is searched as before.

    A session is opened from `read_from` on: what an agent has to know of the entries before it is in here.
    """

    why: CompactionReason
    kept_from: str = ""
    """Id of the first entry that is still sent; what was before it is `carried`. "": all are; HERE: none is."""
    shrunk_before: str = ""
    """Id of an entry: what is long before it is sent shortened. "": nothing is; HERE: all before this is."""
    carried: Carried = Carried()
    read_from: str = ""
    """Where reading begins: id of `kept_from`, or of the first entry of the turn it is in. "": the first."""
    chosen: ModelChosen | None = None
    """The model chosen last before `read_from`."""
    lasting: ModelChosen | None = None
    """The last of these that has answered, or might yet."""
    answered: ModelChosen | None = None
    """The last of these that has answered."""
    moved: str = ""
    """Nobody asks for it any more, but sessions are stored with it."""
    seen: tuple[Seen, ...] = ()
    """The files that the model knew at `read_from`, at most MOST_SEEN."""
    subagents: tuple[SubagentEntry, ...] = ()
    """What has to be known of those that were spawned before `read_from`."""
    untold_subagents: tuple[str, ...] = ()
    """Names of those whose end the model had not been told at `read_from`."""
    shell: tuple[ShellEntry, ...] = ()
    """Of the user's own commands at `read_from`: those that ran, and those the model had not been told of."""
    used: Usage = NOTHING_USED
    """Of all that was billed before `read_from`, also of what ended subagents have used."""
    spent_usd: float | None = 0.0
    """US dollars of all that was billed before `read_from`, as a spending limit counts it; None: not known."""
    usage: Usage = NOTHING_USED
    """Of the answer that the summary was written with."""
    tokens_before: int = 0
    tokens_after: int = 0
    """Estimates of the next request without and with this."""
    told: str = ""
    """For the user: what was kept and what was dropped."""
    sealed: Sealed | None = None
    """To its model it is sent in the place of the summary, which says the same to all others and to people."""


class Named(Message, frozen=True, kw_only=True):
    """A model was asked what the session may be called. It is called so from then on, unless it has a name by then."""

    name: str = ""
    """On one line; "": there is no use for what it said."""
    usage: Usage
    """Of its answer: that is no part of the conversation, but it is billed."""


class Foreign(Message, frozen=True, kw_only=True):
    """A record of an imported session that has no place in a conversation of ours: kept, never sent to a model."""

    agent: str
    """Who wrote it, such as "claude"."""
    kind: str
    """What that agent calls it; "begin" and "end" are ours: where the session is from, and that it is whole."""
    record: str
    """As JSON text, shortened where it is long."""


Body = (
    UserMessage
    | PromptQueued
    | PromptsWithdrawn
    | ModelChosen
    | AssistantMessage
    | BrokenTry
    | CallStarted
    | ToolResult
    | TurnEnded
    | Checkpointed
    | TakenBack
    | Moved
    | Instructed
    | Compacted
    | Named
    | LimitRaised
    | SubagentEntry
    | ShellEntry
    | Foreign
)
ModelInput = UserMessage | AssistantMessage | ToolResult


class Entry(Message, frozen=True, kw_only=True):
    """One append-only record of a session. Entries form a tree by `parent`."""

    id: str
    session_id: str
    parent: str
    """Id of the entry before it; "" for the first."""
    body: Body
    at: float
    """Seconds since the epoch."""
