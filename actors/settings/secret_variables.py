"""Which variables of the environment hold secrets: by their names, and what in an address is one. Pure and small."""

import re
from collections.abc import Iterator

NAMES = r"(?:api_?key|access_?key|private_?key|secret|token|passw|passphrase|credential|auth(?!_?sock|ority|or))"
SECRET = re.compile(rf"{NAMES}|_pwd$|(?:^|_)(?:keys?|pat|dsn|pass|webhook|cookie|jwt|bearer)(?![a-z])", re.IGNORECASE)
"""What is in the name of such a variable."""
BEFORE_HOST = re.compile(r"(?:^|(?<=://))([^\s/@:]{0,512})(?::(?!\d{1,5}/|//)([^\s@]{1,512}))?@(?=[\w\[])")
"""Of an address, with or without a scheme: the user and the password. A number and a slash are a port and a path;
two slashes come after a scheme."""
PIECE = re.compile(r"[A-Za-z0-9]{12,}")
"""Longer than names and dates are."""


def credentials(text: str) -> Iterator[str]:
    """Of the addresses in it. A user alone is one where nobody would be called so."""
    for user, password in BEFORE_HOST.findall(text):
        if password or is_opaque(user):
            yield password or user


def is_opaque(word: str) -> bool:
    """Letters and digits that no person thought of."""
    return any(not (piece.isalpha() or piece.isdigit()) for piece in PIECE.findall(word))
