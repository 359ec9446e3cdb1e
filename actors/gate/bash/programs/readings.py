"""Programs whose arguments say what they do, a line each: the name, and the module of this room with the function."""

from collections.abc import Callable, Mapping
from importlib import import_module

from actors.gate.bash.language.parts import Part
from actors.gate.bash.language.words import Word

Reading = Callable[[str, tuple[Word, ...]], Part]
"""Of a program's name and its arguments."""

READ_BY: Mapping[str, str] = {
    "git": "git:git",
    "rm": "argument_programs:rm",
    "rmdir": "argument_programs:rmdir",
    "sed": "argument_programs:sed",
    "gsed": "argument_programs:sed",
    "awk": "argument_programs:awk",
    "gawk": "argument_programs:awk",
    "mawk": "argument_programs:awk",
    "nawk": "argument_programs:awk",
    "dd": "argument_programs:dd",
    "tar": "argument_programs:tar",
    "bsdtar": "argument_programs:tar",
    "gtar": "argument_programs:tar",
    "unzip": "argument_programs:archive",
    "zip": "argument_programs:archive",
    "7z": "argument_programs:archive",
    "gzip": "argument_programs:archive",
    "gunzip": "argument_programs:archive",
    "xz": "argument_programs:archive",
    "zipinfo": "argument_programs:archive",
    "chmod": "argument_programs:chmod",
    "kill": "argument_programs:kill",
    "rsync": "argument_programs:rsync",
    "gh": "argument_programs:gh",
    "parallel": "argument_programs:unreadable",
    "fc": "argument_programs:unreadable",
    "uniq": "argument_programs:uniq",
    "jq": "argument_programs:jq",
    "yq": "argument_programs:yq",
    "xxd": "argument_programs:xxd",
    "date": "argument_programs:clock",
    "hostname": "argument_programs:clock",
    "jobs": "argument_programs:runs_otherwise",
    "compgen": "argument_programs:runs_otherwise",
    "sort": "argument_programs:output_option",
    "shuf": "argument_programs:output_option",
    "tree": "argument_programs:output_option",
    "set": "argument_programs:shell_builtin",
    "alias": "argument_programs:shell_builtin",
    "unalias": "argument_programs:shell_builtin",
    "enable": "argument_programs:shell_builtin",
    "trap": "argument_programs:shell_builtin",
    "shopt": "argument_programs:shell_builtin",
    "bind": "argument_programs:shell_builtin",
    "complete": "argument_programs:shell_builtin",
    "hash": "argument_programs:shell_builtin",
}


def _function(place: str) -> Reading:
    module, _, name = place.partition(":")
    found: Reading = getattr(import_module(f"actors.gate.bash.programs.{module}"), name)
    return found


BY_NAME: Mapping[str, Reading] = {name: _function(place) for name, place in READ_BY.items()}
