"""A text made shorter in its middle, which is said where it was cut. Pure."""

import re

MARK = "\n[… {left_out} characters left out here …]\n"
MARKED = re.compile(re.escape(MARK).replace(re.escape("{left_out}"), r"\d+"))
ERROR = re.compile(r"\b(?:errors?|failed|failures?|exception|traceback|fatal|panic|denied)\b|^E  ", re.IGNORECASE)
MOST_ERRORS = 12
"""Lines of a text that are kept because they speak of an error."""
LONGEST_LINE = 240


def middle(text: str, most: int) -> str:
    """At most about `most` characters of it: its head and its tail."""
    if len(text) <= most + len(MARK):
        return text
    head, tail = most - most // 2, most // 2
    left_out = len(text) - head - tail
    return f"{text[:head]}{MARK.format(left_out=left_out)}{text[len(text) - tail :]}"


def is_cut(text: str) -> bool:
    return MARKED.search(text) is not None


def output(text: str, most: int) -> str:
    """As `middle`, and the lines between that speak of an error are there, too."""
    if len(text) <= most + len(MARK):
        return text
    head, tail = text[: most // 2], text[len(text) - most // 2 :]
    between = text[len(head) : len(text) - len(tail)]
    errors = [line.strip()[:LONGEST_LINE] for line in between.splitlines() if ERROR.search(line)]
    mark = MARK.format(left_out=len(between))
    if errors:
        more = f"\n(and {len(errors) - MOST_ERRORS} more)" if len(errors) > MOST_ERRORS else ""
        mark += "Lines of it that speak of errors:\n" + "\n".join(errors[:MOST_ERRORS]) + more + "\n[…]\n"
    return f"{head}{mark}{tail}"
