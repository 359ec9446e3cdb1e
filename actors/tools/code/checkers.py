"""Programs that find errors in source files: which there are, how each is run on files, what its lines mean."""

import re
from pathlib import Path

import msgspec

from actors.common.installed_programs import find


class Found(msgspec.Struct, frozen=True):
    path: Path
    line: int
    text: str


class Checker(msgspec.Struct, frozen=True):
    program: str
    suffixes: tuple[str, ...]
    arguments: tuple[str, ...]
    pattern: re.Pattern[str]
    """Of a line of its output that tells an error: path, line, text."""
    codes: tuple[int, ...] = (0, 1)
    """With others it did not do its work."""
    project: str = ""
    """The file in whose folder it runs; it is found in the folder of the checked file or above."""
    whole: bool = False
    """It checks all of the project, and takes no files."""
    first_line: int = 1

    def folder(self, path: Path, root: Path) -> Path | None:
        """Where to run it for this file; None: it has nothing to say about it."""
        if path.suffix not in self.suffixes or not path.is_relative_to(root) or not find(self.program, root):
            return None
        if not self.project:
            return root
        above = [folder for folder in path.parents if folder.is_relative_to(root)]
        return next((folder for folder in above if (folder / self.project).is_file()), None)

    def argv(self, files: list[Path], root: Path) -> list[str]:
        return [find(self.program, root), *self.arguments, *([] if self.whole else map(str, files))]

    def errors(self, output: str, folder: Path) -> list[Found]:
        found = map(self.pattern.match, output.splitlines())
        return [
            Found(
                folder / match["path"].strip(),
                int(match["line"]) + 1 - self.first_line,
                f"{match['text'].strip()} ({self.program})",
            )
            for match in found
            if match
        ]


ALL = (
    Checker(
        "ruff",
        (".py", ".pyi"),
        # only what is an error at run time, whatever style the project likes: syntax, undefined names, odd comparisons
        ("check", "--no-cache", "--quiet", "--output-format=concise", "--select=E9,F63,F7,F82", "--"),
        re.compile(r"(?P<path>.+?):(?P<line>\d+):\d+: (?P<text>.+)"),
    ),
    Checker(
        "pyright",
        (".py", ".pyi"),
        ("--level", "error"),
        re.compile(r"\s+(?P<path>/.+?):(?P<line>\d+):\d+ - error: (?P<text>.+)"),
    ),
    Checker(
        "tsc",
        (".ts", ".tsx", ".mts", ".cts"),
        ("--noEmit", "--pretty", "false", "--project", "tsconfig.json"),
        re.compile(r"(?P<path>\S.*?)\((?P<line>\d+),\d+\): error (?P<text>TS\d+: .+)"),
        codes=(0, 1, 2),
        project="tsconfig.json",
        whole=True,
    ),
    Checker(
        "gopls",
        (".go",),
        ("check",),
        re.compile(r"(?P<path>/.+?):(?P<line>\d+):\d+(?:-(?:\d+:)?\d+)?:? (?P<text>.+)"),
        codes=(0,),
        project="go.mod",
    ),
    Checker(
        "rust-analyzer",
        (".rs",),
        # without these it would compile and run code of the project
        ("diagnostics", "--disable-build-scripts", "--disable-proc-macros", "--severity", "error", "."),
        re.compile(
            r"at crate [^,\n]++, file (?P<path>/[^:\n]++): Error [^{\n]++(?<= from LineCol )"
            r"\{ line: (?P<line>\d+), [^{}]+\} to LineCol \{[^{}]+\}: (?P<text>.+)"
        ),
        codes=(0, 1, 101),
        project="Cargo.toml",
        whole=True,
        first_line=0,
    ),
)
