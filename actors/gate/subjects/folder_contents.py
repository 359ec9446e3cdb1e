"""What a command may reach of the files it does not name: all that is in a folder it moves, copies or searches.

Where a sandbox masks what rules hide, only moving counts: a moved folder takes hidden files where no rule names them.
"""

import os
import re
from collections.abc import Iterator

from actors.common.globs import covers, may_match_below
from actors.common.lean.late_patterns import late_pattern
from actors.gate.bash.language.name_lists import names
from actors.gate.bash.language.syntax import TOO_LONG
from actors.gate.bash.programs import tables
from actors.gate.decision import Context
from actors.gate.subjects.command_words import plain
from actors.gate.subjects.places import Place, locate
from actors.gate.subjects.subject import Command

MOVES = "mv"
COPIES = names("cp ln install rsync tar bsdtar gtar cpio pax zip 7z 7za scp")
NOBODY_S = "\ufffc"
"""A name that only a pattern for everything is about."""
RUNNERS = frozenset(tables.RUNNERS) | {"busybox", "toybox"}
NAMES_ONLY = names(
    "ls tree du df find fd fdfind stat file pwd cd pushd popd dirs realpath readlink basename dirname test [ [[ exa "
    "eza mkdir rmdir touch chmod rm mv git cloc tokei scc echo printf"
)
"""They show no lines of the files in a folder; of git and mv others say what they do."""
SAYS = names("echo printf : true false")
"""Their words are no files, whatever they look like."""
SEARCHES = names("rg ag ack")
GREPS = names("grep egrep fgrep zgrep")
FINDS = names("fd fdfind")
RECURSIVE = late_pattern(r"-[a-zA-Z]*[rRd].*|--(?:r|dir|der).*", re.DOTALL)
FROM_A_LIST = late_pattern(r"--fil.*")
FLAGS = late_pattern(
    r"-[rRnilLcovwxEFPHhsqaIzbUSN]+|--(?:include|exclude|exclude-dir|color|glob|type)=.*"
    r"|--(?:recursive|line-number|ignore-case|files-with-matches|count|fixed-strings|word-regexp|hidden|no-ignore|only-matching)"
)
"""Options of grep and rg that take no other word, so that what is named is where they search."""
EXTRACTS = late_pattern(r"-?[vzjJpkmPS]*x[vzjJpkmPSf]*|--extract|--get")
SURE = late_pattern(r"-[abdfHilLnpPrRsTuvx]+|--(?:archive|force|no-clobber|recursive|symbolic|verbose|update)")
"""Options of mv, cp and ln that leave the destination the last word."""


def carried(command: Command, context: Context) -> tuple[Place, ...]:
    """What it moves or copies, with all that is in it."""
    found: list[Place] = []
    for program, words in _programs(command):
        if program == MOVES or (program in COPIES and not command.masked and not _extracts(program, words)):
            found += _sources(command, words, context)
    return tuple(dict.fromkeys(found))


def is_carried(pattern: str, command: Command, context: Context) -> str:
    """The first place that it moves or copies and that may hold what the pattern is about; "" for none."""
    places = (place for place in carried(command, context) if place.is_folder)
    return next((place.shown for place in places if may_match_below(pattern, place.real, context.workspace)), "")


def searched(pattern: str, command: Command, context: Context) -> str:
    """The first folder in which it may read what the pattern is about; "" for none, and where a mask hides that."""
    if command.masked:
        return ""
    known = (place for place in _read_as_folders(command, context) if place.is_folder)
    return next((place.shown for place in known if may_match_below(pattern, place.real, context.workspace)), "")


def mentioned(pattern: str, command: Command, context: Context) -> str:
    """The first word that may be a file which the pattern is about, of a command of which not every file is known."""
    if command.masked or covers(pattern, context.workspace / NOBODY_S, context.workspace):
        return ""
    said = [word for program, words in _programs(command)[:1] if program not in SAYS for word in words]
    for path in dict.fromkeys(path for word in said for path in _as_paths(word)):
        if any(covers(pattern, way, context.workspace) for way in locate(path, context.workspace).ways):
            return path
    return ""


def moves(command: Command) -> bool:
    return any(program == MOVES for program, _ in _programs(command))


def git_words(command: Command) -> Iterator[tuple[str, ...]]:
    """Of each git that it runs."""
    return (words for program, words in _programs(command) if program == "git")


def _as_paths(word: str) -> Iterator[str]:
    """`.env`, `-f.env`, `--file=.env`, `@.env`, `:.env`."""
    yield from (word, word[1:], *([word[2:]] if word.startswith("-") else []))
    yield from (word.partition(sign)[2] for sign in "=:@" if sign in word)


def _read_as_folders(command: Command, context: Context) -> Iterator[Place]:
    for program, words in _programs(command):
        if program in COPIES and _extracts(program, words):
            continue
        if _is_recursive(program, words, command):
            if not _says_where(words, command):
                yield locate(".", context.workspace)
            yield from command.reads
        elif program not in NAMES_ONLY and command.part.effect != "execute":
            yield from command.reads


def _is_recursive(program: str, words: tuple[str, ...], command: Command) -> bool:
    if program in GREPS:
        return any(RECURSIVE.fullmatch(word) for word in words)
    if program in SEARCHES:
        return not (program == "rg" and "--files" in words)
    if program in FINDS or program in COPIES:
        return command.part.effect == "execute"
    return program in ("sort", "wc") and any(FROM_A_LIST.fullmatch(word) for word in words)


def _says_where(words: tuple[str, ...], command: Command) -> bool:
    """A folder or file that there is, and no option that may take a word for something else."""
    options = [word for word in words if word.startswith("-")]
    there = [place for place in command.reads if place.given in words and os.path.lexists(place.real)]
    return bool(there) and all(FLAGS.fullmatch(word) for word in options)


def _programs(command: Command) -> list[tuple[str, tuple[str, ...]]]:
    """Each with what is after it. Of one that runs another: whatever may be it; of what is too long, none."""
    words = plain(command.part.text) if command.part.unsure != TOO_LONG else ()
    starts = min(len(words), tables.RUNNERS_LOOKED_AT if words and words[0] in RUNNERS else 1)
    return [(words[at].rpartition("/")[2], words[at + 1 :]) for at in range(starts)]


def _sources(command: Command, words: tuple[str, ...], context: Context) -> tuple[Place, ...]:
    """All that is named but the destination, where that is known for sure."""
    operands = [word for word in words if not word.startswith("-")]
    named = (*command.reads, *command.writes)
    if command.part.effect == "execute":  # what is not known to be a path may be one
        return (*named, *(locate(word, context.workspace) for word in operands))
    is_sure = all(SURE.fullmatch(word) for word in words if word.startswith("-"))
    is_last = len(operands) > 1 and len(named) > 1 and named[-1].given == operands[-1]
    return named[:-1] if is_sure and is_last else named


def _extracts(program: str, words: tuple[str, ...]) -> bool:
    return program.endswith("tar") and bool(words) and bool(EXTRACTS.fullmatch(words[0]))
