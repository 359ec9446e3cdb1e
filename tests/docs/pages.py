"""The project's pages as their readers see them: links, anchors, words in code, lines for a shell."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parent.parent.parent
NAMED = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md")
PAGES = sorted(path for path in (*(ROOT / name for name in NAMED), *ROOT.glob("docs/*.md")) if path.exists())
_MARKDOWN = MarkdownIt("commonmark").enable("table")
_MARK = re.compile(r"<!-- not run: (\S.*?) -->\s*")


@dataclass(frozen=True)
class Fence:
    language: str
    text: str
    not_run: str
    """Why, as the comment on the line before says; "" where there is none."""


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def links(path: Path) -> Iterator[str]:
    """Of links and of pictures."""
    for token in _inside(path):
        if target := token.attrGet("href") or token.attrGet("src"):
            yield str(target)


def code(path: Path) -> Iterator[str]:
    """What stands between backticks."""
    return (token.content for token in _inside(path) if token.type == "code_inline")


def anchors(path: Path) -> set[str]:
    """As GitHub makes them of headings: https://github.com/gjtorikian/html-pipeline, toc_filter."""
    found: dict[str, int] = {}
    tokens = _tokens(path)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            children = tokens[at + 1].children or []
            text = "".join(child.content for child in children if child.type in ("text", "code_inline"))
            slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
            found[slug] = found.get(slug, -1) + 1
    return {slug if not number else f"{slug}-{number}" for slug, most in found.items() for number in range(most + 1)}


def fences(path: Path) -> Iterator[Fence]:
    before = ""
    for token in _tokens(path):
        if token.type == "fence":
            mark = _MARK.fullmatch(before)
            yield Fence(token.info.strip(), token.content, mark[1] if mark else "")
        before = token.content if token.type == "html_block" else ""


def _inside(path: Path) -> Iterator[Token]:
    for token in _tokens(path):
        yield from token.children or []


def _tokens(path: Path) -> list[Token]:
    return _MARKDOWN.parse(path.read_text(encoding="utf-8"))
