"""The rules that would answer a question once and for all; and in words, what would change a decision. Pure.

Who asks for them checks that each does what it says: see `call_decision`.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from actors.common import globs
from actors.gate.bash.language.parts import Part
from actors.gate.bash.programs.git import NAMED
from actors.gate.bash.programs.git_tables import LOSES, LOSES_ALWAYS
from actors.gate.decision import Context
from actors.gate.subjects.places import Place
from actors.gate.subjects.subject import Command, File, Kind, Site, Subject, Whole
from actors.messages.model import ToolSpec
from actors.messages.tool import Mode, Verdict
from actors.settings.mcp.names import shown
from actors.settings.permissions import IN_SANDBOX
from actors.settings.tool_names import rule_name

RUNS_ANYTHING = (
    *("python", "python2", "python3", "pypy", "node", "deno", "bun", "ruby", "perl", "php", "lua", "java", "Rscript"),
    *("sh", "bash", "zsh", "dash", "ksh", "fish", "busybox", "env", "xargs", "find", "parallel", "watch", "time"),
    *("sudo", "doas", "su", "nohup", "timeout", "nice", "ionice", "setsid", "stdbuf", "command", "exec", "eval"),
    *("ssh", "scp", "sftp", "rsync", "curl", "wget", "nc", "ncat", "socat", "telnet", "ftp", "docker", "podman"),
    *("kubectl", "npx", "pnpx", "uvx", "pipx", "awk", "gawk", "sed", "ed", "vi", "vim", "tclsh", "osascript", "gdb"),
    *("rm", "rmdir", "mv", "cp", "ln", "dd", "chmod", "chown", "tee", "kill", "pkill", "killall", "truncate", "shred"),
)
"""Programs for which "with any arguments" would be anything at all."""
LOSING = frozenset(LOSES) | LOSES_ALWAYS | frozenset(NAMED)
"""Subcommands of git for which that would be leave to delete."""
PASSING = tuple(map(Path, ("/proc", "/sys", "/dev")))
"""What is there now may be something else the next time."""
SHOWN = 1000
"""Characters of the rules in an advice, which has them twice."""
UNWRITABLE = frozenset("*?[]() \t\n")
"""In a server's name of a tool: a rule with it would mean others, too, or could not be read."""
SYSTEM = ("/etc", "/usr", "/var", "/opt", "/bin", "/lib", "/root", "/home", "/tmp")  # noqa: S108


def remembered(subject: Subject, tool: ToolSpec, context: Context) -> tuple[str, ...]:
    """Only just this: for the session, and for good."""
    match subject:
        case File(deleted=True) | File(own=True):  # a rule that names a place in /tmp is about the machine's
            return ()
        case File(access=access, place=place):
            shown = _shown(place.real, context.workspace)
            lasts = globs.is_literal(shown) and not any(place.is_inside(folder) for folder in PASSING)
            return (f"{access.capitalize()}({shown})",) if lasts else ()
        case Command(part=part):
            return (f"Bash({part.text})",) if _is_worth_remembering(subject) else ()
        case Site(host=host):
            return (f"Web({host})",) if host else ()
        case Kind(name=name):
            return (f"SpawnAgent({name})",)
        case Whole():
            return (_name(tool),) if not UNWRITABLE & set(tool.server_tool) else ()


def _name(tool: ToolSpec) -> str:
    return f"Mcp({shown(tool.server, tool.server_tool)})" if tool.server else rule_name(tool.name)


def by_hand(subject: Subject, tool: ToolSpec, context: Context) -> tuple[str, ...]:
    """What a user may write down who knows what it means, but is not offered."""
    if isinstance(subject, Command):
        return (f"Bash({subject.part.text})",)
    if isinstance(subject, File) and subject.deleted:
        return ("Delete",)
    return remembered(subject, tool, context) or (_name(tool),)


def wider(subject: Subject, context: Context) -> tuple[str, ...]:
    """Of a file its folder; of a command that says with its second word what it does, the same with any arguments."""
    match subject:
        case File(deleted=True) | File(own=True):
            return ()
        case File(access=access, place=place):
            folder = _folder(place, context.workspace)
            return (f"{access.capitalize()}({folder})",) if folder else ()
        case Command(part=part) if _is_worth_remembering(subject):
            return _with_any_arguments(part)
        case _:
            return ()


def in_sandbox(subject: Subject) -> tuple[str, ...]:
    return (f"Bash({IN_SANDBOX.pattern})",) if isinstance(subject, Command) else ()


def _with_any_arguments(part: Part) -> tuple[str, ...]:
    program, what, *_ = (*part.text.split(), "", "")
    if not re.fullmatch(r"[\w.+-]+", program) or _runs_anything(program) or (program == "git" and what in LOSING):
        return ()
    return (f"Bash({program} {what}:*)",) if re.fullmatch(r"[a-z][a-z0-9:_-]*", what) else ()


def _is_worth_remembering(command: Command) -> bool:
    """Not where the next time its words may mean something else: a variable, a program that is read from a pipe."""
    part = command.part
    program, *rest = part.text.split() or [""]
    arguments = [word for word in rest if not word.startswith("-")]
    unknown = command.ruled or part.unsure or part.unseen or part.blind
    return not (part.once or unknown) and bool(arguments or not _runs_anything(program))


def _runs_anything(program: str) -> bool:
    return program.rpartition("/")[2].rstrip("0123456789.") in RUNS_ANYTHING


def _folder(place: Place, workspace: Path) -> str:
    """The folder it is in; "" where that would be far too much, or cannot be written down."""
    too_much = {workspace, *workspace.parents, Path.home(), *Path.home().parents, *map(Path, SYSTEM)}
    folder = place.real.parent
    shown = _shown(folder, workspace)
    passing = any(place.is_inside(one) for one in PASSING)
    return f"{shown}/**" if folder not in too_much and globs.is_literal(shown) and not passing else ""


def _shown(path: Path, workspace: Path) -> str:
    return str(path.relative_to(workspace) if path.is_relative_to(workspace) else path)


def how_to_allow(rules: tuple[str, ...], modes: Iterable[Mode], home: Path) -> str:
    """For an answer that is ask."""
    return _advice("allow", rules, modes, home)


def how_to_deny(rule: str, modes: Iterable[Mode], home: Path) -> str:
    """For an answer that is allow."""
    return _advice("deny", (rule,) if rule else (), modes, home)


def _advice(verdict: Verdict, rules: tuple[str, ...], modes: Iterable[Mode], home: Path) -> str:
    by_mode = f"--mode {' or '.join(modes)}" if modes else ""
    if sum(map(len, rules)) > SHOWN:
        return "; or ".join(filter(None, ("a rule for just this call, which is too long to be shown", by_mode)))
    flags = " ".join(f"--{verdict} {_quoted(rule)}" for rule in rules)
    listed = ", ".join('"' + rule.replace("\\", "\\\\").replace('"', '\\"') + '"' for rule in rules)
    by_rule = f"{flags}, or in {home}/config.toml: [permissions] {verdict} = [{listed}]" if flags else ""
    return "; or ".join(filter(None, (by_rule, by_mode)))


def how_to_lift(rule: str, source: str) -> str:
    """For a rule that asks or denies."""
    return f"leave out {source} {_quoted(rule)}" if source.startswith("--") else f'take "{rule}" out of {source}'


def _quoted(rule: str) -> str:
    return "'" + rule.replace("'", "'\\''") + "'"
