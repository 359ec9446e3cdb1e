"""`trouper mcp logs`: what a server has printed as errors and logged, and why it ended."""

import argparse

from ui.cli.mcp.here import Here, add_name, meant
from ui.common.exit_codes import DONE
from ui.headless import one_answer

MOST_LINES = 200
FOLDER = ("logs", "mcp")
"""In TROUPER_HOME."""


class Logs:
    SUMMARY = f"the last {MOST_LINES} lines that a server has logged"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        add_name(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        meant(place, options.name)
        file = place.home.joinpath(*FOLDER, f"{options.name}.log")
        try:
            lines = file.read_text(errors="replace").splitlines(keepends=True)
        except FileNotFoundError:
            one_answer.complain(f"{options.name} has logged nothing yet ({file}).")
            return DONE
        return one_answer.printed("".join(lines[-MOST_LINES:]))


LOGS = Logs()
