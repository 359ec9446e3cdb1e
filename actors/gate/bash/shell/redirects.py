"""Redirections: which files are read and written, and what comes in on standard input."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from actors.gate.bash.files.paths import SOCKETS, STANDARD, named
from actors.gate.bash.files.placed_files import placed
from actors.gate.bash.language.parts import HARMLESS, Part, joined
from actors.gate.bash.language.surroundings import Around, Stdin
from actors.gate.bash.language.syntax import descend, masked, text, unmasked
from actors.gate.bash.language.words import Known, Unclear, Word, words
from actors.gate.bash.programs.interpreters import feeds

if TYPE_CHECKING:
    from tree_sitter import Node

KINDS = ("file_redirect", "heredoc_redirect", "herestring_redirect")
READING = ("<", "<&", "<&-")
DESCRIPTOR = re.compile(r"\d+-?|-")
STRUCTURE = "without a sandbox it counts that it redirects"
EXPANDED = re.compile(r"(?<!\\)(?:\\\\)*(?:`|\$[\w({\[@*#?!$-])")


class Redirected(msgspec.Struct, frozen=True):
    part: Part = HARMLESS
    stdin: Stdin | None = None
    words: tuple[Word, ...] = ()
    """Arguments that stand behind a redirection."""
    follows: tuple[Node, ...] = ()
    """What stands on the line of a here-document, behind it."""


def redirected(nodes: tuple[Node, ...], known: Known, around: Around) -> Redirected:
    """All of them together. Raises Unclear."""
    made = Redirected()
    for node in nodes:
        one = _one(node, known, around)
        made = Redirected(
            joined(made.part, one.part), one.stdin or made.stdin, made.words + one.words, made.follows + one.follows
        )
    return made


def _one(node: Node, known: Known, around: Around) -> Redirected:
    match node.type:
        case "file_redirect":
            return _file(node, known, around)
        case "herestring_redirect":
            return _herestring(node, known, around)
        case _:
            return _heredoc(node, known, around)


def _file(node: Node, known: Known, around: Around) -> Redirected:
    operator = next(child for child in node.children if child.type != "file_descriptor")
    given = words([child for child in node.children if child.start_byte >= operator.end_byte], known)
    if not given:
        return Redirected()
    target, rest = given[0], tuple(given[1:])
    if operator.type in (">&", "<&") and DESCRIPTOR.fullmatch(target.text):
        return Redirected(words=rest)
    reading = operator.type in READING
    part = _used(target, reading, around)
    stdin = None
    if reading and text(node.children[0]) in ("<", "<&", "0"):
        stdin = feeds(target.inner) if target.inner else Stdin("nothing" if target.known else "unknown")
        stdin = Stdin("fetched") if part.network else stdin
    return Redirected(part, stdin, rest)


def _used(target: Word, reading: bool, around: Around) -> Part:
    if target.text.startswith(SOCKETS):
        return Part("", "execute", danger="the shell itself connects to the network", network=True)
    if STANDARD.fullmatch(target.text) or (target.inner and reading):
        return HARMLESS
    files = named((target,), ()) if reading else named((), (target,))
    part = placed(replace(HARMLESS, effect="read" if reading else "write"), files, around)
    if not reading:
        part = replace(part, into=part.writes if target.known else ("",))
    return part if around.sandboxed else replace(part, unsure=part.unsure or STRUCTURE)


def _herestring(node: Node, known: Known, around: Around) -> Redirected:
    given = words([child for child in node.children if child.type != "<<<"], known)
    part = HARMLESS if around.sandboxed else replace(HARMLESS, unsure=STRUCTURE)
    if not given:
        return Redirected(part, Stdin("text", "\n"))
    kind = Stdin("text", given[0].text + "\n") if given[0].known else _unknown(given[0])
    return Redirected(part, kind, tuple(given[1:]))


def _unknown(word: Word) -> Stdin:
    return replace(feeds(word.inner), text=word.text) if word.inner else Stdin("unknown", word.text)


def _heredoc(node: Node, known: Known, around: Around) -> Redirected:
    raw = masked(node)
    line_ends = raw.find(b"\n")
    on_line = [c for c in node.children if c.end_byte <= node.start_byte + line_ends and c.type not in ("<<", "<<-")]
    ends = next((child for child in node.children if child.type == "heredoc_end"), None)
    if line_ends < 0 or ends is None or not on_line or on_line[0].type != "heredoc_start":
        raise Unclear("it has a here-document that cannot be analysed")
    if raw.count(b"<<", 2, line_ends) > raw.count(b"<<<", 2, line_ends):
        raise Unclear("it has more than one here-document in a line")
    body = unmasked(raw[line_ends + 1 : ends.start_byte - node.start_byte])
    plain = [child for child in on_line[1:] if child.type not in KINDS and not _is_statement(child)]
    nested = redirected(tuple(child for child in on_line[1:] if child.type in KINDS), known, around)
    follows = tuple(child for child in on_line[1:] if _is_statement(child) or not child.is_named)
    stdin = _body(node, body, text(on_line[0]), known)
    part = nested.part if around.sandboxed else replace(nested.part, unsure=nested.part.unsure or STRUCTURE)
    given = tuple(words([child for child in plain if child.is_named], known))
    return Redirected(part, stdin, given + nested.words, follows + nested.follows)


def _is_statement(node: Node) -> bool:
    return node.type in ("pipeline", "command", "list", "subshell", "redirected_statement", "compound_statement")


def _body(node: Node, body: str, start: str, known: Known) -> Stdin:
    if re.search(r"['\"\\]", start):
        return Stdin("text", body)
    held = next((child for child in node.children if child.type == "heredoc_body"), None)
    inner = known.substitute(held) if held is not None else ()
    found = [one for one, _ in descend(held) if one.type == "command_substitution"] if held is not None else []
    expected = len(re.findall(r"(?<!\\)(?:\\\\)*\$\((?!\()", body)) + len(re.findall(r"(?<!\\)`", body)) / 2
    if len(found) < expected:
        raise Unclear("it has a here-document that can be read in more than one way")
    if EXPANDED.search(body):
        return replace(feeds(inner), text=body) if inner else Stdin("unknown", body)
    return Stdin("text", re.sub(r"\\([$`\\\n])", lambda escaped: escaped[1].strip("\n"), body))
