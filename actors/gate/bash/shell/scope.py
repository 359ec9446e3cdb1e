"""What a shell knows while it goes through a command line: variables, functions, and which folder it is in."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from actors.gate.bash.language.parts import HARMLESS, Part
from actors.gate.bash.language.syntax import descend, text
from actors.gate.bash.language.words import Word

if TYPE_CHECKING:
    from tree_sitter import Node

HOME = {"HOME": "~"}
ASSIGNING = re.compile(r"\b(?:read|mapfile|readarray|getopts|printf -v|let|unset)\b|(?:declare|local|typeset)\s+-\w*n")
"""Words after which the variables that they name may have any value, wherever that is."""
ANYTHING = re.compile(r"\b(?:eval|source|trap)\b|(?:^|[\s;&|])\.\s")
"""The same for all variables."""
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
SETTING = re.compile(
    r"\b(?:read|mapfile|readarray|getopts|printf|unset|wait|declare|local|typeset|export|readonly)\b|^[^\s]*\$"
)
"""In a command that may set variables, all of its words may be their names."""
OWN = re.compile(r"BASH\w*|_|REPLY|MAPFILE|OPTARG|PWD|OLDPWD|DIRSTACK|FUNCNAME|COPROC|ENV|PS\d")
"""The shell itself gives them values that may be any text."""
EXPANDED = re.compile(r"\$\(\(.{0,200}?\)\)|\$\{?\w+\}?", re.DOTALL)
MOST_FOLDERS = 8
MOST_TURNED = 4000
"""Characters of a loop, times how often it is gone through."""
NUMBER = frozenset({"number", "arithmetic_expansion"})


class Survey(msgspec.Struct, frozen=True):
    """What is known of a whole command line before it is gone through."""

    single: frozenset[str] = frozenset()
    """Variables that are given a value at one place only."""
    mixed: frozenset[str] | None = None
    """Variables that may be given what is no number; None: all."""

    def is_number(self, name: str) -> bool:
        return self.mixed is not None and name not in self.mixed and not OWN.fullmatch(name)


class Scope(msgspec.Struct):
    survey: Survey
    variables: dict[str, str] = msgspec.field(default_factory=lambda: dict(HOME))
    functions: dict[str, tuple[Node, bool]] = msgspec.field(default_factory=dict)
    """And whether they are certainly defined."""
    bases: tuple[str, ...] | None = ("",)
    """All folders that it may be in; None: any."""
    after: tuple[str, ...] | None = ("",)
    """The same, if the last command did not fail."""
    led: Part = HARMLESS
    """What variables that are set add to each command."""
    certain: bool = True
    """What is gone through now is run, and once."""
    calls: tuple[str, ...] = ()
    turned: int = 1
    """How often the loops around it are gone through."""
    inside: frozenset[str] = frozenset()
    """Variables of these over names that are all below the folder it is in."""

    def copy(self) -> Scope:
        return replace(self, variables=dict(self.variables), functions=dict(self.functions))

    def assign(self, name: str, value: Word | None) -> None:
        if value is not None and value.known and not value.glob and self.certain and name in self.survey.single:
            self.variables[name] = value.text
        else:
            self.variables.pop(name, None)

    def turns(self, loop: Node, given: Sequence[Word]) -> Iterator[None]:
        """Once for each word of `for x in`, with x as that; just once where they are many, or not known."""
        name = given_a_value(loop)
        known = name in self.survey.single and all(word.known and not word.glob for word in given)
        often = self.turned * len(given)
        if not (given and known and text(loop).startswith("for") and often * len(text(loop)) <= MOST_TURNED):
            before_it = self.inside
            self.inside |= {name} if name in self.survey.single and given and all(map(_stays_below, given)) else set()
            yield
            self.inside = before_it
            return
        before, self.turned = self.turned, often
        for word in given:
            self.variables[name] = word.text
            yield
        self.variables.pop(name, None)
        self.turned = before

    def forget(self, words: tuple[Word, ...]) -> None:
        """After `unset`, `read` and their like."""
        for word in words:
            self.variables.pop(word.text, None)
            self.functions.pop(word.text, None)
        if not all(word.known for word in words):
            self.variables.clear()
            self.functions.clear()

    def known_variables(self) -> dict[str, str]:
        return {"PWD": ".", **self.variables} if self.bases == ("",) else self.variables

    def move(self, target: Word | None) -> None:
        """After `cd`; None: nobody knows where to."""
        if target is None or not target.known or target.glob or self.bases is None:
            self.bases = self.after = None
            return
        there = [place for base in self.bases for place in _moved(base, target.text)]
        self.after = tuple(dict.fromkeys(there))
        self.bases = tuple(dict.fromkeys((*self.bases, *there)))
        if len(self.bases) > MOST_FOLDERS:
            self.bases = self.after = None


def _stays_below(word: Word) -> bool:
    """Before bash 5.2 `.*` is `..`, too."""
    hidden = word.glob and re.search(r"(?:^|/)\.[^/]*[*?\[]", word.text)
    return word.known and not word.text.startswith(("/", "~")) and ".." not in word.text and not hidden


def survey(root: Node) -> Survey:
    plain = re.sub(r"['\"\\]", "", text(root))
    if ANYTHING.search(plain):
        return Survey()
    given: list[str] = []
    mixed: set[str] = set()
    for node, _ in descend(root):
        if node.type in ("ansi_c_string", "brace_expression") and ASSIGNING.search(plain):
            return Survey()  # names may be written so
        name = given_a_value(node)
        given += [name] if name else []
        if name and not _gives_a_number(node):
            mixed.add(name)
        bare = re.sub(r"['\"\\]", "", text(node)) if node.type in ("command", "unset_command") else ""
        if SETTING.search(bare):
            mixed |= set(IDENTIFIER.findall(EXPANDED.sub(" ", bare)))
    single = frozenset(name for name in given if given.count(name) == 1)
    unknown = ASSIGNING.search(plain) or "IFS" in given  # with which a value is more words, or others
    return Survey(frozenset() if unknown else single, frozenset(mixed))


def _gives_a_number(node: Node) -> bool:
    match node.type:
        case "variable_assignment":
            value = node.children[-1]
            values = value.children[1:-1] if value.type == "array" else [value]
        case "for_statement":
            values = node.children_by_field_name("value")
            if not values:
                return False
        case _:
            return False
    return all(one.type in NUMBER or re.fullmatch(r"(['\"]?)-?\d+\1", text(one)) for one in values)


def given_a_value(node: Node) -> str:
    """The variable that is given a value here."""
    match node.type:
        case "variable_assignment":
            return text(node.children[0]).partition("[")[0]
        case "for_statement":
            return next((text(child) for child in node.children if child.type == "variable_name"), "")
        case "expansion" if any(child.type in ("=", ":=") for child in node.children):
            return next((text(child) for child in node.children if child.type == "variable_name"), "")
    return ""


def _moved(base: str, target: str) -> list[str]:
    """The shell takes `..` off the name of a folder, programs follow links first: both are possible."""
    if target.startswith("~"):
        return [target]
    there = posixpath.join(base, target)
    by_name = posixpath.normpath(there)
    return [there, "" if by_name == "." else by_name] if ".." in there.split("/") else [there]
