"""The modes: what each lets a tool's effect do. The table is the whole policy; a reader can check it line by line.

Of a command the row is read by what each of its parts does: one that only looks counts as read, one that changes
files it names as write, all else as execute. What leaves the workspace or the sandbox asks in every mode, and so does
the web where nobody has named the host.
"""

from typing import Final, Literal, get_args

from actors.messages.conversation import Effect
from actors.messages.tool import Mode, Verdict

MODES: tuple[Mode, ...] = get_args(Mode)
Does = Effect | Literal["web"]
"""web: to look something up there; network: whatever else a tool reaches."""
ALLOW: Final = "allow"
ASK: Final = "ask"
DENY: Final = "deny"
TABLE: dict[Mode, dict[Does, Verdict]] = {
    "default":      {"read": ALLOW, "write": ASK,   "execute": ASK,   "web": ASK,   "network": ASK,   "meta": ALLOW},
    "accept-edits": {"read": ALLOW, "write": ALLOW, "execute": ASK,   "web": ASK,   "network": ASK,   "meta": ALLOW},
    "plan":         {"read": ALLOW, "write": DENY,  "execute": DENY,  "web": ALLOW, "network": ASK,   "meta": ALLOW},
    "auto":         {"read": ALLOW, "write": ALLOW, "execute": ALLOW, "web": ALLOW, "network": ALLOW, "meta": ALLOW},
    "research":     {"read": ALLOW, "write": DENY,  "execute": DENY,  "web": ASK,   "network": ASK,   "meta": ALLOW},
}  # fmt: skip

LABELS: dict[Mode, str] = {
    "default": "edits and commands ask first",
    "accept-edits": "edits run unasked, commands ask (medium risk)",
    "plan": "nothing is changed until you approve a plan (read-only)",
    "auto": "edits and commands run unasked (high risk)",
    "research": "it looks and answers, nothing else (read-only)",
}
