"""Programs whose arguments say what they do, a line each: the name, and the module of this room with the function."""

from collections.abc import Callable, Mapping
from importlib import import_module

from actors.gate.bash.language.parts import Part
from actors.gate.bash.language.words import Word

Reading = Callable[[str, tuple[Word, ...]], Part]
"""Of a program's name and its arguments."""

READ_BY: Mapping[str, str] = {
    "git": "git:git",
    "rm": "special:rm",
    "rmdir": "special:rmdir",
    "sed": "special:sed",
    "gsed": "special:sed",
    "awk": "special:awk",
    "gawk": "special:awk",
    "mawk": "special:awk",
    "nawk": "special:awk",
    "dd": "special:dd",
    "tar": "special:tar",
    "bsdtar": "special:tar",
    "gtar": "special:tar",
    "unzip": "special:archive",
    "zip": "special:archive",
    "7z": "special:archive",
    "gzip": "special:archive",
    "gunzip": "special:archive",
    "xz": "special:archive",
    "zipinfo": "special:archive",
    "chmod": "special:chmod",
    "kill": "special:kill",
    "rsync": "special:rsync",
    "gh": "special:gh",
    "parallel": "special:unreadable",
    "fc": "special:unreadable",
    "uniq": "special:uniq",
    "jq": "special:jq",
    "yq": "special:yq",
    "xxd": "special:xxd",
    "date": "special:clock",
    "hostname": "special:clock",
    "jobs": "special:runs_otherwise",
    "compgen": "special:runs_otherwise",
    "sort": "special:output_option",
    "shuf": "special:output_option",
    "tree": "special:output_option",
    "set": "special:shell_builtin",
    "alias": "special:shell_builtin",
    "unalias": "special:shell_builtin",
    "enable": "special:shell_builtin",
    "trap": "special:shell_builtin",
    "shopt": "special:shell_builtin",
    "bind": "special:shell_builtin",
    "complete": "special:shell_builtin",
    "hash": "special:shell_builtin",
}


def _function(place: str) -> Reading:
    module, _, name = place.partition(":")
    found: Reading = getattr(import_module(f"actors.gate.bash.programs.{module}"), name)
    return found


BY_NAME: Mapping[str, Reading] = {name: _function(place) for name, place in READ_BY.items()}
