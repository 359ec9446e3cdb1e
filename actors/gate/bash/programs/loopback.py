"""Whether a program that reaches the network is pointed at this machine alone, which the sandbox has a network for.

A wrong guess does no harm: who is not given a network reaches nothing else.
"""

import re

from actors.gate.bash.language.words import HOLE, Word

PROGRAMS = frozenset({"curl", "wget", "http", "https", "xh", "nc", "ncat", "netcat", "telnet", "ping"})
HERE = re.compile(
    rf"(?:(?:https?|wss?)://)?(?:localhost|127(?:\.\d{{1,3}}){{3}}|0\.0\.0\.0|\[::1\]|\[::\]|::1)(?::[\d{HOLE}]{{1,5}})?(?:[/?#].*)?",
    re.IGNORECASE,
)


def stays_here(name: str, args: tuple[Word, ...]) -> bool:
    here = [word for word in args if HERE.fullmatch(word.text)]
    away = [word for word in args if "://" in word.text and word not in here]
    return name in PROGRAMS and bool(here) and not away
