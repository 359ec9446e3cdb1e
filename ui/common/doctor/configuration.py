"""The settings: which files say something, and of each value which layer it comes from."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from actors.common.plurals import how_many
from actors.errors import BadConfiguration
from actors.settings import toml_files, workspace_files
from actors.settings.config import Settings, UserFile
from actors.settings.redaction import redacted
from ui.common.doctor.rows import Row, Setting

VARIABLES = (
    *("TROUPER_HOME", "TROUPER_MODEL", "TROUPER_SPAWN", "TROUPER_CHAOS", "NO_COLOR", "TMPDIR"),
    *("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "MORPH_BASE_URL", "OLLAMA_HOST", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
)
"""Of the environment: what changes what we do, and is no key."""
MEND = "mend that file; the rest is said as if there were no config files"
DEFAULT = "default"


def rows(settings: Settings, broken: str) -> Sequence[Row]:
    """broken: why the config files cannot be used; "" where they can."""
    if broken:
        return [Row(name="config", state="problem", found=broken, advice=MEND)]
    rules = Counter(line.source for line in settings.rules)
    folder = Path(settings.cwd)
    files = (Path(settings.home) / "config.toml", *workspace_files.paths(Path(settings.home), folder))
    said = [f"{file} ({how_many(rules[str(file)], 'rule')})" for file in files if file.exists()]
    flags = [f"{source} ({how_many(count, 'rule')})" for source, count in rules.items() if source.startswith("--")]
    found = ", ".join((*said, *flags)) or f"none ({files[0]} would be yours)"
    if settings.left_out:
        names = " and ".join(one.path for one in settings.left_out)
        advice = f"look at what does not count yet, and decide: {workspace_files.TRUST}"
        return [
            Row(name="config", state="note", found=f"{found}; what {names} would loosen is left out", advice=advice)
        ]
    return [Row(name="config", found=found)]


def layers(settings: Settings, environ: Mapping[str, str] = os.environ) -> list[Setting]:
    """Every key of config.toml as it counts now, then what the environment says."""
    path = Path(settings.home) / "config.toml"
    try:
        written = toml_files.table(toml_files.text_of(path), path)
    except BadConfiguration:
        written = {}  # then the settings are those without it, and a row says so
    own = [_setting(key, written, settings, environ) for key in UserFile.__struct_fields__]
    return [*own, *_of_environment(environ)]


def _setting(key: str, written: Mapping[str, Any], settings: Settings, environ: Mapping[str, str]) -> Setting:
    above = _above(key, written, settings, environ)
    source = above or (f"{settings.home}/config.toml" if key in written else DEFAULT)
    return Setting(key=key, value=_value(key, written, settings), source=source)


def _above(key: str, written: Mapping[str, Any], settings: Settings, environ: Mapping[str, str]) -> str:
    """Which layer counts more than config.toml; "" for none."""
    switched = {"sandbox": settings.sandbox == "none", "unrestricted": settings.unrestricted}
    if key == "model" and "model" in settings.chosen:
        return "--model"
    if key == "model" and environ.get("TROUPER_MODEL"):
        return "TROUPER_MODEL"
    if key == "effort" and "effort" in settings.chosen:
        return "--effort"
    if key == "mode" and settings.mode_chosen:
        return "--mode"
    if switched.get(key) and written.get(key) not in ("none", True):
        return "--unrestricted" if settings.unrestricted else "--no-sandbox"
    if key in ("model", "max_turns") and _value(key, written, settings) != _of_file(key, written):
        return "the workspace's .trouper/config.toml"
    if key in ("permissions", "hooks"):
        return _places(key, settings)
    return ""


def _places(key: str, settings: Settings) -> str:
    """Where rules and hooks are from, which add up."""
    sources = [line.source for line in settings.rules]
    if key == "hooks":
        own = [f"{settings.home}/config.toml"] if any(settings.hooks.all()) else []
        sources = [*own, *(["the workspace"] if any(settings.workspace_hooks.all()) else [])]
    return ", ".join(dict.fromkeys(sources))


def _of_file(key: str, written: Mapping[str, Any]) -> str:
    return str(written.get(key, getattr(UserFile(), key)))


def _value(key: str, written: Mapping[str, Any], settings: Settings) -> str:
    match key:
        case "permissions":
            return how_many(len(settings.rules), "rule")
        case "hooks":
            hooks = [*settings.hooks.all(), *settings.workspace_hooks.all()]
            return ", ".join(sorted({event for event, _ in hooks})) or "none"
        case "mcp":
            return ", ".join(server.name for server in settings.mcp) or "none"
        case "retry_for":
            return str(written.get(key, "")) or "10m, or 1h with -p"
        case "environment":
            return ", ".join(settings.environment) or "none"
        case "search":
            return settings.search.service or ("searxng" if settings.search.url else "the first with a key")
        case _:
            return _plain(getattr(settings, key))


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(value) or "none"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return redacted(text) or "left open"


def _of_environment(environ: Mapping[str, str]) -> Iterator[Setting]:
    for name in VARIABLES:
        if value := environ.get(name, ""):
            yield Setting(key=name, value=redacted(value), source="environment")
