"""From the words of one command to its parts: wrappers off, then the tables, then its files."""

import posixpath
import re
from dataclasses import replace

from actors.gate.bash import programs, shells
from actors.gate.bash.around import Around, Stdin
from actors.gate.bash.environment import on_assignments
from actors.gate.bash.find import find
from actors.gate.bash.loopback import stays_here
from actors.gate.bash.names import names
from actors.gate.bash.options import may_be, parsed, positional, present, values
from actors.gate.bash.parts import HARMLESS, Part, joined
from actors.gate.bash.paths import URL, file_words, holds_everything, looking_like_files, named
from actors.gate.bash.placing import placed
from actors.gate.bash.reader_options import PLAIN_WORDS, RARE
from actors.gate.bash.special import BY_NAME
from actors.gate.bash.words import HOLE, Word
from actors.gate.bash.wrappers import VALUED, unwrap

DEEPEST = 16
"""Of commands that run commands."""
BIN = re.compile(r"/(?:usr/)?(?:local/)?s?bin|/opt/(?:homebrew|local)/s?bin|/usr/games")
EXECUTES = Part("", "execute")
LAST_WRITTEN = frozenset({"cp", "ln", "install"})
LINES = re.compile(r"[-+]\d+|-[nc][-+]?\d*|--(?:lines|bytes)(?:=.*)?")
CONTEXT = re.compile(r"-\d+|-[ABCm]\d*|--(?:context|after-context|before-context|max-count)(?:=.*)?")
ONCE = {**dict.fromkeys(("head", "tail"), LINES), **dict.fromkeys(names("grep egrep fgrep rg ag ack"), CONTEXT)}
"""Arguments that are numbers of lines."""
RUNNERS_LOOKED_AT = 64
"""Arguments of a runner at which another command may begin."""


def run(words: tuple[Word, ...], around: Around) -> tuple[Part, ...]:
    if not words:
        return ()
    shown = " ".join(word.shown for word in words)
    if around.depth > DEEPEST:
        return (replace(EXECUTES, text=shown, unsure="too many commands run one another"),)
    name = program_name(words[0])
    if not name:
        found = replace(EXECUTES, text=shown, unsure="which program it runs is not known before it runs")
        return (shells.with_inner(found, words[:1]), *worst(words[1:], around))
    if name == "eval":
        return around.shell(" ".join(word.text for word in words[1:]), around.stdin)
    if name in VALUED:
        return _wrapped(name, words, around)
    if name in programs.SHELLS:
        return shells.shell(name, words[1:], around)
    if name == "find":
        return _find(words, around)
    part = replace(_program(name, words[1:], around), text=_text(name, words))
    return (_with_runner(name, words, _with_files(name, words[1:], part, around), around),)


def program_name(word: Word) -> str:
    """A program of the usual folders by its name, any other as it is written; "" if it is not known."""
    if not word.known or word.glob or not word.text:
        return ""
    text = posixpath.normpath(word.text) if word.text.startswith("/") else word.text
    folder, _, base = text.replace("//", "/").rpartition("/")
    name = base if BIN.fullmatch(folder) else text
    return re.sub(r"^(python3?|pip|pypy3?|perl|ruby|lua|php)[\d.]+$", _without_version, name)


def _without_version(found: re.Match[str]) -> str:
    return "python3" if found[1] == "python" else found[1]


def _text(name: str, words: tuple[Word, ...]) -> str:
    first = words[0].shown if "/" in name else Word(posixpath.basename(words[0].text)).shown
    return " ".join((first, *(word.shown for word in words[1:])))


def _wrapped(name: str, words: tuple[Word, ...], around: Around) -> tuple[Part, ...]:
    wrapped = unwrap(name, words[1:])
    shown = " ".join(word.shown for word in words)
    own = joined(replace(HARMLESS, text=shown), on_assignments(wrapped.assigned))
    own = replace(own, unsure=own.unsure or wrapped.unsure)
    if wrapped.writes or wrapped.reads:
        own = placed(
            replace(own, effect="write" if wrapped.writes else "read"), named(wrapped.reads, wrapped.writes), around
        )
    stdin = Stdin("unknown") if name == "xargs" else around.stdin
    if wrapped.looks_up or not (wrapped.words or wrapped.script):
        return (own,)
    inside = around.deeper(stdin)
    inner = around.shell(wrapped.script, stdin) if wrapped.script else run(wrapped.words, inside)
    if own.unsure and inner:
        inner = (replace(inner[0], text=shown), *inner[1:])
    return tuple(joined(part, own) for part in inner) or (own,)


