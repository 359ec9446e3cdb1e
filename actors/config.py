"""Settings: TROUPER_HOME/config.toml < workspace .trouper/config.toml < environment < flags.

A workspace is not trusted: its file may choose among what the user set up and tighten permissions, nothing else. The
user's own file of one workspace, .trouper/config.local.toml, adds permissions and hooks.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec

from actors import local_rules, toml_files
from actors.errors import BadConfiguration
from actors.messages.model import Api, ModelFacts
from actors.messages.tool import Mode
from actors.permissions import Permissions, RuleLine
from actors.trust import why_not_trusted

PROVIDERS = (
    *("anthropic", "openai", "openrouter", "codex", "copilot", "google", "xai", "deepseek", "moonshotai", "zai"),
    *("mistral", "groq", "cerebras", "ollama", "llamacpp", "vllm", "lmstudio", "morph"),
    *("brave", "tavily"),
)
"""The built-in ones. Not imported from them, so that a mistake is found before anything runs."""
MOST_TURNS = 10_000
MaxTurns = Annotated[int, msgspec.Meta(ge=1, le=MOST_TURNS)]


class ProviderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A provider of the user's own, or what is different about a built-in one of the same name."""

    api: Api | None = None
    """None: the built-in provider's."""
    base_url: str = ""
    """By the service's own convention: with /v1 for the OpenAI formats, without for Anthropic. "": the built-in's."""
    api_key_env: str = ""
    """Name of the environment variable that holds the key; "": the built-in's, else none is needed."""
    idle_timeout_s: Annotated[float, msgspec.Meta(ge=0, le=86_400)] = 0.0
    """No byte for so long: the stream counts as broken. 0: 60, and 300 for the built-in ones."""
    dialect: str = ""
    """The built-in provider whose peculiarities it shares, such as "vllm" or "openrouter"."""
    headers: dict[str, str] = {}
    """Sent with every request."""
    sign_in_url: str = ""
    """Where one signs in, when that is not the service's own: a company's GitHub. Tokens are sent there."""
    allow_http: bool = False
    """Unencrypted http also to other machines than this one."""
    websocket: bool | None = None
    """Responses format: keep one socket open for a session's requests. None: where the service is known to have it."""
    cache_ttl: Literal["5m", "1h"] = "5m"
    """Anthropic format: how long the prompt stays cached. An hour costs more to write."""
    routing: dict[str, Any] = {}
    """OpenRouter's `provider` object: which of the services behind it may answer."""


