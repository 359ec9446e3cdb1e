"""Records on their way to another machine: what comes in is what went out, or nothing at all."""

import hashlib
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from actors.checkpoints.repository import IMPORTED
from actors.checkpoints.snapshot import Details, blob_id
from actors.checkpoints.workspace import Workspace
from actors.errors import Failed
from actors.messages.checkpoint import BundleCheckpoints, Bundled, TakeInCheckpoints
from tests.actors.checkpoints.places import GIT, Place, state

Tree = dict[str, tuple[str, str, bytes]]
"""By name in a tree of git: mode, kind, and the content of a blob, or the id of what is there."""
AT = "1700000000000000"
NAME = f"{'a' * 24}-before"


@pytest.fixture
def other(tmp_path: Path) -> Place:
    """Another machine, with another path of the workspace."""
    folder = tmp_path / "other"
    folder.mkdir()
    return Place(folder)


def bundled(place: Place, file: Path, *named: str) -> Bundled:
    wanted = BundleCheckpoints(cwd=place.cwd, session_id="5e55", checkpoint_ids=named, path=str(file))
    return place.workspace.bundle(wanted)


def take_in(place: Place, file: Path, session_id: str = "5e55") -> None:
    place.workspace.take_in(TakeInCheckpoints(cwd=place.cwd, session_id=session_id, path=str(file)))


def carried(place: Place, other: Place, *named: str) -> None:
    file = other.home.parent / "bundle"
    assert bundled(place, file, *named).checkpoints == len(named)
    take_in(other, file)


def all_of(place: Place) -> set[str]:
    """What there is in the repository, but for what says when it was used."""
    folder = place.workspace.repository.folder
    return {str(path.relative_to(folder)) for path in folder.rglob("*")} - {"lock"}


def test_files_come_back_elsewhere_byte_for_byte(place: Place, other: Place) -> None:
    place.write("a", "old\n")
    place.write("d/run", "#!\n", 0o751)
    (place.root / "link").symlink_to("/gone/far")
    (place.root / "empty").mkdir(mode=0o700)
    place.write("modules/.gitmodules", '[submodule "../x"]\n\tpath = -x\n\turl = -u\n')
    then = place.state()
    first = place.take("t1")
    place.write("a", "new\n")
    place.write("made")
    place.take("t1", "after")
    second = place.take("t2")
    place.write("a", "newest\n")

    carried(place, other, first, second)
    other.write("a", "the same file elsewhere\n")
    other.write("made")
    other.write("own")
    preview = other.diff(first)
    other.restore(first)

    assert (preview.removed, preview.kept) == (("made",), ("own",))
    assert other.state() == then | {b"own": ("file", 0o644, b"text\n")}


def test_what_is_done_elsewhere_is_taken_back_there_too(place: Place, other: Place) -> None:
    place.write("a", "old\n")
    first = place.take("t1")
    carried(place, other, first)
    other.write("a", "other\n")
    other.write("b")
    before = other.state()

    done = other.restore(first, remove_others=True)
    back = other.state()
    other.restore(done.undo_id)

    assert back == place.state()
    assert other.state() == before


def test_a_bundle_is_taken_in_twice_and_goes_on_to_a_third_machine(place: Place, other: Place, tmp_path: Path) -> None:
    place.write("a", "old\n")
    first = place.take("t1")
    carried(place, other, first)
    carried(place, other, first)
    folder = tmp_path / "third"
    folder.mkdir()
    third = Place(folder)

    carried(other, third, first)
    third.restore(first)

    assert (third.root / "a").read_text() == "old\n"
    assert len(other.workspace.repository.refs(IMPORTED)) == 1


def test_a_copy_of_a_session_has_the_records_of_the_other(place: Place, tmp_path: Path) -> None:
    place.write("a")
    first = place.take("t1")
    unnamed = BundleCheckpoints(cwd=place.cwd, session_id="c0b1", path=str(tmp_path / "none"))

    found = place.workspace.bundle(msgspec.structs.replace(unnamed, checkpoint_ids=(first, "0" * 40)))

    assert found.checkpoints == 1
    assert place.workspace.bundle(unnamed).checkpoints == 0


