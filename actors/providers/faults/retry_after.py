"""How long a service asks to wait, from its headers and words; and times for people. The clock is the caller's."""

import datetime
import email.utils
import re
import time
from collections.abc import Iterator, Mapping

from actors.common.lean.late_patterns import late_pattern
from actors.common.plurals import how_many

SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = late_pattern(r"(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+")
_PART = late_pattern(r"(?<!\d)(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_IN_WORDS = late_pattern(
    r"(?:try again|retry|available|reset) (?:after|in) (?:about )?(?P<number>\d+(?:\.\d+)?) ?"
    r"(?P<unit>ms|s(?=\W|$)|m|h|d)?"
    r"(?P<rest>(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))*)",
    re.IGNORECASE,
)
_REMAINING = late_pattern(r"(?:anthropic-|x-)?ratelimit-(?:.+-)?remaining(?:-.+)?", re.DOTALL)
_USED = late_pattern(r"(x-.+)-used-percent")
LONGEST_S = 366 * 86400.0
EPOCH_S, EPOCH_MS = 1e9, 1e12
"""A number beyond these is a time and no duration."""


def duration(text: str) -> float | None:
    """Seconds of Go's form, such as 4ms, 1.5s or 6m0s; None for anything else."""
    if not _DURATION.fullmatch(text):
        return None
    return sum(float(number) * SECONDS[unit] for number, unit in _PART.findall(text))


def asked(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds, from retry-after-ms and retry-after; now: seconds since the epoch, for one that is a date."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return _positive(float(milliseconds) / 1000)
        after = headers.get("retry-after", "").strip()
        if not after or after[0].isdigit():
            return _positive(float(after.removesuffix("s") or 0))
        return _positive(email.utils.parsedate_to_datetime(after).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def asked_in_words(message: str) -> float | None:
    """Seconds, from such as "Please try again in 1.3s." or "Please retry after 26 seconds."."""
    found = _IN_WORDS.search(message)
    if not found:
        return None
    unit = (found["unit"] or "s").lower()
    return _positive(float(found["number"]) * SECONDS[unit] + (duration(found["rest"].lower()) or 0.0))


def used_up(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds until nothing is used up any more, None when nothing is: what the rate-limit headers say."""
    waits = [wait for value in _resets(headers) if (wait := _until(value, now))]
    return max(waits, default=None)


def _resets(headers: Mapping[str, str]) -> Iterator[str]:
    for name, value in headers.items():
        name = name.lower()
        if _REMAINING.fullmatch(name) and value.strip() in ("0", "0.0"):
            yield headers.get(name.replace("remaining", "reset"), "")
        elif (used := _USED.fullmatch(name)) and _number(value) >= 100:
            yield headers.get(f"{used[1]}-reset-at", "") or headers.get(f"{used[1]}-reset-after-seconds", "")


def _until(reset: str, now: float) -> float | None:
    """A reset is a duration, seconds, a time since the epoch in seconds or milliseconds, or an RFC 3339 time."""
    reset = reset.strip()
    if (seconds := duration(reset)) is not None:
        return _positive(seconds)
    if reset.replace(".", "", 1).isdecimal():
        number = float(reset)
        if number > EPOCH_MS:
            return _positive(number / 1000 - now)
        return _positive(number - now if number > EPOCH_S else number)
    try:
        return _positive(datetime.datetime.fromisoformat(reset).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _positive(seconds: float) -> float | None:
    return min(seconds, LONGEST_S) if seconds > 0 else None


def clock(at: float, now: float) -> str:
    """A time for people, in local time: "17:05", or with the day when it is another one."""
    then, today = time.localtime(at), time.localtime(now)
    shown = time.strftime("%H:%M", then)
    return (
        shown
        if then[:3] == today[:3]
        else f"{shown} on {time.strftime('%a', then)} {then.tm_mday} {time.strftime('%b', then)}"
    )


def length(seconds: float) -> str:
    """A duration for people."""
    if seconds < 90:
        return how_many(max(1, round(seconds)), "second")
    minutes = max(1, round(seconds / 60))
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h" if hours else f"{days} d"
    if hours:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return how_many(minutes, "minute")
