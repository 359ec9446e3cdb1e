"""A node of the shell's tree to the words the shell would make of it: quotes, escapes, braces, known variables."""

from __future__ import annotations

import codecs
import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from actors.gate.bash.parts import Part
from actors.gate.bash.syntax import masked, unmasked
from actors.gate.bash.syntax import text as source_of

if TYPE_CHECKING:
    from tree_sitter import Node

HOLE = "\ufffc"
"""Stands for what is not known before it runs."""
PLAIN = re.compile(r"[\w@%+=:,./~^-]+|\{\}")
META = frozenset(";|&<>() \t\n`\"'")
MOST_WORDS = 64
"""Of one word with braces in it."""
Char = tuple[str, str]
"""A character and how it got there: q quoted, u as written, v out of a variable that is not quoted."""


class Unclear(Exception):
    """This word cannot be taken apart for certain; says why."""


@dataclass(frozen=True)
class Word:
    text: str
    """With HOLE for each piece that is not known."""
    source: str = ""
    """As it is written; "" for as its text."""
    glob: bool = False
    splits: bool = False
    """A piece that is not known is not quoted: it may become several words, or none."""
    inner: tuple[Part, ...] = ()
    """What its substitutions run."""

    @property
    def known(self) -> bool:
        return HOLE not in self.text

    @property
    def option(self) -> bool:
        """It is one, or nobody can say that it is not."""
        return self.text.startswith(("-", HOLE)) or self.splits or (self.glob and self.text[:1] in "*?[")

    @property
    def shown(self) -> str:
        if not self.known or (self.glob and self.source):
            return self.source or self.text.replace(HOLE, "...")
        if PLAIN.fullmatch(self.text):
            return self.text
        return "'" + self.text.replace("'", "'\\''") + "'"


@dataclass(frozen=True)
class Known:
    """What words are made with."""

    variables: Mapping[str, str]
    substitute: Callable[[Node], tuple[Part, ...]]
    """Analyses what the commands in a substitution do."""


def words(nodes: list[Node], known: Known) -> list[Word]:
    """Nodes that touch one another make one word. Raises Unclear."""
    made: list[Word] = []
    for group in _touching(nodes):
        made += _expanded(group, known)
    return made


def literal(text: str) -> Word:
    return Word(text)


def _touching(nodes: list[Node]) -> list[list[Node]]:
    groups: list[list[Node]] = []
    for node in nodes:
        if groups and groups[-1][-1].end_byte == node.start_byte:
            groups[-1].append(node)
        else:
            groups.append([node])
    return groups


def _expanded(group: list[Node], known: Known) -> list[Word]:
    inner: list[Part] = []
    chars: list[Char] = []
    for node in group:
        if node.type == "$" and node is not group[-1] and group[-1].type == "string":
            continue  # $"...": a string to be translated
        chars += _chars(node, known, inner)
    source = "".join(source_of(node) for node in group)
    made = []
    for choice in _braces(chars):
        made += [_word(field, source, tuple(inner)) for field in _fields(choice)]
    if len(made) > MOST_WORDS:
        raise Unclear("its braces make too many words")
    return made


def _word(chars: list[Char], source: str, inner: tuple[Part, ...]) -> Word:
    return Word(
        text="".join(char for char, _ in chars),
        source=source,
        glob=any(char in "*?[" for char, how in chars if how != "q" and char),
        splits=any(char == HOLE for char, how in chars if how != "q"),
        inner=inner,
    )


def _chars(node: Node, known: Known, inner: list[Part]) -> list[Char]:
    match node.type:
        case "word" | "number" | "variable_name" | "extglob_pattern" | "regex" | "test_operator" | "$":
            return _unquoted(source_of(node))
        case "raw_string":
            return [*_quoted(source_of(node)[1:-1]), ("", "q")]
        case "ansi_c_string":
            return [*_quoted(_ansi_c(source_of(node)[2:-1])), ("", "q")]
        case "string":
            return _string(node, known, inner)
        case "concatenation" | "command_name":
            return [char for child in node.children for char in _chars(child, known, inner)]
        case "simple_expansion" | "expansion":
            return _variable(node, known, inner)
        case "command_substitution" | "process_substitution" | "arithmetic_expansion":
            inner += known.substitute(node)
            return [(HOLE, "u" if node.type == "command_substitution" else "q")]
        case "brace_expression":
            return [(HOLE, "u")]
        case other:
            raise Unclear(f"it has a {other.replace('_', ' ')} where a word is expected")


def _quoted(text: str) -> list[Char]:
    return [(char, "q") for char in text]


