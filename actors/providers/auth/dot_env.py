"""API keys from the workspace's .env, where the user's own config says so; never anything but known keys."""

from collections.abc import Collection
from io import StringIO
from pathlib import Path

from actors.common.small_files import read_regular

MOST = 1024 * 1024
"""Bytes of the file that are read."""


def keys(workspace: Path, variables: Collection[str]) -> dict[str, str]:
    """Those of `variables` that it sets; {} without a file that can be read. It is nobody's environment."""
    from dotenv import dotenv_values

    try:
        text = read_regular(workspace / ".env", MOST).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    found = dotenv_values(stream=StringIO(text), interpolate=False)
    return {name: value.strip() for name, value in found.items() if name in variables and value and value.strip()}
