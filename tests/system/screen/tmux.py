"""The program in tmux, on a socket of its own: the scrollback, resizes and detaching of a real terminal."""

import os
import shlex
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from supervisor import tree_client
from tests.processes import still_alive, watch
from tests.system.harness import BOUND_S, LAUNCHER, Place, kill, until

HALF_FRAMES = 50
"""So many are no frames any more: whoever draws has stopped in the middle of one."""


class Tmux:
    def __init__(  # noqa: PLR0913
        self,
        place: Place,
        *arguments: str,
        width: int = 100,
        height: int = 30,
        job_control: bool = False,
        launcher: Sequence[str] = (str(LAUNCHER),),
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """job_control: by a shell that has it, which is there again when the program is stopped or has ended.

        launcher: what the interpreter runs. variables: of the program, also such as tmux sets.
        """
        self._place = place
        self._socket = f"trouper-{uuid.uuid4().hex[:8]}"
        self._closed = False
        self._log = place.temporary / "stty"
        set_to = [f"{name}={value}" for name, value in variables.items()]
        program = shlex.join(["env", *set_to, sys.executable, "-P", *launcher, *arguments])
        stty = shlex.quote(str(self._log))
        line = f"stty -g > {stty}; {program}"
        once = ("sh", "-c", f"{line}; echo ended with $?; read word")
        shell = ("bash", "--norc", "--noprofile") if job_control else once
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), *shell)
        if job_control:
            self.type(line)
            self.press("Enter")

    def _tmux(self, *arguments: str) -> str:
        environment = {**self._place.environment, "LANG": "C.UTF-8"}
        environment.pop("TMUX", None)
        done = subprocess.run(
            ["tmux", "-L", self._socket, *arguments],
            cwd=self._place.workspace,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        """By tmux's names: Enter, Escape, C-c, BTab."""
        self._tmux("send-keys", *keys)

    def paste(self, text: str) -> None:
        subprocess.run(["tmux", "-L", self._socket, "load-buffer", "-"], input=text, text=True, check=True)
        self._tmux("paste-buffer", "-p")

    def write_to(self, file: Path) -> None:
        """All that the program writes from now on, as it is."""
        file.touch()
        self._tmux("pipe-pane", f"cat >> {shlex.quote(str(file))}")

    def resize(self, width: int, height: int) -> None:
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def _capture(self, *options: str) -> str:
        """Between two frames, as eyes see it: the cursor is hidden while one is drawn."""
        for _ in range(HALF_FRAMES):
            captured = self._tmux("display-message", "-p", "#{cursor_flag}", ";", "capture-pane", "-p", *options)
            cursor, _, rows = captured.partition("\n")
            if cursor == "1":
                break
        return rows

    @property
    def visible(self) -> str:
        return self._capture()

    @property
    def text(self) -> str:
        """With the scrollback; rows the terminal wrapped are whole again."""
        return self._capture("-J", "-S", "-")

    def record(self) -> Path:
        """The file of all that the program writes to the terminal from here on."""
        file = self._place.temporary / "written"
        file.touch()
        self._tmux("pipe-pane", f"cat >> {shlex.quote(str(file))}")
        return file

    @property
    def painted(self) -> str:
        """What is visible, with its colours."""
        return self._capture("-e")

    @property
    def attaching(self) -> tuple[str, ...]:
        """The command of a client, which shows it on another terminal."""
        return ("tmux", "-u", "-L", self._socket, "attach-session")

    def detach(self) -> None:
        """All clients."""
        self._tmux("detach-client", "-s", "0")

    @property
    def title(self) -> str:
        """Of the window, as the program may have set it."""
        return self._tmux("display-message", "-p", "#{pane_title}")

    def wait_for(self, text: str) -> None:
        self.wait(lambda: text in self.text)

    def wait_for_turn(self, text: str) -> None:
        """The turn that shows this text is over: what is shown of an answer comes before it is written down."""
        self.wait(lambda: text in self.text and "esc stops" not in self.visible)

    def wait(self, holds: Callable[[], bool]) -> None:
        try:
            until(holds)
        except AssertionError as error:
            raise AssertionError(self.text) from error

    def press_until(self, holds: Callable[[], bool], *keys: str) -> None:
        """Again and again: for keys that may come too early, or once more when it holds already."""

        def pressed() -> bool:
            if holds():
                return True
            self.press(*keys)
            return False

        self.wait(pressed)

    def pid(self, actor: str) -> int:
        """Of an actor of this session."""
        pids: list[int] = []

        def there() -> bool:
            trees = tree_client.running(self._place.home)
            pids[:] = [it.pid for tree in trees for it in tree.actors if it.name == actor and it.state == "running"]
            return bool(pids)

        until(there)
        return pids[0]

    def supervisor(self) -> int:
        return self._place.tree().pid

    def kill(self, actor: str) -> None:
        kill(self.pid(actor))

    def kill_all(self, pids: Sequence[int]) -> None:
        """SIGKILL to all of them at once, as when the machine loses its power."""
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def check_terminal(self) -> None:
        """The program has ended and the terminal is as it was before."""
        self.wait_for("ended with")
        terminal = self._tmux("display-message", "-p", "#{pane_tty}").strip()
        # when the supervisor was killed, the screen gives the terminal back a moment after the shell is there again
        self.wait(lambda: subprocess.check_output(["stty", "-g", "-F", terminal]) == self._log.read_bytes())

    def close(self) -> None:
        """As when the window is closed, until its shell has ended; again does nothing."""
        if not self._closed:
            self._closed = True
            shell = watch([int(self._tmux("display-message", "-p", "#{pane_pid}"))])
            self._tmux("kill-server")
            assert still_alive(shell, BOUND_S) == []
