"""Programs of which the arguments say what they do: what each then does."""

import re
from collections.abc import Callable
from dataclasses import replace

from actors.gate.bash import programs
from actors.gate.bash.git import git
from actors.gate.bash.options import may_be, parsed, positional, present, values
from actors.gate.bash.parts import HARMLESS, Part
from actors.gate.bash.paths import holds_everything
from actors.gate.bash.reader_options import RARE
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
    told = parsed(args, RARE["sed"])
    if told is None:
        return EXECUTES
    scripts = told.values("-e --expression") or told.rest[:1]
    safe = all(word.known and len(word.text) < SED_LONGEST and SED_SAFE.fullmatch(word.text) for word in scripts)
    if not safe or told.has("-f --file"):
        return EXECUTES
    once = any(re.search(r"\d", word.text.partition("/")[0]) for word in scripts)
    return replace(WRITES if told.has("-i --in-place") else HARMLESS, once=once)


def awk(name: str, args: tuple[Word, ...]) -> Part:
    """Everything behind the program is for the program."""
    told = parsed(args, RARE[name], anywhere=False)
    program = told.rest[0] if told is not None and told.rest else None
    if program is None or not program.known or program.glob or AWK_ACTS.search(program.text.replace("\\\n", "")):
        return EXECUTES
    return replace(HARMLESS, once=bool(re.search(r"NR\s*[=<>!%]+\s*\d", program.text)))


def dd(_name: str, args: tuple[Word, ...]) -> Part:
    if any(not word.known for word in args):
        return EXECUTES
    return WRITES if any(word.text.startswith("of=") for word in args) else HARMLESS


def tar(name: str, args: tuple[Word, ...]) -> Part:
    """A first word without a dash is a cluster, of which the values follow."""
    runs = (
        "--to-command --checkpoint-action -I --use-compress-program --rsh-command --rmt-command -F --info-script "
        "--new-volume-script"
    )
    dashed = args[:1] and re.fullmatch(r"[A-Za-z]+", args[0].text)
    given = (Word("-" + args[0].text), *args[1:]) if dashed else args
    if present(given, runs) or may_be(args):
        return replace(EXECUTES, unsure="it runs what an option of it says")
    if present(args, "--remove-files --delete"):
        return replace(EXECUTES, danger="it deletes files")
    told = parsed(_in_front(args) if dashed else args, RARE[name])
    if told is None or not told.has("-t --list"):
        return EXECUTES
    return EXECUTES if any(":" in word.text for word in told.values("-f --file")) else HARMLESS


def _in_front(args: tuple[Word, ...]) -> tuple[Word, ...]:
    """`tar tfC a b` as `tar -t -f a -C b`."""
    rest, made = list(args[1:]), list[Word]()
    for letter in args[0].text:
        made.append(Word("-" + letter))
        made += [rest.pop(0)] if f"-{letter}:" in RARE["tar"].split() and rest else []
    return (*made, *rest)


def archive(name: str, args: tuple[Word, ...]) -> Part:
    told = parsed(args, RARE.get(name, ""))
    if told is None or name == "zip":
        return EXECUTES
    if name == "7z":
        return HARMLESS if told.rest and told.rest[0].text in ("l", "t") else EXECUTES
    return HARMLESS if name == "zipinfo" or told.has("-l -t -v -Z --list --test") else EXECUTES


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


def runs_otherwise(name: str, args: tuple[Word, ...]) -> Part:
    """`jobs -x` and `compgen -C` run what follows in this shell."""
    told = parsed(args, RARE.get(name, "-A: -a -b -c -d -f -k -u -v"))
    return replace(EXECUTES, unsure="it may run what an option of it says") if told is None else HARMLESS


def uniq(_name: str, args: tuple[Word, ...]) -> Part:
    """The second file is written; `-` may be the first."""
    told = parsed(args, RARE["uniq"])
    if told is None or any(word.splits or word.glob for word in told.rest):
        return EXECUTES
    return WRITES if len(told.rest) > 1 else HARMLESS


def xxd(_name: str, args: tuple[Word, ...]) -> Part:
    """Its options are no clusters, and cut down at will: those with a value are known by their first letters."""
    files, at = 0, 0
    while at < len(args):
        word = args[at]
        if not word.known or word.glob:
            return EXECUTES
        is_option = word.text.startswith("-") and word.text not in ("-", "--")
        files += not is_option and word.text != "--"
        at += 2 if is_option and re.fullmatch(r"--?(?:l|len|s|seek|c|cols|g|groupsize|o|n|name|R)", word.text) else 1
    return WRITES if files > 1 else HARMLESS


def output_option(name: str, args: tuple[Word, ...]) -> Part:
    """sort, shuf and tree: -o is a file; other options of the table run something."""
    runs = programs.READERS_BUT[name].replace("--output", "").replace("-o", "")
    if present(args, runs) or may_be(args):
        return EXECUTES
    if not present(args, "-o --output"):
        return HARMLESS
    return WRITES if values(args, "-o --output") else EXECUTES


def clock(name: str, args: tuple[Word, ...]) -> Part:
    """`date 0101...` and `hostname x` set what they otherwise show."""
    changing = programs.READERS_BUT[name]
    shown = values(args, programs.VALUES.get(name, ""))
    sets = any(word not in shown and not word.text.startswith("+") for word in positional(args))
    return EXECUTES if sets or present(args, changing) or may_be(args) else HARMLESS


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
    "uniq": uniq,
    "xxd": xxd,
    "date": clock,
    "hostname": clock,
    "jobs": runs_otherwise,
    "compgen": runs_otherwise,
    **dict.fromkeys(("sort", "shuf", "tree"), output_option),
    **dict.fromkeys(("set", "alias", "unalias", "enable", "trap", "shopt", "bind", "complete", "hash"), shell_builtin),
}
