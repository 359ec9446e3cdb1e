"""The looks of our pages, and their head: the colours follow the reader's system, the fonts are its own."""

import base64
import hashlib
from functools import cache
from html import escape
from typing import Any

LAYOUT = """
:root { --back: #ffffff; --text: #1f2328; --faint: #59636e; --line: #d1d9e0; --box: #f6f8fa; --mine: #ddf4ff;
  --bad: #b3261e; --link: #0969da }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #e6edf3; --faint: #9198a1; --line: #3d444d;
  --box: #151b23; --mine: #12243a; --bad: #ff7b72; --link: #58a6ff } }
body { margin: 0 auto; max-width: 56rem; padding: 1rem 1.25rem 4rem; background: var(--back); color: var(--text);
  font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.5rem; line-height: 1.3 }
h2 { font-size: .8rem; margin: 0 0 .4rem; color: var(--faint) }
.at { font-weight: normal; margin-left: .6rem }
dl { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; font-size: .85rem; color: var(--faint) }
dl div { display: flex; gap: .4rem }
dd { margin: 0; color: var(--text) }
section { margin: 1.4rem 0 }
.prompt { background: var(--mine); border-radius: .5rem; padding: .7rem 1rem }
.words { white-space: pre-wrap }
.prose > :first-child { margin-top: 0 }
.prose h3, .prose h4, .prose h5, .prose h6 { font-size: 1.05rem }
pre { background: var(--box); border: 1px solid var(--line); border-radius: .4rem; padding: .7rem; overflow-x: auto;
  font-size: .82rem; line-height: 1.45; max-height: 40rem }
code { font-family: ui-monospace, monospace }
:not(pre) > code { background: var(--box); padding: .1rem .3rem; border-radius: .3rem; font-size: .88em }
details { margin: .5rem 0; border-left: 3px solid var(--line); padding-left: .8rem }
summary { cursor: pointer; color: var(--faint); font-size: .9rem }
.failed > summary { color: var(--bad) }
.note { color: var(--faint); font-size: .9rem; border-top: 1px solid var(--line); padding-top: .5rem }
figure { margin: .6rem 0 }
figcaption { color: var(--faint); font-size: .8rem }
img { max-width: 100%; border-radius: .3rem }
a { color: var(--link) }
blockquote { margin: .6rem 0; border-left: 3px solid var(--line); padding-left: .8rem; color: var(--faint) }
table { border-collapse: collapse; display: block; overflow-x: auto }
td, th { border: 1px solid var(--line); padding: .25rem .6rem }
.number { text-align: right; white-space: nowrap }
"""
LIGHT, DARK = "default", "github-dark"
"""Styles of Pygments."""


def head(title: str) -> str:
    """Of a page that nothing in it can change: up to and with the beginning of its body."""
    css = style()
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{css}</style>\n</head>\n<body>\n"
    )


@cache
def style() -> str:
    """CSS."""
    from pygments.formatters.html import HtmlFormatter

    light, dark = (_rules(HtmlFormatter(style=name)) for name in (LIGHT, DARK))
    return f"{LAYOUT}{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def _rules(formatter: Any) -> str:  # noqa: ANN401  # Pygments tells no types of it
    """Of what is in a block of code, not of the block."""
    return "\n".join(line for line in formatter.get_style_defs("pre").splitlines() if line.startswith("pre ."))
