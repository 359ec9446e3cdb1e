"""What of a machine everybody may look at: its programs, libraries, settings, toolchains and packages.

Sandboxes show it read-only, and nobody's own work lies there. Places of credentials are closed before this is asked.
"""

import os
import stat
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from actors.common.lean.late_patterns import late_pattern
from actors.gate.subjects.places import Place

EVERYBODYS = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc", "/nix/store", "/snap"),
    *("/var/lib/dpkg", "/var/lib/apt", "/var/lib/rpm", "/var/lib/pacman", "/var/lib/gems", "/var/cache/apt"),
    *("/run/current-system", "/System/Library", "/Library/Developer", "/Library/Frameworks"),
    *("/sys/block", "/sys/bus", "/sys/class", "/sys/devices", "/sys/fs/cgroup", "/sys/module"),
    *("/proc/sys/fs", "/proc/sys/kernel", "/proc/sys/net", "/proc/sys/vm"),
)
OF_THE_KERNEL = late_pattern(
    r"/proc/(?:cgroups|cpuinfo|devices|diskstats|filesystems|loadavg|meminfo|partitions|stat|swaps|uptime|version|vmstat"
    r"|(?:self/)?mounts|self/(?:cgroup|limits|mountinfo|stat|statm|status))"
)
"""In /proc: the machine and oneself, no other process."""
IN_HOME = (
    *(".pyenv", ".nvm", ".rustup", ".rbenv", ".rvm", ".asdf", ".sdkman", ".volta", ".deno", ".nodenv", ".fnm"),
    *(".conda", "miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", "miniconda", "anaconda"),
    *(".cargo/bin", ".cargo/env", ".cargo/git", ".cargo/registry", "go/bin", "go/pkg", ".gem/ruby", ".bun/install"),
    *(".local/bin", ".local/lib", ".local/pipx", ".local/share/fnm", ".local/share/mise", ".local/share/pipx"),
    *(".local/share/pnpm", ".local/share/uv/python", ".local/share/uv/tools", ".local/share/virtualenvs"),
    *(".npm/_cacache", ".npm/_npx", ".npm-global", ".npm-packages", ".m2/repository", ".ivy2/cache", ".nuget/packages"),
    *(".gradle/caches", ".gradle/wrapper", ".cache/go-build", ".cache/pip", ".cache/pypoetry", ".cache/uv"),
    *(".cache/huggingface/datasets", ".cache/huggingface/hub", ".cache/ms-playwright", ".cache/pre-commit"),
    *(".cache/node", ".cache/pnpm", ".cache/torch", ".cache/yarn", ".cache/deno", ".cache/ccache", ".cache/bazel"),
    *("Library/Caches/pip", "Library/Caches/uv", "Library/Caches/Homebrew", "Library/Caches/go-build"),
    *("Library/Python", "Library/pnpm", ".julia/packages", ".opam", ".ghcup", ".cabal/packages", ".stack/programs"),
)
"""Toolchains, packages and caches of a home folder, by where they put themselves unless told otherwise."""
NAMED = {
    **dict.fromkeys(("VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "NVM_DIR", "RUSTUP_HOME", "GOROOT", "JAVA_HOME"), ""),
    **dict.fromkeys(("NPM_CONFIG_PREFIX", "PNPM_HOME", "VOLTA_HOME", "ASDF_DATA_DIR", "MISE_DATA_DIR"), ""),
    "GOPATH": "pkg",
    "CARGO_HOME": "registry",
}
"""Variables that say where one is, and which of its folders is meant."""


def anybody_may_look(place: Place) -> bool:
    """Not at what there its owner alone may read."""
    if OF_THE_KERNEL.fullmatch(str(place.plain)):
        return True
    if any(place.real.is_relative_to(folder) for folder in _everybodys()):
        return not is_kept(place.real)
    return any(place.real.is_relative_to(folder) for folder in _toolchains(str(Path.home())))


def is_kept(path: Path) -> bool:
    """What is not for all to read is no setting to look at, whoever we are."""
    return any(map(_is_closed_to_others, (path, *path.parents)))


def _is_closed_to_others(path: Path) -> bool:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  # a Path raises for a name that is too long
    except (OSError, ValueError):
        return False  # not there, or not for us
    return not mode & (stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH)


@lru_cache(maxsize=1)
def _everybodys() -> tuple[Path, ...]:
    return _resolved(map(Path, EVERYBODYS))


@lru_cache(maxsize=8)
def _toolchains(home: str) -> tuple[Path, ...]:
    """Also the ones that this process was started with; nothing that has somebody's home folder in it."""
    named = [Path(value, below) for name, below in NAMED.items() if (value := os.environ.get(name, "")).startswith("/")]
    ours = [Path(sys.prefix), Path(sys.base_prefix)]
    found = _resolved([*(Path(home, name) for name in IN_HOME), *named, *ours])
    homes = Path(home).resolve()
    return tuple(path for path in found if len(path.parts) > 2 and not homes.is_relative_to(path))


def _resolved(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(os.path.realpath(path)) for path in paths))
