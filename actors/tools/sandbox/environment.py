"""What of our environment a command gets to see: a list of harmless names, nothing that looks like a secret."""

import re
from collections.abc import Mapping

from actors.tools.sandbox import levels

PASSED = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TROUPER_SANDBOX"
    r"|XDG_(CACHE|CONFIG|DATA|STATE)_HOME|XDG_(CONFIG|DATA)_DIRS"
    r"|VIRTUAL_ENV|CONDA_PREFIX|PYENV_ROOT|NVM_DIR|JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME"
    r"|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|LD_LIBRARY_PATH|PKG_CONFIG_PATH|NIX_\w+"
    r"|(HTTP|HTTPS|ALL|NO)_PROXY|(http|https|all|no)_proxy|SSL_CERT_FILE|SSL_CERT_DIR"
)
SECRET = re.compile(r"API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET|TOKEN|PASSW|CREDENTIAL|AUTH", re.IGNORECASE)
WITH_PASSWORD = re.compile(r"://[^/@\s]*:[^/@\s]*@")
"""In the address of a proxy."""
CONFIGURED = "TROUPER_ENVIRONMENT"
"""Variable with the names of further ones that the user has configured; set when a worker is prepared."""
FIXED = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0"}
CACHES = {
    "npm_config_cache": "npm",
    "YARN_CACHE_FOLDER": "yarn",
    "PIP_CACHE_DIR": "pip",
    "UV_CACHE_DIR": "uv",
    "GOCACHE": "go",
}
"""Of tools that insist on writing there: folders below the temporary one."""


def for_commands(ours: Mapping[str, str]) -> dict[str, str]:
    """ours: of the worker."""
    configured = set(ours.get(CONFIGURED, "").split())
    passed = {
        name: value
        for name, value in ours.items()
        if (PASSED.fullmatch(name) or name in configured)
        and not SECRET.search(name)
        and not WITH_PASSWORD.search(value)
    }
    return {**_caches(ours), **passed, **FIXED}


def _caches(ours: Mapping[str, str]) -> dict[str, str]:
    """Where a sandbox keeps commands from those in the home folder."""
    temporary = ours.get("TMPDIR", "")
    if not temporary or levels.level(ours) == "none":
        return {}
    return {name: f"{temporary}/cache/{folder}" for name, folder in CACHES.items()}
