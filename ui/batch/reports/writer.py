"""Which reports are wanted, and writing them: each file is all of what was meant or all of what was there."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from actors.common.small_files import replace_file
from ui.batch.reports.html_report import html_report
from ui.batch.reports.json_report import json_report
from ui.batch.reports.junit import junit
from ui.batch.reports.markdown_report import markdown_report
from ui.batch.reports.outcomes import Outcomes
from ui.batch.reports.predictions import predictions
from ui.batch.task import Reports
from ui.common.usage_errors import Usage

FORMS: dict[str, Callable[[Outcomes], str]] = {
    ".json": json_report,
    ".xml": junit,
    ".md": markdown_report,
    ".html": html_report,
}
"""By the end of the file's name."""


def reports(files: Sequence[str], predictions: str, artifacts: str) -> Reports:
    """As the command line has them. Raises Usage before anything is paid for."""
    for file in files:
        if Path(file).suffix.casefold() not in FORMS:
            raise Usage(f"--report {file}: which form? The file's name ends with {', '.join(FORMS)}.")
    targets = {"--report": files, "--predictions": [predictions] if predictions else []}
    for option, paths in targets.items():
        for path in paths:
            _check_writable(option, Path(path).absolute())
    if artifacts and Path(artifacts).exists() and not Path(artifacts).is_dir():
        raise Usage(f"--artifacts {artifacts}: it is there and is no folder.")
    return Reports(files=_absolute(files), predictions=_one(predictions), artifacts=_one(artifacts))


def _check_writable(option: str, path: Path) -> None:
    if not path.parent.is_dir():
        raise Usage(f"{option} {path}: there is no folder {path.parent}.")
    if path.exists() and not path.is_file():
        raise Usage(f"{option} {path}: it is there and is no file.")
    if not os.access(path.parent, os.W_OK):
        raise Usage(f"{option} {path}: you may not write in {path.parent}.")


def _absolute(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(Path(path).absolute()) for path in paths)


def _one(path: str) -> str:
    return str(Path(path).absolute()) if path else ""


def write(wanted: Reports, run: Outcomes) -> list[str]:
    """All but the artifacts. What could not be written, for people; the others are there."""
    problems = []
    todo: list[tuple[str, Callable[[Outcomes], str]]] = [
        (file, FORMS[Path(file).suffix.casefold()]) for file in wanted.files
    ]
    if wanted.predictions:
        todo.append((wanted.predictions, lambda run: "".join(predictions(run))))
    for file, form in todo:
        try:
            replace_file(Path(file), form(run).encode(errors="replace"))
        except OSError as error:
            problems.append(f"cannot write {file}: {error.strerror}")
        except UnicodeDecodeError as error:
            problems.append(f"cannot write {file}: a patch is not UTF-8 ({error})")
    return problems
