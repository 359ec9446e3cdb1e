"""Which variables change what programs do."""

import re
from collections.abc import Iterable

from actors.gate.bash.language.parts import HARMLESS, Part
from actors.gate.bash.language.words import HOLE

LEADING = re.compile(
    r"PATH|IFS|ENV|BASH_(?:ENV|FUNC\S*|CMDS|ALIASES|COMPAT|LOADABLES_PATH|XTRACEFD)|TERMINFO\w*|EXECIGNORE|POSIXLY_CORRECT|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE|SHELL|HOME|ZDOTDIR|XDG_CONFIG_\w+"
    r"|LD_\w+|DYLD_\w+|GCONV_PATH|LOCPATH|NODE_(?:PATH|OPTIONS)|PYTHON(?:PATH|HOME|STARTUP|INSPECT|BREAKPOINT|USERBASE|EXECUTABLE)"
    r"|PERL5?(?:LIB|OPT|DB)|RUBY(?:LIB|OPT)|GIT_\w+|SSH_ASKPASS|SUDO_ASKPASS|LESS(?:OPEN|CLOSE)?|\w*PAGER|\w*EDITOR|VISUAL|BROWSER"
    r"|_?JAVA_(?:TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|RUSTC(?:_\w*WRAPPER)?|CARGO_\w+|G?MAKE\w*|MAKEFLAGS|TAR_OPTIONS|ZIPOPT|UNZIP"
    r"|RIPGREP_CONFIG_PATH|GREP_OPTIONS|FZF_\w+|npm_config_\w+|NPM_CONFIG_\w+|PIP_\w+|UV_\w+|GOFLAGS|CC|CXX|LD|AR|\w*_PROXY|\w*_proxy"
)
"""They say which programs or libraries run, or how: whoever sets them may mean anything."""
HARMLESS_NAMES = re.compile(
    r"LANG|LANGUAGE|LC_\w+|TZ|TERM|COLUMNS|LINES|NO_COLOR|CLICOLOR\w*|FORCE_COLOR|CI|DEBUG|VERBOSE|GREP_COLORS?|BLOCKSIZE"
    r"|PYTHON(?:DONTWRITEBYTECODE|UNBUFFERED|IOENCODING|UTF8|HASHSEED|WARNINGS|FAULTHANDLER|ASYNCIODEBUG|DEVMODE|OPTIMIZE)"
    r"|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE))"
)
COMMANDS = re.compile(
    r"\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESS\w*|PS4|PROMPT_COMMAND|GIT_\w+|\w*ASKPASS|BASH_\w+|RUSTC\w*"
)
"""Of these, the ones whose value is a command or may hold one."""
RENAMING = re.compile(r"BASH_(?:FUNC\S*|CMDS|ALIASES|COMPAT)|EXECIGNORE|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE")
"""After these the same words are other commands."""
READ_FIRST = ("BASH_ENV", "ENV")
"""Shells run what is in that file, which another command of the line may make: `<(...)`."""
LEADS = "which decides what programs do"
NUMBERS = re.compile(r"SECONDS|RANDOM|SRANDOM|OPTIND|HISTCMD|LINENO|EPOCHSECONDS|EPOCHREALTIME|BASHPID|PPID|UID|EUID")
"""What they are given the shell takes for arithmetic."""
PLAIN_PROGRAMS = ("", "cat", "true", ":", "/bin/true", "/bin/cat")
"""As values of *PAGER and *EDITOR they do nothing."""


def on_assignments(assigned: Iterable[tuple[str, str]]) -> Part:
    """What setting these variables adds to what a command does."""
    found = HARMLESS
    for name, value in assigned:
        if HARMLESS_NAMES.fullmatch(name) or (name.endswith(("PAGER", "EDITOR")) and value in PLAIN_PROGRAMS):
            continue
        if NUMBERS.fullmatch(name) and re.fullmatch(r"\d+", value):
            continue
        if leads(name):
            hides = (
                (name in READ_FIRST and HOLE in value)
                or RENAMING.fullmatch(name)
                or (COMMANDS.fullmatch(name) and re.search(r"[\s$`(;|&]", value))
            )
            return Part("", "execute", unsure=leading(name)) if hides else Part("", "execute", unseen=leading(name))
        found = Part("", "execute")
    return found


def leading(name: str) -> str:
    """Why it matters that it is set."""
    if RENAMING.fullmatch(name):
        return f"it sets {name}, after which commands may mean something else"
    return f"it sets {name}, {LEADS}" if leads(name) else ""


def leads(name: str) -> bool:
    return bool(LEADING.fullmatch(name) or NUMBERS.fullmatch(name)) and not HARMLESS_NAMES.fullmatch(name)
