"""The code of all that a start imports, in one file that is mapped: Python's own look takes three times as long.

Only what Python itself would find is served: along the same import path, from folders in which nothing came or went,
and from sources that nobody has touched since. Anything else is imported as ever.
"""

import marshal
import mmap
import os
import sys
import zlib
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader

from actors.common.lean.attrs_scripts import MODULE, Scripts

TYPE_CHECKING = False  # importing typing takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import CodeType, ModuleType
    from typing import Any

    from actors.common.lean.attrs_scripts import Key

FILE = f"{__spec__.cached}.all" if __spec__.cached else ""
"""Beside the code that Python keeps of this module, and kept from commands as that is. "": Python keeps none."""
LENGTH, SUM = 8, 4
"""Bytes at the beginning that say how long the header is, and its CRC-32; little-endian. Then it, then the codes."""
DAMAGED = (EOFError, MemoryError, TypeError, ValueError)
"""What marshal says of bytes that it did not write: they may begin a list that no memory holds."""

Stamp = tuple[int, int, int, int]
Place = tuple[str, Stamp, int, int]
"""A source, its stamp; where its code begins, after the header, and how many bytes it has."""

Header = tuple[dict[str, Place], dict[str, Stamp], "dict[Key, CodeType]", frozenset[str]]
"""Places by the names of modules; stamps of packages' folders; scripts of attrs; and the names of all modules that were
to be kept, also where that could not be done."""


class CodeFile:
    """What is in it; nothing where there is none."""

    def __init__(self, header: Header, mapped: mmap.mmap | None = None, begin: int = 0) -> None:
        """mapped: the file, whose codes begin there."""
        self.index, self.folders, scripts, self.asked = header
        self.scripts = Scripts(scripts)
        self.is_whole = True
        self._mapped = mapped
        self._begin = begin

    def code_of(self, name: str) -> "CodeType | None":
        """None: it has none, or the disk has lost some of it."""
        if self._mapped is None or name not in self.index:
            return None
        _, _, at, length = self.index[name]
        begin = self._begin + at
        try:
            code: CodeType = marshal.loads(memoryview(self._mapped)[begin : begin + length])  # noqa: S302  # ours
        except DAMAGED:
            self.is_whole = False
            return None
        finally:
            self._mapped.madvise(mmap.MADV_DONTNEED)  # or all of it counts as our memory
        return code


class CodeCache:
    """One of sys.meta_path."""

    def __init__(self, made_for: "tuple[Any, ...]", kept: CodeFile) -> None:
        self.made_for = made_for
        self.kept = kept
        self.is_stale = False
        """Something that it keeps has changed since."""
        self._folders: dict[str, bool] = {}

    def find_spec(
        self, name: str, path: "Sequence[str] | None" = None, _target: "ModuleType | None" = None
    ) -> ModuleSpec | None:
        found = self._kept(name, path) if name in self.kept.index else None
        if found is None and name == MODULE:
            found = PathFinder.find_spec(name, path)
            if found is not None and found.origin is not None and type(found.loader) is SourceFileLoader:
                found.loader = CachedLoader(name, found.origin, self.kept)
        return found

    def _kept(self, name: str, path: "Sequence[str] | None") -> ModuleSpec | None:
        source, before, _, _ = self.kept.index[name]
        folder, file = os.path.split(source)
        is_package = file == "__init__.py"
        looked_in = os.path.dirname(folder) if is_package else folder
        if looked_in not in (sys.path if path is None else list(path)[:1]):
            return None  # it was loaded by its file, or its package has changed where it is looked for
        if (path is not None and not self._is_unchanged(looked_in)) or stamp(source) != before:
            self.is_stale = True
            return None
        loader = CachedLoader(name, source, self.kept)
        spec = ModuleSpec(name, loader, origin=source, is_package=is_package)
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(folder)
        return spec

    def _is_unchanged(self, folder: str) -> bool:
        """Of a package."""
        if folder not in self._folders:
            self._folders[folder] = stamp(folder) == self.kept.folders.get(folder)
        return self._folders[folder]

    def lacks(self, wanted: "Iterable[str]") -> bool:
        """Of what is imported here, or wanted, something was never to be kept; or something is kept wrong."""
        return self.is_stale or not self.kept.is_whole or not self.kept.asked.issuperset((*imported(), *wanted))


class CachedLoader(SourceFileLoader):
    """Like Python's, but that the code is there already."""

    def __init__(self, name: str, source: str, kept: CodeFile) -> None:
        super().__init__(name, source)
        self._kept = kept

    def exec_module(self, module: "ModuleType") -> None:
        self._kept.scripts.offer(module)
        super().exec_module(module)

    def get_code(self, fullname: str) -> "CodeType | None":
        return self._kept.code_of(fullname) or super().get_code(fullname)


def use() -> None:
    """What is imported from here on may come from it."""
    made_for = surroundings()
    sys.meta_path.insert(1, CodeCache(made_for, _read(made_for)))  # before it: who finds our own packages


def in_use() -> CodeCache | None:
    return next((finder for finder in sys.meta_path if isinstance(finder, CodeCache)), None)


def _read(made_for: "tuple[Any, ...]") -> CodeFile:
    try:
        with open(FILE, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        at = LENGTH + SUM
        begin = at + int.from_bytes(mapped[:LENGTH], "little")
        packed = memoryview(mapped)[at:begin]
        if zlib.crc32(packed) == int.from_bytes(mapped[LENGTH:at], "little"):
            its_own, size, header = marshal.loads(packed)  # noqa: S302  # ours
            if its_own == made_for and size == len(mapped) - begin:
                return CodeFile(header, mapped, begin)
    except (OSError, *DAMAGED):
        pass  # there is none, or not all of it
    return CodeFile(({}, {}, {}, frozenset()))


def surroundings() -> "tuple[Any, ...]":
    """What has to be the same for Python to find the same modules, and for us to read the same file."""
    return sys.hexversion, stamp(__file__), tuple((entry, stamp(entry)) for entry in sys.path)


def stamp(path: str) -> Stamp | None:
    """Nobody can change what is there and keep it: the kernel sets the last of these. None: there is nothing."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def imported() -> dict[str, str]:
    """Sources by the names of modules: of all that can be kept, files of Python's that are found by their names."""
    specs = ((name, getattr(module, "__spec__", None)) for name, module in list(sys.modules.items()))
    return {name: spec.origin for name, spec in specs if spec is not None and spec.name == name and _is_source(spec)}


def _is_source(spec: ModuleSpec) -> bool:
    is_file = isinstance(spec.loader, SourceFileLoader) and spec.has_location
    return is_file and spec.origin is not None and spec.origin.endswith(".py")
