"""The modes: what each lets a tool's effect do. The table is the whole policy; a reader can check it line by line."""

from typing import Literal

from actors.messages.conversation import Effect
from actors.messages.tool import Mode

Verdict = Literal["allow", "ask", "deny"]

TABLE: dict[Mode, dict[Effect, Verdict]] = {
    #                read             write            execute           network            meta
    "default":      {"read": "allow", "write": "ask",   "execute": "ask",   "network": "ask",   "meta": "allow"},
    "accept-edits": {"read": "allow", "write": "allow", "execute": "ask",   "network": "ask",   "meta": "allow"},
    "auto":         {"read": "allow", "write": "allow", "execute": "allow", "network": "allow", "meta": "allow"},
    "plan":         {"read": "allow", "write": "deny",  "execute": "deny",  "network": "ask",   "meta": "allow"},
}  # fmt: skip

LABELS: dict[Mode, str] = {
    "default": "normal: edits and commands ask first",
    "accept-edits": "medium: edits run unasked, commands ask",
    "auto": "high: edits and commands run unasked",
    "plan": "read-only: nothing is changed",
}