def test_turns_of_elsewhere_remove_nothing_where_a_session_of_here_goes_back(place: Place, other: Place) -> None:
    own = other.take("own")
    place.write("a")
    first = place.take("t1")
    place.write("made")
    place.take("t1", "after")
    carried(place, other, first)
    other.write("made", "by the user\n")

    told = other.diff(own)

    assert (told.removed, told.kept) == ((), ("made",))


def git(place: Place, *arguments: str, given: bytes = b"") -> str:
    environ = GIT | {"GIT_DIR": str(place.root / "forged")}
    ran = subprocess.run(["git", *arguments], env=environ, input=given, check=True, capture_output=True)
    return ran.stdout.decode().strip()


def forged(place: Place, files: str, details: Details | bytes = b"", ref: str = "") -> Path:
    """A bundle that another program has made. files: the id of a tree."""
    packed = details if isinstance(details, bytes) and details else msgspec.msgpack.encode(details or Details())
    blob = git(place, "hash-object", "-w", "--stdin", given=packed)
    top = git(place, "mktree", given=f"100644 blob {blob}\tdetails\n040000 tree {files}\tfiles\n".encode())
    commit = git(place, "commit-tree", top, "-m", "")
    git(place, "update-ref", ref or f"refs/checkpoints/{AT}/{NAME}", commit)
    path = place.root / "forged.bundle"
    git(place, "bundle", "create", str(path), "--all")
    return path


