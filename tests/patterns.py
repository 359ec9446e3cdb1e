"""Every regular expression of the source, found by its syntax tree, with the ways in which it is read."""

import ast
import builtins
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests import ROOT

PACKAGES = ("actors", "supervisor", "ui")
LATE = "actors.common.lean.late_patterns"
"""It compiles what others give it."""
METHODS = {
    "match": "match",
    "fullmatch": "fullmatch",
    **dict.fromkeys(("search", "sub", "subn", "split", "findall", "finditer"), "search"),
}


@dataclass(frozen=True)
class Found:
    where: str
    """File and name, or the pattern itself where it has none."""
    pattern: re.Pattern[Any]
    methods: frozenset[str]


def sources() -> dict[str, ast.Module]:
    """By the name of the module; of what has a pattern in it."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    texts = {".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text() for path in paths}
    return {name: ast.parse(text) for name, text in texts.items()}


def patterns() -> Iterator[Found]:
    """Raises AssertionError where a pattern is made of what is not known before the program runs."""
    trees = sources()
    uses = [use for name, tree in trees.items() for use in _uses(name, tree)]
    for name, tree in trees.items():
        if name != LATE and any(map(_made_by, ast.walk(tree))):
            yield from _in_module(name, tree, uses)


def _made_by(node: ast.AST) -> str:
    """The function of re that is called, "" for any other node."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method)) if method in (*METHODS, "compile"):
            return method
        case ast.Call(func=ast.Name(id="late_pattern")):
            return "compile"
        case _:
            return ""


def _in_module(name: str, tree: ast.Module, uses: list[tuple[str, str, str]]) -> Iterator[Found]:
    known = vars(importlib.import_module(name))
    kept = {node: target for statement in tree.body for target in _names(statement) for node in ast.walk(statement)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (method := _made_by(node)):
            target = kept.get(node, "")
            pattern = _compiled(node, method, known)
            methods = _methods(name, target, uses) if method == "compile" else frozenset({METHODS[method]})
            yield Found(f"{name}: {target or pattern.pattern!r}", pattern, methods)


def _names(statement: ast.stmt) -> Iterator[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return (target.id for target in targets if isinstance(target, ast.Name))


def _compiled(call: ast.Call, method: str, known: dict[str, Any]) -> re.Pattern[Any]:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    at = 1 if method == "compile" else {"sub": 4, "subn": 4, "split": 3}.get(method, 2)
    text = _value(call.args[0], known)
    flags = call.args[at] if len(call.args) > at else given.get("flags")
    return re.compile(text, _value(flags, known) if flags else 0)


def _value(expression: ast.expr, known: dict[str, Any]) -> Any:  # noqa: ANN401
    """Of what a module can say when it has been imported; a local name stands for a plain word."""
    names = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
    unknown = names - set(known) - set(dir(builtins))
    code = compile(ast.fix_missing_locations(ast.Expression(expression)), "pattern", "eval")
    try:
        return eval(code, {**known, **dict.fromkeys(unknown, "word")})  # noqa: S307
    except TypeError:
        return eval(code, {**known, **dict.fromkeys(unknown, b"word")})  # noqa: S307


def _uses(module: str, tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Module and name of what is read, and the method; the name is empty where it is no name of a module."""
    imported = {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr not in METHODS:
            continue
        value = node.value
        while isinstance(value, ast.Subscript):
            value = value.value
        match value:
            case ast.Name(id="re"):
                continue
            case ast.Name(id=name):
                yield (*imported.get(name, (module, name)), METHODS[node.attr])
            case ast.Attribute(value=ast.Name(id=holder), attr=name) if holder in imported:
                yield (".".join(imported[holder]), name, METHODS[node.attr])
            case _:
                yield (module, "", METHODS[node.attr])


def _methods(module: str, name: str, uses: list[tuple[str, str, str]]) -> frozenset[str]:
    """How it is read; where that is not seen as anything is read in its module that is no pattern of that name."""
    own = {method for where, used, method in uses if (where, used) == (module, name)}
    return frozenset(
        own or {method for where, used, method in uses if where == module and not used.isupper()} or {"search"}
    )
