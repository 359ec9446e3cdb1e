"""What a git command does, its options before the subcommand seen through."""

import posixpath

from msgspec.structs import replace

from actors.gate.bash.language.options import may_be, parsed, positional, present
from actors.gate.bash.language.parts import HARMLESS, Does, Part
from actors.gate.bash.language.words import Word
from actors.gate.bash.programs import git_tables as tables
from actors.gate.bash.programs.networks import is_local

LOST = "work or history can be lost"
NAMED = ("checkout", "restore", "rm")
"""What these lose has names, but for their options: see deletions.py."""


def git(_name: str, args: tuple[Word, ...]) -> Part:
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


def folder(args: tuple[Word, ...]) -> tuple[Word | None, tuple[Word, ...]]:
    """Where it starts, Word("") for where it is called, and the arguments without what says so. None: not known."""
    found: Word | None = Word("")
    rest: list[Word] = []
    at = 0
    while at < len(args) and args[at].option:
        length = 2 if args[at].text in tables.VALUED else 1
        if args[at].text != "-C":
            rest += args[at : at + length]
        elif found is not None:
            found = _below(found, args[at + 1 : at + 2])
        at += length
    return found, (*rest, *args[at:])


def _below(above: Word, given: tuple[Word, ...]) -> Word | None:
    if not given or not given[0].known or given[0].glob:
        return None
    return Word(given[0].text if given[0].text.startswith("~") else posixpath.join(above.text, given[0].text))


def subcommand(args: tuple[Word, ...]) -> tuple[str, tuple[Word, ...], bool]:
    """Its name, what follows, and whether it works elsewhere than in this folder."""
    _, elsewhere, rest = _after_global_options(args)
    before = args[: len(args) - len(rest)]
    moved = bool(elsewhere) or any(word.text.startswith("-C") for word in before)
    return (rest[0].text if rest else ""), rest[1:], moved


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
    lost = _loses(name, rest)
    away = name == "push"  # the only one that loses what is elsewhere
    found = Part("", _effect(name, rest), danger=lost if away else "", loses="" if away else lost)
    if name not in tables.LOOKS and name not in tables.CHANGES:
        return replace(found, unsure="git has no such subcommand itself: it may be an alias for anything")
    if (name in tables.LOSES or name in tables.LOSES_ALWAYS) and _unknown(rest):
        found = replace(found, unsure="what git is told is not known before it runs")
    if name in tables.RUNS or _says(rest, tables.RUNS_IF.get(name, "")):
        found = replace(found, unsure="git runs a command out of its arguments or settings")
    local = name == "clone" and all(is_local(word) for word in positional(rest))
    if (name in tables.REMOTE and not local) or _says(rest, tables.REMOTE_IF.get(name, "")):
        found = replace(found, network=True, unsandboxed=True)
    return _told_what_to_run(name, rest, found)


def _told_what_to_run(name: str, args: tuple[Word, ...], found: Part) -> Part:
    if name == "config" and found.effect != "read":
        if any(tables.RUNNING_SETTINGS.match(word.text) for word in args):
            found = replace(found, danger="git runs what such a setting says, later")
        return replace(found, unsandboxed=bool(present(args, "--global --system")))
    if name == "grep" and present(args, "-O --open-files-in-pager"):
        return replace(found, unsure="git runs a command out of its arguments or settings")
    if present(args, tables.TOLD_WHAT_TO_RUN.get(name, "")) or any(word.text.startswith("ext::") for word in args):
        return replace(found, unsure="it says what is run for the connection")
    return found


def _effect(name: str, args: tuple[Word, ...]) -> Does:
    if present(args, tables.NEVER_LOOKS) or any(tables.CHECKS_SIGNATURES.match(word.text) for word in args):
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
            known = parsed(args, tables.OPTIONS["clean"])
            loses = known is None or not known.has("-n --dry-run")
        case "restore" | "rm":
            loses = False
        case "push":
            loses = _says(args, tables.LOSES[name]) or any(word.text.startswith(("+", ":")) for word in told)
        case _:
            loses = name in tables.LOSES_ALWAYS or _says(args, tables.LOSES.get(name, ""))
    return LOST if loses else ""


def _says(args: tuple[Word, ...], words: str) -> bool:
    first = args[0].text if args else ""
    return bool(words) and (first in words.split() or bool(present(args, words)))


def _unknown(args: tuple[Word, ...]) -> bool:
    return may_be(args) or any(not word.known for word in args)
