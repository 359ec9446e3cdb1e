"""Colours for code, line by line: the lexer's state is kept, so a line is coloured by what precedes it alone."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from ui.common.allowance import Allowance
from ui.screen.terminal.cells import Spans

LONGEST = 2000
"""Characters of a line that is still coloured; minified files are not worth their time."""
_ALLOWANCE = Allowance(at_once_s=0.04, together_s=1.5)
"""A line of 2,000 characters takes 4 ms, but many lexers take for ever over the right line of blanks or brackets."""
_STYLES = {
    "Keyword": "keyword",
    "Keyword.Type": "type",
    "Name.Function": "name",
    "Name.Class": "type",
    "Name.Decorator": "name",
    "Name.Builtin": "type",
    "Name.Tag": "keyword",
    "Name.Attribute": "name",
    "Literal.String": "string",
    "Literal.Number": "number",
    "Comment": "comment",
    "Generic.Deleted": "removed",
    "Generic.Inserted": "added",
    "Generic.Heading": "strong",
    "Generic.Subheading": "name",
}


class LineLexer:
    def __init__(self, language: str) -> None:
        self._language = language
        self._stack = ["root"]
        self._given_up = False
        """A line took too long: this one and those that follow stay plain."""

    def fork(self) -> "LineLexer":
        other = LineLexer(self._language)
        other._stack, other._given_up = [*self._stack], self._given_up
        return other

    def line(self, text: str) -> Spans:
        lexer = lexer_for(self._language)
        if lexer is None or self._given_up or not text or len(text) > LONGEST:
            return [("", text)]
        spans = _ALLOWANCE.spend(lambda: _spans(self._tokens(lexer, text + "\n")))
        self._given_up = spans is None
        return [("", text)] if spans is None else spans

    def _tokens(self, lexer: Any, text: str) -> Iterable[tuple[object, str]]:  # noqa: ANN401  # a class of Pygments
        if not _is_plain_regex_lexer(lexer):
            return list(lexer.get_tokens(text))
        tokens: list[tuple[object, str]] = []
        at = 0
        while at < len(text):
            for matches, action, change in lexer._tokens[self._stack[-1]]:
                if found := matches(text, at):
                    tokens += _acted(lexer, action, found)
                    at = found.end()
                    self._change(change)
                    break
            else:
                if text[at] == "\n":
                    self._stack = ["root"]
                tokens.append((None, text[at]))
                at += 1
        return tokens

    def _change(self, change: object) -> None:
        """Pygments' notation for a change of state."""
        match change:
            case None:
                return
            case tuple():
                for state in change:
                    self._change(state)
            case "#pop":
                del self._stack[max(len(self._stack) - 1, 1) :]
            case int():
                del self._stack[max(len(self._stack) + change, 1) :]
            case "#push":
                self._stack.append(self._stack[-1])
            case _:
                self._stack.append(str(change))


@cache
def lexer_for(language: str) -> Any | None:  # noqa: ANN401
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _is_plain_regex_lexer(lexer: object) -> bool:
    from pygments.lexer import ExtendedRegexLexer, RegexLexer

    if not isinstance(lexer, RegexLexer) or isinstance(lexer, ExtendedRegexLexer):
        return False
    return type(lexer).get_tokens_unprocessed is RegexLexer.get_tokens_unprocessed


def _acted(lexer: object, action: Any, found: Any) -> list[tuple[object, str]]:  # noqa: ANN401
    if action is None:
        return []
    if callable(action):
        return [(kind, text) for _, kind, text in action(lexer, found)]
    return [(action, found.group())]


@cache
def _style(kind: object) -> str:
    name = str(kind).removeprefix("Token.")
    while name and name not in _STYLES:
        name = name.rpartition(".")[0]
    return _STYLES.get(name, "")


def _spans(tokens: Iterable[tuple[object, str]]) -> Spans:
    spans: Spans = []
    for kind, text in tokens:
        style, text = _style(kind) if kind is not None else "", text.rstrip("\n")
        if spans and spans[-1][0] == style:
            spans[-1] = (style, spans[-1][1] + text)
        elif text:
            spans.append((style, text))
    return spans
