"""Whether a command is of no use without a network: then it is asked about before it runs. What may do without it, by a
cache, a lock file or a program that is installed, runs without one first, and its failure says what to do.
"""

import re

from actors.gate.bash.language.options import positional, present, values
from actors.gate.bash.language.words import Word
from actors.gate.bash.programs import tables
from actors.gate.bash.programs.loopback import stays_here

OFFLINE = "--offline --no-index --local"
WITH_NAMES = {
    "pip": "install wheel",
    "npm": "install i add init",
    "pnpm": "install i",
    "bun": "install i",
    "cargo": "install",
    "gem": "install",
    "pipenv": "install",
}
"""They need it for what is named there and is no path: without a name they take what the project says."""
VALUED = {
    "pip": "-c --constraint -f --find-links -t --target --prefix --root --src --python --report --log --cache-dir "
    "--config-settings -C --global-option --progress-bar --timeout --retries",
    "npm": "--prefix -C --workspace -w --omit --include --loglevel --cache --registry",
    "pnpm": "--dir -C --filter --reporter",
    "cargo": "--root --path --target-dir --features --bin --profile --jobs -j",
}
"""Options of which the value names nothing to be fetched."""
LISTED = "-r --requirement"
"""pip: what stands in such a file is fetched."""
LOCAL = re.compile(r"[.~]{0,2}/.*|\.{1,2}(?:\[.*\])?|file:.*|.*\.(?:whl|tgz|tar\.gz|zip|gem|crate)", re.DOTALL)


def needs_network(name: str, args: tuple[Word, ...]) -> bool:
    if name == "uv" and [word.text for word in positional(args)[:1]] == ["pip"]:
        name, args = "pip", args[1:]
    told = [word.text.casefold() for word in positional(args)]
    if present(args, OFFLINE) and name in tables.NETWORK_SUBCOMMANDS:
        return False
    if told[:1] and told[0] in tables.NETWORK_SUBCOMMANDS.get(name, "").split():
        return True
    if name == "go":
        return told[:1] == ["install"] and any("@" in word for word in told)
    if told[:1] and told[0] in WITH_NAMES.get(name, "").split():
        return _names_something(name, args)
    return name in tables.NETWORK and not stays_here(name, args)


def is_local(address: Word) -> bool:
    """Of git: a folder, neither a URL nor HOST:PATH."""
    return address.known and ":" not in address.text


def _names_something(name: str, args: tuple[Word, ...]) -> bool:
    skipped = {id(word) for word in values(args, VALUED.get(name, ""))}
    words = [word for word in positional(args)[1:] if id(word) not in skipped]
    listed = name == "pip" and bool(present(args, LISTED))
    return listed or any(not word.known or not LOCAL.fullmatch(word.text) for word in words)
