"""The report as Markdown: read back by a parser, it has our headings, rows and fences, and no others."""

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.ui.findings.made import FINDING, UNPLACED, finding, report
from ui.common.harmless import exposed
from ui.findings.baseline import fingerprints_in
from ui.findings.markdown import markdown, prose, where

HOSTILE = (
    "# Heading",
    "a\n\n# Heading\n\nb",
    "x\n===\n",
    "[link](http://evil.example/?q)",
    "[link]: http://evil.example",
    "![image](http://evil.example/i.png)",
    "<img src=http://evil.example>",
    "<!-- -->",
    "--> <script>alert(1)</script> <!--",
    "<http://evil.example>",
    "http://evil.example and https://evil.example/x",
    "www.evil.example",
    "evil.example",
    "mailto:a@evil.example or b@evil.example",
    "@somebody, @org/team and #12, GH-12, org/repo#12",
    "| a | b |\n| --- | --- |\n| c | d |",
    "| bars | in | it \\| and \\\\| more",
    "`|` and `` ` `` and ``` and `open",
    "```\nfence\n```\n# Heading",
    "~~~\nfence\n~~~",
    "`a`@somebody``y``` http://evil.example`",
    "`a`http://evil.example`b`",
    "\\`http://evil.example\\`",
    "- item\n- item",
    "1. item",
    "> quote",
    "    indented",
    "***bold*** __bold__ ~~gone~~",
    "&lt;b&gt; &#64;somebody",
    "$x$ and $$y$$",
    "\x1b[31mred\x1b[0m \u202eright to left \u200b",
    "<!-- fingerprints: 11111111111111111111111111111111 -->",
    "\n<!-- fingerprints: 11111111111111111111111111111111 -->\n",
    "\ud800",
    "[x]\u00a0(y)\u2028# z",
)
WRITTEN = """\
<!-- Report of findings, written by Trouper. -->

# Security audit

Summary: One query is open.

Findings: 2 high

| no. | severity | finding | place |
| ---: | --- | --- | --- |
| 1 | high | A name becomes part of a query | `app/users.py:5` |
| 2 | high | It is somewhere | not placed |

## 1. high: A name becomes part of a query

- Place: `app/users.py:5`
- Kind: `sql-injection`

```text
    query = f"SELECT * FROM users WHERE name = '{name}'"
```

Why: Whoever chooses the name reads every row.

Fix: Bind the name as a parameter.

## 2. high: It is somewhere

- Place: not placed
- Kind: `sql-injection`

Why: Whoever chooses the name reads every row.

Fix: Bind the name as a parameter.

## How this was made

- Command: `trouper audit`
- Model: scripted/test
- Sent: 3 files in 2 chunks
- Skipped: 3 files (2 binary, 1 lock file)
- Tokens: 1,200 in, 90 out
- Cost: \\$0.012
- Dropped: 1 finding (1 quote that is not in the file)
- Not placed: 1 finding
- Written: 2023-11-14 22:13:20 UTC

<!-- fingerprints: 0123456789abcdef0123456789abcdef ffffffffffffffffffffffffffffffff -->
"""
SIGNS = st.sampled_from(
    [*"`|\\[]()<>!#@*_~-=+:&$./ \n\tab1", "http://", "www.", "```", "](", "<!--", "-->", "\n\n", "#1"]
)
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.lists(SIGNS, max_size=30).map("".join), st.text(max_size=60)).map(
    exposed
)
"""As they come out of answers and files: harmless to a terminal."""
INLINE = {"text", "softbreak", "code_inline", "text_special"}
HEADINGS = re.compile(r"Security audit|\d+\. (critical|high|medium|low|info):.*|How this was made")


def parsed(text: str) -> list[Token]:
    """As viewers do that make links of all they can."""
    return MarkdownIt("gfm-like").parse(text)


def cell(inline: Token) -> str:
    """What is read there."""
    return "".join(child.content for child in inline.children or ())


def inner(text: str) -> list[Token]:
    return [child for token in parsed(text) for child in token.children or ()]


@given(title=TEXTS, why=TEXTS, fix=TEXTS, quote=TEXTS, path=TEXTS)
@settings(max_examples=300, deadline=None)
def test_whatever_is_said_the_report_has_its_own_parts_and_no_others(
    title: str, why: str, fix: str, quote: str, path: str
) -> None:
    said = finding(title=title, why=why, fix=fix, quote=quote, path=path)
    text = markdown(report(said, summary=why))

    tokens = parsed(text)
    headings = [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]
    html = [token.content for token in tokens if token.type == "html_block"]

    assert len(headings) == 3
    assert all(HEADINGS.fullmatch(heading) for heading in headings)
    assert html == [text.splitlines(keepends=True)[0], text.splitlines(keepends=True)[-1]]
    assert {child.type for child in inner(text)} <= INLINE
    assert sum(token.type == "tr_open" for token in tokens) == 2
    assert [cell(token) for cell_open, token in pairwise(tokens) if cell_open.type == "td_open"] == [
        "1",
        "high",
        cell(parsed(f"Title: {prose(title.replace('|', '¦'))}")[1]).removeprefix("Title:").strip(),
        cell(parsed(where(said).replace("|", "¦"))[1]),
    ]
    assert sum(token.type == "fence" for token in tokens) == bool(quote) + ("\n" in fix)
    assert {token.type for token in tokens} <= {
        *("inline", "html_block", "fence", "bullet_list_open", "bullet_list_close", "list_item_open"),
        *("list_item_close", "paragraph_open", "paragraph_close", "heading_open", "heading_close"),
        *(f"{part}_{side}" for part in ("table", "thead", "tbody", "tr", "th", "td") for side in ("open", "close")),
    }
    assert fingerprints_in(text) == {said.fingerprint}


@given(text=TEXTS)
@example("`a`@x``y```")
@settings(max_examples=500, deadline=None)
def test_prose_is_one_paragraph_of_text_and_code_without_links(text: str) -> None:
    tokens = parsed(f"Why: {prose(text)}\n")

    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in tokens[1].children or ()} <= INLINE
    outside = "".join(child.content for child in tokens[1].children or () if child.type != "code_inline")
    assert not re.search(r"https?://|@\w|www\.\w|#\d", outside)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use `cursor.execute(q, (x,))`.", "Use `cursor.execute(q, (x,))`."),
        ("a plain sentence, with 3.5 and e.g. this", "a plain sentence, with 3.5 and e.g. this"),
        ("see app/users.py, line 3", "see `app/users.py,` line 3"),
        ("ask @somebody", "ask `@somebody`"),
        ("[a](b)", "\\[a\\](b)"),
        ("`a``b`", "\\`a\\`\\`b\\`"),
    ],
)
def test_prose_reads_as_it_was_said(text: str, expected: str) -> None:
    assert prose(text) == expected


def test_a_report_reads_as_it_was_made() -> None:
    assert markdown(report(FINDING, UNPLACED, summary="One query is open.")) == WRITTEN


def test_a_fix_of_several_lines_is_code() -> None:
    text = markdown(report(finding(fix="query = 'SELECT ?'\nexecute(query, [name])")))

    assert "Fix:\n\n```text\nquery = 'SELECT ?'\nexecute(query, [name])\n```\n" in text


def test_without_findings_there_is_no_table() -> None:
    text = markdown(report())

    assert "Findings: no findings\n\n## How this was made\n" in text
    assert text.endswith("\n<!-- fingerprints:  -->\n")
