"""`trouper permissions explain|list|remove|trust`: what would be decided about a call, and the rules behind it."""

import argparse
import sys
import uuid
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from actors.mailbox import Mailbox
from actors.messages.conversation import ToolCall
from actors.messages.tool import Explain, Explanation
from actors.settings import permissions, saved_rules, workspace_files
from actors.settings.config import Settings
from ui.cli import trust_review
from ui.cli.arguments import Parser, add_common
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import exposed_line, one_line, sanitise
from ui.common.usage_errors import Usage
from ui.headless import one_answer
from ui.headless.stdout import write
from ui.start import session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
examples:
  trouper permissions list
  trouper permissions explain bash '{"command": "git push --force"}'
  trouper permissions explain write '{"path": "src/a.py", "content": ""}' --mode accept-edits --json
  trouper permissions remove 'Bash(npm test:*)'
  trouper permissions trust

rules, in [permissions] allow, ask, deny of TROUPER_HOME/config.toml, or with --allow and --deny; .trouper/config.toml
and .trouper/config.local.toml of a workspace can only ask and deny until you have trusted exactly what they say:
  Read(src/**)  Write(docs/*.md)      paths: * stays in a folder, ** crosses folders, ~ is your home
  Bash(make test)  Bash(npm test:*)   a command as it is; with any arguments
  Bash(/data/**)                      a place outside the workspace that commands may name
  Bash(@sandbox)                      every command that stays inside the sandbox, where there is one
  Web(docs.python.org)  Web(*.example.com)  Mcp(server:tool)
  Edit, GitLog, ...                   every call of that tool
deny beats ask, ask beats allow.
"""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of `explain`."""

    tool: str
    arguments: str
    json: bool = False


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options = parser().parse_args(arguments)
    settings = session_settings.prepare(options, launch)
    match options.what:
        case "list":
            for notice in settings.notices:
                one_answer.complain(notice)
            return one_answer.printed(_listed(settings, as_json=options.json))
        case "remove":
            return _remove(settings, options.rule)
        case "trust":
            return trust_review.main(settings, agreed=options.yes)
        case _:
            return _explain(settings, options, launch)


def _explain(settings: Settings, options: argparse.Namespace, launch: Launch) -> int:
    given = sys.stdin.read() if options.arguments == "-" else options.arguments
    try:
        msgspec.json.decode(given, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError as error:
        raise Usage(f'the arguments are not a JSON object: {error}. For example: \'{{"command": "ls"}}\'') from error
    front = encoded(Wanted(tool=options.tool, arguments=given, json=options.json))
    settings = msgspec.structs.replace(settings, front=front)
    actors = ("store", "gate", "tools:main", "ui")
    return supervise(Run(settings=settings, launch=launch, entry="ui.cli.subcommands.permissions:run", actors=actors))


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front of `explain`."""
    await one_answer.run(mailbox, partial(_answer, mailbox, msgspec.msgpack.decode(settings.front, type=Wanted)))


async def _answer(mailbox: Mailbox, wanted: Wanted) -> int:
    call = ToolCall(call_id=uuid.uuid4().hex, name=wanted.tool, arguments=wanted.arguments)
    explained = await mailbox.ask("gate", Explain(call=call), Explanation)
    if wanted.json:
        rows = {name: getattr(explained, name) for name in Explanation.__struct_fields__}
        await write(json_text.pretty(rows))
    else:
        await write(in_words(explained))
    return DONE


def in_words(explained: Explanation) -> str:
    """For people: the verdict first."""
    kind = {
        "bubblewrap": "in the sandbox (bubblewrap)",
        "namespaces": "in the sandbox (namespaces)",
        "landlock": "in the sandbox (landlock)",
        "none": "no sandbox",
    }
    where = kind[explained.sandbox] if explained.sandboxed else "outside the sandbox"
    rows = [
        ("mode", explained.mode),
        ("rule", explained.rule),
        ("from", explained.source),
        *([("runs", f"{where}, {'with' if explained.network else 'without'} a network")] if explained.parts else ()),
        *(("part", part) for part in explained.parts if len(explained.parts) > 1),
        *(("hook", hook) for hook in explained.hooks),
        ("change", explained.change or _nothing(explained)),
    ]
    strong = " (every time)" if explained.strong else ""
    first = f"{explained.verdict}{strong}: {explained.why}"
    return "".join(f"{line}\n" for line in (sanitise(first), *(f"  {name:7}{one_line(text)}" for name, text in rows)))


def _nothing(explained: Explanation) -> str:
    if explained.strong:
        return "nothing: no rule and no mode answers it, only you"
    return "nothing"


class Listed(msgspec.Struct, frozen=True):
    """A line of `list`."""

    verdict: str
    """ "hook" of a hook; "" of what is left out and is neither."""
    text: str
    source: str
    counts: bool = True


def _listed(settings: Settings, *, as_json: bool) -> str:
    rows = [*_counting(settings), *_left_out(settings)]
    if as_json:
        return json_text.pretty(rows)
    if not rows:
        return "There are no rules: the mode decides. See trouper permissions --help.\n"
    width = max(len(row.text) for row in rows)
    lines = [(row, exposed_line(f"{row.verdict:5} {row.text:{width}}  {row.source}")) for row in rows]
    left_out = [line for row, line in lines if not row.counts]
    heading = ["", f"left out, because you have not trusted it as it is ({workspace_files.TRUST}):"] if left_out else []
    return "".join(f"{line}\n" for line in (*(line for row, line in lines if row.counts), *heading, *left_out))


def _counting(settings: Settings) -> Iterator[Listed]:
    yield from (Listed(line.verdict, line.text, line.source) for line in settings.rules)
    own = str(Path(settings.home) / "config.toml")
    for hooks, source in ((settings.hooks, own), (settings.workspace_hooks, "this workspace's files")):
        yield from (Listed("hook", f"{event}: {hook.command}", source) for event, hook in hooks.all())


def _left_out(settings: Settings) -> Iterator[Listed]:
    for one in settings.left_out:
        for what in one.loosens:
            verdict, _, text = what.partition(" ")
            yield Listed(verdict, text, one.path, counts=False)


def _remove(settings: Settings, rule: str) -> int:
    permissions.parse(rule, "trouper permissions remove")
    files = (workspace_files.local_path(Path(settings.cwd)), Path(settings.home) / "config.toml")
    found = [str(path) for path in files if saved_rules.forget(path, rule, Path(settings.home))]
    if found:
        return one_answer.printed(f"removed {rule} from {' and '.join(found)}\n")
    one_answer.complain(f'the rule "{rule}" is in neither of {files[0]} and {files[1]}. See trouper permissions list.')
    return FAILED


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper permissions",
        description="What a call would be decided to be, by which rule, and what would change that. Runs nothing.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = made.add_subparsers(dest="what", required=True, metavar="explain|list|remove|trust")
    explain = what.add_parser("explain", help="what would be decided about one call, and why")
    explain.add_argument("tool", metavar="TOOL", help="such as bash or write; see trouper tools list")
    explain.add_argument("arguments", metavar="JSON", help='its arguments, or "-" to read them from stdin')
    listing = what.add_parser("list", help="the rules and hooks in force here, the file of each, and what is left out")
    remove = what.add_parser("remove", help="take a rule out of .trouper/config.local.toml or your own config.toml")
    remove.add_argument("rule", metavar="RULE", help="as it is listed")
    for one in (explain, listing):
        one.add_argument("--json", action="store_true")
    trust = what.add_parser("trust", help="show what this folder's files say, and let exactly that count, here")
    trust.add_argument("--yes", action="store_true", help="without the question, for scripts that know the folder")
    for one in (explain, listing, remove, trust):
        add_common(one)
    return made
