"""The private git directory that the records of one workspace are kept in: blobs, trees, a commit and a ref for each.

git is run with settings and variables of ours alone. It never has the user's `.git`, and content never passes through
it but as bytes on a pipe: no filter, line ending or attribute of a workspace has a say in it.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from actors.checkpoints.snapshot import PLAIN_MODES, Details, File, Snapshot, blob_id
from actors.common.small_files import replace_file

CONFIG = b"""[core]
repositoryformatversion = 0
bare = true
sharedRepository = 0600
symlinks = true
fsmonitor = false
untrackedCache = false
hooksPath = /dev/null
attributesFile = /dev/null
autocrlf = false
precomposeUnicode = false
protectNTFS = false
protectHFS = false
quotePath = false
compression = 1
[fastimport]
unpackLimit = 1
[gc]
auto = 0
[pack]
threads = 1
"""
LOOKS_S = 20.0
"""For one command: patterns can be written that take git for ever."""
MEMORY_KB = 4 * 1024 * 1024
"""For git, so that a pack that says it is larger than it is ends git and nobody else."""
BOUNDED = ("/bin/sh", "-c", f'ulimit -v {MEMORY_KB} 2>/dev/null; exec "$@"', "git")
SPARING = (
    *("-c", "core.packedGitWindowSize=32m", "-c", "core.packedGitLimit=256m"),
    *("-c", "core.bigFileThreshold=64m"),
)
REFS = "refs/checkpoints/"
IMPORTED = "refs/imported/"
"""Of another machine: only for the sessions that came with them."""
PREVIEWS = "refs/previews/"
"""Of what is only compared; the next comparison takes its place."""
DAMAGED = "damaged-"
FILES = "files"
DETAILS = "details"


class GitFailed(Exception):
    """git's own words."""


