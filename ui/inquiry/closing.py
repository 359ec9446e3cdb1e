"""After the report of an inquiry: what is said of it, whether it has ended, the exit code."""

from collections.abc import Sequence

import msgspec

from actors.common.plurals import how_many
from ui.common.exit_codes import DONE, FAILED, FOUND
from ui.findings.finding import Severity, has_failed
from ui.findings.report import Report, severities, transparency_line
from ui.inquiry import kept_run
from ui.inquiry.judging import Judged
from ui.inquiry.kept_run import Kept
from ui.inquiry.progress import Progress


class Closing:
    def __init__(self, home: str, kept: Kept, progress: Progress, fail_on: Severity | None) -> None:
        self._home = home
        self._kept = kept
        self._progress = progress
        self._fail_on = fail_on

    def code(self, report: Report, judged: Sequence[Judged], where: str) -> int:
        """To exit with, once all is said. where: the report is; "" for on stdout. Raises OSError.

        While something has no answer the same command goes on; an answer that is not whole is one.
        """
        self._progress.say(transparency_line(report))
        self._progress.say(f"{severities(report.findings)}{where and f': {where}'}")
        missed = sum(bool(one.problem) for one in judged)
        unanswered = sum(not one.is_answered for one in judged)
        if missed:
            again = f"; {unanswered} of them are asked about again by the same command" if unanswered else ""
            self._progress.say(f"not all was looked at: {how_many(missed, 'chunk')}{again}")
        if not unanswered:
            kept_run.keep(self._home, msgspec.structs.replace(self._kept, has_ended=True))
        if self._fail_on is not None and has_failed(report.findings, self._fail_on):
            return FOUND
        return FAILED if missed else DONE
