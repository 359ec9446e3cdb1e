"""`trouper mcp logs`: what a server has printed as errors and logged, and why it ended."""

import argparse

from ui.cli.mcp.here import Here, add_name, meant
from ui.common import server_logs
from ui.common.exit_codes import DONE
from ui.headless import one_answer

MOST_LINES = 200


class Logs:
    SUMMARY = f"the last {MOST_LINES} lines that a server has logged"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        add_name(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        meant(place, options.name)
        try:
            lines = server_logs.last_lines(place.home, options.name, MOST_LINES)
        except FileNotFoundError:
            where = server_logs.file(place.home, options.name)
            one_answer.complain(f"{options.name} has logged nothing yet ({where}).")
            return DONE
        return one_answer.printed("".join(f"{line}\n" for line in lines))


LOGS = Logs()