class TightenedPermissions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class Hook(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command that is told of an event by JSON on its stdin and may decide about it on its stdout."""

    command: str
    tools: tuple[str, ...] = ()
    """Of pre_tool and post_tool: only for these; none for all."""
    timeout_s: Annotated[float, msgspec.Meta(gt=0, le=600)] = 10.0


class Hooks(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    pre_tool: tuple[Hook, ...] = ()
    post_tool: tuple[Hook, ...] = ()
    prompt: tuple[Hook, ...] = ()
    stop: tuple[Hook, ...] = ()
    session_start: tuple[Hook, ...] = ()


class SearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who searches the web for the tool web_search."""

    service: Literal["", "brave", "tavily", "searxng"] = ""
    """ "": the first of brave and tavily that has a key, else the SearXNG server."""
    url: str = ""
    """Of a SearXNG server."""


SandboxChoice = Literal["auto", "bubblewrap", "landlock", "none"]
WorkerKind = Literal["", "network", "none", "web"]
"""What a tool worker is confined to. "": all that there is; network: the same with a network, where that cannot be
given to a single command; none: nothing; web: a network and no files."""


class UserFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """TROUPER_HOME/config.toml."""

    model: str = ""
    effort: str = ""
    mode: Mode = "default"
    max_turns: MaxTurns = 40
    web_search: bool = False
    """The model service may search the web by itself, where it can."""
    dotenv: bool = False
    """API keys may also come from the workspace's .env file."""
    providers: dict[str, ProviderSettings] = {}
    models: dict[str, ModelFacts] = {}
    """PROVIDER/NAME: what is known better than in the built-in table."""
    permissions: Permissions = Permissions()
    sandbox: SandboxChoice = "auto"
    """The strongest that there is; or no stronger one than this."""
    allow_unsandboxed: bool = False
    """Where there is no sandbox commands are treated as if there were one."""
    environment: tuple[str, ...] = ()
    """Names of further variables that commands see; names that look like secrets stay hidden."""
    diagnostics: bool = True
    """New errors of a changed file are added to the edit's result, where its checker is installed."""
    repo_map: bool = True
    """Larger repositories: a map of their symbols in the prompt."""
    search: SearchSettings = SearchSettings()
    hooks: Hooks = Hooks()


class WorkspaceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """.trouper/config.toml of a repository, which anybody may have written."""

    model: str = ""
    max_turns: MaxTurns | None = None
    permissions: TightenedPermissions = TightenedPermissions()

    def lines(self, source: str) -> tuple[RuleLine, ...]:
        """Raises BadConfiguration."""
        return Permissions(ask=self.permissions.ask, deny=self.permissions.deny).lines(source)


class LocalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """.trouper/config.local.toml: the user's own file of one workspace, which is not committed."""

    permissions: Permissions = Permissions()
    hooks: Hooks = Hooks()
    """They can tighten, not allow."""


NO_LOCAL_FILE = LocalFile()


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What every actor of one session is given."""

    home: str
    """TROUPER_HOME."""
    cwd: str
    """The workspace: tools stay inside it."""
    session_id: str
    resume: bool = False
    """Go on with a session that exists: session_id may be the beginning of an id, or "" for the latest here."""
    run_id: str
    """One start of the program; a resumed session has several."""
    model: str = ""
    """PROVIDER/NAME, or "" to let the providers choose."""
    effort: str = ""
    """How hard the model thinks: one of its own efforts, "off", or "" for the service's default."""
    chosen: tuple[Literal["model", "effort"], ...] = ()
    """Those the command line says: they count more than what a resumed session remembers."""
    mode: Mode = "default"
    interactive: bool = False
    """There is somebody to ask."""
    max_turns: int = 40
    """Model requests in one turn."""
    max_cost_usd: float | None = None
    """No request is begun once the session has cost so much."""
    shared_cost: str = ""
    """Ids of the sessions that have max_cost_usd together begin so; "": this one has it for itself."""
    earlier_cost_usd: float = 0.0
    """What else counts towards max_cost_usd."""
    web_search: bool = False
    dotenv: bool = False
    providers: dict[str, ProviderSettings] = {}
    """Headers and addresses may hold secrets: whole for those who may see them, else `without_secrets`."""
    models: dict[str, ModelFacts] = {}
    rules: tuple[RuleLine, ...] = ()
    """Of the user's file, the local file, the workspace's file and the flags."""
    sandbox: SandboxChoice = "auto"
    allow_unsandboxed: bool = False
    environment: tuple[str, ...] = ()
    diagnostics: bool = True
    repo_map: bool = True
    search: SearchSettings = SearchSettings()
    hooks: Hooks = Hooks()
    """The user's."""
    local_hooks: Hooks = Hooks()
    """The local file's."""
    worker: WorkerKind = ""
    """Of a tool worker: what it is confined to."""
    merging: bool = False
    """There is a key for the service that merges edits: its tool is offered."""
    searching: bool = False
    """There is a service that searches the web: its tool is offered."""
    notices: tuple[str, ...] = ()
    """What the user has to be told when the session starts."""
    front: msgspec.Raw = msgspec.Raw(b"\xc0")
    """What the actor that talks to the user was asked to do; only that actor reads it."""


def without_secrets(settings: Settings) -> Settings:
    """Of the providers only what all actors need: which variables they must forget."""
    named = {name: ProviderSettings(api_key_env=provider.api_key_env) for name, provider in settings.providers.items()}
    return msgspec.structs.replace(settings, providers=named)


def home_folder(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("TROUPER_HOME") or Path.home() / ".trouper").absolute()


def load(home: Path, cwd: Path, environ: Mapping[str, str], session_id: str, run_id: str) -> Settings:
    """Files and environment; flags are the caller's. Raises BadConfiguration."""
    user = toml_files.read(home / "config.toml", UserFile)
    _check_sign_in_urls(user.providers, home / "config.toml")
    _check_names(user, home / "config.toml")
    at_home = (cwd / ".trouper").resolve() == home.resolve()  # then its config.toml is the user's
    workspace = WorkspaceFile() if at_home else _read_workspace(cwd / ".trouper" / "config.toml")
    local, notice = read_local(home, cwd)
    rules = (
        *user.permissions.lines(str(home / "config.toml")),
        *local.permissions.lines(str(local_path(cwd))),
        *workspace.lines(str(cwd / ".trouper" / "config.toml")),
    )
    return Settings(
        home=str(home),
        cwd=str(cwd),
        session_id=session_id,
        run_id=run_id,
        model=environ.get("TROUPER_MODEL") or workspace.model or user.model,
        effort=user.effort,
        mode=user.mode,
        max_turns=workspace.max_turns if workspace.max_turns is not None else user.max_turns,
        web_search=user.web_search,
        dotenv=user.dotenv,
        providers=user.providers,
        models=user.models,
        rules=rules,
        sandbox=user.sandbox,
        allow_unsandboxed=user.allow_unsandboxed,
        environment=user.environment,
        diagnostics=user.diagnostics,
        repo_map=user.repo_map,
        search=user.search,
        hooks=user.hooks,
        local_hooks=local.hooks,
        notices=(notice,) if notice else (),
    )


def tried_sandbox(home: Path) -> Path:
    """What is remembered of whether this machine's bubblewrap works."""
    return home / "run" / "sandbox.json"


def local_path(cwd: Path) -> Path:
    return cwd / ".trouper" / "config.local.toml"


def read_local(home: Path, cwd: Path) -> tuple[LocalFile, str]:
    """The user's own file of this workspace; and what is to be said about it: not trusted, it only tightens.

    Raises BadConfiguration.
    """
    path = local_path(cwd)
    text = toml_files.text_of(path)
    local = toml_files.parse(text, path, LocalFile)
    if why := why_not_trusted(path) if os.path.lexists(path) else "":
        return _tightening(local), f"{path} is not trusted, so what it allows and its hooks do not count: {why}."
    if why := local_rules.why_changed(home, path, text):
        return _tightening(local, _kept(home, path)), f"{path} is not trusted, so what it allows does not count: {why}."
    return local, ""


def _kept(home: Path, path: Path) -> LocalFile:
    """What was the user's own before somebody changed it. Raises BadConfiguration."""
    try:
        return toml_files.parse(local_rules.kept(home, path) or "", path, LocalFile)
    except OSError:
        return LocalFile()


def _tightening(local: LocalFile, before: LocalFile = NO_LOCAL_FILE) -> LocalFile:
    """What asks and denies, of either; hooks are commands, so only those of before."""
    now, then = local.permissions, before.permissions
    ask, deny = dict.fromkeys((*now.ask, *then.ask)), dict.fromkeys((*now.deny, *then.deny))
    return LocalFile(permissions=Permissions(ask=tuple(ask), deny=tuple(deny)), hooks=before.hooks)


def _check_names(user: UserFile, path: Path) -> None:
    """Names that mean nothing would silently not count. Raises BadConfiguration."""
    for variable in user.environment:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):
            raise BadConfiguration(f'{path}: environment: "{variable}" is no name of a variable, such as "JAVA_HOME".')
    for name, settings in user.providers.items():
        if settings.dialect and settings.dialect not in PROVIDERS:
            known = f"It can be that of a built-in provider: {', '.join(PROVIDERS)}."
            raise BadConfiguration(f'{path}: [providers.{name}] has the unknown dialect "{settings.dialect}". {known}')
    for model in user.models:
        provider, _, name = model.partition("/")
        if not (provider and name):
            raise BadConfiguration(f'{path}: [models."{model}"] names no model: write [models."PROVIDER/NAME"].')


