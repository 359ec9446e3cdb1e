"""TROUPER_HOME and the disks: whether there can be written, how much is left, and whether the clock can be right."""

import errno
import os
import resource
import secrets
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from actors.common.plurals import how_many
from actors.errors import BadConfiguration
from actors.messages.store import DATABASE
from actors.settings import config
from actors.settings.config import Settings
from ui.common.doctor.rows import Row, State

LEAST_BYTES, FEW_BYTES = 20_000_000, 500_000_000
"""Free: too few to go on, and soon too few."""
FEW_FILES = 1000
"""Free inodes."""
TRIED_BYTES = 65_536
ANSWERS_S = 3.0
DAY_S = 86_400.0
ELSEWHERE = "or set TROUPER_HOME to a folder of yours on another disk"
REMEDIES = {
    errno.ENOSPC: f"free some space there, {ELSEWHERE}",
    errno.EDQUOT: f"your quota is used up: remove files of yours there, {ELSEWHERE}",
    errno.EROFS: f"mount it writable, {ELSEWHERE}",
    errno.EACCES: f"chown it to yourself, {ELSEWHERE}",
    errno.EFBIG: "files may not be that large here: see ulimit -f",
    errno.EIO: f"the disk has a fault: save what is on it, {ELSEWHERE}",
}


class Unusable(NamedTuple):
    why: str
    hangs: bool
    """Its disk does not answer: nothing there is to be touched."""


def unusable(home: Path, make: Callable[[Path], None] = config.make_home) -> Unusable | None:
    """Why no session can run with it. A disk that does not answer is waited for ANSWERS_S."""
    said: list[str] = []

    def attempt() -> None:
        try:
            make(home)
        except BadConfiguration as error:
            said.append(str(error))
        else:
            said.append("")

    trying = threading.Thread(target=attempt, daemon=True)  # it cannot be ended, and does not hold us up
    trying.start()
    trying.join(ANSWERS_S)
    if not said:
        why = f"{home} does not answer within {ANSWERS_S:g} s: its disk hangs. See dmesg, {ELSEWHERE}."
        return Unusable(why, hangs=True)
    return Unusable(said[0], hangs=False) if said[0] else None


def rows(settings: Settings) -> Sequence[Row]:
    """Each place on a disk of its own once."""
    home = Path(settings.home)
    places = {"home": home, "workspace": Path(settings.cwd), "temporary": Path(tempfile.gettempdir())}
    there = {name: place for name, place in places.items() if place.is_dir()}
    return [_home(home), *_open_to_others(home), *_disks(there), *_limit(), *clock_rows(home, time.time())]


def _home(home: Path) -> Row:
    """Really written to."""
    path = home / f".trouper-doctor-{secrets.token_hex(8)}"
    try:
        with path.open("wb") as file:
            file.write(b"\0" * TRIED_BYTES)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        remedy = REMEDIES.get(error.errno or 0, f"see who owns it and what is mounted there, {ELSEWHERE}")
        said = f"{home} cannot be written: {error.strerror or error}"
        return Row(name="home", state="problem", found=said, advice=remedy)
    finally:
        with suppress(OSError):
            path.unlink()
    return Row(name="home", found=f"{home}, can be written")


def _open_to_others(home: Path) -> Iterator[Row]:
    mode = stat.S_IMODE(home.stat().st_mode) if home.is_dir() else 0
    if mode & 0o022:
        said = f"{home} can be changed by others (mode {mode:o})"
        advice = f"chmod 700 {home}: whoever writes there decides what you are not asked about"
        yield Row(name="home: mode", state="warning", found=said, advice=advice)


def _disks(places: dict[str, Path]) -> Iterator[Row]:
    seen: set[int] = set()
    for name, place in places.items():
        device = place.stat().st_dev
        if device not in seen:
            seen.add(device)
            yield disk_row(f"disk: {name}", place)


def disk_row(name: str, place: Path) -> Row:
    left = os.statvfs(place)
    free, files = left.f_bavail * left.f_frsize, left.f_favail
    found = f"{place}: {_size(free)} free"
    few_files = left.f_files > 0 and files < FEW_FILES
    state: State = "problem" if free < LEAST_BYTES or (few_files and not files) else "ok"
    if state == "ok" and (free < FEW_BYTES or few_files):
        state = "warning"
    if state == "ok":
        return Row(name=name, found=found)
    more = f", {how_many(files, 'more file')} can be made" if few_files else ""
    advice = "free some space there: sessions and checkpoints cannot be saved without (trouper sessions delete)"
    return Row(name=name, state=state, found=f"{found}{more}", advice=advice)


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def _limit() -> Iterator[Row]:
    """Of files, set by a shell or a job system."""
    most, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if most != resource.RLIM_INFINITY:
        state: State = "problem" if most < LEAST_BYTES else "warning"
        said = f"no file may be larger than {how_many(most, 'byte')}"
        yield Row(name="disk: limit", state=state, found=said, advice="ulimit -f unlimited, where it was set")


def clock_rows(home: Path, now: float) -> Sequence[Row]:
    """By what was written before: nothing here was made in the future."""
    newest = max((_changed(path) for path in (Path(__file__), home / DATABASE, home / "config.toml")), default=0.0)
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if newest - now > DAY_S:
        ahead = time.strftime("%Y-%m-%d", time.localtime(newest))
        said = f"it says {date}, and files here were written on {ahead}"
        advice = "set it (timedatectl set-ntp true): certificates of services seem invalid, sign-ins ended or endless"
        return [Row(name="clock", state="warning", found=said, advice=advice)]
    return [Row(name="clock", found=date)]


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
