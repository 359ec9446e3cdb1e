"""The rules that would answer a question once and for all; and in words, what would change a decision. Pure.

Who asks for them checks that each does what it says: see judging.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from actors import globs
from actors.gate.bash.parts import Part
from actors.gate.decision import Context
from actors.gate.matching import MCP, server_and_tool
from actors.gate.places import Place
from actors.gate.subjects import Command, File, Site, Subject, Whole
from actors.messages.model import ToolSpec
from actors.messages.tool import Mode
from actors.permissions import rule_name

RUNS_ANYTHING = (
    *("python", "python2", "python3", "pypy", "node", "deno", "bun", "ruby", "perl", "php", "lua", "java", "Rscript"),
    *("sh", "bash", "zsh", "dash", "ksh", "fish", "busybox", "env", "xargs", "find", "parallel", "watch", "time"),
    *("sudo", "doas", "su", "nohup", "timeout", "nice", "ionice", "setsid", "stdbuf", "command", "exec", "eval"),
    *("ssh", "scp", "sftp", "rsync", "curl", "wget", "nc", "ncat", "socat", "telnet", "ftp", "docker", "podman"),
    *("kubectl", "npx", "pnpx", "uvx", "pipx", "awk", "gawk", "sed", "ed", "vi", "vim", "tclsh", "osascript", "gdb"),
    *("rm", "rmdir", "mv", "cp", "ln", "dd", "chmod", "chown", "tee", "kill", "pkill", "killall", "truncate", "shred"),
)
"""Programs for which "with any arguments" would be anything at all."""
PASSING = tuple(map(Path, ("/proc", "/sys", "/dev")))
"""What is there now may be something else the next time."""
SYSTEM = ("/etc", "/usr", "/var", "/opt", "/bin", "/lib", "/root", "/home", "/tmp")  # noqa: S108


def remembered(subject: Subject, tool: ToolSpec, context: Context) -> tuple[str, ...]:
    """Only just this: for the session, and for good."""
    match subject:
        case File(access=access, place=place):
            shown = _shown(place.real, context.workspace)
            lasts = globs.is_literal(shown) and not any(place.is_inside(folder) for folder in PASSING)
            return (f"{access.capitalize()}({shown})",) if lasts else ()
        case Command(part=part):
            return (f"Bash({part.text})",) if _is_worth_remembering(part) else ()
        case Site(host=host):
            return (f"Web({host})",) if host else ()
        case Whole():
            return (_name(tool),)


def _name(tool: ToolSpec) -> str:
    return "Mcp({}:{})".format(*server_and_tool(tool)) if tool.name.startswith(MCP) else rule_name(tool.name)


def by_hand(subject: Subject, tool: ToolSpec, context: Context) -> tuple[str, ...]:
    """What a user may write down who knows what it means, but is not offered."""
    if isinstance(subject, Command):
        return (f"Bash({subject.part.text})",)
    return remembered(subject, tool, context) or (_name(tool),)


def wider(subject: Subject, context: Context) -> tuple[str, ...]:
    """Of a file its folder; of a command that says with its second word what it does, the same with any arguments."""
    match subject:
        case File(access=access, place=place):
            folder = _folder(place, context.workspace)
            return (f"{access.capitalize()}({folder})",) if folder else ()
        case Command(part=part) if _is_worth_remembering(part):
            return _with_any_arguments(part)
        case _:
            return ()


def _with_any_arguments(part: Part) -> tuple[str, ...]:
    program, what, *_ = (*part.text.split(), "", "")
    if not re.fullmatch(r"[\w.+-]+", program) or _runs_anything(program):
        return ()
    return (f"Bash({program} {what}:*)",) if re.fullmatch(r"[a-z][a-z0-9:_-]*", what) else ()


def _is_worth_remembering(part: Part) -> bool:
    """Not where the next time its words may mean something else: a variable, a program that is read from a pipe."""
    program, *rest = part.text.split() or [""]
    arguments = [word for word in rest if not word.startswith("-")]
    return not (part.once or part.unsure or part.blind) and bool(arguments or not _runs_anything(program))


def _runs_anything(program: str) -> bool:
    return re.sub(r"[\d.]+$", "", program.rpartition("/")[2]) in RUNS_ANYTHING


def _folder(place: Place, workspace: Path) -> str:
    """The folder it is in; "" where that would be far too much, or cannot be written down."""
    too_much = {workspace, *workspace.parents, Path.home(), *Path.home().parents, *map(Path, SYSTEM)}
    folder = place.real.parent
    shown = _shown(folder, workspace)
    passing = any(place.is_inside(one) for one in PASSING)
    return f"{shown}/**" if folder not in too_much and globs.is_literal(shown) and not passing else ""


def _shown(path: Path, workspace: Path) -> str:
    return str(path.relative_to(workspace) if path.is_relative_to(workspace) else path)


def how_to_allow(rules: Iterable[str], modes: Iterable[Mode], home: Path) -> str:
    """For an answer that is ask."""
    flags = " ".join(f"--allow {_quoted(rule)}" for rule in rules)
    listed = ", ".join('"' + rule.replace("\\", "\\\\").replace('"', '\\"') + '"' for rule in rules)
    by_rule = f"{flags}, or in {home}/config.toml: [permissions] allow = [{listed}]" if flags else ""
    by_mode = f"--mode {' or '.join(modes)}" if modes else ""
    return "; or ".join(filter(None, (by_rule, by_mode)))


def how_to_lift(rule: str, source: str) -> str:
    """For a rule that asks or denies."""
    return f"leave out {source} {_quoted(rule)}" if source.startswith("--") else f'take "{rule}" out of {source}'


def _quoted(rule: str) -> str:
    return "'" + rule.replace("'", "'\\''") + "'"
