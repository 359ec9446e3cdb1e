"""The languages that are understood: which grammar wheel reads a file, and the query that finds its symbols.

The wheels are an optional extra (`trouper[symbols]`); a language whose wheel is missing is not read.
"""

import importlib
import importlib.util
from functools import cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import tree_sitter


class Grammar(msgspec.Struct, frozen=True):
    module: str
    suffixes: tuple[str, ...]
    function: str = "language"
    tags_of: tuple[str, ...] = ()
    """Modules whose tag queries count besides its own: a dialect only adds to its parent's."""


GRAMMARS = (
    Grammar("tree_sitter_python", (".py", ".pyi")),
    Grammar("tree_sitter_javascript", (".js", ".jsx", ".mjs", ".cjs")),
    Grammar("tree_sitter_typescript", (".ts", ".mts", ".cts"), "language_typescript", ("tree_sitter_javascript",)),
    Grammar("tree_sitter_typescript", (".tsx",), "language_tsx", ("tree_sitter_javascript",)),
    Grammar("tree_sitter_go", (".go",)),
    Grammar("tree_sitter_rust", (".rs",)),
    Grammar("tree_sitter_java", (".java",)),
    Grammar("tree_sitter_c", (".c", ".h")),
    Grammar("tree_sitter_cpp", (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx")),
    Grammar("tree_sitter_ruby", (".rb",)),
)


@cache
def installed() -> tuple[Grammar, ...]:
    return tuple(grammar for grammar in GRAMMARS if importlib.util.find_spec(grammar.module))


def suffixes() -> tuple[str, ...]:
    """Of all files that can be read here."""
    return tuple(suffix for grammar in installed() for suffix in grammar.suffixes)


def grammar_of(path: PurePath) -> Grammar | None:
    return next((grammar for grammar in installed() if path.suffix in grammar.suffixes), None)


@cache
def language(grammar: Grammar) -> "tree_sitter.Language":
    import tree_sitter  # 10 ms, and only who looks at code needs it

    module = importlib.import_module(grammar.module)
    return tree_sitter.Language(getattr(module, grammar.function)())


@cache
def tags(grammar: Grammar) -> "tree_sitter.Query":
    """Captures of a match: @name, and @definition.KIND or @reference.KIND around it."""
    import tree_sitter

    sources = [_tag_query(module) for module in (*grammar.tags_of, grammar.module)]
    return tree_sitter.Query(language(grammar), "\n".join(sources))


def _tag_query(module: str) -> str:
    """ "" where the wheel of a parent is missing."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return ""
    return (Path(spec.origin).parent / "queries" / "tags.scm").read_text(encoding="utf-8")
