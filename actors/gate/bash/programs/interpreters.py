"""Shells, interpreters and databases: where the code they run comes from, and what is known of it."""

import re

from msgspec.structs import replace

from actors.gate.bash.files.paths import looking_like_files, named
from actors.gate.bash.files.placed_files import placed
from actors.gate.bash.language.options import positional, values
from actors.gate.bash.language.parts import EXECUTES, Part, joined
from actors.gate.bash.language.surroundings import Around, Stdin
from actors.gate.bash.language.words import HOLE, Word
from actors.gate.bash.programs import tables
from actors.gate.bash.programs.argument_programs import SQL_LOSES

FETCHED = "it runs what it fetches from the network"
DECODED = "it runs what was encoded so that nobody could read it"
UNREADABLE = "what it runs is not known before it runs"
VARIABLE = "$UNKNOWN"
NOT_IN_EVERY_SHELL = re.compile(r"\[\[|(?<!\$)\(\(")
"""A test or arithmetic in bash; in other shells what stands in it is run."""
STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
PLAIN_OPTIONS = re.compile(r"[-+](?:[abefhkmnptuvxBCEHPTcs]*o?)|--(?:norc|noprofile|posix|noediting)")
"""Not -i and -l, with which start files are run, and no long one that nobody knows here."""
READ_AS_WE_DO = frozenset({"bash", "sh", "dash", "ash"})


def shell(name: str, args: tuple[Word, ...], around: Around) -> tuple[Part, ...]:
    """The parts of what a shell is given; its own, where that is a file or nobody knows."""
    script, rest, options = _script(args)
    starts = _start_files(name, args, options, around)
    if script is not None:
        return (*starts, *_text(name, script, around))
    if rest and rest[0].text not in STANDARD_INPUT:
        return (placed(_file(name, args, rest[0]), named(looking_like_files(rest), ()), around),)
    return from_stdin(name, around) or (replace(EXECUTES, text=_shown(name, args)),)


def _start_files(name: str, args: tuple[Word, ...], options: tuple[Word, ...], around: Around) -> tuple[Part, ...]:
    """What options make it run before all else: a file they name, or those of whoever signs in."""
    if all(PLAIN_OPTIONS.fullmatch(word.text) for word in options):
        return ()
    files = values(args, "--rcfile --init-file")
    return (placed(replace(EXECUTES, text=_shown(name, args)), named(files, ()), around),)


def evaluated(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """What `eval` puts together."""
    return words[2:] if words[1:2] and words[1].text == "--" else words[1:]


def from_stdin(name: str, around: Around) -> tuple[Part, ...]:
    """What a shell does that reads its commands from standard input."""
    match around.stdin.kind:
        case "nothing":
            return ()
        case "text":
            known = around.shell(around.stdin.text, Stdin("nothing"))
            return (*known, _from_elsewhere(around.stdin)) if _read_otherwise(name, around.stdin.text) else known
        case _:
            return (_from_elsewhere(around.stdin),)


def _read_otherwise(name: str, script: str) -> bool:
    return name != "bash" and bool(NOT_IN_EVERY_SHELL.search(script))


def _from_elsewhere(stdin: Stdin) -> Part:
    return replace(EXECUTES, text="a shell", unsure=UNREADABLE, danger=_by_kind(stdin))


def interpreter(name: str, args: tuple[Word, ...], around: Around) -> Part:
    found = EXECUTES
    code = values(args, tables.INTERPRETERS[name])
    files = positional(args)
    for word in code or files[:1]:
        found = replace(found, danger=found.danger or _fetched(word.inner))
    if not code and (not files or files[0].text in STANDARD_INPUT) and around.stdin.kind not in ("nothing", "text"):
        found = replace(found, unseen=UNREADABLE, danger=_by_kind(around.stdin))
    return found


def database(args: tuple[Word, ...], around: Around) -> Part:
    said = " ".join((*(word.text for word in args), around.stdin.text))
    if SQL_LOSES.search(said):
        return replace(EXECUTES, danger="it deletes data")
    unknown = any(not word.known for word in args)
    return replace(EXECUTES, unseen=UNREADABLE if unknown else "")


def feeds(parts: tuple[Part, ...]) -> Stdin:
    """What comes out of commands, for the next one in the pipeline."""
    if any(part.network for part in parts):
        return Stdin("fetched")
    decoding = ("base64 -d", "base64 --d", "base64 -D", "xxd -r", "openssl", "base32 -d", "uudecode")
    if any(part.text.startswith(decoding) for part in parts):
        return Stdin("decoded")
    return Stdin("unknown")


def _script(args: tuple[Word, ...]) -> tuple[Word | None, tuple[Word, ...], tuple[Word, ...]]:
    """The argument of -c, what follows the options, and these."""
    takes_script = reads_stdin = False
    at, options = 0, list[Word]()
    while at < len(args) and args[at].text[:1] in ("-", "+") and args[at].text not in ("-", "--"):
        text = args[at].text
        options.append(args[at])
        cluster = "" if text.startswith("--") else text[1:]
        takes_script = takes_script or "c" in cluster
        reads_stdin = reads_stdin or "s" in cluster
        at += 2 if cluster[-1:] in ("o", "O") or text in ("--rcfile", "--init-file") else 1
    at += at < len(args) and args[at].text == "--"
    rest = args[at:]
    if takes_script:
        return (rest[0] if rest else Word("")), rest[1:], tuple(options)
    return None, () if reads_stdin else rest, tuple(options)


def _text(name: str, script: Word, around: Around) -> tuple[Part, ...]:
    known = around.shell(script.text.replace(HOLE, VARIABLE), around.stdin)
    clear = script.known and script.text.strip() and not _read_otherwise(name, script.text)
    parts = known if clear else (*known, _unknown(name, script))
    if name in READ_AS_WE_DO:
        return parts
    return (*parts, replace(EXECUTES, text=f"{name} -c {script.shown}"))


def _unknown(name: str, script: Word) -> Part:
    return replace(EXECUTES, text=f"{name} -c {script.shown}", unsure=UNREADABLE, danger=_fetched(script.inner))


def _file(name: str, args: tuple[Word, ...], file: Word) -> Part:
    made = replace(EXECUTES, text=_shown(name, args), danger=_fetched(file.inner))
    if not file.known:
        return replace(made, unsure=UNREADABLE, blind=True)
    return made


def _shown(name: str, args: tuple[Word, ...]) -> str:
    return " ".join((name, *(word.shown for word in args)))


def _fetched(inner: tuple[Part, ...]) -> str:
    return _by_kind(feeds(inner)) if inner else ""


def _by_kind(stdin: Stdin) -> str:
    return {"fetched": FETCHED, "decoded": DECODED}.get(stdin.kind, "")


def with_inner(part: Part, words: tuple[Word, ...]) -> Part:
    """A command whose code is made by another one."""
    danger = next((why for word in words if (why := _fetched(word.inner))), "")
    return joined(part, replace(EXECUTES, danger=danger))
