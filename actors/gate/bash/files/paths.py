"""Which files the arguments of a command name, and which of them are devices."""

import posixpath
import re

import msgspec
from msgspec.structs import replace

from actors.gate.bash.files import file_arguments
from actors.gate.bash.files.reader_options import COPIES
from actors.gate.bash.language.options import parsed, positional, present, values
from actors.gate.bash.language.words import HOLE, Word

STANDARD = re.compile(r"/dev/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd/\d+)|/proc/self/fd/\d+")
BLOCK = re.compile(r"/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|loop|ram|md|dm-|sr|nbd|zd|disk|mapper|mem|kmem|port|fd\d)")
SHARED = "/dev/shm/"  # noqa: S108 - named, not used
SOCKETS = ("/dev/tcp/", "/dev/udp/")
WHOLE = re.compile(r"\$\{?PWD\b")
"""Known as `.` here."""
URL = re.compile(r"(?!file:)[a-zA-Z][\w+.-]*://")
NAMES = re.compile(r"/(?:C|ST|L|O|OU|CN|emailAddress)=")
"""Of a certificate: /CN=localhost is no path."""
TOP = (
    r"Applications|Library|System|Users|Volumes|bin|boot|dev|etc|home|lib\w*|media|mnt|opt|private|proc|root|run|sbin|srv|sys"
    r"|usr|var"
)
KNOWN_TO_THE_SHELL = re.compile(r"~[-+]?\d+(?:/.*)?|~[-+](?:/.*)?", re.DOTALL)
"""The folder it is in, was in, or one of its stack."""
EVERYTHING = re.compile(rf"/+|~\w*|(?:\.\./)*\.\.|/(?:{TOP})|/(?:home|Users)/[^/]+")
OWN = re.compile(r"(?:^|/)\.(?:git|trouper)(?:/|$)")
"""What git and Trouper keep about the workspace."""


