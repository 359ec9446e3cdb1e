"""`trouper mcp remove`, `enable` and `disable`: of the server that is meant, also of one that has a mistake."""

import argparse
from typing import Any

from actors.errors import BadConfiguration
from actors.settings import trust
from actors.settings.mcp import entries, vouching, writing
from ui.cli.mcp.here import Here, Written, add_name, add_scope, meant, written
from ui.headless import one_answer


class Remove:
    SUMMARY = "take one out of its file"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        add_name(parser)
        add_scope(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        one = meant(place, options.name, options.scope)
        writing.change(one.path, lambda servers: servers.pop(one.name))
        if one.scope == "workspace":
            _forget(place, one.name)
        if others := written(place, one.name):
            one_answer.complain(f"{others[0].path} has one of this name, too; now that counts.")
        return one_answer.printed(f"removed {one.name} from {one.path}\n")


class Switch:
    def __init__(self, *, on: bool) -> None:
        self._on = on
        self.SUMMARY = "let one that was disabled count again" if on else "leave one alone, until it is enabled"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        add_name(parser)
        add_scope(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        one = meant(place, options.name, options.scope)
        if one.scope == "workspace":
            return self._of_workspace(place, one)
        if not isinstance(one.entry, dict):
            raise BadConfiguration(f"{one.path}: {one.name} is no table. Take it out: trouper mcp remove {one.name}")
        writing.change(one.path, self._edit(one.name))
        return one_answer.printed(f"{one.name} is {'enabled' if self._on else 'disabled'} in {one.path}\n")

    def _edit(self, name: str) -> Any:  # noqa: ANN401  # a function of the file's entries
        def edit(servers: dict[str, Any]) -> None:
            servers[name].pop("disabled", None)
            servers[name].pop("enabled", None)
            if not self._on:
                servers[name]["enabled"] = False

        return edit

    def _of_workspace(self, place: Here, one: Written) -> int:
        """The file is the team's; what is decided here is only for whoever decides it."""
        if self._on:
            raise BadConfiguration(f"{one.name} is of {one.path}: it counts once you trust it: {vouching.TRUST}")
        try:
            vouching.leave_out(place.home, place.cwd, one.name, entries.canonical(one.entry))
        except OSError as error:
            raise BadConfiguration(f"cannot write down what is trusted: {error}.") from error
        return one_answer.printed(
            f"{one.name} is left out in this folder, for you; {one.path} is as it was. Again: {vouching.TRUST}\n"
        )


REMOVE, ENABLE, DISABLE = Remove(), Switch(on=True), Switch(on=False)


def _forget(place: Here, name: str) -> None:
    """Raises BadConfiguration."""
    try:
        trust.forget(place.home, vouching.place(place.cwd, name))
    except OSError as error:
        raise BadConfiguration(f"cannot forget what is trusted: {error}.") from error
