"""Decisions about commands that reach files which they do not name: through symlinks, and out of lists."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.messages.tool import SandboxLevel
from tests.actors.gate.cases import around, run


@pytest.fixture
def linked(workspace: Path) -> Path:
    """A workspace with links of all kinds to what is beside it, in folders that look plain."""
    for folder in ("docs", "docs/deep", "other", "plain"):
        (workspace / folder).mkdir()
    (workspace / "docs/deep/note").symlink_to(workspace.parent / "beside/b.txt")
    (workspace / "docs/near").symlink_to(workspace / "src/a.py")
    (workspace / "other/in").symlink_to(workspace / "docs")
    (workspace / "plain/a.txt").write_text("x")
    (workspace / "plain/out").symlink_to(workspace.parent / "beside")
    return workspace


@pytest.mark.parametrize(
    "command",
    [
        *("cat docs/deep/*", "cat docs/*/note", "cat docs/*/n?te", "cat docs/deep/[!x]ote", "cat **/note"),
        *("head -n 1 */deep/*", "cat < docs/deep/n*", "cat plain/*/b.txt", "ls plain/*", "wc docs/deep/{n,x}*"),
        *("cd docs && cat deep/*", "for f in docs/deep/*; do echo $f; done", "sed -n p docs/deep/*", "stat docs/d*/*"),
        *("grep -R x docs", "grep -Rn x", "cd docs && grep -nR x .", "rg -L x", "rg --follow x docs", "ls -LR docs"),
        *("find -L docs -name x", "find -L", "find . -follow -name x", "tree -l", "du -L docs", "diff -r docs plain"),
        *("diff docs/deep src", "diff -N src docs/deep", "diff docs/deep note", "colordiff -q docs src"),
        *("grep -R x other", "grep -R x other/in", "grep -R x other/*"),
    ],
)
def test_what_is_read_through_a_link_out_of_the_workspace_asks(linked: Path, command: str) -> None:
    judgements = [run(around(linked, mode), command) for mode in ("default", "auto")]

    assert [judgement.decision.rule for judgement in judgements] == ["outside the workspace", "outside the workspace"]


@pytest.mark.parametrize(
    "command",
    [
        *(
            "cat docs/*",
            "cat docs/near",
            "cat src/*",
            "cat plain/*.txt",
            "grep -R x src",
            "grep -r x docs",
            "rg x docs",
        ),
        *(
            "find docs -name x",
            "ls -R docs",
            "tree docs",
            "ls plain",
            "wc */a.py",
            "cat nothing/*",
            "cat .*",
            "grep -r x docs",
        ),
    ],
)
def test_a_link_that_stays_inside_or_is_not_followed_is_no_matter(linked: Path, command: str) -> None:
    assert run(around(linked, "default"), command).decision.verdict == "allow"


def test_a_pattern_names_what_its_links_lead_to_for_rules_too(linked: Path) -> None:
    (linked / "docs/deep/note").unlink()
    (linked / "docs/deep/note").symlink_to(linked / ".env")

    judgement = run(around(linked, "auto", deny=("Read(**/.env)",)), "cat docs/deep/*")

    assert judgement.decision.verdict == "deny"


def test_more_files_than_can_be_looked_at_count_as_unknown(linked: Path) -> None:
    for number in range(5001):
        (linked / f"plain/{number}").touch()

    verdicts = [run(around(linked, mode), "grep -R x src plain").decision.verdict for mode in ("default", "auto")]

    assert verdicts == ["ask", "allow"]


@pytest.mark.parametrize(
    "command",
    [
        *("ls ~+", "cat ~+/../x", "cat ~-/x", "cat ~1/x", "cat ~+1/x", "cat ~-0"),
        *("sort --files0-from=list", "sort --files0 list", "wc --files0-from=-", "du --files0-from=list"),
        *("find -files0-from list", "find . -files0-from list -name x", "sha256sum -c list", "md5sum --ch list"),
        *("size @list", "nm @list", "strings -f @list"),
    ],
)
def test_files_that_only_the_shell_or_another_file_knows_are_unknown(workspace: Path, command: str) -> None:
    verdicts = [run(around(workspace, mode), command).decision.verdict for mode in ("default", "plan")]

    assert verdicts == ["ask", "deny"]


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces"])
@pytest.mark.parametrize(
    ("command", "expected"),
    [
        *(
            (command, "outside the workspace")
            for command in ("cat /tmp/home/a", "ls /tmp/home", "cat /tmp/x/../home/a")
        ),
        *((command, "outside the workspace") for command in ("grep -r x /tmp", "cd /tmp && cat home/a", "ls /dev/shm")),
        *((command, "outside the workspace") for command in ("cat /tmp/*/a", "cat /tmp/[h]ome/a", "cat /tmp/hom?/*/b")),
        *((command, "outside the workspace") for command in ("cat /dev/*/kept/a", "shopt -s nocaseglob; ls /tmp/H*")),
        *((command, "outside the workspace") for command in ("touch /tmp/home/a", "cp src/a.py /tmp/home")),
        *((command, "mode auto") for command in ("cat /tmp/a", "ls /tmp/homes", "cat /dev/shm/a", "cat /tmp/x/../a")),
        *(
            (command, "mode auto")
            for command in ("echo x > /tmp/a", "cp src/a.py /tmp/a", "ls /tmp/x*/home", "ls /tmp/h?e")
        ),
    ],
)
def test_what_is_shown_of_the_machine_in_a_folder_of_their_own_is_outside(
    workspace: Path, level: SandboxLevel, command: str, expected: str
) -> None:
    shown = (Path("/tmp/home"), Path("/dev/shm/kept"))

    judgement = run(replace(around(workspace, "auto", level=level), shown=shown), command)

    assert judgement.decision.rule == expected


def test_a_folder_of_their_own_that_is_all_of_the_machine_is_outside(workspace: Path) -> None:
    context = replace(around(workspace, "auto", level="bubblewrap"), shown=(Path("/tmp"),))

    rules = [run(context, command).decision.rule for command in ("cat /tmp/a", "ls /tmp", "cat /tmp/*")]

    assert rules == ["outside the workspace"] * 3
