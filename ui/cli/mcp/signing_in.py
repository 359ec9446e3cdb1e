"""`trouper mcp login` and `logout`: with the browser, for servers that want it."""

import argparse

from ui.cli.mcp.here import Here, add_name, meant_to_count
from ui.cli.mcp.running import run


class LogIn:
    SUMMARY = "sign in to one with the browser; without one here, paste the address that it ended at"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        add_name(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        from ui.cli.mcp.front import Asked  # with all that a front needs

        return run(place, Asked(what="login", server=meant_to_count(place, options.name)), signs_in=True)


class LogOut:
    SUMMARY = "forget a sign-in"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        add_name(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        from ui.cli.mcp.front import Asked

        return run(place, Asked(what="logout", server=meant_to_count(place, options.name)))


LOGIN, LOGOUT = LogIn(), LogOut()