def tree(place: Place, *entries: tuple[str, str, bytes]) -> str:
    """A raw one, of modes, names and blobs or ids: git itself would refuse to make some of these."""
    told = b""
    for mode, name, content in entries:
        oid = content.decode() if mode in ("40000", "160000") else blob(place, content)
        told += f"{mode} {name}\0".encode() + bytes.fromhex(oid)
    return git(place, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", given=told)


def blob(place: Place, content: bytes) -> str:
    return git(place, "hash-object", "-w", "--stdin", given=content)


def bomb(place: Place) -> str:
    """10^12 files of three bytes each, in twelve trees."""
    inner = tree(place, *(("100644", f"f{number}", b"abc") for number in range(10)))
    for _ in range(11):
        inner = tree(place, *(("40000", f"d{number}", inner.encode()) for number in range(10)))
    return inner


def sizes(place: Place) -> str:
    """Not many files, of more bytes together than a workspace may have."""
    large = blob(place, b"x" * 19_000_000)
    listed = "".join(f"100644 blob {large}\tf{number:04}\n" for number in range(200))
    return git(place, "mktree", given=listed.encode())


HOSTILE: dict[str, Callable[[Place], str]] = {
    "above": lambda place: tree(place, ("40000", "..", tree(place, ("100644", "x", b"x")).encode())),
    "above in a name": lambda place: tree(place, ("100644", "../x", b"x")),
    "deep above": lambda place: tree(place, ("100644", "a/../../x", b"x")),
    "absolute": lambda place: tree(place, ("100644", "/tmp/x", b"x")),
    "here": lambda place: tree(place, ("100644", ".", b"x")),
    "hook": lambda place: tree(place, ("100755", ".git/hooks/pre-commit", b"x")),
    "config": lambda place: tree(place, ("40000", ".git", tree(place, ("100644", "config", b"x")).encode())),
    "case": lambda place: tree(place, ("40000", ".GiT", tree(place, ("100644", "config", b"x")).encode())),
    "unseen": lambda place: tree(place, ("40000", ".g\u200cit", tree(place, ("100644", "config", b"x")).encode())),
    "nested": lambda place: tree(place, ("40000", "sub", tree(place, ("100644", ".git", b"gitdir: /x")).encode())),
    "rules": lambda place: tree(place, ("40000", ".trouper", tree(place, ("100644", "config.toml", b"x")).encode())),
    "Rules": lambda place: tree(place, ("40000", ".Trouper", tree(place, ("100644", "config.toml", b"x")).encode())),
    "link and folder": lambda place: tree(
        place, ("120000", "a", b"/tmp"), ("40000", "a", tree(place, ("100644", "x", b"x")).encode())
    ),
    "link and path": lambda place: tree(place, ("120000", "a", b"/tmp"), ("100644", "a/x", b"x")),
    "submodule": lambda place: tree(place, ("160000", "a", b"1" * 40)),
    "device": lambda place: tree(place, ("20644", "a", b"x")),
    "broken link": lambda place: tree(place, ("120000", "a", b"x\0y")),
    "long link": lambda place: tree(place, ("120000", "a", b"x" * 5000)),
    "bomb": bomb,
    "sizes": sizes,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_tree_leaves_nothing(place: Place, other: Place, kind: str) -> None:
    git(place, "init", "--bare", "--quiet", str(place.root / "forged"))
    other.write("a", "mine\n")
    own = other.take()
    before = all_of(other)
    file = forged(place, HOSTILE[kind](place))

    with pytest.raises(Failed, match="not as trouper sessions export writes them") as refused:
        take_in(other, file)

    assert refused.value.problem.code == "bad_request"
    assert all_of(other) == before
    other.restore(own)
    assert state(other.root) == {b"a": ("file", 0o644, b"mine\n")}


DETAILS: dict[str, Details | bytes] = {
    "folder above": Details(folders={b"../x/": 0o777}),
    "absolute folder": Details(folders={b"/x/": 0o777}),
    "folder of git": Details(folders={b".git/": 0o777}),
    "folder in a link": Details(folders={b"link/x/": 0o777}),
    "link and folder": Details(folders={b"link/": 0o777}),
    "sticky folder": Details(folders={b"x/": 0o4777}),
    "folder with a null": Details(folders={b"x\0/": 0o777}),
    "another kind": Details(modes={b"link": 0o104755}),
    "made above": Details(made=(b"../x",)),
    "no details": b"\xc1",
    "a number": b"\x01",
}


@pytest.mark.parametrize("kind", DETAILS)
def test_hostile_details_leave_nothing(place: Place, other: Place, kind: str) -> None:
    git(place, "init", "--bare", "--quiet", str(place.root / "forged"))
    before = all_of(other)
    file = forged(place, tree(place, ("120000", "link", b"/tmp")), DETAILS[kind])

    with pytest.raises(Failed, match="not as trouper sessions export writes them"):
        take_in(other, file)

    assert all_of(other) == before


@pytest.mark.parametrize(
    "ref",
    [
        "refs/heads/main",
        f"refs/checkpoints/{AT}/../../config",
        f"refs/checkpoints/{AT}/{'a' * 24}-later",
        f"refs/checkpoints/{AT}/{'a' * 24}",
        f"refs/checkpoints/5e55/{NAME}",
        f"refs/previews/{AT}/{NAME}",
    ],
)
def test_a_ref_of_another_name_is_refused(place: Place, other: Place, tmp_path: Path, ref: str) -> None:
    place.write("a")
    file = tmp_path / "bundle"
    bundled(place, file, place.take())
    before = all_of(other)
    heading, rest = file.read_bytes().split(b" ref", 1)
    file.write_bytes(heading + b" " + ref.encode() + rest[rest.index(b"\n") :])

    with pytest.raises(Failed, match="not as trouper sessions export writes them"):
        take_in(other, file)

    assert all_of(other) == before


@pytest.mark.parametrize("change", ["cut", "bit", "version", "prerequisite", "empty", "text"])
def test_a_broken_bundle_leaves_nothing(place: Place, other: Place, tmp_path: Path, change: str) -> None:
    place.write("a", "text " * 1000)
    file = tmp_path / "bundle"
    bundled(place, file, place.take())
    whole = file.read_bytes()
    middle = len(whole) // 2
    heading, _, pack = whole.partition(b"\n")
    broken = {
        "cut": whole[:-30],
        "bit": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "version": b"# v3 git bundle\n@filter=blob:none\n" + pack,
        "prerequisite": heading + b"\n-" + b"1" * 40 + b" x\n" + pack,
        "empty": b"",
        "text": b"#!/bin/sh\ntouch /tmp/x\n",
    }
    file.write_bytes(broken[change])
    before = all_of(other)

    with pytest.raises(Failed, match="not as trouper sessions export writes them"):
        take_in(other, file)

    assert all_of(other) == before


def test_what_reaches_into_the_home_of_the_program_is_refused(place: Place, tmp_path: Path) -> None:
    root = tmp_path / "around"
    home = root / "in" / "home"
    root.mkdir()
    workspace = Workspace(home, root, {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "user")})
    place.write("in/Home/config.toml", "loose = true\n")
    file = tmp_path / "bundle"
    bundled(place, file, place.take())

    with pytest.raises(Failed, match="in/Home"):
        workspace.take_in(TakeInCheckpoints(cwd=str(root), session_id="5e55", path=str(file)))


def test_a_link_that_leads_out_comes_back_and_nothing_goes_through_it(
    place: Place, other: Place, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (place.root / "way").symlink_to(outside)
    with_link = place.take("t1")
    (place.root / "way").unlink()
    place.write("way/file", "in the workspace\n")
    with_folder = place.take("t2")

    carried(place, other, with_link, with_folder)
    other.restore(with_link)
    other.restore(with_folder)

    assert list(outside.iterdir()) == []
    assert (other.root / "way" / "file").read_text() == "in the workspace\n"


def test_a_record_from_the_future_is_of_now_and_does_not_outlive_ours(place: Place, other: Place) -> None:
    git(place, "init", "--bare", "--quiet", str(place.root / "forged"))
    ref = f"refs/checkpoints/9999999999999999/{NAME}"
    take_in(other, forged(place, tree(place, ("100644", "a", b"x")), ref=ref))

    own = other.take()
    kinds = other.workspace.repository.refs(IMPORTED), other.workspace.repository.refs()

    assert kinds[0][0][2] <= kinds[1][0][2]
    assert own == kinds[1][0][1]


def test_what_a_killed_import_left_goes_with_the_next(place: Place, other: Place) -> None:
    left = other.workspace.repository.folder / "exchange-x"
    (left / "git").mkdir(parents=True)
    place.write("a")

    carried(place, other, place.take())

    assert not left.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="what memory a process takes is bounded there only")
def test_a_pack_that_grows_beyond_all_memory_ends_git_alone(place: Place, other: Place, tmp_path: Path) -> None:
    place.write("a")
    good, bad = tmp_path / "good", tmp_path / "bad"
    bundled(place, good, place.take())
    before = all_of(other)
    header, _, _ = good.read_bytes().partition(b"PACK")
    bad.write_bytes(header + growing_pack())

    with pytest.raises(Failed, match="ut of memory"):
        take_in(other, bad)

    assert all_of(other) == before


def growing_pack() -> bytes:
    """A blob of a megabyte, and 16 GB that are nothing but copies of it; some kilobytes in all.

    https://git-scm.com/docs/pack-format
    """
    base = b"x" * (1 << 20)
    copies, copy = 16 * 1024, bytes([0x80 | 0x40, 0x10])  # from 0 on, 0x100000 bytes
    delta = number(len(base)) + number(copies << 20) + copy * copies
    first = typed(3, len(base)) + zlib.compress(base)
    second = typed(7, len(delta)) + bytes.fromhex(blob_id(base)) + zlib.compress(delta)
    pack = b"PACK" + struct.pack(">II", 2, 2) + first + second
    return pack + hashlib.sha1(pack, usedforsecurity=False).digest()


def number(value: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    told = bytearray()
    while value > 0x7F:
        told.append(0x80 | value & 0x7F)
        value >>= 7
    return bytes([*told, value])


def typed(kind: int, size: int) -> bytes:
    """The kind of an object and its size: four bits of that come first."""
    rest = size >> 4
    return bytes([(0x80 if rest else 0) | kind << 4 | size & 15]) + (number(rest) if rest else b"")
