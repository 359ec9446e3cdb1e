"""Where the shell takes text for arithmetic, a subscript or a variable's name: there `a[$(...)]` runs what is in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from actors.gate.bash.language.parts import EXECUTES, Part
from actors.gate.bash.language.syntax import descend, text
from actors.gate.bash.language.words import Word
from actors.gate.bash.programs.environment import LEADS, leading, leads
from actors.gate.bash.shell.scope import Survey, given_a_value

if TYPE_CHECKING:
    from tree_sitter import Node

EVALUATED = "the shell may run what stands between its brackets"
NOT_NAMED = "which variable it sets is not known before it runs"
NAME = r"[A-Za-z_]\w*"
TOKEN = re.compile(
    rf"\s+|\d+#\w+|0[xX][0-9a-fA-F]+|\d+(?!\w)|\$[?#$!]|\$\{{#(?:{NAME})?(?:\[[@*]\])?\}}|\$\{{(?P<braced>{NAME})\}}|\$?(?P<name>{NAME})"
    r"|\$?\(\(|\$?\[|[]()+\-*/%<>=!&|^~?:,;]"
)
"""Of arithmetic: neither quotes nor the output of commands."""
QUOTED = re.compile(r"(['\"])([\w ${}#?-]*)\1")
LITERAL_INDEX = re.compile(r"-?\d+|[@*]")
COMPARES = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
OF_A_VARIABLE = frozenset({"-v", "-R"})
FILLS_ARRAY, READS, WITH_A = re.compile(r"\b(?:mapfile|readarray)\b"), re.compile(r"\bread\s"), re.compile(r"-\w*a")
MENTIONED = re.compile(r"(?<![\w-])-(?:eq|ne|lt|le|gt|ge|v|R)(?![\w-])")
SUBSTITUTED = re.compile(r"\$\([^()'\"`]*\)")
QUOTED_VARIABLE = re.compile(r'"(\$\w+|\$\{\w+\})"')
WRITTEN = re.compile(r"\w\\*\[")
"""A subscript, or the beginning of a text that becomes one."""
QUOTING = frozenset({"raw_string", "ansi_c_string", "string", "word"})
QUOTED_CODE = re.compile(r"\\(?:\$\\?\(|`)|\A\$?'(?>(?:[^$`\\]|\$(?!\()|\\(?![xuU0-7]))*)(?:\$\(|`|\\)", re.DOTALL)
"""Escaped, or between single quotes, where it may also be written by its numbers."""
TEST = re.compile(r"\[\[?(\s.*\s)\]\]?", re.DOTALL)
VALUES = re.compile(r"(?:[\w\s(){}+*/%<>=!&|^~?:,;#.-]|\$(?!\()|\$\(\()*")
SETTING = frozenset({"for_statement", "file_descriptor"})
"""`for x in`, and `{x}>file`."""
EXPANSIONS = frozenset({"simple_expansion", "expansion", "command_substitution", "ansi_c_string", "brace_expression"})
AFTER_NAME = re.compile(r"[#!]?(?:\w+|[@*?#$!-]):(?![-=+?])(.*)", re.DOTALL)


def evaluated(root: Node, survey: Survey) -> list[Part]:
    """A part for each place at which what is evaluated is neither written there nor certainly a number."""
    found = [(node, _fault(node, survey)) for node, _ in descend(root)]
    whole = text(root) if any(why for _, why in found) else ""
    return [replace(doubt(why, text(node), whole), text=text(node)) for node, why in found if why]


def doubt(why: str, source: str, whole: str = "") -> Part:
    """Values that nobody knows are as code in a file; not so what is written in the whole line to be run there."""
    is_value = why == EVALUATED and _has_values_only(source) and not WRITTEN.search(whole)
    is_unseen = why.endswith(LEADS) or is_value
    return replace(EXECUTES, unseen=why) if is_unseen else replace(EXECUTES, unsure=why)


def _has_values_only(source: str) -> bool:
    """No subscripts and no quotes but around one variable; substitutions are analysed where they stand."""
    tested = TEST.fullmatch(source)
    plain = SUBSTITUTED.sub("0", QUOTED_VARIABLE.sub(r"\1", tested[1] if tested else source))
    return bool(VALUES.fullmatch(plain))


def has_quoted_code(root: Node) -> bool:
    """Somewhere in it stands in quotes what the shell would run, if it came to evaluate that: `'a[$(x)]'`."""
    return any(node.type in QUOTING and QUOTED_CODE.search(text(node)) for node, _ in descend(root))


def is_number(source: str, survey: Survey) -> bool:
    """Arithmetic of numbers, and of variables that can be nothing else."""
    source, at = QUOTED.sub(r"\2", source), 0
    while at < len(source):
        token = TOKEN.match(source, at)
        if token is None:
            return False
        name = token["braced"] or token["name"]
        if name and (leads(name) or not survey.is_number(name)):
            return False
        at = token.end()
    return True


def misnamed(word: Word) -> str:
    """Why a builtin should not be given this as the name of a variable; "" if it may be."""
    if not word.known or (word.glob and "[" not in word.text):
        return NOT_NAMED
    name, bracket, index = word.text.partition("[")
    if not re.fullmatch(NAME, name) or (bracket and not (index.endswith("]") and LITERAL_INDEX.fullmatch(index[:-1]))):
        return EVALUATED
    return leading(name)


def _fault(node: Node, survey: Survey) -> str:
    if node.type == "arithmetic_expansion" or (node.type == "compound_statement" and text(node).startswith("((")):
        return "" if is_number(text(node), survey) else EVALUATED
    if node.type in SETTING:
        return leading(text(node).strip("{}") if node.type == "file_descriptor" else given_a_value(node))
    match node.type:
        case "c_style_for_statement":
            return _counting(node, survey)
        case "subscript":
            return _index(text(node).partition("[")[2].rpartition("]")[0], survey)
        case "array":
            found = [re.match(r"\[(.*)\]\+?=", text(child), re.DOTALL) for child in node.children]
            return next((why for one in found if one and (why := _index(one[1], survey))), "")
        case "expansion":
            return _expansion(node, survey)
        case "declaration_command":
            return _declaration(node, survey)
        case "test_command":
            return _test(node, survey)
        case _:
            return ""


def _counting(node: Node, survey: Survey) -> str:
    body = ("do_group", "compound_statement", "for", "do", ";", "comment")
    counted = (child for child in node.children if child.type not in body)
    return "" if all(is_number(text(child), survey) for child in counted) else EVALUATED


def _index(index: str, survey: Survey) -> str:
    return "" if index in ("@", "*") or is_number(index, survey) else EVALUATED


def _expansion(node: Node, survey: Survey) -> str:
    """`${x:=...}` sets x; what is behind the colon of `${x:1:2}` is arithmetic."""
    inside = text(node)[2:-1]
    subscript = next((text(child) for child in node.children if child.type == "subscript"), "")
    if re.match(rf"[#!]?{NAME}\[", inside) and not subscript:
        return EVALUATED
    piece = AFTER_NAME.match(inside.replace(subscript, "a", 1) if subscript else inside)
    if piece and not is_number(piece[1], survey):
        return EVALUATED
    return leading(given_a_value(node))


def _declaration(node: Node, survey: Survey) -> str:
    """`declare -i x=y` is arithmetic, and so is the subscript in `declare -a 'x=([y]=1)'`."""
    options = "".join(text(child) for child in node.children if re.match(r"['\"\\]*[-+]", text(child)))
    if "n" in options:
        return NOT_NAMED
    evaluates = bool(set(options) & set("aAi"))
    for child in node.children[1:]:
        source, plain = text(child), child.type == "variable_assignment"
        name = re.match(NAME, source)
        if name and "i" in options and not survey.is_number(name[0]):
            return EVALUATED
        if not plain and ("$" in source or (evaluates and "=" in source)):
            return EVALUATED
        value = child.children[-1] if plain else child
        array = evaluates or text(value).strip("'\"").startswith("(") or (name and _is_array(name[0], node))
        if plain and array and value.type != "array" and not is_number(text(value), survey):
            return EVALUATED
    return ""


def _is_array(name: str, node: Node) -> bool:
    while node.parent:
        node = node.parent
    whole = text(node)
    if re.search(rf"\b{name}(?:\+?=\(|\[)", whole):
        return True
    parts = (part for part in re.split(r"[;\n]", whole) if re.search(rf"\b{name}\b", part))
    return any(FILLS_ARRAY.search(part) or (READS.search(part) and WITH_A.search(part)) for part in parts)


def _test(node: Node, survey: Survey) -> str:
    if not text(node).startswith("[["):
        return _single_bracket(node, survey)
    found = False
    for one, _ in descend(node):
        operator = next((text(child) for child in one.children if child.type == "test_operator"), "")
        operands = [text(child) for child in one.children if child.is_named and child.type != "test_operator"]
        if operator in COMPARES or operator in OF_A_VARIABLE:
            found = True
        if operator in COMPARES and not all(is_number(operand, survey) for operand in operands):
            return EVALUATED
        if operator in OF_A_VARIABLE and any(misnamed(Word(operand)) == EVALUATED for operand in operands):
            return EVALUATED
    return EVALUATED if not found and MENTIONED.search(text(node)) else ""


def _single_bracket(node: Node, survey: Survey) -> str:
    """Its operators are words: they may be quoted, or come out of a variable that is split."""
    plain = re.sub(r"['\"\\]|\$(?=['\"])", "", text(node))
    if re.search(r"(?<![\w-])-[vR](?![\w-])", plain):
        return "" if re.fullmatch(r"\[(?:[\w\s!()=<>./-]|\[\d+\])*\]", plain) else EVALUATED
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in EXPANSIONS and not is_number(text(one), survey):
            return EVALUATED
        waiting += [child for child in one.children if child.type != "string" and one.type not in EXPANSIONS]
    return ""


def tested(args: tuple[Word, ...], survey: Survey) -> str:
    """The same for `test`, of which the words are known."""
    if any(word.text in OF_A_VARIABLE for word in args):
        plain = all(re.fullmatch(rf"-\w+|[!()]|{NAME}(?:\[\d+\])?", word.text) for word in args)
        return "" if plain else EVALUATED
    split = any(word.splits and not is_number(word.source, survey) for word in args)
    return EVALUATED if split or _unknown_operator(args) else ""


def _unknown_operator(args: tuple[Word, ...]) -> bool:
    """An unknown word that stands where an operator may, with no operator behind it."""
    for at, word in enumerate(args[:-1]):
        first = at == 0 or args[at - 1].text in ("!", "-a", "-o", "(", "&&")
        if not word.known and first and not re.fullmatch(r"-\w+|[!=]?=|[<>)]", args[at + 1].text):
            return True
    return False
