"""From the words of one command to its parts: wrappers off, then the tables, then its files."""

import posixpath
import re
from collections.abc import Iterable
from itertools import takewhile

from msgspec.structs import replace

from actors.gate.bash.files import file_arguments
from actors.gate.bash.files.file_tests import tested
from actors.gate.bash.files.paths import URL, file_words, holds_everything, looking_like_files, named, transferred
from actors.gate.bash.files.placed_files import placed, started_in
from actors.gate.bash.files.reader_options import COPIES, PLAIN_WORDS, RARE, WRAPPERS
from actors.gate.bash.language.name_lists import names
from actors.gate.bash.language.options import may_be, parsed, positional, present, values
from actors.gate.bash.language.parts import EXECUTES, HARMLESS, Part, joined
from actors.gate.bash.language.surroundings import Around, Stdin
from actors.gate.bash.language.syntax import TOO_LONG
from actors.gate.bash.language.words import HOLE, Word
from actors.gate.bash.programs import git, interpreters, tables
from actors.gate.bash.programs.deletions import DELETERS, UNNAMED, Deleted, by_find, with_deleted, with_lost
from actors.gate.bash.programs.environment import on_assignments
from actors.gate.bash.programs.find import find
from actors.gate.bash.programs.moves import moved_to
from actors.gate.bash.programs.networks import needs_network
from actors.gate.bash.programs.readings import BY_NAME
from actors.gate.bash.programs.wrappers import ASSIGNMENT, started, unwrap

DEEPEST = 16
"""Of commands that run commands."""
BIN = re.compile(r"/(?:usr/)?(?:local/)?s?bin|/opt/(?:homebrew|local)/s?bin|/usr/games")
GIT_PROGRAM = re.compile(r"(?:/usr/lib(?:exec)?/git-core/)?git-([a-z][a-z-]*)")
LINES = re.compile(r"[-+]\d+|-[nc][-+]?\d*|--(?:lines|bytes)(?:=.*)?")
CONTEXT = re.compile(r"-\d+|-[ABCm]\d*|--(?:context|after-context|before-context|max-count)(?:=.*)?")
ONCE = {**dict.fromkeys(("head", "tail"), LINES), **dict.fromkeys(names("grep egrep fgrep rg ag ack"), CONTEXT)}
"""Arguments that are numbers of lines."""
WORDS_A_STEP = 4
BLANK = re.compile(r"\s")