def _find(words: tuple[Word, ...], around: Around) -> tuple[Part, ...]:
    found = find(words[1:])
    part = replace(found.part, text=_text("find", words))
    own = placed(part, named(found.reads, found.writes), around)
    inner = [one for command in found.commands for one in run(command, around.deeper(Stdin("nothing")))]
    return (own, *inner)


def _program(name: str, args: tuple[Word, ...], around: Around) -> Part:
    """What the tables say of it; files come later."""
    base = posixpath.basename(name)
    if base != name:
        known = _program(base, args, around) if base else EXECUTES
        return replace(joined(EXECUTES, known), denied="", danger=known.danger or known.denied)
    if name in programs.DENIED or name.startswith("mkfs."):
        return replace(EXECUTES, denied=programs.DENIED.get(name, programs.DENIED["mkfs"]))
    if len(args) == 1 and args[0].text in programs.VERSIONS and name in programs.VERSIONED:
        return HARMLESS
    if name in programs.INTERPRETERS:
        module = joined(_by_table(name, args), _module(name, args, around))
        return joined(shells.interpreter(name, args, around), module)
    if name in programs.SQL:
        return shells.database(args, around)
    if name in programs.OTHER_SHELLS:
        unsure = shells.UNREADABLE if args or around.stdin.kind != "nothing" else ""
        return replace(EXECUTES, unsure=unsure)
    if name in BY_NAME:
        return BY_NAME[name](name, args)
    return _by_table(name, args)


def _by_table(name: str, args: tuple[Word, ...]) -> Part:
    if name in RARE and parsed(args, RARE[name]) is None:
        return replace(EXECUTES, once=_once(name, args))
    if name in PLAIN_WORDS and not _files_only(name, args):
        return EXECUTES
    if name in programs.READERS:
        return replace(HARMLESS, once=_once(name, args))
    if name in programs.READERS_BUT:
        changing = programs.READERS_BUT[name]
        changes = present(args, changing) or (changing and may_be(args))
        return replace(EXECUTES if changes else HARMLESS, once=_once(name, args))
    if name in programs.WRITERS:
        runs = name == "install" and present(args, "-s --strip --strip-program")
        return EXECUTES if runs or any(not word.known for word in args) else Part("", "write")
    told = [word.text.casefold() for word in positional(args)]
    looks = told[:1] and told[0] in programs.LOOKING_SUBCOMMANDS.get(name, "").split()
    looks = looks or any(word.text in programs.LOOKING_SUBCOMMANDS.get(name, "").split() for word in args[:1])
    words, why = programs.DANGEROUS_SUBCOMMANDS.get(name, ("", ""))
    return Part(
        "",
        "execute",
        danger=("" if looks else programs.DANGEROUS.get(name, "")) or (why if set(words.split()) & set(told) else ""),
        network=(name in programs.NETWORK and not stays_here(name, args))
        or _first(told, programs.NETWORK_SUBCOMMANDS.get(name, "")),
        unsandboxed=name in programs.UNSANDBOXED or _first(told, programs.UNSANDBOXED_SUBCOMMANDS.get(name, "")),
    )


def _files_only(name: str, args: tuple[Word, ...]) -> bool:
    """No `less +!x`, no `bat cache`, no page of the workspace that man would format."""
    told = [word.text for word in positional(args)]
    if name in ("man", "info") and any("/" in word or HOLE in word for word in told):
        return False
    return told[:1] != ["cache"] and not any(word.startswith(("+", HOLE)) and len(word) > 1 for word in told)


