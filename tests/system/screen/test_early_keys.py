"""Keys typed before the screen is there, on a real terminal: an import is held up until the test lets it go on."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import pyte
import pytest

from tests.system.harness import LAUNCHER, Place, answer, kill, until
from tests.system.screen.tmux import Tmux
from tests.ui.screen.pty_stage import HEIGHT, UNKNOWN_TO_PYTE, WIDTH, PtyTerminal
from ui.screen.terminal.renderer import SYNC_ON

pytestmark = pytest.mark.slow

HELD = """
import os, runpy, sys

_, module, orders, launcher, *arguments = sys.argv
sys.argv[:] = [launcher, *arguments]

def held(event, given):
    if event == "import" and given[0] == module:
        with open(orders, "rb", buffering=0) as fifo:
            order = fifo.read(1)
        if order == b"r":
            raise ImportError("not now")
        if order == b"d":
            os._exit(1)

sys.addaudithook(held)
runpy.run_path(launcher, run_name="__main__")
"""
"""The program, but one module is imported only when an order was read: g(o), r(aise), d(ie)."""
LAUNCHERS, SCREENS = "trio", "ui.screen.app"


class Orders:
    """What the held import waits for."""

    def __init__(self, place: Place, module: str) -> None:
        fifo = place.temporary / "orders"
        os.mkfifo(fifo)
        self._descriptor = os.open(fifo, os.O_RDWR)
        self.launcher = ["-c", HELD, module, str(fifo), str(LAUNCHER)]
        """What the interpreter runs."""

    def give(self, words: bytes) -> None:
        os.write(self._descriptor, words)

    def close(self) -> None:
        os.close(self._descriptor)


class Start(PtyTerminal):
    """The program at its start, waiting in the import of a module."""

    def __init__(self, place: Place, module: str, *arguments: str) -> None:
        self._orders = Orders(place, module)
        held = [sys.executable, "-P", *self._orders.launcher, *arguments]
        super().__init__(held, place.workspace, {**place.environment, "LANG": "C.UTF-8"})

    def order(self, words: bytes) -> None:
        self._orders.give(words)

    @property
    def screen_is_there(self) -> bool:
        return SYNC_ON.encode() in self.raw

    def close(self) -> None:
        super().close()
        self._orders.close()


@pytest.fixture
def begin(place: Place) -> Iterator[Callable[..., Start]]:
    opened: list[Start] = []

    def begin(module: str, *arguments: str) -> Start:
        opened.append(Start(place, module, "--model", place.script(answer("All right.")), *arguments))
        opened[-1].wait_for("❯")
        return opened[-1]

    yield begin
    for one in opened:
        one.close()
    until(lambda: place.left() == [])


def leave(it: Start) -> None:
    """With nothing in the composer."""
    it.type("\x04")
    assert it.wait_for_end() == 0
    assert it.attributes() == it.before


def composers(raw: bytes) -> list[str]:
    """All that the composer's row ever was, byte by byte."""
    for sequence in UNKNOWN_TO_PYTE:
        raw = raw.replace(sequence, b"")
    seen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.ByteStream(seen)
    rows: list[str] = []
    for byte in raw:
        stream.feed(bytes([byte]))
        for row in seen.display:
            if row.startswith("❯") and rows[-1:] != [row.rstrip()]:
                rows.append(row.rstrip())
    return rows


@pytest.mark.parametrize("held", [LAUNCHERS, SCREENS])
def test_text_is_seen_at_once_and_reaches_the_composer_once(begin: Callable[..., Start], held: str) -> None:
    it = begin(held)

    it.type("hélo\x7flo, world")
    it.wait_for("❯ héllo, world")
    assert not it.screen_is_there
    it.order(b"ggg")
    it.wait_for(" default")

    assert it.text.count("héllo, world") == 1
    it.type("!\r")
    it.wait_for("All right.")
    assert it.text.count("héllo, world!") == 1
    leave(it)


def test_a_signal_of_the_terminal_that_comes_late_ends_nothing(begin: Callable[..., Start]) -> None:
    it = begin(LAUNCHERS)

    it.type("hello\x1b[D")  # an arrow key is for the composer: the launcher reads no further
    it.wait_for("❯ hello")
    it.process.send_signal(signal.SIGIO)
    it.order(b"g")
    it.wait_for(" default")
    it.process.send_signal(signal.SIGIO)
    it.type("\r")
    it.wait_for("All right.")
    leave(it)


def test_the_screen_takes_it_over_where_it_is(begin: Callable[..., Start]) -> None:
    it = begin(LAUNCHERS)
    it.type("hello 日本 🚀")
    it.wait(lambda: "🚀" in it.text)
    *_, shown = composers(it.raw)

    it.order(b"g")
    it.wait_for(" default")

    rows = composers(it.raw)
    assert rows[rows.index(shown) :] == [shown]
    it.type("\x15")
    leave(it)


def test_what_the_first_frame_does_not_understand_waits_for_the_composer(begin: Callable[..., Start]) -> None:
    it = begin(LAUNCHERS)

    it.type("\x1b[Ibc\x1b[H")
    it.wait_for("❯ bc")
    it.type("a\x1b[F\x1b[200~d\re\x1b[201~")
    it.type("f" * 5000 + "\x1b[I" + "\x7f" * 4999)
    it.order(b"g")
    it.wait_for("❯ abcd\n  ef\n")

    it.type("\r")
    it.wait_for("All right.")
    assert composers(it.raw)[:3] == ["❯", "❯ b", "❯ bc"]
    leave(it)


