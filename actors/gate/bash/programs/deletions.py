"""What a command deletes, or puts an older text in the place of: what it names, or in words what can be lost."""

import posixpath
import re

import msgspec
from msgspec.structs import replace

from actors.gate.bash.files.paths import file_words
from actors.gate.bash.files.placed_files import seen
from actors.gate.bash.language.name_lists import names
from actors.gate.bash.language.options import Told, parsed, positional, present
from actors.gate.bash.language.parts import Part, joined
from actors.gate.bash.language.surroundings import Around
from actors.gate.bash.language.words import Word
from actors.gate.bash.programs.find import Found
from actors.gate.bash.programs.git import LOST, subcommand
from actors.gate.bash.programs.git_tables import OPTIONS

DELETERS = names("rm unlink shred srm wipe rimraf trash trash-put trash-cli del del-cli")
UNNAMED = "what it deletes is not named one by one"
FILES = "it deletes files"
SHORTER = "it takes from files what is behind their new end"
TRUNCATES = "-c -o -r: -s: --no-create --io-blocks --reference: --size:"
TOLD_TO = {
    "rsync": "--delete --del --delete-before --delete-after --delete-during --delete-excluded --remove-source-files",
    **dict.fromkeys(("tar", "bsdtar", "gtar"), "--remove-files --delete"),
    "zip": "-m --move",
    **dict.fromkeys(("7z", "7za", "7zr", "7zz"), "-sdel"),
    "gio": "trash remove",
    "cmake": "rm remove remove_directory",
}
"""Options and subcommands with which these delete."""


class Deleted(msgspec.Struct, frozen=True):
    words: tuple[Word, ...] = ()
    """Files and folders with all that is in them."""
    why: str = ""
    """What can be lost that has no name."""


def with_deleted(name: str, args: tuple[Word, ...], part: Part, around: Around) -> Part:
    return with_lost(part, deleted(posixpath.basename(name), args), around)


def with_lost(part: Part, found: Deleted, around: Around) -> Part:
    unnamed = any(map(_is_odd, found.words)) or around.bases is None
    why = found.why or (UNNAMED if found.words and unnamed else "")
    paths = () if why else seen(tuple(word.text for word in found.words), around.bases)
    return joined(part, Part("", "execute" if why or paths else part.effect, loses=why, deletes=paths))


def _is_odd(word: Word) -> bool:
    """Only the shell knows what `~+`, `~-` and `~1` are."""
    return not word.known or bool(set("[{") & set(word.text)) or bool(re.match(r"~[^/]", word.text))


def deleted(name: str, args: tuple[Word, ...]) -> Deleted:
    match name:
        case "git":
            return _git(args)
        case "truncate":
            return _truncated(args)
        case "cp":
            words = file_words(name, args)
            return Deleted(words[1:]) if words and words[0].text == "/dev/null" else Deleted()
        case _ if name in TOLD_TO:
            told = present(args, TOLD_TO[name]) or any(word.text in TOLD_TO[name].split() for word in args)
            return Deleted(why=FILES) if told else Deleted()
        case _ if name in DELETERS:
            words = file_words(name, args)
            return Deleted(words, why="" if words else UNNAMED)  # who runs it may add them
        case _:
            return Deleted()


def _truncated(args: tuple[Word, ...]) -> Deleted:
    told = parsed(args, TRUNCATES)
    if told is None:
        return Deleted(positional(args), why="" if positional(args) else UNNAMED)
    if told.has("-r --reference"):
        return Deleted(why=SHORTER)
    grows = all(re.fullmatch(r"[+>%]\d\w*", size.text) for size in told.values("-s --size"))
    return Deleted(() if grows else told.rest)


def _git(args: tuple[Word, ...]) -> Deleted:
    """Of the subcommands that name files; see git.py for those that lose more than files."""
    name, rest, elsewhere = subcommand(args)
    told = parsed(rest, OPTIONS.get(name, ""))
    words: tuple[Word, ...] = ()
    match name:
        case "checkout":
            words = _of_checkout(rest, told or Told())
        case "restore" if told is None or not told.has("-S --staged") or told.has("-W --worktree"):
            words = told.rest if told else positional(rest)
        case "rm" if told is None or not told.has("--cached"):
            words = positional(rest)
    if present(rest, "--pathspec-from-file") and name in ("checkout", "restore", "rm"):
        return Deleted(why=LOST)
    if any(elsewhere or word.text.startswith(":") or set("*?[") & set(word.text) for word in words):
        return Deleted(why=LOST)  # git reads these its own way
    return Deleted(words)


def _of_checkout(args: tuple[Word, ...], told: Told) -> tuple[Word, ...]:
    """One word may be a branch or a file: what is no file loses nothing."""
    dashes = next((at for at, word in enumerate(args) if word.text == "--"), None)
    if dashes is not None:
        return args[dashes + 1 :]
    return () if told.has("-b -t --track --orphan -d --detach") else positional(args)


def by_find(found: Found) -> Deleted:
    """What `find` can find: below its roots, by a name that all of it must have."""
    if found.anywhere:
        return Deleted(why=UNNAMED)
    roots = found.roots or (Word("."),)
    wanted = found.narrowed or ()
    if not (found.alone and wanted and re.fullmatch(r"[\w.*?+~@-]+", wanted[0])):
        return Deleted(tuple(replace(root, glob=False) for root in roots))
    like = re.compile(re.escape(wanted[0]).replace(r"\*", ".*").replace(r"\?", "."))
    return Deleted(
        tuple(
            root if like.fullmatch(root.text.rstrip("/").rpartition("/")[2]) else Word(f"{root.text}/**/{wanted[0]}")
            for root in roots
        )
    )