def _module(name: str, args: tuple[Word, ...], around: Around) -> Part:
    """`python -m pip install` is `pip install`."""
    at = next((at for at, word in enumerate(args) if word.text == "-m"), len(args))
    if not name.startswith(("python", "pypy")) or at + 1 >= len(args):
        return EXECUTES
    module = args[at + 1].text
    if module not in programs.NETWORK_SUBCOMMANDS and module not in programs.DANGEROUS_SUBCOMMANDS:
        return EXECUTES
    return _program(module, args[at + 2 :], around)


def _first(told: list[str], words: str) -> bool:
    return bool(told) and told[0] in words.split()


def _once(name: str, args: tuple[Word, ...]) -> bool:
    return name in ONCE and any(ONCE[name].fullmatch(word.text) for word in args)


def _with_files(name: str, args: tuple[Word, ...], part: Part, around: Around) -> Part:
    reads, writes = _files(name, args, part)
    found = placed(part, named(reads, writes), around)
    if name == "rm" and part.danger and any(holds_everything(path) for path in found.writes):
        return replace(found, denied="it deletes everything there is in such a folder")
    return found


def _files(name: str, args: tuple[Word, ...], part: Part) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    if name == "dd":
        return (values_of(args, "if="), values_of(args, "of="))
    if name in LAST_WRITTEN:
        into = values(args, "-t --target-directory")
        words = file_words(name, args)
        return (tuple(word for word in words if word not in into), into) if into else (words[:-1], words[-1:])
    if name in programs.WRITERS or name in ("rm", "truncate", "shred", "unlink"):
        return (), file_words(name, args)
    if part.effect == "write":
        written = values(args, "-o --output")
        words = file_words(name, args)
        if name in ("uniq", "xxd"):
            return words[:-1], words[-1:]
        texts = {word.text for word in written}
        return tuple(word for word in words if word.text not in texts), written or words
    if name in ("curl", "wget"):
        return looking_like_files(args), values(args, "-o --output -O --output-document --output-dir -P")
    if name in ("tar", "bsdtar", "gtar"):
        return looking_like_files(args[1:]) if part.effect != "read" else file_words(
            name, args[args[0].text[:1] != "-" :]
        ), ()
    if name in programs.READERS or name in programs.READERS_BUT or part.effect == "read":
        return (file_words(name, args), ()) if name != "git" else (_in_git(args), ())
    return ((), ()) if name in programs.NO_PATHS else (looking_like_files(args), ())


def _in_git(args: tuple[Word, ...]) -> tuple[Word, ...]:
    """`HEAD:path` is a file, too, and `:path` the one that is staged."""
    skipped = {id(word) for word in values(args, programs.VALUES["git"])}
    found = [re.fullmatch(r"[^:]*:(?:[0-3]:)?([^:]+)", word.text) for word in args if not URL.match(word.text)]
    inside = [Word(one[1]) for one in found if one]
    return (*looking_like_files(tuple(word for word in args if id(word) not in skipped)), *inside)


def values_of(args: tuple[Word, ...], prefix: str) -> tuple[Word, ...]:
    return tuple(Word(word.text.removeprefix(prefix)) for word in args if word.text.startswith(prefix))


def _with_runner(name: str, words: tuple[Word, ...], part: Part, around: Around) -> Part:
    """What it runs in turn is not taken off: it may fetch, or be another user; but it may not hide anything."""
    told = programs.RUNNERS.get(posixpath.basename(name))
    if told is None or (told and told not in [word.text for word in words]):
        return part
    for hidden in worst(words[1:], around):
        part = joined(part, replace(EXECUTES, danger=hidden.danger, denied=hidden.denied))
    return part


def worst(words: tuple[Word, ...], around: Around) -> list[Part]:
    """The denied and dangerous commands that may begin anywhere among these words."""
    found: list[Part] = []
    if around.searching:
        return found
    inside = replace(around.deeper(), searching=True)
    for at, word in enumerate(words[:RUNNERS_LOOKED_AT]):
        if word.option or not word.known or ("/" in word.text and "/" in program_name(word)):
            continue
        if re.search(r"\s", word.text):
            found += around.shell(word.text, Stdin("unknown"))
        else:
            found += run(words[at : at + RUNNERS_LOOKED_AT], inside)
    return [part for part in found if part.danger or part.denied]
