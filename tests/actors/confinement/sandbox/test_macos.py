"""The text of macOS's sandbox profile. Nobody has run it."""

from pathlib import Path

from actors.confinement.sandbox.macos import SANDBOX_EXEC, Policy, Seatbelt, profile
from actors.messages.tool import Grant

POLICY = Policy(
    writable=(Path("/work"), Path("/private/tmp/t")),
    protected=(Path("/work/.git/hooks"),),
    hidden=(Path("/Users/me/.ssh"),),
)


def test_what_is_protected_and_hidden_stands_behind_what_is_writable() -> None:
    lines = profile(POLICY).splitlines()

    assert lines[:2] == ["(version 1)", "(allow default)"]
    order = [
        lines.index('(allow file-write* (subpath "/work") (subpath "/private/tmp/t"))'),
        lines.index('(deny file-write* (subpath "/work/.git/hooks"))'),
        lines.index('(deny file-read* file-write* (subpath "/Users/me/.ssh"))'),
    ]
    assert order == sorted(order)


def test_without_a_network_there_is_loopback() -> None:
    assert '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))' in profile(POLICY)
    assert "(allow network*)\n" not in profile(POLICY)


def test_a_folders_name_cannot_end_its_string() -> None:
    policy = Policy(writable=(Path('/work/a") (allow default) ("'),), protected=(), hidden=())

    assert '(subpath "/work/a\\") (allow default) (\\"")' in profile(policy)


def test_a_command_is_wrapped(tmp_path: Path) -> None:
    seatbelt = Seatbelt(tmp_path, tmp_path / "t", ())

    with seatbelt.wrapped(["true"], tmp_path, Grant(network=True), -1) as (argv, descriptors):
        assert (argv[0], argv[1], argv[-1], descriptors) == (SANDBOX_EXEC, "-p", "true", ())
        assert "(allow network*)\n" in argv[2]


def test_of_what_it_lies_in_only_a_copy_itself_is_open() -> None:
    copy = Path("/home/t/worktrees/s.1/a")
    policy = Policy(writable=(copy,), protected=(copy / ".git/hooks",), hidden=(), around=(Path("/home/t"),))

    lines = profile(policy).splitlines()

    order = [
        lines.index('(deny file-read* file-write* (subpath "/home/t"))'),
        lines.index(f'(allow file-read* (subpath "{copy}"))'),
        lines.index(f'(allow file-write* (subpath "{copy}"))'),
        lines.index(f'(deny file-write* (subpath "{copy}/.git/hooks"))'),
    ]
    assert order == sorted(order)
