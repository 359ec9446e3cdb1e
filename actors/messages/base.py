"""The base of every word that crosses a process, and the envelope it travels in."""

from typing import Literal

import msgspec

Kind = Literal[
    "tell",  # one way, nobody waits
    "ask",  # a request with one reply
    "stream",  # a request answered by items and then a reply
    "forward",  # "you serve this request instead of me": the reply goes to the one who asked
    "item",
    "credit",  # the asker can take so many more items
    "reply",
    "error",
    "cancel",
    "cancelled",  # the scope that served the request was left
    "ping",
    "pong",
    "crashed",  # last words to the supervisor: the kind and place of an error
]


class Envelope(msgspec.Struct, array_like=True, frozen=True):
    """What the router reads; the body stays bytes. A request is named by who asked and the id the asker gave it."""

    kind: Kind
    to: str
    sender: str
    id: int
    body: msgspec.Raw = msgspec.Raw(b"\xc0")
    asker: str = ""
    """Only in a forward: who asked."""


class Message(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True, omit_defaults=True):
    """A word between actors. Frozen, known fields only, told apart by the name of its class."""


class Done(Message, frozen=True, kw_only=True):
    """The answer where there is nothing else to say: it happened."""


ProblemCode = Literal[
    "actor_died",
    "deadly",  # it has killed who serves it, again and again, and is not handed out any more
    "gone",  # no actor of that name, or it was given up
    "not_allowed",  # the router does not carry this
    "no_credentials",
    "unauthorized",
    "unknown_model",
    "bad_request",
    "refused",  # by a hook of the user's
    "bad_configuration",
    "unreachable",
    "bad_stream",
    "stalled",
    "rate_limited",
    "overloaded",
    "server_error",
    "context_overflow",
    "disk_full",
    "store_locked",
    "store_damaged",
    "session_in_use",
    "unknown_session",
    "unknown_run",
    "ambiguous_session",
    "no_checkpoint",  # of these files, then
    "no_worktree",  # of this repository
    "over_budget",
    "no_room",  # as many of these run already as may
    "no_such_tool",
    "bad_arguments",
    "tool_failed",
    "unknown_ticket",
]


class Problem(Message, frozen=True, kw_only=True):
    """Why a request failed, in words for the person who has to act on it."""

    code: ProblemCode
    text: str
    """What happened and why, one sentence."""
    hint: str = ""
    """The next step."""


PromptKind = Literal["steer", "next"]
"""What a prompt is that comes during a turn: it steers that one, or begins the next one."""


class PromptsWithdrawn(Message, frozen=True, kw_only=True):
    """Prompts that waited, or were on their way, are the user's again: nobody answers them."""

    prompt_ids: tuple[str, ...]
