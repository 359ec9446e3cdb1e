"""A session as one HTML page, for people: readable offline; nothing in it runs, loads or leads away by itself. Pure.

All text is escaped here or by markdown-it, which takes no HTML; the Content-Security-Policy holds even if that failed.
"""

import base64
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from actors.messages.conversation import Attachment, Source
from ui.common.allowance import Allowance
from ui.common.attached_files import media_type_of
from ui.session_files.page_style import head
from ui.session_files.transcript import Call, Note, Part, Prompt, Said, Thought, Transcript, attached, when

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexer import Lexer

ALLOWANCE = Allowance(at_once_s=2.0, together_s=60.0)
"""For parsers and lexers of others: what takes longer is shown as it was written."""
IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
LONGEST_COLOURED = 200_000
"""Characters."""


def html(told: Transcript) -> Iterator[str]:
    """In pieces."""
    yield head(told.title)
    yield f"<h1>{escape(told.title)}</h1>\n<dl>\n"
    yield "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>\n" for name, value in told.facts.items())
    yield "</dl>\n<main>\n"
    for part in told.parts:
        yield _part(part)
    yield "</main>\n</body>\n</html>\n"


def _part(part: Part) -> str:
    match part:
        case Prompt():
            who = "User" if part.is_users else "Program"
            text = f'<div class="words">{escape(part.text)}</div>' if part.text else ""
            return _section("prompt", who, text + _files(part.attachments), when(part.at))
        case Thought(text=text):
            return _details("thought", "Thinking", f'<div class="words">{escape(text)}</div>')
        case Said(text=text, sources=sources):
            return _section("answer", "Answer", f'<div class="prose">{_prose(text)}</div>' + _sources(sources))
        case Note(text=text):
            return f'<p class="note">{escape(text)}</p>\n'
        case Call():
            return _call(part)


def _section(kind: str, title: str, body: str, at: str = "") -> str:
    time = f' <span class="at">{escape(at)}</span>' if at else ""
    return f'<section class="{kind}">\n<h2>{title}{time}</h2>\n{body}\n</section>\n'


def _details(kind: str, summary: str, body: str) -> str:
    """summary: HTML."""
    return f'<details class="{kind}">\n<summary>{summary}</summary>\n{body}\n</details>\n'


def _call(call: Call) -> str:
    result = call.result
    mark = "…" if result is None else "✗" if result.failed else "✓"
    brief = escape(result.summary if result else "no result")
    body = _block(call.arguments, "json" if call.is_json else "") if call.arguments else ""
    if result is not None:
        body += _block(result.diff, "diff") if result.diff else ""
        body += _block(result.output, "") if result.output.strip() else ""
        body += _files(result.attachments)
    kind = "call failed" if result and result.failed else "call"
    return _details(kind, f"{mark} <code>{escape(call.name)}</code> {brief}", body)


def _files(attachments: Sequence[Attachment]) -> str:
    shown = "".join(
        f"<figure>{_image(one)}<figcaption>{escape(attached(one))}</figcaption></figure>\n" for one in attachments
    )
    return f"\n{shown}" if shown else ""


def _image(one: Attachment) -> str:
    """By what its data is, whatever it is called; "" for what is no image, or has no data here."""
    media_type = media_type_of(one.data)
    if media_type not in IMAGES:
        return ""
    data = base64.b64encode(one.data).decode()
    return f'<img alt="{escape(one.name)}" src="data:{media_type};base64,{data}">'


def _sources(sources: Sequence[Source]) -> str:
    links = "".join(f"<li>{_link(one)}</li>\n" for one in sources)
    return f'\n<ul class="sources">\n{links}</ul>' if links else ""


def _link(one: Source) -> str:
    title = escape(one.title or one.url)
    if not one.url.startswith(("https://", "http://")):
        return title
    return f'<a rel="noopener noreferrer nofollow" href="{escape(one.url)}">{title}</a>'


def _block(text: str, language: str) -> str:
    return f"<pre><code>{_coloured(text, language) or escape(text)}</code></pre>\n"


def _coloured(text: str, language: str, _attributes: str = "") -> str:
    """HTML; "" where the language is not known, or its lexer takes too long."""
    if not language or len(text) > LONGEST_COLOURED:
        return ""
    return ALLOWANCE.spend(lambda: _highlighted(text, language)) or ""


def _highlighted(text: str, language: str) -> str:
    from pygments import highlight

    lexer = _lexer(language.casefold())
    return "" if lexer is None else str(highlight(text, lexer, _formatter()))


@cache
def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None


@cache
def _formatter() -> "HtmlFormatter[str]":
    from pygments.formatters.html import HtmlFormatter

    return HtmlFormatter(nowrap=True)


def _prose(text: str) -> str:
    """An answer of the model."""
    parser = _parser()
    tokens = ALLOWANCE.spend(lambda: parser.parse(text))
    if tokens is None:
        return f'<div class="words">{escape(text)}</div>'
    for token in tokens:
        _tame(token)
    return str(parser.renderer.render(tokens, parser.options, {}))


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "highlight": _coloured})
    return parser.enable(["table", "strikethrough"]).disable("image")


def _tame(token: "Token") -> None:
    """Headings are below ours, links say nothing of who follows them, and styles are those of the page."""
    if token.type in {"heading_open", "heading_close"}:
        token.tag = f"h{min(6, int(token.tag[1:]) + 2)}"
    if token.type == "link_open":
        _tame_link(token)
    token.attrs.pop("style", None)
    for child in token.children or ():
        _tame(child)


def _tame_link(token: "Token") -> None:
    """It leads to the web, or nowhere: a file beside the page may be anything."""
    if str(token.attrs.get("href", "")).startswith(("https://", "http://")):
        token.attrs["rel"] = "noopener noreferrer nofollow"
    else:
        token.attrs.pop("href", None)
