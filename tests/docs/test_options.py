"""Options that the pages name are options of the program."""

import re
from pathlib import Path

import pytest

from tests.docs import pages
from tests.docs.command_line import OPTION, options

NAMED = [page for page in pages.PAGES if page.name not in ("CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md")]


def named(text: str) -> list[str]:
    """The options in what stands between backticks, when that is one with its value, or a line of ours."""
    return OPTION.findall(text) if re.match(r"--\w|trouper ", text) else []


@pytest.mark.parametrize("page", NAMED, ids=pages.name)
def test_options_are_there(page: Path) -> None:
    found = {option for text in pages.code(page) for option in named(text) if option.startswith("--")}

    assert found - options() == set()


def test_options_are_found() -> None:
    assert named("--mode auto") == ["--mode"]
    assert named('trouper -p "..." --max-cost 0.50') == ["-p", "--max-cost"]
    assert named("git push --force") == []
    assert {"--mode", "--workers", "--device", "--copy"} <= options()
    assert "--forec" not in options()
