"""Regular expressions that are compiled when they are first used: most processes import far more than they ever use."""

import re
from typing import Any, AnyStr, cast


def late_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Used like what re.compile returns, but not by re's own functions."""
    return cast("re.Pattern[AnyStr]", _Late(pattern, flags))


class _Late:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever a pattern has
        pattern, flags = self._source
        found = getattr(re.compile(pattern, flags), name)
        setattr(self, name, found)
        return found
