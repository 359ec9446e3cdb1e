"""What of our environment a command gets to see: a list of harmless names, nothing that looks like a secret."""

import re
from collections.abc import Mapping

PASSED = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TROUPER_SANDBOX"
    r"|XDG_(CACHE|CONFIG|DATA|STATE)_HOME|XDG_(CONFIG|DATA)_DIRS"
    r"|VIRTUAL_ENV|CONDA_PREFIX|PYENV_ROOT|NVM_DIR|JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME"
    r"|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|LD_LIBRARY_PATH|PKG_CONFIG_PATH|NIX_\w+"
)
SECRET = re.compile(r"API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET|TOKEN|PASSW|CREDENTIAL|AUTH", re.IGNORECASE)
FIXED = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0"}


def for_commands(ours: Mapping[str, str]) -> dict[str, str]:
    passed = {name: value for name, value in ours.items() if PASSED.fullmatch(name) and not SECRET.search(name)}
    return {**passed, **FIXED}