def _check_sign_in_urls(providers: Mapping[str, ProviderSettings], path: Path) -> None:
    """Tokens go there: never in the clear, but for this machine and who insists. Raises BadConfiguration."""
    for name, settings in providers.items():
        if not settings.sign_in_url:
            continue
        parts = urlsplit(settings.sign_in_url.rstrip("/"))
        in_clear = settings.allow_http or parts.hostname in ("127.0.0.1", "::1", "localhost")
        rest = parts.path or parts.query or parts.username
        if parts.scheme not in ("https", "http" if in_clear else "https") or not parts.hostname or rest:
            example = "https://github.example.com"
            raise BadConfiguration(f"{path}: [providers.{name}] sign_in_url is not a host's address like {example}.")


def _read_workspace(path: Path) -> WorkspaceFile:
    only_users = {*UserFile.__struct_fields__, *Permissions.__struct_fields__}
    workspace = toml_files.read(path, WorkspaceFile, only_users)
    if workspace.model.strip().startswith("scripted:"):
        raise BadConfiguration(
            f'{path}: a "scripted:" model may only be set in your own config file: a workspace is not trusted to.'
        )
    return workspace


def make_home(home: Path) -> None:
    """TROUPER_HOME and its folders, for this user only. Raises BadConfiguration."""
    try:
        for folder in (home, home / "logs", home / "run"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadConfiguration(
            f"cannot make {home}: {error}. Set TROUPER_HOME to a folder you can write to."
        ) from error
    if not os.access(home, os.W_OK):
        raise BadConfiguration(f"cannot write to {home}. Set TROUPER_HOME to a folder you can write to.")