def _unquoted(text: str) -> list[Char]:
    made: list[Char] = []
    rest = iter(text)
    for char in rest:
        if char == "\\":
            escaped = next(rest, "\\")
            made += [] if escaped == "\n" else [(escaped, "q")]
        elif char in META:
            raise Unclear("it can be read in more than one way")
        else:
            made.append((char, "u"))
    return made


def _string(node: Node, known: Known, inner: list[Part]) -> list[Char]:
    """What is between double quotes; the parser leaves line ends and blanks out of the children."""
    made: list[Char] = []
    begin = node.start_byte + 1
    raw = masked(node)
    for child in node.children:
        if child.type in ("string_content", '"', "$"):
            continue
        made += _in_quotes(raw[begin - node.start_byte : child.start_byte - node.start_byte])
        made += [(char, "q") for char, _ in _chars(child, known, inner)]
        begin = child.end_byte
    return [*made, *_in_quotes(raw[begin - node.start_byte : -1]), ("", "q")]


def _in_quotes(raw: bytes) -> list[Char]:
    text = unmasked(raw)
    if re.search(r"(?<!\\)(?:\\\\)*(?:`|\$[({\[])", text):
        raise Unclear("it can be read in more than one way")
    return _quoted(re.sub(r"\\([$`\"\\\n])", lambda found: found[1].strip("\n"), text))


def _variable(node: Node, known: Known, inner: list[Part]) -> list[Char]:
    found = source_of(node)
    plain = re.fullmatch(r"\$(?:(\w+)|\{(\w+)\})", found)
    if plain is None:
        if re.match(r"\$\{!", found) or re.search(r"@[A-Za-z]\}$", found):
            raise Unclear("a variable says which variable or code is meant")
        inner += known.substitute(node)
        return [(HOLE, "u")]
    name = plain[1] or plain[2]
    if name not in known.variables:
        return [(HOLE, "u")]
    return [(char, "v") for char in known.variables[name]]


def _ansi_c(text: str) -> str:
    """$'...': Raises Unclear for an escape that Python reads otherwise."""

    def control(found: re.Match[str]) -> str:
        return chr(ord(found[1].upper()) ^ 64)

    text = re.sub(r"\\c(.)", control, text)
    text = text.replace(r"\e", "\x1b").replace(r"\E", "\x1b").replace(r"\?", "?").replace(r"\"", '"')
    text = re.sub(r"\\x([0-9a-fA-F])(?![0-9a-fA-F])", r"\\x0\1", text)
    text = re.sub(r"\\u([0-9a-fA-F]{1,4})", lambda found: f"\\u{found[1]:0>4}", text)
    text = re.sub(r"\\U([0-9a-fA-F]{1,8})", lambda found: f"\\U{found[1]:0>8}", text)
    if re.search(r"\\(?:N|x\{|0{3})", text):
        raise Unclear("it has an escape that is not known")
    try:
        decoded = codecs.decode(text.encode("latin-1", "backslashreplace"), "unicode_escape")
    except UnicodeDecodeError as error:
        raise Unclear("it has an escape that is not known") from error
    return decoded.partition("\0")[0]


def _braces(chars: list[Char]) -> list[list[Char]]:
    """`a{b,c}` is two words; only braces as written count."""
    opened = next((at for at, char in enumerate(chars) if char == ("{", "u")), None)
    if opened is None:
        return [chars]
    inside, closed = _until_closed(chars, opened)
    if closed is None:
        return [chars[: opened + 1] + rest for rest in _braces(chars[opened + 1 :])]
    if len(inside) == 1:
        if "".join(char for char, _ in inside[0]).count("..") == 1:
            return [[*chars[:opened], (HOLE, "q"), *rest] for rest in _braces(chars[closed + 1 :])]
        return [chars[: opened + 1] + rest for rest in _braces(chars[opened + 1 :])]
    rests = _braces(chars[closed + 1 :])
    made = [chars[:opened] + one + rest for choice in inside for one in _braces(choice) for rest in rests]
    if len(made) > MOST_WORDS:
        raise Unclear("its braces make too many words")
    return made


def _until_closed(chars: list[Char], opened: int) -> tuple[list[list[Char]], int | None]:
    depth, choices = 0, list[list[Char]]([[]])
    for at in range(opened + 1, len(chars)):
        char = chars[at]
        if char == ("}", "u") and depth == 0:
            return choices, at
        depth += (char == ("{", "u")) - (char == ("}", "u"))
        if char == (",", "u") and depth == 0:
            choices.append([])
        else:
            choices[-1].append(char)
    return choices, None


def _fields(chars: list[Char]) -> list[list[Char]]:
    """What is left after the values of variables are split at their blanks."""
    fields: list[list[Char]] = [[]]
    for char, how in chars:
        if how == "v" and char in string.whitespace:
            fields.append([])
        else:
            fields[-1].append((char, how))
    return [field for field in fields if field]
