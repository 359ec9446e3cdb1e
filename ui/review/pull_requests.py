"""A pull request's patch, by GitHub's own program and the user's sign-in there. It only looks."""

import os
import re
from pathlib import Path

import msgspec

from actors.common import installed_programs
from actors.confinement.sandbox import environment
from ui.common.harmless import exposed_line
from ui.common.usage_errors import Usage
from ui.source_text import looking_git
from ui.source_text.looking_git import GitFailed, TooMuch

NUMBER = re.compile(r"#?(\d{1,9})")
ADDRESS = re.compile(r"https://[\w.-]+/[\w.-]+/[\w.-]+/pull/\d{1,9}(?=[/?#]|$)")
COMMIT = re.compile(r"[0-9a-f]{40}")
ITS_OWN = (
    *("GH_HOST", "GH_CONFIG_DIR", "GH_REPO", "GH_TOKEN", "GITHUB_TOKEN"),
    *("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "DBUS_SESSION_BUS_ADDRESS"),
)
"""Of how the user is signed in, which this program alone gets."""
SILENT = {
    "GH_PAGER": "cat",
    "GH_BROWSER": "false",
    "GH_PROMPT_DISABLED": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "GH_NO_EXTENSION_UPDATE_NOTIFIER": "1",
    "NO_COLOR": "1",
}
GIT = {**environment.GIT, "core.hooksPath": "/dev/null", "core.sshCommand": "false"}
"""It asks git which repository this is, whose config may name commands."""
SETTINGS_OF_GIT = {
    "GIT_CONFIG_COUNT": str(len(GIT)),
    **{f"GIT_CONFIG_KEY_{at}": name for at, name in enumerate(GIT)},
    **{f"GIT_CONFIG_VALUE_{at}": value for at, value in enumerate(GIT.values())},
}
FIELDS = "number,title,headRefOid"
WITHIN_S = 120.0
MOST_TOLD = 1024 * 1024
LONGEST_TITLE = 200


class PullRequest(msgspec.Struct, frozen=True, rename="camel"):
    """What `gh pr view` tells."""

    number: int
    title: str = ""
    head_ref_oid: str = ""
    """The latest commit, which need not be here."""


def named(said: str) -> str:
    """How gh is told which one is meant; "" where none is."""
    if found := NUMBER.fullmatch(said):
        return found[1]
    address = ADDRESS.match(said)
    return address[0] if address else ""


def read(which: str, folder: Path, most: int) -> tuple[PullRequest, bytes]:
    """And its patch. which: as `named` has it. Raises Usage, TooMuch."""
    gh = installed_programs.find("gh", folder)
    if not gh:
        raise Usage("a pull request is read by gh, which is not installed. See: https://cli.github.com")
    told = _run(gh, ("pr", "view", which, "--json", FIELDS), folder, MOST_TOLD)
    try:
        found = msgspec.json.decode(told, type=PullRequest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Usage(f"gh did not tell what {which} is: {error}. See: gh pr view {which}") from error
    title = exposed_line(found.title)[:LONGEST_TITLE]
    return msgspec.structs.replace(found, title=title), _run(
        gh, ("pr", "diff", which, "--color", "never"), folder, most
    )


def _run(gh: str, arguments: tuple[str, ...], folder: Path, most: int) -> bytes:
    ours = {name: os.environ[name] for name in ITS_OWN if name in os.environ}
    path = {"PATH": installed_programs.outside(os.environ.get("PATH", os.defpath), folder)}
    variables = {**environment.for_commands(os.environ), **ours, **SILENT, **path, **SETTINGS_OF_GIT}
    try:
        return looking_git.read([gh, *arguments], folder, variables, most=most, within_s=WITHIN_S)
    except TooMuch:
        raise
    except GitFailed as error:
        raise Usage(f"{error}. See: gh auth status") from error
