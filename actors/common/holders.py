"""Who has a session open, in words for people. Pure."""

import time

from actors.messages.store import Holder


def named(holder: Holder) -> str:
    """To follow on a sentence; "" where nothing is known of it."""
    return f": {in_words(holder)}, since {_clock(holder.since)}" if holder.pid else ""


def in_words(holder: Holder) -> str:
    if not holder.pid:
        return "another program"
    where = f"on {holder.terminal}" if holder.terminal else "without a screen"
    return f"process {holder.pid} {where}"


def _clock(at: float) -> str:
    """Local time, with the day where it is not today."""
    then, today = time.localtime(at), time.localtime()
    return time.strftime("%H:%M" if then[:3] == today[:3] else "%Y-%m-%d %H:%M", then)
