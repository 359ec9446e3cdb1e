"""`gh`: the commands of GitHub's own program that only look, with the user's sign-in."""

import os
from shutil import which
from typing import Annotated

import msgspec

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.confinement.processes.process_trees import Program
from actors.confinement.sandbox import environment
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.helper_programs import Ran, need, run_program
from actors.tools.output import Output
from actors.tools.workspace.folder import Workspace

LOOKING = {
    "issue": ("list", "status", "view"),
    "pr": ("checks", "diff", "list", "status", "view"),
    "release": ("list", "view"),
    "repo": ("list", "view"),
    "run": ("list", "view"),
    "search": ("code", "commits", "issues", "prs", "repos"),
    "workflow": ("list", "view"),
}
COMMANDS = "; ".join(f"{name} {'|'.join(actions)}" for name, actions in LOOKING.items()) + "; api PATH (only GET)"
ITS_OWN = ("GH_HOST", "GH_CONFIG_DIR")
SILENT = {
    "GH_PAGER": "cat",
    "GH_BROWSER": "false",
    "GH_PROMPT_DISABLED": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "GH_NO_EXTENSION_UPDATE_NOTIFIER": "1",
    "NO_COLOR": "1",
    # it asks git about the repository, whose config may name commands
    "GIT_CONFIG_COUNT": "3",
    "GIT_CONFIG_KEY_0": "core.fsmonitor",
    "GIT_CONFIG_VALUE_0": "false",
    "GIT_CONFIG_KEY_1": "core.hooksPath",
    "GIT_CONFIG_VALUE_1": "/dev/null",
    "GIT_CONFIG_KEY_2": "core.sshCommand",
    "GIT_CONFIG_VALUE_2": "false",
}
REFUSED = {
    "--web": "there is no browser",
    "-w": "there is no browser; for a workflow write --workflow",
    "--watch": "it would never end",
}
REFUSED_OF_API = {
    **dict.fromkeys(("-X", "--method", "-f", "--raw-field", "-F", "--field", "--input"), "only GET without a body"),
    **dict.fromkeys(("-H", "--header", "--hostname"), "requests go as they are to the host of the sign-in"),
}


class Gh(Arguments, frozen=True):
    args: Annotated[
        tuple[Annotated[str, msgspec.Meta(max_length=10_000)], ...],
        msgspec.Meta(
            min_length=1,
            max_length=limits.GH_ARGUMENTS,
            description='Arguments one by one: ["pr", "view", "12", "--comments"]; a flag and its value apart.',
        ),
    ]


async def run(arguments: Gh, worker: Worker, _report: Report) -> Outcome:
    check(arguments.args)
    ours = {name: os.environ[name] for name in ITS_OWN if name in os.environ}
    variables = {**environment.for_commands(os.environ), **ours, **SILENT}
    program = Program(
        (need("gh", worker.workspace.root), *arguments.args), worker.workspace.root, variables, apart=True
    )
    kept = Output(limits.GH_BYTES * 2 // 3, limits.GH_BYTES // 3)
    return _outcome(await run_program(worker, program, limits.GH_S, kept))


def preview(arguments: Gh, _workspace: Workspace) -> Preview:
    check(arguments.args)
    return Preview(title=f"gh {' '.join(arguments.args)}")


def check(args: tuple[str, ...]) -> None:
    """Raises ToolFailed for all that does more than look."""
    command, action = args[0], args[1] if len(args) > 1 else ""
    if any("\0" in arg for arg in args):
        raise ToolFailed("An argument cannot contain a NUL byte.")
    if command == "api":
        _check_path(action)
    elif action not in LOOKING.get(command, ()):
        raise ToolFailed(f"gh {command} {action} is not among what this tool runs: {COMMANDS}. Use bash for others.")
    refused = {**REFUSED, **(REFUSED_OF_API if command == "api" else {})}
    for arg in args[2:]:
        _check_flag(arg, refused)


def _check_path(path: str) -> None:
    if path.startswith("-") or not path:
        raise ToolFailed("gh api: its path comes first, such as repos/{owner}/{repo}/issues.")
    if "://" in path or path.startswith("//"):
        raise ToolFailed("gh api: give a path, such as repos/{owner}/{repo}/issues, not a URL.")
    if path.strip("/ ").partition("?")[0].casefold() == "graphql":
        raise ToolFailed("gh api graphql can change things, so this tool does not run it. Use the other commands.")


def _check_flag(arg: str, refused: dict[str, str]) -> None:
    if arg.startswith("-") and not arg.startswith("--") and len(arg) > 2:
        raise ToolFailed(f"{arg}: write short flags one by one, their values apart, or use the long form.")
    name = arg.partition("=")[0]
    if name in refused:
        raise ToolFailed(f"{name} is not possible here: {refused[name]}.")


def _outcome(ran: Ran) -> Outcome:
    errors = ran.errors.strip()
    if ran.exit_code is None:
        raise ToolFailed(f"gh took longer than {limits.GH_S:.0f} s. Ask for less, with --limit.")
    if ran.exit_code == 4:  # "authentication required", from gh help exit-codes
        raise ToolFailed(
            f"{errors}\ngh is not signed in: the user has to run `gh auth login`. No tool gets a GH_TOKEN."
        )
    if ran.exit_code and not ran.output.strip():
        raise ToolFailed(errors or f"gh failed with exit code {ran.exit_code}.")
    # `gh pr checks` prints its list and then exits with 1 or 8 for checks that failed or are pending
    ended = f"\n[exit {ran.exit_code}: {errors}]" if ran.exit_code else ""
    return Outcome((ran.output.rstrip() or "(nothing found)") + ended, how_many(len(ran.output.splitlines()), "line"))


def _is_there() -> bool:
    return which("gh") is not None


GH = Tool("gh", "network", Gh, run, preview, runs_in="open", is_there=_is_there)
