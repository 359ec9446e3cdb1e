"""The methods that attrs writes as text for each class of trio's: to compile them is a tenth of a start."""

import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType

MODULE = "attr._make"
"""Where attrs compiles them; one that does it elsewhere, or otherwise, goes on without us."""

Key = tuple[str, str]
"""The name of a script, and the whole of it."""


class Scripts:
    def __init__(self, kept: "dict[Key, CodeType]") -> None:
        self.kept = kept

    def offer(self, module: "ModuleType") -> None:
        """Before it is run."""
        if module.__name__ == MODULE:
            vars(module).update(compile=self._compile, hash=same_hash)

    def _compile(self, script: str, name: str, mode: str, *more: int) -> "CodeType":
        """In place of Python's own."""
        if mode != "exec" or more:
            made: CodeType = builtins.compile(script, name, mode, *more)
            return made
        code = self.kept.get((name, script))
        if code is None:
            code = self.kept[name, script] = builtins.compile(script, name, mode)
        return code


def same_hash(value: object) -> int:
    """Of text one that is the same in every process: attrs writes it into the scripts."""
    return int.from_bytes(value.encode(), "little") % (2**61 - 1) if isinstance(value, str) else builtins.hash(value)
