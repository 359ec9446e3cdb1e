"""What programs do whose arguments say it; `readings` names the programs."""

import re
from functools import cache

from msgspec.structs import replace

from actors.gate.bash.files import file_arguments
from actors.gate.bash.files.paths import holds_everything
from actors.gate.bash.files.reader_options import RARE
from actors.gate.bash.language.name_lists import names
from actors.gate.bash.language.options import may_be, parsed, positional, present, values
from actors.gate.bash.language.parts import EXECUTES, HARMLESS, Part
from actors.gate.bash.language.words import Word
from actors.gate.bash.programs import tables

WRITES = Part("", "write")
_SED_ITEM = r"\\[^]\[c\n]|\[:[a-z]+:\]|\[(?![:.=])"
_SED_BRACKETS = rf"\[\^?(?:[^^\[\\\n{{end}}]|{_SED_ITEM})(?>(?:[^]\[\\\n{{end}}]|{_SED_ITEM})*)\]"
_SED_REGEX = r"(?>(?:[^\[\\\n{end}]|\\[^c\n]|" + _SED_BRACKETS + ")*)"
"""One of which every sed sees the same end: some take its delimiter in brackets or behind `\\c` for a letter."""
SED_ADDRESS = rf"(?>(?:(?:\d++(?:~\d++)?|\$|/{_SED_REGEX.replace('{end}', '/')}/I?|[+~]\d++)\s*+,?\s*+){{0,2}})!?\s*+"
SED_SUBSTITUTION = "|".join(
    rf"s{end}{_SED_REGEX.replace('{end}', end)}{end}(?>(?:\\.|[^\\\n{end}])*){end}[gpiIM0-9]*+"
    for end in map(re.escape, "/|#,@:!%~+")
)
"""No `(...)*+`: Python before 3.11.5 matches possessively repeated groups wrongly (its issue 106052)."""
SED_COMMAND = (
    rf"[\s;{{}}]*+{SED_ADDRESS}"
    rf"(?:[pdPDqQ=nNGgHhxlz](?:\s*+\d++)?|[aic](?:\\\n?|[ \t])[^\n]*+|{SED_SUBSTITUTION})?(?=[\s;{{}}]|\Z)"
)
"""One that neither runs, nor reads, nor writes anything."""
AWK_ACTS = re.compile(r"system|getline|\||@|close|fflush|ARGV|ARGC|SYMTAB|FUNCTAB")
JQ_READS = re.compile(r"import|include|modulemeta")
YQ_READS = re.compile(r"import|include|modulemeta|load|eval|system")
SQL_LOSES = re.compile(
    r"\bdrop\s+(?:table|database|schema|view|index|user|role|column|owned)|\btruncate\b|\bdelete\s+from\s+[\w.\"`]+\s*(?:;|$|[\"'])",
    re.IGNORECASE,
)
MODE_FOR_ALL = re.compile(r"0?777|(?:a|o|ugo|go|uo)?[+=][rx]*w[rx]*(?:,.*)?")
MODE_AS_OWNER = re.compile(r"\A[2467]\d{3}\Z|[+=]\w*s")


SET_SAFE = re.compile(r"[-+](?:[aeufvxC]*|[aeufvxC]*o)|pipefail|errexit|nounset|xtrace|noglob|noclobber|allexport")
SHOPT_SAFE = names(
    "-s -u -q -p globstar nullglob failglob dotglob nocaseglob nocasematch checkwinsize histappend cmdhist "
    "inherit_errexit"
)
"""Options after which the same words are the same commands."""


def rm(_name: str, args: tuple[Word, ...]) -> Part:
    targets = positional(args)
    recursive = present(args, "-r -R --recursive") or may_be(args[:1])
    if recursive and any(holds_everything(word.text) for word in targets):
        return replace(EXECUTES, denied="it deletes everything there is in such a folder")
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
    safe = all(word.known and _only_edits(word.text) for word in scripts)
    elsewhere = any("/" in word.text for word in told.values("-i --in-place"))  # where the old text is kept
    if not safe or elsewhere or told.has("-f --file"):
        return EXECUTES
    once = any(re.search(r"\d", word.text.partition("/")[0]) for word in scripts)
    return replace(WRITES if told.has("-i --in-place") else HARMLESS, once=once)


@cache
def _sed_command() -> re.Pattern[str]:
    """Compiled at the first sed: it takes 3 ms, which no other first call should wait for."""
    return re.compile(SED_COMMAND)


def _only_edits(script: str) -> bool:
    at = 0
    while at < len(script):
        command = _sed_command().match(script, at)
        if command is None or command.end() == at:
            return False
        at = command.end()
    return True


