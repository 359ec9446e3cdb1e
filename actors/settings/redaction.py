"""Secrets in what is handed on of a conversation: told by their looks and by the names they stand beside. Pure.

What has neither is not found, nor what is encoded or cut in pieces: whoever hands it on still has to look.
"""

import re
from collections.abc import Callable

from actors.settings.secret_variables import BEFORE_HOST, NAMES, is_opaque

MARK = "[redacted]"
KEYS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-[A-Za-z0-9_-]{16,}|[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}|"  # model services, Stripe
    r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|"
    r"(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|"  # AWS, Google
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|"  # Slack
    r"(?:npm|hf|pypi|dckr_pat|gsk|r8|xai)[_-][A-Za-z0-9_-]{20,}|"
    r"(?<![_-])ey[A-Za-z0-9_-]{8,}\.ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"  # JSON web tokens
    r")"
)
KEY_HINTS = (
    "sk-",
    "k_",
    "gh",
    "glpat-",
    "akia",
    "asia",
    "aiza",
    "ya29.",
    "xox",
    "xapp-",
    "npm",
    "hf",
    "pypi",
    "dckr",
    "r8",
    "xai",
    "ey",
)
PRIVATE = re.compile(
    r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(.*?)(-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
BEARER = re.compile(r"(\b(?:bearer|basic)[ \t]+|\bx-api-key[ \t]*:[ \t]*)([A-Za-z0-9_.~+/=-]{8,})", re.IGNORECASE)
ASSIGNED = re.compile(
    NAMES + r"""[\w.-]{0,64}(?:\\?["'])?[ \t]{0,8}(?P<sign>:=|=>|[:=])[ \t]{0,8}"""
    r"""(?:\\?(?P<quote>["'])(?P<quoted>[^"'\\\n]{6,512})|(?P<bare>[^\s"',;\\<>]{6,512}))""",
    re.IGNORECASE,
)
CODE = re.compile(r"[$%&*]|[A-Za-z_][\w.]*[(\[{]|[A-Za-z_]+(?:\.[A-Za-z_]+)+\)*$|(?:[A-Za-z_]+)\)*$|https?://|[/~.]")
"""How what is no value itself begins: a variable, a call, a name, a place."""


def redacted(text: str) -> str:
    """The same without what looks like a secret, with as many lines."""
    folded = text.casefold()
    for hints, leave_out in WAYS:
        if any(hint in folded for hint in hints):
            text = leave_out(text)
    return text


def _private(found: re.Match[str]) -> str:
    return f"{found[1]}{MARK}{chr(10) * found[2].count(chr(10))}{found[3]}"


def _bearer(found: re.Match[str]) -> str:
    return found[1] + (MARK if is_opaque(found[2]) else found[2])


def _address(found: re.Match[str]) -> str:
    user, password = found[1], found[2]
    if password:
        return found[0].replace(f":{password}@", f":{MARK}@")
    return found[0].replace(user, MARK) if is_opaque(user) else found[0]


def _assignment(found: re.Match[str]) -> str:
    value = found["quoted"] or found["bare"]
    if value.startswith(MARK[:-1]) or (found["bare"] and _is_code(found)):
        return found[0]
    start, end = (at - found.start() for at in found.span("quoted" if found["quoted"] else "bare"))
    return f"{found[0][:start]}{MARK}{found[0][end:]}"


def _is_code(found: re.Match[str]) -> bool:
    """Of a value without quotes: it stands for another, counts something, or is a word of a sentence or a type."""
    name, value = found[0].casefold(), found["bare"]
    if is_opaque(value):
        return False
    if value.isdigit():
        return name.startswith("token")
    match = CODE.match(value)
    if match is None:
        return False
    in_a_file = found["sign"] == "=" and f"={value}" in found[0]  # without blanks, as in one of an environment
    return match[0] != value or not (in_a_file or name.startswith("passw"))


WAYS: tuple[tuple[tuple[str, ...], Callable[[str], str]], ...] = (
    (("private key",), lambda text: PRIVATE.sub(_private, text)),
    (KEY_HINTS, lambda text: KEYS.sub(MARK, text)),
    (("bearer", "basic", "x-api-key"), lambda text: BEARER.sub(_bearer, text)),
    (("@",), lambda text: BEFORE_HOST.sub(_address, text)),
    (
        ("key", "secret", "token", "passw", "passphrase", "credential", "auth"),
        lambda text: ASSIGNED.sub(_assignment, text),
    ),
)
"""What a text has in it, in small letters, before it is searched for long; and how that is left out."""
