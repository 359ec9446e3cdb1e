"""What a git command does, its options before the subcommand seen through."""

from dataclasses import replace

from actors.gate.bash import git_tables as tables
from actors.gate.bash.options import may_be, positional, present
from actors.gate.bash.parts import HARMLESS, Does, Part
from actors.gate.bash.words import Word

LOST = "work or history can be lost"


def git(args: tuple[Word, ...]) -> Part:
    settings, elsewhere, rest = _after_global_options(args)
    found = _subcommand(rest)
    if elsewhere:
        found = replace(found, effect="execute", unsure=f"git is told by {elsewhere} to look elsewhere")
    for setting in settings:
        if setting.known and tables.HARMLESS_SETTINGS.match(setting.text):
            continue
        why = f"git is given a setting that may run programs: {setting.text.partition('=')[0]}"
        found = replace(found, effect="execute", unsure=found.unsure or why)
    return found


def _after_global_options(args: tuple[Word, ...]) -> tuple[list[Word], str, tuple[Word, ...]]:
    """Settings, the option that sends git elsewhere, and the subcommand with what follows."""
    settings: list[Word] = []
    elsewhere = ""
    at = 0
    while at < len(args) and args[at].option:
        text = args[at].text
        name, equals, _ = text.partition("=")
        if name.startswith("-c"):
            settings += args[at + 1 : at + 2] if text == "-c" else [Word(text[2:])]
        elif name != "-C" and name not in tables.HARMLESS and name not in ("-v", "-h", "--version", "--help"):
            elsewhere = elsewhere or (name if args[at].known else "something that is not known")
        at += 2 if name in tables.VALUED and not equals else 1
    return settings, elsewhere, args[at:]


def _subcommand(args: tuple[Word, ...]) -> Part:
    if not args:
        return HARMLESS
    name, rest = args[0].text, args[1:]
    found = Part("", _effect(name, rest), danger=_loses(name, rest))
    if name not in tables.LOOKS and name not in tables.CHANGES:
        return replace(found, unsure="git has no such subcommand itself: it may be an alias for anything")
    if (name in tables.LOSES or name in tables.LOSES_ALWAYS) and _unknown(rest):
        found = replace(found, unsure="what git is told is not known before it runs")
    if name in tables.RUNS or _says(rest, tables.RUNS_IF.get(name, "")):
        found = replace(found, unsure="git runs a command out of its arguments or settings")
    if name in tables.REMOTE or _says(rest, tables.REMOTE_IF.get(name, "")):
        found = replace(found, network=True, unsandboxed=True)
    return _told_what_to_run(name, rest, found)


def _told_what_to_run(name: str, args: tuple[Word, ...], found: Part) -> Part:
    if name == "config" and found.effect != "read":
        if any(tables.RUNNING_SETTINGS.match(word.text) for word in args):
            found = replace(found, danger="git runs what such a setting says, later")
        return replace(found, unsandboxed=bool(present(args, "--global --system")))
    connection = name in tables.REMOTE and present(args, "--upload-pack --receive-pack --exec")
    if connection or any(word.text.startswith("ext::") for word in args):
        return replace(found, unsure="it says what is run for the connection")
    return found


def _effect(name: str, args: tuple[Word, ...]) -> Does:
    if present(args, tables.NEVER_LOOKS):
        return "execute"
    if name in tables.LOOKS:
        changing = tables.LOOKS[name]
        return "execute" if present(args, changing) or (changing and may_be(args)) else "read"
    if name in tables.LOOKS_ALONE and not args:
        return "read"
    if name == "config" and len(args) == 1 and args[0].known and not args[0].option:
        return "read"
    if args and args[0].text in tables.LOOKS_IF_FIRST.get(name, "").split():
        return "execute" if _acts(name, args[1:]) else "read"
    return "read" if name in tables.LISTS and _lists(name, args) else "execute"


def _acts(name: str, args: tuple[Word, ...]) -> bool:
    """Behind a word that looks: what makes it do more after all."""
    if may_be(args):
        return True
    if name == "config":
        return any(word.text in tables.CONFIG_CHANGES.split() for word in args) or bool(
            present(args, " ".join(one for one in tables.CONFIG_CHANGES.split() if one.startswith("--")))
        )
    return name == "remote" and any(word.text in tables.REMOTE_CHANGES.split() for word in args)


def _lists(name: str, args: tuple[Word, ...]) -> bool:
    plain, valued = tables.LISTS[name]
    options = [word.text.partition("=")[0] for word in args if word.option]
    allowed = {*plain.split(), *valued.split(), *tables.LIST.split()}
    makes_a_list = bool(set(options) & set(tables.LIST.split()))
    return set(options) <= allowed and not may_be(args) and (makes_a_list or not positional(args))


def _loses(name: str, args: tuple[Word, ...]) -> str:
    told = positional(args)
    match name:
        case "clean":
            loses = not present(args, "-n --dry-run")
        case "restore":
            loses = not present(args, "-S --staged") or bool(present(args, "-W --worktree"))
        case "rm":
            loses = bool(present(args, "-r -f --force")) and not present(args, "--cached")
        case "push":
            loses = _says(args, tables.LOSES[name]) or any(word.text.startswith(("+", ":")) for word in told)
        case "checkout":
            paths = any(word.text == "--" for word in args) or any(word.text == "." or word.glob for word in told)
            several = len(told) > 1 and not present(args, "-b -t --track --orphan --detach")
            loses = _says(args, tables.LOSES[name]) or paths or several
        case _:
            loses = name in tables.LOSES_ALWAYS or _says(args, tables.LOSES.get(name, ""))
    return LOST if loses else ""


def _says(args: tuple[Word, ...], words: str) -> bool:
    first = args[0].text if args else ""
    return bool(words) and (first in words.split() or bool(present(args, words)))


def _unknown(args: tuple[Word, ...]) -> bool:
    return may_be(args) or any(not word.known for word in args)
