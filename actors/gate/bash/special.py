"""Programs of which the arguments say what they do: what each then does."""

import re
from collections.abc import Callable
from dataclasses import replace

from actors.gate.bash import programs
from actors.gate.bash.git import git
from actors.gate.bash.options import may_be, positional, present, values
from actors.gate.bash.parts import HARMLESS, Part
from actors.gate.bash.paths import file_words, holds_everything
from actors.gate.bash.words import Word

EXECUTES = Part("", "execute")
WRITES = Part("", "write")
SED_ADDRESS = r"(?:(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?|[+~]\d+)\s*,?\s*){0,2}!?\s*"
SED_SUBSTITUTION = r"s([/|#,@:!%~+])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpiIM0-9]*"
SED_SAFE = re.compile(
    rf"(?:[\s;{{}}]*{SED_ADDRESS}(?:[pdPDqQ=nNGgHhxlz]\s*\d*|[aic](?:\\\n?|\s)[^\n]*|{SED_SUBSTITUTION})?(?=[\s;{{}}]|$))*"
)
"""Only commands that neither run, nor read, nor write anything."""
SED_LONGEST = 2000
AWK_ACTS = re.compile(r"system|getline|\||@|print.*>|close|fflush", re.DOTALL)
SQL_LOSES = re.compile(
    r"\bdrop\s+(?:table|database|schema|view|index|user|role|column|owned)|\btruncate\b|\bdelete\s+from\s+[\w.\"`]+\s*(?:;|$|[\"'])",
    re.IGNORECASE,
)
MODE_FOR_ALL = re.compile(r"0?777|(?:a|o|ugo|go|uo)?[+=][rx]*w[rx]*(?:,.*)?")
MODE_AS_OWNER = re.compile(r"[2467]\d{3}|.*[+=]\w*s.*")


def rm(_name: str, args: tuple[Word, ...]) -> Part:
    targets = positional(args)
    recursive = present(args, "-r -R --recursive") or may_be(args[:1])
    if recursive and any(holds_everything(word.text) for word in targets):
        return replace(EXECUTES, denied="it deletes everything there is in such a folder")
    if recursive:
        return replace(EXECUTES, danger="it deletes folders with all that is in them")
    if any(not word.known or word.glob for word in targets):
        return replace(EXECUTES, danger="what it deletes is not named one by one")
    if any(holds_everything(word.text) for word in targets):
        return replace(EXECUTES, danger="it deletes a folder that everything is in")
    return EXECUTES


def rmdir(_name: str, args: tuple[Word, ...]) -> Part:
    if any(holds_everything(word.text) for word in positional(args)):
        return replace(EXECUTES, danger="it deletes a folder that everything is in")
    return WRITES


def sed(_name: str, args: tuple[Word, ...]) -> Part:
    scripts = values(args, "-e --expression") or positional(args)[:1]
    safe = all(word.known and len(word.text) < SED_LONGEST and SED_SAFE.fullmatch(word.text) for word in scripts)
    if not safe or present(args, "-f --file") or may_be(args):
        return EXECUTES
    in_place = present(args, "-i --in-place")
    once = any(re.search(r"\d", word.text.partition("/")[0]) for word in scripts)
    return replace(WRITES if in_place else HARMLESS, once=once)


def awk(_name: str, args: tuple[Word, ...]) -> Part:
    skipped = {id(word) for word in values(args, "-F -v --field-separator --assign")}
    program = next((word for word in positional(args) if id(word) not in skipped), None)
    if program is None or not program.known or present(args, "-f --file -i --include -l --load -E --exec -e --source"):
        return EXECUTES
    if AWK_ACTS.search(program.text) or may_be(args):
        return EXECUTES
    return replace(HARMLESS, once=bool(re.search(r"NR\s*[=<>!%]+\s*\d", program.text)))


def dd(_name: str, args: tuple[Word, ...]) -> Part:
    if any(not word.known for word in args):
        return EXECUTES
    return WRITES if any(word.text.startswith("of=") for word in args) else HARMLESS


def tar(_name: str, args: tuple[Word, ...]) -> Part:
    runs = (
        "--to-command --checkpoint-action -I --use-compress-program --rsh-command -F --info-script --new-volume-script"
    )
    first = args[0].text if args else ""
    what = first if first[:1] not in ("", "-") else "".join(word.text for word in args if re.match(r"-[^-]", word.text))
    if present(args, runs) or may_be(args):
        return replace(EXECUTES, unsure="it runs what an option of it says")
    if present(args, "--remove-files --delete"):
        return replace(EXECUTES, danger="it deletes files")
    lists = "t" in what or present(args, "--list")
    changes = any(letter in what for letter in "xcruA") or present(args, "--extract --create --append --update")
    return HARMLESS if lists and not changes else EXECUTES


