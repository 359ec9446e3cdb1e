"""Links and paths of the pages lead somewhere, and the README stays short."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs import pages
from tests.docs.pages import PAGES, ROOT

README_WORDS = 1000
DECISIONS = sorted(path for folder in ("actors", "supervisor", "ui") for path in (ROOT / folder).rglob("DECISIONS.md"))
OURS = re.compile(r"(actors|docs|supervisor|tests|ui)/[\w./-]*")
"""A path of the project, when it is all that stands between backticks."""
MODULE = re.compile(r"(?:\w+/)*\w+\.py")
"""A module in a decision, by as much of its path as its package leaves open."""
PLACEHOLDER = re.compile(r"\b(NAME|FOLDER|FILE)\b")

each_page = pytest.mark.parametrize("page", PAGES, ids=pages.name)


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    assert [link for link in pages.links(page) if not leads_somewhere(page, link)] == []


def leads_somewhere(page: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme in ("https", "mailto")
    target = page.parent / unquote(parts.path) if parts.path else page
    is_there = target.exists() and target.resolve().is_relative_to(ROOT)
    return is_there and (not parts.fragment or unquote(parts.fragment) in pages.anchors(target))


@pytest.mark.parametrize("page", [*PAGES, *DECISIONS], ids=pages.name)
def test_paths_are_there(page: Path) -> None:
    paths = [text for text in pages.code(page) if OURS.fullmatch(text) and not PLACEHOLDER.search(text)]

    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", DECISIONS, ids=pages.name)
def test_modules_are_there(page: Path) -> None:
    modules = [text for text in pages.code(page) if MODULE.fullmatch(text)]

    assert [name for name in modules if not (ROOT / name).exists() and not any(page.parent.rglob(name))] == []


def test_the_readme_stays_short() -> None:
    words = (ROOT / "README.md").read_text().split()

    assert len(words) <= README_WORDS


def test_what_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# The `[one]` of *them*\n## Twice\n## Twice\n")

    assert pages.anchors(tmp_path / "b.md") == {"the-one-of-them", "twice", "twice-1"}
    assert not leads_somewhere(ROOT / "README.md", "docs/none.md")
    assert not leads_somewhere(ROOT / "README.md", "#no-such-heading")
