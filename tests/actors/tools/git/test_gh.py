"""`gh` with a stand-in for the program on the PATH, which tells what it was called with."""

import json
import os
import sys
from pathlib import Path

import pytest

from actors.confinement.errors import ToolFailed
from actors.tools.base import Worker
from actors.tools.git.gh import GH, Gh

FAKE = """#!{python}
import json, os, sys
if "fail" in sys.argv:
    print("partly"); sys.exit("no such thing")
if "signin" in sys.argv:
    print("please sign in", file=sys.stderr); sys.exit(4)
names = ("GH_TOKEN", "OPENAI_API_KEY", "GH_PAGER", "GIT_CONFIG_VALUE_0")
print(json.dumps([sys.argv[1:], [os.environ.get(name) for name in names], os.getcwd()]))
"""


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "gh").write_text(FAKE.format(python=sys.executable))
    (folder / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GH_TOKEN", "t-1")
    monkeypatch.setenv("OPENAI_API_KEY", "k-1")


async def run(worker: Worker, *args: str) -> str:
    async def report(_text: str) -> None: ...

    return (await GH.run(Gh(args), worker, report)).output


@pytest.mark.parametrize(
    "line",
    [
        "issue list --limit 5",
        "issue status",
        "issue view 12 --comments",
        "pr checks 3",
        "pr diff 3 --patch",
        "pr list -L 5 --json number,title --jq .[].title",
        "pr status",
        "pr view --json environment",
        "release list",
        "release view v1",
        "repo list ann",
        "repo view ann/x",
        "run list --workflow ci.yml",
        "run view 5 --log-failed",
        "search code env",
        "search prs --author=ann",
        "workflow list",
        "workflow view ci.yml --yaml",
        "api repos/{owner}/{repo}/pulls/1/comments --paginate -q .[].body",
        "api /user",
    ],
)
async def test_what_only_looks_is_run_as_it_is(folder: Path, worker: Worker, line: str) -> None:
    argv, _, cwd = json.loads(await run(worker, *line.split()))

    assert argv == line.split()
    assert cwd == str(folder)


async def test_it_gets_no_secrets_and_nothing_to_run(worker: Worker) -> None:
    _, variables, _ = json.loads(await run(worker, "pr", "list"))

    assert variables == [None, None, "cat", "false"]


@pytest.mark.parametrize(
    "line",
    [
        "pr",
        "pr merge 3",
        "pr create",
        "pr checkout 3",
        "issue close 3",
        "issue create",
        "repo clone ann/x",
        "repo delete ann/x",
        "run rerun 5",
        "run watch 5",
        "release download v1",
        "workflow run ci.yml",
        "auth token",
        "secret list",
        "alias set x y",
        "extension install ann/x",
        "gist view 1",
        "browse",
        "-R ann/x pr list",
        "--version",
        "pr list --web",
        "pr list --web=true",
        "pr view -w",
        "pr view -cw",
        "pr checks --watch",
        "api",
        "api graphql",
        "api /graphql",
        "api graphql?x=1",
        "api https://evil.example/x",
        "api //evil.example/x",
        "api -X DELETE repos/a/b",
        "api repos/a/b -X DELETE",
        "api repos/a/b -XDELETE",
        "api repos/a/b -X=DELETE",
        "api repos/a/b --method DELETE",
        "api repos/a/b --method=DELETE",
        "api repos/a/b -f a=b",
        "api repos/a/b -fa=b",
        "api repos/a/b -F a=@/etc/passwd",
        "api repos/a/b --field a=b",
        "api repos/a/b --raw-field=a=b",
        "api repos/a/b --input x",
        "api repos/a/b -H X-HTTP-Method-Override:DELETE",
        "api repos/a/b --hostname evil.example",
        "pr view a\0b",
    ],
)
async def test_everything_else_is_refused(worker: Worker, line: str) -> None:
    with pytest.raises(ToolFailed):
        await run(worker, *line.split(" "))


async def test_what_was_printed_before_a_failure_is_kept(worker: Worker) -> None:
    assert await run(worker, "pr", "checks", "fail") == "partly\n[exit 1: no such thing]"


async def test_a_missing_sign_in_says_what_the_user_can_do(worker: Worker) -> None:
    with pytest.raises(ToolFailed, match="gh auth login"):
        await run(worker, "pr", "view", "signin")


def test_it_is_offered_only_where_the_program_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert GH.is_there()
    monkeypatch.setenv("PATH", "/nowhere")
    assert not GH.is_there()