def archive(name: str, args: tuple[Word, ...]) -> Part:
    looks = {
        "unzip": "-l -t -v -Z",
        "zip": "",
        "7z": "",
        "gzip": "-l -t",
        "gunzip": "-l -t",
        "xz": "-l -t",
        "zipinfo": "",
    }
    first = args[0].text if args else ""
    if name == "zipinfo" or (name == "7z" and first in ("l", "t")) or first in looks[name].split():
        return HARMLESS
    return EXECUTES


def chmod(_name: str, args: tuple[Word, ...]) -> Part:
    mode = next((word.text for word in args if not re.fullmatch(r"-[RvcfhHLP]+|--\w[\w-]*", word.text)), "")
    if MODE_AS_OWNER.fullmatch(mode):
        return replace(EXECUTES, danger="who runs the file becomes its owner")
    if MODE_FOR_ALL.fullmatch(mode) and present(args, "-R --recursive"):
        return replace(EXECUTES, danger="everybody may write all these files")
    return EXECUTES if any(not word.known for word in args) else WRITES


def truncate(_name: str, args: tuple[Word, ...]) -> Part:
    if any(re.fullmatch(r"0+\w*", word.text) for word in values(args, "-s --size")) or may_be(args):
        return replace(EXECUTES, danger="it empties files")
    return EXECUTES


def kill(_name: str, args: tuple[Word, ...]) -> Part:
    own = [word for word in positional(args) if re.fullmatch(r"%\S+", word.text) or word.source.strip('"') == "$!"]
    if present(args, "-l -L --list") or (own and len(own) == len(positional(args))):
        return EXECUTES
    return replace(EXECUTES, danger=programs.DANGEROUS["kill"])


def rsync(_name: str, args: tuple[Word, ...]) -> Part:
    remote = any(re.match(r"[\w.@-]+:|rsync://", word.text) for word in positional(args))
    deletes = present(
        args, "--delete --del --delete-before --delete-after --delete-during --delete-excluded --remove-source-files"
    )
    return replace(EXECUTES, network=remote, unsandboxed=remote, danger="it deletes files" if deletes else "")


def gh(_name: str, args: tuple[Word, ...]) -> Part:
    told = {word.text.casefold() for word in args} | {word.text.casefold() for word in values(args, "-X --method")}
    danger = programs.DANGEROUS_SUBCOMMANDS["gh"][1] if told & {"delete", "archive"} else ""
    return replace(EXECUTES, network=True, unsandboxed=True, danger=danger)


def shell_builtin(name: str, args: tuple[Word, ...]) -> Part:
    """Builtins that change what later words mean."""
    if name == "set" and all(
        re.fullmatch(r"[-+](?:[eux]*|[eux]*o)|pipefail|errexit|nounset|xtrace", a.text) for a in args
    ):
        return HARMLESS
    if name == "hash" and not present(args, "-p"):
        return HARMLESS
    return replace(EXECUTES, unsure=f"after `{name}` commands may mean something else")


def unreadable(_name: str, _args: tuple[Word, ...]) -> Part:
    return replace(EXECUTES, unsure="what it runs comes out of its input")


def second_written(name: str, args: tuple[Word, ...]) -> Part:
    return WRITES if len(file_words(name, args)) > 1 else HARMLESS


def output_option(name: str, args: tuple[Word, ...]) -> Part:
    """sort, shuf and tree: -o is a file; other options of the table run something."""
    runs = programs.READERS_BUT[name].replace("--output", "").replace("-o", "")
    if present(args, runs) or may_be(args):
        return EXECUTES
    return WRITES if present(args, "-o --output") else HARMLESS


def local_only(name: str, args: tuple[Word, ...]) -> Part:
    """pip: --no-index needs no network."""
    first = next((word.text for word in positional(args)), "")
    return replace(
        EXECUTES, network=first in programs.NETWORK_SUBCOMMANDS[name].split() and not present(args, "--no-index")
    )


BY_NAME: dict[str, Callable[[str, tuple[Word, ...]], Part]] = {
    "git": lambda _name, args: git(args),
    "rm": rm,
    "rmdir": rmdir,
    "sed": sed,
    "gsed": sed,
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), awk),
    "dd": dd,
    **dict.fromkeys(("tar", "bsdtar", "gtar"), tar),
    **dict.fromkeys(("unzip", "zip", "7z", "gzip", "gunzip", "xz", "zipinfo"), archive),
    "chmod": chmod,
    "truncate": truncate,
    "kill": kill,
    "rsync": rsync,
    "gh": gh,
    "pip": local_only,
    "parallel": unreadable,
    **dict.fromkeys(("uniq", "xxd"), second_written),
    **dict.fromkeys(("sort", "shuf", "tree"), output_option),
    **dict.fromkeys(("set", "alias", "unalias", "enable", "trap", "shopt", "bind", "complete", "hash"), shell_builtin),
}
