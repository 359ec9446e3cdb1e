"""Builtins that change what the shell knows, and a simple command's way past them to the tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from actors.gate.bash.files.paths import named
from actors.gate.bash.files.placed_files import placed
from actors.gate.bash.language.name_lists import names
from actors.gate.bash.language.parts import EXECUTES, Part, joined
from actors.gate.bash.language.surroundings import Around, Stdin
from actors.gate.bash.language.syntax import text
from actors.gate.bash.language.words import HOLE, Word
from actors.gate.bash.programs import simple_command
from actors.gate.bash.programs.environment import leads, on_assignments
from actors.gate.bash.programs.interpreters import STANDARD_INPUT, UNREADABLE, VARIABLE, evaluated, with_inner
from actors.gate.bash.programs.wrappers import ASSIGNMENT
from actors.gate.bash.shell.assignments import misdeclared, misused
from actors.gate.bash.shell.evaluation import doubt
from actors.gate.bash.shell.scope import Scope

if TYPE_CHECKING:
    from tree_sitter import Node

RESERVED = names("{ } ( ) ! if then elif else fi for while until do done case esac select function in [[ ]]")
WORDS = names(
    "word string raw_string ansi_c_string concatenation simple_expansion expansion command_substitution number "
    "arithmetic_expansion process_substitution brace_expression"
)
DECLARING = names("export declare typeset local readonly")
ASSIGNING = names("read mapfile readarray getopts let printf unset wait")
LEADING = names("alias unalias enable shopt trap set bind hash")


class Goer(Protocol):
    """Who goes through the tree."""

    def line(self, command: str, scope: Scope | None = None, stdin: Stdin | None = None) -> list[Part]: ...
    def call(self, name: str, scope: Scope, stdin: Stdin) -> list[Part]: ...


def simple(given: tuple[Word, ...], scope: Scope, around: Around, walk: Goer) -> list[Part]:
    name = simple_command.program_name(given[0])
    if given[0].text in RESERVED and given[0].source == given[0].text:
        return [Part(_shown(given), "execute", unsure="it can be read in more than one way")]
    inner = _prefixed(name, given)
    if inner:
        return _past_functions(name, inner, scope, around, walk)
    if given[0].text in scope.functions:
        return _function(name, given, scope, around, walk)
    parts = _stateful(name, given, scope, around, walk)
    if parts is not None:
        return parts
    scope.after = scope.bases
    parts = list(simple_command.run(given, around))
    if name in LEADING and any(part.unsure for part in parts):
        scope.led = joined(scope.led, EXECUTES)
    why = misused(name, given[1:], scope.survey)
    if why and parts:
        parts[0] = joined(parts[0], doubt(why, " ".join(word.source or word.text for word in given)))
        scope.led = joined(scope.led, EXECUTES)
    if name in ASSIGNING:
        scope.forget(given[1:])
    return parts


def _prefixed(name: str, given: tuple[Word, ...]) -> tuple[Word, ...]:
    """What is behind `command`, `builtin` or `time`, which may be a builtin."""
    rest = given[1:]
    while rest and rest[0].text in ("-p", "--"):
        rest = rest[1:]
    return rest if name in ("command", "builtin", "time") and rest and not rest[0].option else ()


def _past_functions(name: str, inner: tuple[Word, ...], scope: Scope, around: Around, walk: Goer) -> list[Part]:
    """`command` and `builtin` do not mean the functions."""
    held = scope.functions
    if name != "time":
        scope.functions = {}
    parts = simple(inner, scope, around, walk)
    if name != "time":
        scope.functions = held
    return parts


def _stateful(name: str, given: tuple[Word, ...], scope: Scope, around: Around, walk: Goer) -> list[Part] | None:
    match name:
        case "cd" | "pushd" | "popd":
            return [_moved(name, given, scope, around)]
        case "eval":
            return _eval(given, scope, around, walk)
        case "trap" if len(given) > 1 and not given[1].text.startswith("-"):
            return [
                replace(EXECUTES, text=_shown(given)),
                *walk.line(given[1].text.replace(HOLE, VARIABLE), scope.copy()),
            ]
        case "." | "source" if len(given) > 1:
            return [_sourced(given, scope, around)]
        case _ if name in DECLARING:
            return [
                joined(Part(_shown(given), "read"), declared(list(given[1:]), scope, exported=exports(_shown(given))))
            ]
        case _:
            return None


def _moved(name: str, given: tuple[Word, ...], scope: Scope, around: Around) -> Part:
    targets = [word for word in given[1:] if not re.fullmatch(r"-[LPe@]+|--", word.text)]
    target = targets[0] if targets else (Word("~") if name == "cd" else None)
    known = (
        target
        if target is not None and name != "popd" and not re.fullmatch(r"-|[+-]\d+|~[^/].*", target.text)
        else None
    )
    part = Part(_shown(given), "read")
    if known is not None:
        part = placed(part, named((known,), ()), around)
    scope.move(known)
    return part


def _eval(given: tuple[Word, ...], scope: Scope, around: Around, walk: Goer) -> list[Part]:
    script = " ".join(word.text for word in evaluated(given))
    if _is_a_programs(evaluated(given)):
        scope.led, scope.bases = joined(scope.led, EXECUTES), None
        scope.variables.clear()
        return [with_inner(replace(EXECUTES, text=_shown(given), unseen=UNREADABLE), given[1:])]
    parts = walk.line(script.replace(HOLE, VARIABLE), scope, around.stdin)
    if all(word.known for word in given):
        return parts
    return [with_inner(replace(EXECUTES, text=_shown(given), unsure=UNREADABLE), given[1:]), *parts]


def _is_a_programs(words: tuple[Word, ...]) -> bool:
    """All of it is what one program says: `eval "$(pyenv init -)"`. A program can do by itself what it says."""
    return len(words) == 1 and words[0].text == HOLE and [part.effect for part in words[0].inner] == ["execute"]


def _sourced(given: tuple[Word, ...], scope: Scope, around: Around) -> Part:
    """Its commands run here: what they set is not known."""
    scope.led = joined(scope.led, EXECUTES)
    scope.variables.clear()
    scope.bases = scope.after = scope.bases if given[1].text.endswith("/bin/activate") else None
    part = with_inner(replace(EXECUTES, text=_shown(given)), given[1:2])
    file = given[1]
    if file.text.rpartition("/")[2] == HOLE or (file.text in STANDARD_INPUT and around.stdin.kind != "nothing"):
        part = replace(part, unsure=UNREADABLE)
    elif not file.known:
        part = replace(part, unseen=UNREADABLE)
    return placed(part, named(given[1:2], ()), around)


def _function(name: str, given: tuple[Word, ...], scope: Scope, around: Around, walk: Goer) -> list[Part]:
    """Its arguments may be run by it: what is dangerous among them counts."""
    certain = scope.functions[name][1]
    parts = walk.call(name, scope, around.stdin)
    others = [] if certain else list(simple_command.run(given, around))
    parts = [*parts, *others, *simple_command.worst(given[1:], around)]
    return parts or [Part(_shown(given), "read")]


def declared(words: list[Word], scope: Scope, *, exported: bool = True) -> Part:
    """The arguments of `export` and its like that are no plain assignments."""
    found = misdeclared(words, scope.survey)
    for word in words:
        assigned = ASSIGNMENT.fullmatch(word.text)
        if assigned is None:
            if not word.known or re.match(r"-\w*n|\+\w*x", word.text):
                scope.led = joined(scope.led, replace(EXECUTES, unsure=UNREADABLE))
                found = joined(found, scope.led)
            continue
        scope.assign(assigned[1], None)
        if exported or leads(assigned[1]):
            added = on_assignments([(assigned[1], assigned[2])])
            scope.led = joined(scope.led, added)
            found = joined(found, added)
    return found


def exports(source: str) -> bool:
    return bool(re.match(r"(?:\S+\s+)*?export\b|\S+\s+-\w*x", source))


def hides(source: str) -> bool:
    """A substitution that the parser took for plain text."""
    return "`" in source or "$(" in source


def said(node: Node, parts: list[Part]) -> Stdin | None:
    """What comes out of an `echo` of which all is known."""
    if node.type != "command" or len(parts) != 1 or not parts[0].text.startswith("echo ") or parts[0].effect != "read":
        return None
    plain = re.fullmatch(r"echo\s++(?:-n\s++)?(?:'([^'\\]*)'|\"([^\"\\$`]*)\"|([\w\s./=:,+-]+))", text(node))
    return Stdin("text", next(found for found in plain.groups() if found is not None)) if plain else None


def _shown(words: tuple[Word, ...]) -> str:
    return " ".join(word.shown for word in words)
