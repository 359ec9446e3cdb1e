"""A page as Markdown: a program of its own, since there are pages that take a parser for ever. It reads HTML on stdin.

    python page_program.py URL CPU_SECONDS MEMORY_BYTES < page.html

prints a JSON object: title, description, text, and whether scripts were left out. It imports nothing of ours, so that
it starts in a tenth of a second; its limits end it where the page is made to keep it busy.
"""

import contextlib
import json
import resource
import sys
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup
from bs4.element import Comment, Tag
from markdownify import MarkdownConverter

LEFT_OUT = ("script", "style", "nav", "noscript", "template", "svg", "canvas", "iframe", "object", "embed", "audio")
LEFT_OUT_TOO = ("video", "select", "button", "dialog", "head", "title")
LEVELS = 20_000
"""Python's own limit is reached by tags in one another that browsers still show."""
BLANK_LINES = "\n\n\n"


def limit(cpu_s: int, memory: int) -> None:
    with contextlib.suppress(ValueError, OSError):  # already lower
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def converted(html: str, url: str) -> dict[str, object]:
    soup = BeautifulSoup(html, "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    described = soup.find("meta", attrs={"name": "description"})
    description = str(described.get("content") or "") if isinstance(described, Tag) else ""
    scripts = soup.find("script") is not None
    base = soup.find("base", href=True)
    _take_out(soup)
    _make_links_whole(soup, urljoin(url, str(base["href"])) if isinstance(base, Tag) else url)
    return {"title": title, "description": description, "text": _markdown(soup), "scripts": scripts}


def _take_out(soup: BeautifulSoup) -> None:
    """What is no content, and what people do not see."""
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    for tag in soup.find_all((*LEFT_OUT, *LEFT_OUT_TOO)):
        tag.extract()
    for tag in soup.find_all(_is_hidden):
        tag.extract()


def _is_hidden(tag: Tag) -> bool:
    style = str(tag.get("style") or "").replace(" ", "").lower()
    return (
        tag.has_attr("hidden")
        or tag.get("aria-hidden") == "true"
        or "display:none" in style
        or "visibility:hidden" in style
    )


def _make_links_whole(soup: BeautifulSoup, base: str) -> None:
    for tag in soup.find_all("a"):
        tag["href"] = _whole(base, str(tag.get("href") or ""))
        if not tag["href"]:
            tag.unwrap()
    for tag in soup.find_all("img"):
        tag["src"] = _whole(base, str(tag.get("src") or ""))
        if not tag["src"] or not tag.get("alt"):
            tag.extract()


def _whole(base: str, link: str) -> str:
    try:
        whole = urljoin(base, link.strip())
        return whole if link.strip() and urlsplit(whole).scheme in ("http", "https", "mailto") else ""
    except ValueError:
        return ""


def _markdown(soup: BeautifulSoup) -> str:
    try:
        text: str = MarkdownConverter(heading_style="ATX", bullets="-").convert_soup(soup)
    except RecursionError:
        text = soup.get_text("\n")
    text = "\n".join(line.rstrip() for line in text.splitlines())
    while BLANK_LINES in text:
        text = text.replace(BLANK_LINES, "\n\n")
    return text.strip()


if __name__ == "__main__":
    limit(int(sys.argv[2]), int(sys.argv[3]))
    sys.setrecursionlimit(LEVELS)
    page = sys.stdin.buffer.read().decode("utf-8", "replace")
    sys.stdout.write(json.dumps(converted(page, sys.argv[1])))