def awk(name: str, args: tuple[Word, ...]) -> Part:
    """Everything behind the program is for the program."""
    told = parsed(args, RARE[name], anywhere=False)
    program = told.rest[0] if told is not None and told.rest else None
    if program is None or not program.known or program.glob or _does_more(program.text.replace("\\\n", "")):
        return EXECUTES
    return replace(HARMLESS, once=bool(re.search(r"NR\s*[=<>!%]+\s*\d", program.text)))


def _does_more(program: str) -> bool:
    """Than to print what is in the files that are its arguments."""
    return bool(AWK_ACTS.search(program)) or ">" in program.partition("print")[2]


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
    dashed = args[:1] and re.fullmatch(r"[A-Za-z]{1,32}", args[0].text)
    given = (Word("-" + args[0].text), *args[1:]) if dashed else args
    if present(given, runs) or may_be(args):
        return replace(EXECUTES, unsure="it runs what an option of it says")
    if present(args, "--remove-files --delete"):
        return EXECUTES
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
    lists = "-l -t -v -Z" if name == "unzip" else "-l -t --list --test"
    return HARMLESS if name == "zipinfo" or told.has(lists) else EXECUTES


def chmod(_name: str, args: tuple[Word, ...]) -> Part:
    mode = next((word.text for word in args if not re.fullmatch(r"-[RvcfhHLP]+|--\w[\w-]*", word.text)), "")
    if MODE_AS_OWNER.search(mode):
        return replace(EXECUTES, danger="who runs the file becomes its owner")
    if MODE_FOR_ALL.fullmatch(mode) and present(args, "-R --recursive"):
        return replace(EXECUTES, danger="everybody may write all these files")
    return EXECUTES if any(not word.known for word in args) else WRITES


def kill(_name: str, args: tuple[Word, ...]) -> Part:
    own = [word for word in positional(args) if re.fullmatch(r"%\S+", word.text) or word.source.strip('"') == "$!"]
    lists = args[:1] and re.fullmatch(r"-l|-L|--list(?:=\w*)?|--table", args[0].text)
    if lists or (own and len(own) == len(positional(args))):
        return EXECUTES
    return replace(EXECUTES, danger_outside=tables.DANGEROUS_OUTSIDE["kill"])


def rsync(_name: str, args: tuple[Word, ...]) -> Part:
    remote = any(re.match(r"[\w.@-]+:|rsync://", word.text) for word in positional(args))
    return replace(EXECUTES, network=remote, unsandboxed=remote)


def gh(_name: str, args: tuple[Word, ...]) -> Part:
    told = {word.text.casefold() for word in args} | {word.text.casefold() for word in values(args, "-X --method")}
    danger = tables.DANGEROUS_SUBCOMMANDS["gh"][1] if told & {"delete", "archive"} else ""
    return replace(EXECUTES, network=True, unsandboxed=True, danger=danger)


def shell_builtin(name: str, args: tuple[Word, ...]) -> Part:
    """Builtins that change what later words mean."""
    if name == "set" and all(SET_SAFE.fullmatch(word.text) for word in args):
        return HARMLESS
    if name == "shopt" and all(word.text in SHOPT_SAFE for word in args):
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
    runs = tables.READERS_BUT[name].replace("--output", "").replace("-o", "")
    if present(args, runs) or may_be(args):
        return EXECUTES
    if not present(args, "-o --output"):
        return HARMLESS
    return WRITES if values(args, "-o --output") else EXECUTES


def clock(name: str, args: tuple[Word, ...]) -> Part:
    """`date 0101...` and `hostname x` set what they otherwise show."""
    changing = tables.READERS_BUT[name]
    shown = values(args, file_arguments.VALUES.get(name, ""))
    sets = any(word not in shown and not word.text.startswith("+") for word in positional(args))
    return EXECUTES if sets or present(args, changing) or may_be(args) else HARMLESS


def jq(_name: str, args: tuple[Word, ...]) -> Part:
    """A program may read modules, wherever they are; one out of a file may be any."""
    if present(args, "-f --from-file -L") or may_be(args):
        return EXECUTES
    return EXECUTES if any(not word.known or JQ_READS.search(word.text) for word in args) else HARMLESS


def yq(name: str, args: tuple[Word, ...]) -> Part:
    """Of the two programs of that name one wraps jq, the other one loads files by itself."""
    said = [word for word in args if word.text not in ("eval", "eval-all")]
    if parsed(args, RARE[name]) is None or any(not word.known or YQ_READS.search(word.text) for word in said):
        return EXECUTES
    return HARMLESS
