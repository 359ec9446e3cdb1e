"""What goes wrong with a server, in words for who has to act on it."""

from actors.errors import Trouble


class NotConnected(Trouble):
    """There is no server to speak to, and why."""

    def __init__(self, why: str, *, final: bool = False, needs_login: bool = False) -> None:
        """final: trying again changes nothing, until the configuration does."""
        super().__init__(why)
        self.final = final
        self.needs_login = needs_login


class Refused(Trouble):
    """A request has failed, and the server goes on: its own words, or that it took too long."""


class NobodyStarts(Exception):
    """The process that servers are forked from is gone. The next life of the actor has another one."""
