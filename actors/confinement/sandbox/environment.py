"""What of our environment a command gets to see: a list of harmless names, nothing that looks like a secret."""

import re
from collections.abc import Mapping

from actors.confinement.sandbox import levels
from actors.settings.secret_variables import SECRET, credentials

PASSED = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TROUPER_(SANDBOX|SERVED)"
    r"|XDG_(CACHE|CONFIG|DATA|STATE)_HOME|XDG_(CONFIG|DATA)_DIRS"
    r"|VIRTUAL_ENV|CONDA_PREFIX|PYENV_ROOT|NVM_DIR|JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME"
    r"|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|LD_LIBRARY_PATH|PKG_CONFIG_PATH"
    r"|NIX_(PATH|PROFILES|SSL_CERT_FILE|STORE|REMOTE|USER_PROFILE_DIR|BUILD_CORES|BUILD_TOP|INDENT_MAKE|HARDENING_ENABLE)"
    r"|NIX_(ENFORCE|CC|BINTOOLS|CFLAGS|CXXSTDLIB|LDFLAGS|PKG_CONFIG)(_\w+)?"
    r"|(HTTP|HTTPS|ALL|NO)_PROXY|(http|https|all|no)_proxy|SSL_CERT_FILE|SSL_CERT_DIR"
)
AGENT = "SSH_AUTH_SOCK"
"""Whoever reaches it has the keys."""
CONFIGURED = "TROUPER_ENVIRONMENT"
"""Variable with the names of further ones that the user has configured; set when a worker is prepared."""
GIT = {
    "core.fsmonitor": "false",
    "safe.bareRepository": "explicit",
    "diff.submodule": "short",
    "log.showSignature": "false",
    "status.submoduleSummary": "false",
}
"""Of every git of a command, whatever its version: they count more than what a repository says, and git hands them on
to its submodules. Not diff.external, of which no value means none."""
FIXED = {
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",  # a git that looks writes no index, which would run a hook
    "GIT_CONFIG_COUNT": str(len(GIT)),
    **{f"GIT_CONFIG_KEY_{at}": name for at, name in enumerate(GIT)},
    **{f"GIT_CONFIG_VALUE_{at}": value for at, value in enumerate(GIT.values())},
}
LOOKING = {
    "GIT_OPTIONAL_LOCKS": "0",  # looking writes nothing
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",  # counts more than what the repository's config allows
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C.UTF-8",
}
"""Of every git of ours."""
CACHES = {
    "npm_config_cache": "npm",
    "YARN_CACHE_FOLDER": "yarn",
    "PIP_CACHE_DIR": "pip",
    "UV_CACHE_DIR": "uv",
    "GOCACHE": "go",
}
"""Of tools that insist on writing there: folders below the temporary one."""


WITHOUT_NETWORK = {
    "PIP_RETRIES": "0",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "UV_HTTP_RETRIES": "0",
    "npm_config_fetch_retries": "0",
    "npm_config_update_notifier": "false",
    "YARN_HTTP_RETRY": "0",
    "CARGO_NET_RETRY": "0",
    "BUNDLE_RETRY": "0",
}
"""Programs that may do without one are tried so: they say at once that they cannot."""


def for_commands(ours: Mapping[str, str], *, network: bool = True) -> dict[str, str]:
    """ours: of the worker."""
    configured = set(ours.get(CONFIGURED, "").split())
    passed = {
        name: value
        for name, value in ours.items()
        if (PASSED.fullmatch(name) or name in configured)
        and not (name == AGENT or SECRET.search(name) or _has_password(name, value))
    }
    return {**_caches(ours), **({} if network else WITHOUT_NETWORK), **passed, **FIXED}


def _has_password(name: str, value: str) -> bool:
    """Before the host of a proxy there is nothing else."""
    return ("@" in value and name.casefold().endswith("_proxy")) or any(credentials(value))


def _caches(ours: Mapping[str, str]) -> dict[str, str]:
    """Where a sandbox keeps commands from those in the home folder."""
    temporary = ours.get("TMPDIR", "")
    if not temporary or levels.level(ours) == "none":
        return {}
    return {name: f"{temporary}/cache/{folder}" for name, folder in CACHES.items()}