class Repository:
    def __init__(self, folder: Path, git: str, path: str, *, bounded: bool = False) -> None:
        """git: the program. path: where it finds its own programs. bounded: what it reads may be made to do harm."""
        self.folder = folder
        self._git = git
        self._before = BOUNDED if bounded else ()
        self._sparing = SPARING if bounded else ()
        self._environ = {
            "PATH": path,
            "LC_ALL": "C",
            "HOME": str(folder),
            "GIT_DIR": str(folder),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
        }

    def create(self, workspace: str) -> None:
        """Whatever is missing. Raises OSError."""
        for folder in (self.folder.parent, self.folder, *(self.folder / name for name in ("objects", "refs", "info"))):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        if not (self.folder / "HEAD").exists():
            replace_file(self.folder / "config", CONFIG)
            replace_file(self.folder / "workspace", os.fsencode(workspace))
            replace_file(self.folder / "HEAD", b"ref: refs/heads/none\n")  # last: with it, it is a repository

    def is_sound(self) -> bool:
        """Raises OSError."""
        try:
            self.run("fsck", "--no-dangling", "--no-progress")
        except GitFailed:
            return False
        return True

    def set_aside(self) -> None:
        """What is damaged, as it is; the next records begin anew. Raises OSError."""
        aside = Path(tempfile.mkdtemp(prefix=DAMAGED, dir=self.folder))
        for name in ("objects", "refs"):
            (self.folder / name).rename(aside / name)
            (self.folder / name).mkdir(mode=0o700)

    def command(self, *arguments: str) -> tuple[list[str], dict[str, str]]:
        """To be run in its folder."""
        return [*self._before, self._git, "--no-pager", *self._sparing, *arguments], self._environ

    def run(
        self,
        *arguments: str,
        given: bytes | int = b"",
        variables: Mapping[str, str] | None = None,
        longest_s: float = LOOKS_S,
    ) -> bytes:
        """What it prints. given: on its stdin, or a descriptor to be that. Raises GitFailed, OSError."""
        argv, environ = self.command(*arguments)
        try:
            ran = subprocess.run(
                argv,
                env=environ | dict(variables or {}),
                cwd=self.folder,
                input=None if isinstance(given, int) else given,
                stdin=given if isinstance(given, int) else None,
                capture_output=True,
                timeout=longest_s,
            )
        except subprocess.TimeoutExpired as error:
            raise GitFailed(f"git {arguments[0]} took longer than {longest_s:.0f} s") from error
        if ran.returncode:
            raise GitFailed(ran.stderr.decode(errors="replace").strip() or f"git {arguments[0]}: {ran.returncode}")
        return ran.stdout

    def lend(self, *objects: str | Path) -> None:
        """Read what is in these folders of objects, too, and write nothing there. Raises OSError."""
        info = self.folder / "objects" / "info"
        info.mkdir(mode=0o700, exist_ok=True)
        replace_file(info / "alternates", alternates(objects))

    def look(self, *arguments: str, top: Path, index: Path | None = None) -> bytes:
        """At a folder. index: the user's own, to be read; else none. Raises GitFailed, OSError."""
        named = index or self.folder / "no-index"
        return self.run(*arguments, variables={"GIT_WORK_TREE": str(top), "GIT_INDEX_FILE": str(named)})

    def users_setting(self, name: str, environ: Mapping[str, str]) -> str:
        """Of the user's own file, a path; "" where there is none."""
        kept = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "PATH")
        with suppress(subprocess.SubprocessError, OSError):
            ran = subprocess.run(
                [self._git, "config", "--global", "--type=path", "--get", name],
                env={key: environ[key] for key in kept if key in environ},
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=LOOKS_S,
            )
            return os.fsdecode(ran.stdout.rstrip(b"\n"))
        return ""

    def set_patterns(self, patterns: bytes) -> None:
        """What is ignored beside the .gitignore files. Raises OSError."""
        file = self.folder / "info" / "exclude"
        if not file.exists() or file.read_bytes() != patterns:
            replace_file(file, patterns)

    def load(self, commit: str) -> Snapshot:
        """Raises GitFailed, OSError."""
        packed = self.run("cat-file", "blob", f"{commit}:{DETAILS}")
        details = msgspec.msgpack.decode(packed, type=Details)
        files = {}
        for line in self.run("ls-tree", "-r", "-z", "--full-tree", commit, f"{FILES}/").split(b"\0")[:-1]:
            about, _, path = line.partition(b"\t")
            mode, _, oid = about.decode().split(" ")
            path = path[len(FILES) + 1 :]
            full = int(mode, 8)
            if path in details.modes:
                full = full & ~0o777 | details.modes[path]
            files[path] = File(full, oid)
        return Snapshot(files=files, details=details)

    @contextmanager
    def blobs(self) -> Iterator["Blobs"]:
        """To read many. Raises OSError."""
        argv, environ = self.command("cat-file", "--batch")
        with subprocess.Popen(
            argv, env=environ, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            try:
                yield Blobs(_pipe(process.stdin), _pipe(process.stdout))
            finally:
                process.kill()

    def difference(self, old: str, new: str, most: int) -> str:
        """As a unified diff, the first `most` bytes. Raises GitFailed, OSError."""
        how = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--patch-with-stat", "--stat=100")
        told = self.beginning("diff", *how, f"--relative={FILES}/", old, new, most=most + 1)
        text = told[:most].decode(errors="backslashreplace")
        return text if len(told) <= most else f"{text[: text.rfind(chr(10)) + 1]}[more of it is left out]\n"

    def beginning(self, *arguments: str, most: int) -> bytes:
        """The first `most` bytes of what git prints. Raises OSError."""
        argv, environ = self.command(*arguments)
        with subprocess.Popen(
            argv,
            env=environ,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            told = _pipe(process.stdout).read(most)
            process.kill()
        return told

    def another(self, folder: Path) -> "Repository":
        """Run in the same way. Raises OSError."""
        other = Repository(folder, self._git, self._environ["PATH"], bounded=bool(self._before))
        other.create("")
        return other

    def commit_of(self, ref: str) -> str:
        """ "" where there is no such record."""
        try:
            return (self.folder / ref).read_text().strip()
        except OSError:
            return ""

    def point(self, ref: str, commit: str) -> None:
        """Raises OSError."""
        file = self.folder / ref
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(file, f"{commit}\n".encode())

    def refs(self, beginning: str = REFS) -> list[tuple[str, str, float]]:
        """Name, commit and when it was made, oldest first."""
        files = [path for path in (self.folder / beginning).rglob("*") if path.is_file() and path.suffix != ".lock"]
        found = []
        for path in files:
            with suppress(OSError):
                found.append((str(path.relative_to(self.folder)), path.read_text().strip(), path.stat().st_mtime))
        return sorted(found, key=lambda ref: (ref[2], ref[0]))


class Blobs:
    def __init__(self, ask: IO[bytes], told: IO[bytes]) -> None:
        self._ask = ask
        self._told = told

    def read(self, oid: str) -> bytes:
        """Raises GitFailed, OSError."""
        self._ask.write(f"{oid}\n".encode())
        self._ask.flush()
        head = self._told.readline().split()
        if len(head) != 3:  # id, kind, bytes
            raise GitFailed(f"a recorded file cannot be read: {oid}")
        data = self._told.read(int(head[2]))
        self._told.read(1)
        return data


class Import:
    """What is added to a repository in one go; nothing of it is there before it is finished."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def __enter__(self) -> "Import":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        if self._errors is not None:
            self._errors.close()

    def blob(self, data: bytes, stored: set[str]) -> str:
        """Its id; stored: those that are there, and then this one too. Raises OSError."""
        oid = blob_id(data)
        if oid not in stored:
            self._write(b"blob\ndata %d\n%b\n" % (len(data), data))
            stored.add(oid)
        return oid

    def commit(self, ref: str, snapshot: Snapshot) -> None:
        """Raises OSError."""
        odd = {
            path: file.mode & 0o777
            for path, file in snapshot.files.items()
            if not file.is_link and file.mode & 0o777 not in PLAIN_MODES
        }
        packed = msgspec.msgpack.encode(msgspec.structs.replace(snapshot.details, modes=odd))
        self._write(b"reset %b\ncommit %b\n" % (ref.encode(), ref.encode()))
        self._write(b"committer Trouper <> %d +0000\ndata 0\n" % time.time())
        self._write(b"M 100644 inline %b\ndata %d\n%b\n" % (DETAILS.encode(), len(packed), packed))
        for path, file in snapshot.files.items():
            place = _quoted(b"%b/%b" % (FILES.encode(), path))
            self._write(b"M %b %b %b\n" % (file.git_mode.encode(), file.oid.encode(), place))

    def change(
        self, ref: str, parent: str, changes: Mapping[bytes, tuple[str, str] | None], message: bytes = b""
    ) -> None:
        """A commit that differs from its parent in these files alone: mode and blob of each, or None where it is gone.

        Raises OSError.
        """
        self._write(b"reset %b\ncommit %b\n" % (ref.encode(), ref.encode()))
        self._write(b"committer Trouper <> %d +0000\ndata %d\n%b\n" % (time.time(), len(message), message))
        self._write(b"from %b\n" % parent.encode())
        # what goes first: a file may become a folder
        for path, entry in sorted(changes.items(), key=lambda change: change[1] is not None):
            if entry is None:
                self._write(b"D %b\n" % _quoted(path))
            else:
                self._write(b"M %b %b %b\n" % (entry[0].encode(), entry[1].encode(), _quoted(path)))

    def finish(self) -> None:
        """On disk, all or nothing of each commit. Raises GitFailed, OSError."""
        if self._process is None or self._errors is None:
            return
        self._write(b"done\n")
        self._process.communicate()
        if self._process.returncode:
            self._errors.seek(0)
            raise GitFailed(self._errors.read(2000).decode(errors="replace").strip())
        self._process = None

    def _write(self, data: bytes) -> None:
        if self._process is None:
            argv, environ = self._repository.command("fast-import", "--quiet", "--done", "--force")
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115
            self._process = subprocess.Popen(
                argv,
                env=environ,
                cwd=self._repository.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
            )
        _pipe(self._process.stdin).write(data)


def _quoted(path: bytes) -> bytes:
    escaped = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"%b"' % escaped


def alternates(objects: Iterable[str | Path]) -> bytes:
    """As git reads them: a name that could be taken for a comment or for several is quoted."""
    lines = []
    for folder in objects:
        name = os.fsencode(folder)
        odd = name.startswith((b"#", b'"')) or b"\n" in name
        lines.append(_quoted(name) if odd else name)
    return b"".join(line + b"\n" for line in lines)


def _pipe(end: IO[bytes] | None) -> IO[bytes]:
    """Of a process that was started with one."""
    if end is None:
        raise TypeError("no pipe was asked for")
    return end
