"""What the first lines of the program prepare for the rest: the first frame, a zygote, the way back to the shell."""

import os
import sys
import time

TYPE_CHECKING = False  # importing typing costs as much as the first frame
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from supervisor.process.spawner import Spawner
    from supervisor.terminal import Terminal
    from ui.start.early_keys import EarlyKeys
    from ui.start.first_frame import Saved


class Launch:
    """What the first lines of the program have prepared for the rest."""

    def __init__(self, file: str) -> None:
        self.file = file
        """A fresh interpreter that runs it becomes what it is told to."""
        self.spawner: Spawner | None = None
        """With a zygote, when it was clear early that one is needed."""
        self.began = time.monotonic()
        self.run_id = os.urandom(6).hex()
        self.plain = False
        """The user wants lines."""
        self.saved: Saved | None = None
        self.terminal: Terminal | None = None
        self._keys: EarlyKeys | None = None

    def paint(self, cwd: str) -> "Saved | None":
        """The first frame, once; None where there can be no screen, or is to be none."""
        if self.saved is not None or self.plain:
            return self.saved
        from actors.version import VERSION
        from supervisor.terminal import Terminal
        from ui.start import first_frame

        home = os.environ.get("TROUPER_HOME") or os.path.expanduser("~/.trouper")
        # not abspath, which takes `link/..` for the folder that holds the link: the screen looks where the kernel does
        path = os.path.join(os.getcwd(), home, "run", f"{self.run_id}.screen")
        self.saved = first_frame.start(VERSION, cwd, path)
        if self.saved is not None:
            self.terminal = Terminal(self.saved.attributes, path)
            self._echo(path)
        return self.saved

    def _echo(self, geometry: str) -> None:
        """From here on what is typed is seen."""
        from ui.start.early_keys import EarlyKeys

        try:
            if sys.platform == "linux" and os.ttyname(0) == os.ttyname(1):
                self._keys = EarlyKeys(geometry)
        except OSError:
            return  # a terminal of another user, after su: it is seen when the screen is there

    def become(self, arguments: "Sequence[str]") -> "NoReturn":
        """The same program with other arguments, in our place. What was forked early ends with its socket."""
        os.execv(sys.executable, [sys.executable, "-P", self.file, *arguments])  # noqa: S606  # ourselves

    def screen_died(self) -> None:
        """And comes back: what is typed until then waits for it unseen."""
        if self._keys is not None:
            self._keys.stop()
        if self.terminal is not None:
            self.terminal.restore(dead=True)

    def give_terminal_back(self) -> None:
        if self._keys is not None:
            self._keys.discard()
            self._keys = None
        if self.terminal is not None:
            self.terminal.restore(dead=False)
            self.terminal = None


def spawn_way() -> str:
    """How actors are started: TROUPER_SPAWN, else fork on Linux and a fresh interpreter elsewhere."""
    return os.environ.get("TROUPER_SPAWN") or ("fork" if sys.platform == "linux" else "exec")