class Named(msgspec.Struct, frozen=True):
    """Files that a command names."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    blind: bool = False
    astray: bool = False
    odd: str = ""
    """What about them is not as plain as it could be: it counts where no sandbox holds."""


def file_words(name: str, args: tuple[Word, ...]) -> tuple[Word, ...]:
    """The arguments of a program of the tables that are files, and the values of its options that look like it."""
    listed = files_in_options(name, args)
    if name in file_arguments.NO_PATHS:
        return listed
    skipped = {id(word) for word in values(args, file_arguments.VALUES.get(name, ""))}
    plain = [word for word in positional(args) if id(word) not in skipped]
    if name in file_arguments.PATTERN_FIRST and not present(args, file_arguments.PATTERN_FIRST[name]):
        plain = plain[1:]
    hidden = [found for word in args if (found := in_option(word)) and not _is_value(name, word)]
    return (*(word for word in plain if not URL.match(word.text)), *hidden, *listed)


def transferred(name: str, args: tuple[Word, ...]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """What `cp`, `ln` and `install` read and what they write; all of it where an option is not known."""
    told = parsed(args, COPIES[name], guess=True)
    if told is None:
        return (words := file_words(name, args)), words
    into = told.values("-t --target-directory")
    words = told.rest
    if name == "install" and told.has("-d --directory"):
        return (), words
    links = name == "ln" and told.has("-s --symbolic") and not told.has("-r --relative")
    if name == "ln" and len(words) == 1 and not into:
        into = (Word("."),)
    targets, written = (words, into) if into else (words[:-1], words[-1:]) if len(words) > 1 else (words, ())
    return (_linked(targets, written, in_folder=bool(into)) if links else targets), written


def _linked(targets: tuple[Word, ...], link: tuple[Word, ...], *, in_folder: bool) -> tuple[Word, ...]:
    """`ln -s ../a docs/`: what a symlink says is meant from the folder that it is in, unless it says the whole path."""
    text = link[0].text if link else ""
    folder = text if in_folder or len(targets) > 1 else posixpath.dirname(text)
    return tuple(
        word if WHOLE.search(word.source) else replace(word, text=posixpath.join(folder, word.text), source="")
        for word in targets
    )


def files_in_options(name: str, args: tuple[Word, ...]) -> tuple[Word, ...]:
    """Files that options of it say, which need not look like files, also at the end of a cluster."""
    wanted = file_arguments.FILES_IN_OPTIONS.get(name, "")
    clustered = [
        found
        for option in wanted.split()
        for word in args
        if len(option) == 2 and (found := re.fullmatch(rf"-[A-Za-z]+{option[1]}(.*)", word.text, re.DOTALL))
    ]
    after = [
        args[at + 1]
        for at, word in enumerate(args[:-1])
        if any(one[0] == word.text and not one[1] for one in clustered)
    ]
    return (*values(args, wanted), *(Word(one[1]) for one in clustered if one[1]), *after)


def looking_like_files(args: tuple[Word, ...]) -> tuple[Word, ...]:
    """The same for a program nobody knows."""
    found = []
    for word in args:
        inside = in_option(word)
        if inside is not None:
            found.append(inside)
        elif not word.text.startswith("-") and looks(word):
            found.append(word)
    return tuple(found)


def looks(word: Word) -> bool:
    text = word.text
    if URL.match(text) or NAMES.match(text) or any(char in text for char in "\n(){};|<>\"'`") or " " in text.strip():
        return False
    return "/" in text or text.startswith(("~", ".")) or word.splits or (word.glob and text[0] != "-")


def in_option(word: Word) -> Word | None:
    """The path in `--flag=/path`, `name=/path`, `-I/path`, `@/path` or `file:///path`."""
    text = word.text
    for pattern in (
        r"-?-?[\w.-]+=@?(.+)",
        r"-[A-Za-z](/.*|~.*|\.\./.*)",
        r"-[A-Za-z]*f(.+)",
        r"@(.+)",
        r"file://(?:localhost)?(/.*)",
    ):
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found and looks(Word(found[1], glob=word.glob)):
            return Word(found[1], source=word.source, glob=word.glob)
    return None


def named(reads: tuple[Word, ...], writes: tuple[Word, ...]) -> Named:
    both = [word for word in (*reads, *writes) if not STANDARD.fullmatch(word.text)]
    unknown = [word for word in both if not word.known or KNOWN_TO_THE_SHELL.fullmatch(word.text)]
    return Named(
        reads=_texts(reads),
        writes=_texts(writes),
        blind=bool(unknown),
        astray=any(word in writes for word in unknown),
        odd=next((odd for word in both if (odd := _odd(word))), ""),
    )


def device(writes: tuple[str, ...]) -> tuple[str, str]:
    """Why writing there is denied, and why it is asked about every time; "" for neither."""
    denied = danger = ""
    for path in writes:
        plain = re.sub(r"/+(?:\./+)*", "/", path)
        if BLOCK.match(plain):
            denied = "it writes to a device with a file system, or to memory"
        elif plain.startswith(("/dev/", "/proc/", "/sys/")) and not plain.startswith(SHARED):
            danger = "it writes to a device or to the kernel's settings"
        elif OWN.search(plain):
            danger = "it changes what git or Trouper keep about the workspace"
    return denied, danger


def holds_everything(text: str) -> bool:
    """The file system, the system's or somebody's home folder, a folder above the workspace, or all that is in one."""
    return bool(text) and bool(EVERYTHING.fullmatch(posixpath.normpath(text.rstrip("*"))))


def above(text: str) -> bool:
    return ".." in text.split("/")


def _texts(words: tuple[Word, ...]) -> tuple[str, ...]:
    """Of a path that is not known to its end, the folder that is."""
    texts = [word.text if word.known else word.text.partition(HOLE)[0].rpartition("/")[0] for word in words]
    return tuple(text for text in texts if text not in ("", "-") and not STANDARD.fullmatch(text))


def _odd(word: Word) -> str:
    if not word.known:
        return "it names files by variables or output of other commands"
    if word.glob:
        return "it names files by a pattern"
    if above(word.text):
        return "it names a folder above with `..`"
    return "it names another user's home folder" if re.match(r"~[^/]", word.text) else ""


def _is_value(name: str, word: Word) -> bool:
    option = word.text.partition("=")[0]
    valued = [one.rstrip("?") for one in file_arguments.VALUES.get(name, "").split()]
    return option in valued or option[:2] in valued
