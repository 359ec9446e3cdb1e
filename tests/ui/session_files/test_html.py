"""A session as an HTML page: read back by a parser, all that was said is text, and nothing acts."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.messages.conversation import Attachment, Entry, Source, Text, UserMessage
from tests.ui.session_files.conversations import (
    HOSTILE,
    PNG,
    answer,
    call,
    entries,
    hostile_session,
    prompt,
    result,
    said,
    told,
)
from ui.session_files.html import html
from ui.session_files.transcript import readable

ATTRIBUTES = {"alt", "charset", "class", "content", "href", "http-equiv", "lang", "name", "rel", "src", "start"}
VOID = {"meta", "img", "br", "hr"}


class Page(HTMLParser):
    """What a browser would make of it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = [""]
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in {"pre", "div", "h2", "summary", "style", "title"}:
            self.texts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def page(*bodies: object) -> str:
    return of(entries(*bodies))  # type: ignore[arg-type]


def of(session: list[Entry]) -> str:
    return "".join(html(told(session)))


def acts(read: Page) -> list[object]:
    """What would run, load or lead away."""
    found: list[object] = [tag for tag, _ in read.tags if tag in {"script", "iframe", "svg", "object", "link", "form"}]
    for tag, attributes in read.tags:
        found += [(tag, name) for name in attributes if name not in ATTRIBUTES]
        found += [attributes["href"]] if not re.match("https?://", attributes.get("href") or "http://") else []
        found += [attributes["src"]] if not (attributes.get("src") or "data:image/").startswith("data:image/") else []
    return found


@pytest.mark.parametrize("text", HOSTILE)
def test_what_was_said_is_text(text: str) -> None:
    read = Page(of(list(hostile_session(text))))

    assert (acts(read), read.open) == ([], [])
    assert len(read.all("style")) == 1
    assert any(readable(text).strip() in shown for shown in read.texts)


@settings(deadline=None)
@given(st.text(st.sampled_from("<>&\"'`/=!-# \n\tab[]()s:.;x")).filter(str.strip))
def test_whatever_was_said_is_text(text: str) -> None:
    read = Page(of(list(hostile_session(text))))

    assert (acts(read), read.open) == ([], [])
    assert any(readable(text) in shown for shown in read.texts)


def test_nothing_but_its_own_style_may_load() -> None:
    written = page(prompt("x"), said("y"))
    (style,) = re.findall("<style>(.*?)</style>", written, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    (policy,) = (meta["content"] for meta in Page(written).all("meta") if "http-equiv" in meta)

    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert "prefers-color-scheme: dark" in style
    assert not re.search(r"@import|url\(", style)


def test_an_answer_is_set_and_its_code_coloured() -> None:
    written = page(
        prompt("x"), said("# Plan\n\n| a |\n|:-:|\n| 1 |\n\n```python\nimport os\n```\n\n```nosuch\n<b>\n```")
    )

    assert '<div class="prose"><h3>Plan</h3>\n<table>' in written
    assert '<code class="language-python"><span class="kn">import</span>' in written
    assert '<code class="language-nosuch">&lt;b&gt;\n</code>' in written
    assert "style=" not in written


def test_calls_are_closed_until_they_are_wanted() -> None:
    written = page(
        prompt("x"), answer(call(), call("d", "bash", "{")), result("no", failed=True, summary="no such file")
    )

    assert re.findall(r"<details class=\"(.*?)\">\n<summary>(.*?)</summary>", written) == [
        ("call failed", "✗ <code>read</code> no such file"),
        ("call", "… <code>bash</code> no result"),
    ]


def test_images_are_in_the_page_and_what_only_says_so_is_named() -> None:
    files = (
        Attachment(name='a" onload="x.png', media_type="image/png", data=PNG),
        Attachment(name="b.png", media_type="image/png", data=b"<svg onload=alert(1)>"),
        Attachment(name="c.png", media_type="image/png", size=9),
        Attachment(name="d.pdf", media_type="application/pdf", data=b"%PDF-1.7"),
    )

    read = Page(page(UserMessage(text="look", turn_id="t", prompt_id="p", attachments=files)))

    data = base64.b64encode(PNG).decode()
    assert read.all("img") == [{"alt": 'a" onload="x.png', "src": f"data:image/png;base64,{data}"}]
    assert {"image b.png, 21 bytes", "image c.png, 9 bytes", "PDF d.pdf, 8 bytes"} <= {
        text.strip() for text in read.texts
    }


def test_links_lead_to_the_web_and_say_nothing_of_who_follows() -> None:
    sources = (Source(url="https://docs.example", title="Docs"), Source(url="javascript:alert(1)", title="No"))
    text = Text(text="[a](https://a.example) [b](file:///etc/passwd) [c](b.html)", sources=sources)

    links = Page(page(prompt("x"), answer(text))).all("a")

    rel = "noopener noreferrer nofollow"
    assert links == [
        {"href": "https://a.example", "rel": rel},
        {},
        {"href": "https://docs.example", "rel": rel},
    ]


def test_terminal_escapes_are_gone_and_tabs_stay() -> None:
    written = page(prompt("x"), answer(call()), result("\x1b[1;31mred\x1b[0m\x1b]8;;http://x\x1b\\\tand\rblue\x07"))

    assert "<pre><code>red\tandblue\\x07</code></pre>" in written


def test_secrets_are_left_out() -> None:
    key = "sk-abcdefghijklmnop1234"

    written = page(
        prompt(key), answer(Text(text=key), call(arguments=f'{{"token":"{key}"}}')), result(key, summary=key)
    )

    assert key not in written


def test_what_a_lexer_takes_for_ever_over_is_shown_plainly() -> None:
    blanks = " " * 20_000 + "x"

    written = page(prompt("x"), said(f"```autoit\n{blanks}\n```"))

    assert f'<code class="language-autoit">{blanks}\n</code>' in written
