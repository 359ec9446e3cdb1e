"""The modes: what each lets a tool's effect do. The table is the whole policy; a reader can check it line by line.

Of a command the row is read by what each of its parts does: one that only looks counts as read, one that changes
files it names as write, all else as execute. What leaves the workspace or the sandbox asks in every mode.
"""

from actors.messages.conversation import Effect
from actors.messages.tool import Mode, Verdict

TABLE: dict[Mode, dict[Effect, Verdict]] = {
    #                read             write            execute           network            meta
    "default":      {"read": "allow", "write": "ask",   "execute": "ask",   "network": "ask",   "meta": "allow"},
    "accept-edits": {"read": "allow", "write": "allow", "execute": "ask",   "network": "ask",   "meta": "allow"},
    "plan":         {"read": "allow", "write": "deny",  "execute": "deny",  "network": "ask",   "meta": "allow"},
    "auto":         {"read": "allow", "write": "allow", "execute": "allow", "network": "allow", "meta": "allow"},
    "research":     {"read": "allow", "write": "deny",  "execute": "deny",  "network": "ask",   "meta": "allow"},
}  # fmt: skip

LABELS: dict[Mode, str] = {
    "default": "normal: edits and commands ask first",
    "accept-edits": "medium: edits run unasked, commands ask",
    "plan": "read-only: nothing is changed until you approve a plan",
    "auto": "high: edits and commands run unasked",
    "research": "read-only: it looks and answers, nothing else",
}