def test_enter_sends_once_and_what_follows_is_the_next_draft(begin: Callable[..., Start]) -> None:
    it = begin(SCREENS)

    it.type("first\rsecond")
    it.wait_for("❯ first")
    it.order(b"ggg")
    it.wait_for("All right.")

    it.wait_for("❯ second")
    assert it.text.count("first") == 1
    it.type("\x15")
    leave(it)


def test_a_home_that_is_named_by_a_link_and_its_parent_is_one_for_launcher_and_screen(
    begin: Callable[..., Start], place: Place
) -> None:
    (place.home / "deep").mkdir()
    (place.temporary / "link").symlink_to(place.home / "deep")
    place.environment["TROUPER_HOME"] = f"{place.temporary}/link/../again"
    it = begin(LAUNCHERS)

    it.type("hello")
    it.wait_for("❯ hello")
    it.order(b"g")
    it.wait_for(" default")

    assert it.text.count(" ✻ trouper ") == 1
    it.type("!\r")
    it.wait_for("All right.")
    assert it.text.count("hello!") == 1
    leave(it)


def test_ctrl_c_waits_for_the_screen(begin: Callable[..., Start]) -> None:
    it = begin(LAUNCHERS)

    it.type("gone\x03")
    it.wait_for("❯ gone")
    it.order(b"g")
    it.wait_for("ctrl+c again quits")

    assert "gone" not in it.text
    leave(it)


def test_a_screen_that_dies_before_it_took_the_keys_leaves_them_to_the_next(begin: Callable[..., Start]) -> None:
    it = begin(SCREENS)
    it.order(b"rr")

    it.type("kept")
    it.wait_for("❯ kept")
    it.order(b"d")
    it.wait_for("the screen was restarted")
    it.type("!")
    it.order(b"gg")
    it.wait_for("❯ kept!")

    it.wait_for(" default")
    assert it.text.count("kept") == 1
    it.type("\x15")
    leave(it)


def test_a_screen_that_dies_before_it_has_kept_them_as_a_draft_leaves_them_to_the_next(
    begin: Callable[..., Start], place: Place
) -> None:
    it = begin(SCREENS)
    it.order(b"rr")
    it.type("kept")
    it.wait_for("❯ kept")
    until(lambda: all(pid_of(place, actor) for actor in ("store", "ui")))
    store = pid_of(place, "store")

    os.kill(store, signal.SIGSTOP)
    it.order(b"g")
    it.wait(lambda: it.screen_is_there)
    kill(pid_of(place, "ui"))
    with suppress(ProcessLookupError):  # when this took long, it was ended as one that hangs
        os.kill(store, signal.SIGCONT)
    it.order(b"gg")
    it.wait_for("the screen was restarted")

    it.wait_for("❯ kept")
    it.wait_for(" default")
    assert it.text.count("kept") == 1
    it.type("\x15")
    leave(it)


def pid_of(place: Place, actor: str) -> int:
    """0: it does not run."""
    return next((it.pid for it in place.tree().actors if it.name == actor), 0)


def test_after_a_resize_only_the_screen_shows_what_is_typed(begin: Callable[..., Start]) -> None:
    it = begin(LAUNCHERS)
    it.type("before")
    it.wait_for("❯ before")

    it.resize(WIDTH - 20, HEIGHT)
    it.type(" and after")
    it.order(b"g")
    it.wait_for(" default")

    it.wait_for("❯ before and after")
    assert it.text.count("before") == 1
    it.type("\x15")
    leave(it)


def test_a_start_that_fails_leaves_nothing_of_the_keys(begin: Callable[..., Start], place: Place) -> None:
    (place.home / "config.toml").write_text("no_such_key = 1\n")
    it = begin(LAUNCHERS)

    it.type("never mind")
    it.wait_for("❯ never mind")
    it.order(b"g")

    assert it.wait_for_end() == 2
    assert "never mind" not in it.text
    assert list((place.home / "run").iterdir()) == []
    assert it.attributes() == it.before


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_what_wraps_at_a_new_width_before_the_screen_is_there_leaves_no_trace(place: Place) -> None:
    orders = Orders(place, LAUNCHERS)
    after_others = ["-c", "print('of the shell\\n' * 9)" + orders.launcher[1], *orders.launcher[2:]]
    with closing(orders), closing(Tmux(place, "--model", place.script(), width=80, launcher=after_others)) as tmux:
        tmux.wait_for("❯")
        tmux.type("one two three four five six seven eight nine ten eleven")
        tmux.wait_for("❯ one two three four five six seven eight nine ten eleven")

        tmux.resize(30, 30)
        tmux.wait(lambda: "eight nine ten eleven\n" in tmux.visible)
        orders.give(b"g")
        tmux.wait_for("default")

        tmux.wait_for("\n  eleven\n")
        rows = [row.rstrip() for row in tmux.text.rstrip().split("\n")]
        composer = ["❯ one two three four five", "  six seven eight nine ten", "  eleven"]
        assert rows[:9] == ["of the shell"] * 9
        assert rows[10].startswith(" ✻ trouper ")
        assert rows[11:-1] == ["", "─" * 30, *composer, "─" * 30]
    until(lambda: place.left() == [])
