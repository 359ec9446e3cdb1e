"""What a terminal without UTF-8 is sent: our signs as ASCII ones, and as many cells of it as they were."""

import re

_SIGNS = "❯❮─│●○◦▪•▸…·↳✗✔✓→←↑↓■⋯┼−✻⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⇣█▓▒░└▏⏎◆±×–—"
_PLAIN = "><-|*o-*->.->xvv><^v#.+-*|/-\\|/-\\|/v#@*:`|/*~x--"
_TABLE = {ord(sign): plain for sign, plain in zip(_SIGNS, _PLAIN, strict=True)}
_UNKNOWN = "?"
"""For all else: a letter that only looks like it would show another command than the one that is asked about."""
_OTHERS = re.compile(r"[^\x00-\x7f]+")


def plain(text: str) -> str:
    """As wide as it was, so that rows and the cursor are where they are thought to be."""
    signs = text.translate(_TABLE)
    return signs if signs.isascii() else _OTHERS.sub(_unknown, signs)


def _unknown(found: re.Match[str]) -> str:
    import wcwidth  # the first frame has no such letters, and does without

    return _UNKNOWN * wcwidth.width(found[0])
