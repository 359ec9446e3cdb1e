"""The settings of a session: from the config files, the environment and the flags of the command."""

import argparse
import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from actors.common import own_code
from actors.common.small_files import read_regular
from actors.errors import BadConfiguration
from actors.messages.budget import Budget
from actors.settings import brought, config, toml_files
from actors.settings.config import ProviderSettings, Settings
from actors.settings.permissions import Permissions
from actors.settings.services import BRAVE, MORPH, TAVILY, BuiltIn
from ui.common.usage_errors import workspace
from ui.start.containers import why_not_unrestricted
from ui.start.launch_state import Launch

if TYPE_CHECKING:
    pass

UNRESTRICTED = "unrestricted: everything runs unasked and without a sandbox; only deny rules hold."
SEARCHERS = (BRAVE, TAVILY)


def prepare(options: argparse.Namespace, launch: Launch) -> Settings:
    """Files, environment and the flags that all commands share. Raises Usage and BadConfiguration."""
    config.make_home(config.home_folder(os.environ))
    return read(options, launch)


def read(options: argparse.Namespace, launch: Launch) -> Settings:
    """The same, and nothing is made: TROUPER_HOME need not be there. Raises Usage and BadConfiguration."""
    home = config.home_folder(os.environ)
    settings = config.load(home, workspace(options), os.environ, session_id=uuid.uuid4().hex, run_id=launch.run_id)
    if options.trust_mcp:
        settings = brought.with_servers(settings, {one.path for one in settings.mcp_left_out})
    return with_flags(settings, options)


def read_without_files(options: argparse.Namespace, launch: Launch) -> Settings:
    """The same as if there were no config file. Raises Usage and BadConfiguration."""
    plain = Settings(
        home=str(config.home_folder(os.environ)),
        cwd=str(workspace(options)),
        session_id=uuid.uuid4().hex,
        run_id=launch.run_id,
        model=os.environ.get("TROUPER_MODEL", ""),
    )
    return with_flags(plain, options)


def with_flags(settings: Settings, options: argparse.Namespace) -> Settings:
    """Raises BadConfiguration."""
    unrestricted = settings.unrestricted or options.unrestricted
    if unrestricted and (refused := why_not_unrestricted(os.geteuid(), os.environ)):
        raise BadConfiguration(refused)
    flags = (
        *Permissions(allow=tuple(options.allow)).lines("--allow"),
        *Permissions(deny=tuple(options.deny)).lines("--deny"),
    )
    return msgspec.structs.replace(
        settings,
        rules=(*settings.rules, *flags),
        model=options.model or settings.model,
        chosen=("model",) if options.model else (),
        mode=options.mode or settings.mode,
        mode_chosen=bool(options.mode),
        sandbox="none" if options.no_sandbox or unrestricted else settings.sandbox,
        unrestricted=unrestricted,
        notices=(
            *settings.notices,
            *filter(None, [UNRESTRICTED if unrestricted else own_code.notice(Path(settings.cwd))]),
        ),
        merging=has_key(MORPH, settings, os.environ),
        searching=can_search(settings, os.environ),
    )


def can_search(settings: Settings, environ: Mapping[str, str]) -> bool:
    """With the service that the user chose, else with any."""
    match settings.search.service:
        case "searxng":
            return bool(settings.search.url)
        case "":
            return bool(settings.search.url) or any(has_key(one, settings, environ) for one in SEARCHERS)
        case chosen:
            return any(has_key(one, settings, environ) for one in SEARCHERS if one.name == chosen)


def has_key(service: BuiltIn, settings: Settings, environ: Mapping[str, str]) -> bool:
    """In one of its variables, or kept. Keys themselves are for the providers alone."""
    own = settings.providers.get(service.name, ProviderSettings()).api_key_env
    set_here = any(
        environ.get(variable, "").strip()
        for variable in ((own,) if own else (service.key_env, *service.other_key_envs))
    )
    return set_here or service.name in _kept(Path(settings.home) / "auth.json")


def _kept(path: Path) -> set[str]:
    """The services that something is kept for."""
    try:
        return set(msgspec.json.decode(read_regular(path, toml_files.MOST), type=dict[str, msgspec.Raw]))
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return set()  # none, or damaged: who needs a key from it says so


def for_asking(settings: Settings, options: argparse.Namespace) -> Settings:
    """The flags of commands that ask a model."""
    return msgspec.structs.replace(
        settings,
        effort=options.effort or settings.effort,
        chosen=(*settings.chosen, "effort") if options.effort else settings.chosen,
        budgets=_own_budget(options),
        retry_for_s=settings.retry_for_s if options.retry_for is None else options.retry_for,
    )


def _own_budget(options: argparse.Namespace) -> tuple[Budget, ...]:
    if options.max_cost is None and options.max_tokens is None:
        return ()
    return (Budget(usd=options.max_cost, tokens=options.max_tokens, again="trouper -c"),)