def run(words: tuple[Word, ...], around: Around) -> tuple[Part, ...]:
    if not words:
        return ()
    around.steps.take(1 + len(words) // WORDS_A_STEP)
    shown = " ".join(word.shown for word in words)
    if ASSIGNMENT.fullmatch(words[0].text) and len(words) > 1:
        return _assigning(words, around)
    if len(words) > tables.MOST_WORDS:
        return (replace(EXECUTES, text=shown, unsure=TOO_LONG),)
    if around.depth > DEEPEST:
        return (replace(EXECUTES, text=shown, unsure="too many commands run one another"),)
    words = _usual_words(words)
    name = program_name(words[0])
    if not name:
        found = replace(EXECUTES, text=shown, unsure="which program it runs is not known before it runs")
        return (interpreters.with_inner(found, words[:1]), *worst(words[1:], around))
    if name == "eval":
        return around.shell(" ".join(word.text for word in interpreters.evaluated(words)), around.stdin)
    if name in WRAPPERS:
        return _wrapped(name, words, around)
    if name in tables.SHELLS:
        return interpreters.shell(name, words[1:], around)
    if name == "find":
        return _find(words, around)
    part = replace(_program(name, words[1:], around), text=_text(name, words))
    return (_with_runner(name, words, _with_files(name, words[1:], part, around), around),)


def _usual_words(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """`git-push` is `git push`, for whoever has it on the PATH; so are other names of usual programs."""
    name = program_name(words[0])
    if own := GIT_PROGRAM.fullmatch(name):
        return (Word("git"), Word(own[1]), *words[1:])
    if name in tables.GNU:
        return (Word(name.removeprefix("g")), *words[1:])
    if tables.LOADER.fullmatch(name) and name.startswith(("/lib", "/usr/lib")):
        return (Word("ld.so"), *words[1:])
    return words


def program_name(word: Word) -> str:
    """A program of the usual folders by its name, any other as it is written; "" if it is not known."""
    if not (word.known or _says_its_name(word)) or word.glob or not word.text:
        return ""
    text = posixpath.normpath(word.text) if word.text.startswith("/") else word.text
    folder, _, base = text.replace("//", "/").rpartition("/")
    name = base if BIN.fullmatch(folder) else text
    return re.sub(r"^(python3?|pip|pypy3?|perl|ruby|lua|php)[\d.]+$", _without_version, name)


def _says_its_name(word: Word) -> bool:
    """`"$VENV/bin/python"`: the folder is not known, but which program it is."""
    name = word.text.rpartition("/")[2]
    return not word.splits and word.text != name and name != "" and HOLE not in name


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
    if wrapped.forgets:  # what tells git to run nothing while it looks
        inner = tuple(replace(part, effect="execute") if part.repositories else part for part in inner)
    if (own.unsure or own.unseen) and inner:
        inner = (replace(inner[0], text=shown), *inner[1:])
    return tuple(joined(part, own) for part in inner) or (own,)


def _assigning(words: tuple[Word, ...], around: Around) -> tuple[Part, ...]:
    """`time A=1 rm x` is `A=1 time rm x`."""
    found = [ASSIGNMENT.fullmatch(word.text) for word in words]
    assigned = [(one[1], one[2]) for one in takewhile(lambda one: one is not None, found) if one]
    own = on_assignments(assigned)
    return tuple(joined(part, own) for part in run(words[len(assigned) :], around))


def _find(words: tuple[Word, ...], around: Around) -> tuple[Part, ...]:
    found = find(words[1:])
    part = replace(found.part, text=_text("find", words))
    own = placed(part, named((*found.roots, *found.reads), found.writes), around)
    lost = by_find(found)
    own = with_lost(own, lost, around) if found.deletes else own
    inside = around.deeper(Stdin("nothing"))
    if present(words, "-execdir -okdir"):
        inside = replace(inside, bases=None)  # in the folder of each file that it finds
    inner = [one for command in found.commands for one in _on_each(command, lost, inside)]
    return (own, *inner)


def _on_each(command: tuple[Word, ...], found: Deleted, around: Around) -> tuple[Part, ...]:
    """What `find` runs; what that deletes is what it can find."""
    parts = run(command, around)
    if found.why or not command or program_name(command[0]) not in DELETERS:
        return parts
    deleted = [one for word in command[1:] for one in (found.words if word.text == HOLE else (word,))]
    lost = with_lost(HARMLESS, Deleted(file_words(program_name(command[0]), tuple(deleted))), around)
    return tuple(replace(part, deletes=lost.deletes, loses=lost.loses) for part in parts)


def _program(name: str, args: tuple[Word, ...], around: Around) -> Part:
    """What the tables say of it; files come later."""
    base = posixpath.basename(name)
    if base != name:
        known = _program(base, args, around) if base else EXECUTES
        return replace(joined(EXECUTES, known), denied="", danger=known.danger or known.denied)
    if (shows := tables.SHOWS.get(name)) and all(word.text in shows.split() for word in args):
        return HARMLESS
    if name in tables.DENIED or name.startswith("mkfs."):
        return replace(EXECUTES, denied=tables.DENIED.get(name, tables.DENIED["mkfs"]))
    if len(args) == 1 and args[0].text in tables.VERSIONS and name in tables.VERSIONED:
        return HARMLESS
    if name in tables.INTERPRETERS:
        module = joined(_by_table(name, args), _module(name, args, around))
        return joined(interpreters.interpreter(name, args, around), module)
    if name in tables.SQL:
        return interpreters.database(args, around)
    if name in tables.OTHER_SHELLS:
        unsure = interpreters.UNREADABLE if args or around.stdin.kind != "nothing" else ""
        return replace(EXECUTES, unsure=unsure)
    if name in BY_NAME:
        return BY_NAME[name](name, args)
    return _by_table(name, args)


def _by_table(name: str, args: tuple[Word, ...]) -> Part:
    if name in RARE and parsed(args, RARE[name]) is None:
        return replace(EXECUTES, once=_once(name, args))
    if name in PLAIN_WORDS and not _files_only(name, args):
        return EXECUTES
    if name in tables.READERS:
        return replace(HARMLESS, once=_once(name, args))
    if name in tables.READERS_BUT:
        changing = tables.READERS_BUT[name]
        changes = present(args, changing) or (changing and may_be(args))
        return replace(EXECUTES if changes else HARMLESS, once=_once(name, args))
    if name in tables.WRITERS:
        runs = name == "install" and present(args, "-s --strip --strip-program")
        return EXECUTES if runs or any(not word.known for word in args) else Part("", "write")
    args = _without_own_options(name, args)
    told = [word.text.casefold() for word in positional(args)]
    looking = tables.LOOKING_SUBCOMMANDS.get(name, "").split()
    looks = told[:1] and told[0] in looking and not (name == "docker" and args[0].option)
    looks = looks or _looks_at_services(name, args) or any(word.text in looking for word in args[:1])
    words, why = tables.DANGEROUS_SUBCOMMANDS.get(name, ("", ""))
    if looks and name in tables.LISTING and {word.text for word in args if word.option} <= set(looking):
        return HARMLESS
    danger = "" if looks else tables.DANGEROUS.get(name, "")
    return Part(
        "",
        "execute",
        danger=danger or (why if set(words.split()) & set(told) else ""),
        danger_outside="" if looks else tables.DANGEROUS_OUTSIDE.get(name, ""),
        network=not looks and needs_network(name, args),
        unsandboxed=name in tables.UNSANDBOXED or _first(told, tables.UNSANDBOXED_SUBCOMMANDS.get(name, "")),
    )


def _without_own_options(name: str, args: tuple[Word, ...]) -> tuple[Word, ...]:
    """`docker --context x ps` is a `docker ps`; with what is not skipped (--config, -H) it may run other programs."""
    while name == "docker" and args and args[0].known:
        option, has_value = args[0].text.partition("=")[0], "=" in args[0].text
        if option in tables.DOCKER_VALUED and (has_value or (len(args) > 1 and args[1].known)):
            args = args[1:] if has_value else args[2:]
        elif args[0].text in tables.DOCKER_FLAGS:
            args = args[1:]
        else:
            break
    return args


def _looks_at_services(name: str, args: tuple[Word, ...]) -> bool:
    """`docker compose -f x.yml logs`: its own options stand before what it does."""
    words = [word.text for word in args]
    if name in ("docker", "podman") and words[:1] == ["compose"]:
        words = words[1:]
    elif name != "docker-compose":
        return False
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in tables.COMPOSE_VALUED and "=" not in words[0] else words[1:]
    return bool(words) and words[0] in tables.COMPOSE_LOOKS


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
    if module not in tables.NETWORK_SUBCOMMANDS and module not in tables.DANGEROUS_SUBCOMMANDS:
        return EXECUTES
    return _program(module, args[at + 2 :], around)


def _first(told: list[str], words: str) -> bool:
    return bool(told) and told[0] in words.split()


def _once(name: str, args: tuple[Word, ...]) -> bool:
    return name in ONCE and any(ONCE[name].fullmatch(word.text) for word in args)


def _with_files(name: str, args: tuple[Word, ...], part: Part, around: Around) -> Part:
    if name == "git":
        start, rest = git.folder(args)
        here = (start,) if start is not None and start.text else ()
        found = placed(part, named((*here, *_files(name, rest, part)[0]), ()), around)
        return replace(with_deleted(name, args, found, around), repositories=started_in(start, around))
    reads, writes = _files(name, args, part)
    part = replace(part, blind=part.blind or _takes_files_from_a_file(name, args))
    if present(args, file_arguments.FOLLOWS.get(name, "")):
        part, reads = replace(part, follows=True), reads or (Word("."),)
    if name in file_arguments.COMPARES:
        part = replace(part, follows=True)
    found = with_deleted(name, args, placed(part, named(reads, writes), around), around)
    if name == "mv":
        return replace(found, moved_to=moved_to(args, around))
    wide = present(args, "-r -R --recursive") or may_be(args[:1]) or any(word.glob for word in args)
    if name == "rm" and wide and any(holds_everything(path) for path in found.writes):
        return replace(found, denied="it deletes everything there is in such a folder")
    return found


def _files(name: str, args: tuple[Word, ...], part: Part) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    if name == "dd":
        return (values_of(args, "if="), values_of(args, "of="))
    if name in ("test", "["):
        return tested(args), ()
    if name in COPIES:
        return transferred(name, args)
    if name in tables.WRITERS or name in ("rm", "truncate", "shred", "unlink"):
        return (), file_words(name, args)
    if part.effect == "write" or (name in ("sed", "gsed") and present(args, "-i --in-place")):
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
    if name in tables.READERS or name in tables.READERS_BUT or part.effect == "read":
        return (file_words(name, args), ()) if name != "git" else (_in_git(args), ())
    return ((), ()) if name in file_arguments.NO_PATHS else (looking_like_files(args), ())


def _in_git(args: tuple[Word, ...]) -> tuple[Word, ...]:
    """`HEAD:path` is a file, too, and `:path` the one that is staged."""
    valued = " ".join((file_arguments.VALUES["git"], file_arguments.VALUES.get(f"git {git.subcommand(args)[0]}", "")))
    skipped = {id(word) for word in values(args, valued)}
    found = [re.fullmatch(r"[^:]*:(?:[0-3]:)?([^:]+)", word.text) for word in args if not URL.match(word.text)]
    inside = [Word(one[1]) for one in found if one]
    return (*looking_like_files(tuple(word for word in args if id(word) not in skipped)), *inside)


def _takes_files_from_a_file(name: str, args: tuple[Word, ...]) -> bool:
    if name in file_arguments.FILES_BEHIND_AT and any(word.text.startswith(("@", HOLE)) for word in args):
        return True
    return bool(present(args, file_arguments.LISTS_OF_FILES.get(name, "")))


def values_of(args: tuple[Word, ...], prefix: str) -> tuple[Word, ...]:
    return tuple(Word(word.text.removeprefix(prefix)) for word in args if word.text.startswith(prefix))


def _with_runner(name: str, words: tuple[Word, ...], part: Part, around: Around) -> Part:
    """What it runs in turn is not taken off: it may fetch, or be another user; but it may not hide anything."""
    base = posixpath.basename(name)
    told = "" if tables.LOADER.fullmatch(base) else tables.RUNNERS.get(base)
    if told is None or part.effect != "execute" or (told and not any(word.text in told.split() for word in words)):
        return part
    for hidden in _started(base, words[1:], around):
        told_too = replace(EXECUTES, danger_outside=hidden.danger_outside)
        loses = hidden.loses or (UNNAMED if hidden.deletes else "")
        part = joined(part, replace(told_too, danger=hidden.danger, denied=hidden.denied, loses=loses))
    return part if len(words) <= tables.RUNNERS_LOOKED_AT else joined(part, replace(EXECUTES, unsure=TOO_LONG))


def _started(name: str, args: tuple[Word, ...], around: Around) -> list[Part]:
    """Of what a runner starts. Where its options say which word that is, the arguments of that are only arguments."""
    tool = started(name, args) if around.depth < DEEPEST else None
    return worst(args, around) if tool is None else _counting(_begun(tool, around.deeper()) if tool else ())


def worst(words: tuple[Word, ...], around: Around) -> list[Part]:
    """The denied, dangerous and deleting commands that may begin anywhere among these words.

    None is denied: whether it is a command or only called like one, nobody knows."""
    found: list[Part] = []
    if around.searching:
        return found
    inside = replace(around.deeper(), searching=True)
    for at, word in enumerate(words[: tables.RUNNERS_LOOKED_AT]):
        is_path = "/" in word.text and "/" in program_name(word)
        if BLANK.search(word.text) or not (word.option or not word.known or is_path):
            found += _begun(words[at:], inside)
    return [replace(part, denied="", danger=part.danger or part.denied) for part in _counting(found)]


def _begun(words: tuple[Word, ...], around: Around) -> tuple[Part, ...]:
    """By the first of these: a program or the whole of a line."""
    if not BLANK.search(words[0].text):
        return run(words[: tables.RUNNERS_LOOKED_AT], around)
    return tuple(part for script in _as_scripts(words[0]) for part in around.shell(script, Stdin("unknown")))


def _counting(parts: Iterable[Part]) -> list[Part]:
    return [part for part in parts if _counts_hidden(part)]


def _counts_hidden(part: Part) -> bool:
    return bool(part.danger or part.danger_outside or part.denied or part.deletes or part.loses)


def _as_scripts(word: Word) -> tuple[str, ...]:
    """`rm -rf x`, `!rm -rf x` of an editor, `--command=rm -rf x`, `-crm -rf x`."""
    text = word.text.replace(HOLE, interpreters.VARIABLE)
    if not text.startswith("-"):
        return (text.lstrip(":!"),)
    return (text.partition("=")[2],) if text.startswith("--") else (text[2:],)
