"""A node of the shell's tree to the words the shell would make of it: quotes, escapes, braces, known variables."""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING

import msgspec

from actors.gate.bash.language.parts import Part
from actors.gate.bash.language.syntax import masked, unmasked
from actors.gate.bash.language.syntax import text as source_of

if TYPE_CHECKING:
    from tree_sitter import Node

HOLE = "\ufffc"
"""Stands for what is not known before it runs."""
PLAIN = re.compile(r"[\w@%+=:,./~^-]+|\{\}")
ESCAPE = re.compile(
    r"\\(?:(?P<letter>[abeEfnrtv\\'\"?])|(?P<octal>[0-7]{1,3})|c(?P<control>.)"
    r"|(?P<hex>x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}))",
    re.DOTALL,
)
"""Of $'...', as the manual of bash lists them; a backslash before anything else stands for itself."""
LETTERS = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))
EXPANDS = re.compile(r"[\w({\[@*#?!$'\"-]")
"""Behind a dollar sign."""
NAME_BEGINS = frozenset(string.ascii_letters + "_")
NAME_GOES_ON = NAME_BEGINS | frozenset(string.digits)
META = frozenset(";|&<>() \t\n`\"'")
MOST_WORDS = 64
"""Of one word with braces in it."""
MOST_BRACES = 32
"""Opened in one word."""
Char = tuple[str, str]
"""A character and how it got there: q quoted, u as written, v out of a variable that is not quoted."""


class Unclear(Exception):
    """This word cannot be taken apart for certain; says why."""


class Word(msgspec.Struct, frozen=True):
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


class Known(msgspec.Struct, frozen=True):
    """What words are made with."""

    variables: Mapping[str, str]
    substitute: Callable[[Node], tuple[Part, ...]]
    """Analyses what the commands in a substitution do."""
    spend: Callable[[int], None]
    """Told how many characters were made: values of variables can double with each assignment."""


def words(nodes: list[Node], known: Known) -> list[Word]:
    """Nodes that touch one another make one word. Raises Unclear."""
    made: list[Word] = []
    for group in _touching(nodes):
        made += _expanded(group, known)
    return made


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
    chars = _with_left_variables(chars, known)
    known.spend(len(chars))
    source = "".join(source_of(node) for node in group)
    if sum(char == ("{", "u") for char in chars) > MOST_BRACES:
        raise Unclear("it has too many braces in a word")
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
    if re.search(r"(?<!\\)(?:\\\\)*(?:`|\$[\w({\[@*#?!$-])", text):
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
    return _value(plain[1] or plain[2], known)


def _value(name: str, known: Known) -> list[Char]:
    if name not in known.variables:
        return [(HOLE, "u")]
    known.spend(len(known.variables[name]))
    return [(char, "v") for char in known.variables[name]]


def _with_left_variables(chars: list[Char], known: Known) -> list[Char]:
    """Behind a redirection the parser leaves a name as text: the second one of `> $a/$b`. Raises Unclear."""
    made: list[Char] = []
    at = 0
    while at < len(chars):
        if chars[at] != ("$", "u"):
            made.append(chars[at])
            at += 1
            continue
        behind = takewhile(lambda char: char[1] == "u" and char[0] in NAME_GOES_ON, chars[at + 1 :])
        name = "".join(char for char, _ in behind)
        if name[:1] in NAME_BEGINS:
            made += _value(name, known)
        elif at + 1 < len(chars) and EXPANDS.match(chars[at + 1][0]):
            raise Unclear("it can be read in more than one way")
        else:
            made.append(chars[at])
            name = ""
        at += 1 + len(name)
    return made


def _ansi_c(text: str) -> str:
    """$'...': Raises Unclear for an escape that makes no character by itself."""

    def unescaped(found: re.Match[str]) -> str:
        letter, octal, control, coded = found.group("letter", "octal", "control", "hex")
        if letter:
            return LETTERS[letter]
        if control:
            return "\x7f" if control == "?" else chr(ord(control.upper()) & 0x1F)
        number = int(octal, 8) & 0xFF if octal else int(coded[1:], 16)
        if (octal or coded[0] == "x") and number > 0x7F:
            raise Unclear("it has a byte that may be a part of a character")
        if number > sys.maxunicode or 0xD800 <= number <= 0xDFFF:
            raise Unclear("it has an escape that is no character")
        return chr(number)

    if re.search(r"\\(?:N|x\{)", text):
        raise Unclear("it has an escape that is not known")
    return ESCAPE.sub(unescaped, text).partition("\0")[0]


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
