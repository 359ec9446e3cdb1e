"""Settings: TROUPER_HOME/config.toml < .trouper/config.toml < .trouper/config.local.toml < environment < flags.

A workspace is not trusted: what its files loosen counts only where the user vouched for them (workspace_files.py).
"""

import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec

from actors.common.small_files import is_there
from actors.errors import BadConfiguration
from actors.messages.budget import Budget
from actors.messages.model import Api, ModelFacts
from actors.messages.tool import Mode
from actors.settings import toml_files
from actors.settings.mcp.servers import Configured, Entry, LeftOutServer, McpServer, bared
from actors.settings.permissions import Permissions, RuleLine
from actors.settings.services import BUILT_IN
from actors.settings.workspace_files import Hooks, LeftOut, MaxTurns, read_workspace

PROVIDERS = tuple(service.name for service in BUILT_IN)
"""The built-in ones."""


class ProviderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A provider of the user's own, or what is different about a built-in one of the same name."""

    api: Api | None = None
    """The format its requests have. Left out: the built-in provider's."""
    base_url: str = ""
    """By the service's own convention: with /v1 for the OpenAI formats, without for Anthropic. Left out: the
    built-in's."""
    api_key_env: str = ""
    """Name of the environment variable that holds the key. Left out: the built-in's, else none is needed."""
    idle_timeout_s: Annotated[float, msgspec.Meta(ge=0, le=86_400)] = 0.0
    """No byte for so long: the stream counts as broken. Left out: 60; 300 for the built-in ones, no limit on this
    machine."""
    dialect: str = ""
    """The built-in provider whose peculiarities it shares, such as "vllm" or "openrouter"."""
    headers: dict[str, str] = {}
    """Sent with every request."""
    sign_in_url: str = ""
    """Where one signs in, when that is not the service's own: a company's GitHub. Tokens are sent there."""
    allow_http: bool = False
    """Unencrypted http also to other machines than this one."""
    websocket: bool | None = None
    """Responses format: one socket stays open for a session's requests. Left out: where the service does."""
    cache_ttl: Literal["5m", "1h"] = "5m"
    """Anthropic format: how long the prompt stays cached. An hour costs more to write."""
    routing: dict[str, Any] = {}
    """OpenRouter's `provider` object: which of the services behind it may answer."""


class SearchSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who searches the web for the tool web_search."""

    service: Literal["", "brave", "tavily", "searxng"] = ""
    """Left out: the first of brave and tavily that has a key, else the SearXNG server."""
    url: str = ""
    """Of a SearXNG server."""


MCP_TOOLS_TOKENS = 10_000
"""Of their descriptions and schemas, which go with every request."""
PATIENCE_S = 600.0
"""With an outage of a model service, where somebody looks on."""
PATIENCE_ALONE_S = 3600.0
SandboxChoice = Literal["auto", "bubblewrap", "namespaces", "landlock", "none"]
WorkerKind = Literal["", "network", "none", "web", "mcp"]
"""What a tool worker is confined to. "": all that there is; network: the same with a network, where that cannot be
given to a single command; none: nothing; web: a network and no files; mcp: as the one MCP server of its settings says,
which is no tool worker."""


Editing = Literal["emacs", "vi"]
Background = Literal["wait", "cancel", "fail"]
"""What becomes of subagents in the background when the model stops: they are waited for; they are cancelled; they are,
and the turn has failed."""


class UserFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """TROUPER_HOME/config.toml."""

    model: str = ""
    """PROVIDER/NAME. Left out: a model of the first service that there is a key for, or of a local server."""
    effort: str = ""
    """How hard the model thinks: one of its own efforts, or "off". Left out: the service's default."""
    naming_model: str = ""
    """PROVIDER/NAME of the one that gives sessions their names, or "off". Left out: a cheap one of the same service."""
    mode: Mode = "default"
    """What runs unasked."""
    max_turns: MaxTurns = 40
    """Model requests in one turn."""
    web_search: bool = False
    """The model service may search the web by itself, where it can."""
    dotenv: bool = False
    """API keys may also come from the workspace's .env file."""
    providers: dict[str, ProviderSettings] = {}
    """Model services of your own, by a name you choose, and what is different about a built-in one."""
    models: dict[str, ModelFacts] = {}
    """By PROVIDER/NAME: what is known better than in the built-in table."""
    permissions: Permissions = Permissions()
    """Rules: what runs unasked, what asks, what never happens."""
    sandbox: SandboxChoice = "auto"
    """The strongest that there is; or no stronger one than this."""
    allow_unsandboxed: bool = False
    """Where there is no sandbox, commands are treated as if there were one."""
    unrestricted: bool = False
    """For a container that is thrown away: everything runs unasked and unsandboxed, but for what a rule denies."""
    environment: tuple[str, ...] = ()
    """Names of further variables that commands see; names that look like secrets stay hidden."""
    diagnostics: bool = True
    """New errors of a changed file are added to the edit's result, where its checker is installed."""
    repo_map: bool = True
    """Larger repositories: a map of their symbols in the prompt."""
    search: SearchSettings = SearchSettings()
    """Who searches the web."""
    hooks: Hooks = Hooks()
    """Commands of yours that hear of what happens and may decide about it."""
    mcp: dict[str, Entry] = {}
    """MCP servers, by a name you choose."""
    mcp_tools_tokens: Annotated[int, msgspec.Meta(ge=0)] = MCP_TOOLS_TOKENS
    """Where the tools of all MCP servers take more tokens than this, the model searches them instead."""
    theme: str = "auto"
    """Colours of the screen: "auto", "dark", "light", "high-contrast", "colour-blind", "ansi", "mono", or the name
    of a file of yours in TROUPER_HOME/themes."""
    editing: Editing = "emacs"
    """Keys of the composer: those of emacs and of shells, or "vi" with its modes."""
    announce: bool = True
    """The screen sets the title of its window, shows progress there, and calls you when you look elsewhere: a bell, and
    a notification where the terminal has them."""
    retry_for: str = ""
    """How long an outage of a model service is waited for: "90s", "10m", "1h", "0". Left out: 10m, or 1h where nobody
    can be asked."""


class OfSubagent(msgspec.Struct, frozen=True, kw_only=True):
    """What a subagent's session is for."""

    kind: str
    """Such as explore: which of the definitions it is."""
    kinds_cwd: str
    """The workspace in which its kind is looked up: its parent's."""
    writes: bool = False
    """In a worktree of its own."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What every actor of one session is given."""

    home: str
    """TROUPER_HOME."""
    cwd: str
    """The workspace: tools stay inside it."""
    session_id: str
    resume: bool = False
    """Go on with a session that exists: session_id says which, as OpenSession has it; "" for the latest here."""
    everywhere: bool = False
    """It is looked for among those of every folder."""
    copy: bool = False
    """With a copy of it: it may be open elsewhere."""
    run_id: str
    """One start of the program; a resumed session has several."""
    began: float = 0.0
    """When that was, in seconds since the epoch."""
    model: str = ""
    """PROVIDER/NAME, or "" to let the providers choose."""
    effort: str = ""
    """How hard the model thinks: one of its own efforts, "off", or "" for the service's default."""
    chosen: tuple[Literal["model", "effort"], ...] = ()
    """Those the command line says: they count more than what a resumed session remembers."""
    naming_model: str = ""
    """Who gives the session its name: PROVIDER/NAME, "off", or "" for a cheap one of the same service."""
    mode: Mode = "default"
    mode_chosen: bool = False
    """By the command line: it counts more than the one that a resumed session was left in."""
    interactive: bool = False
    """There is somebody to ask."""
    asks_approvals: bool = False
    """There is no screen, but the front may know somebody to ask for an approval, and for nothing else."""
    terminal: str = ""
    """Where that is, such as /dev/pts/3."""
    theme: str = "auto"
    """Of the screen, by its name."""
    editing: Editing = "emacs"
    announce: bool = True
    max_turns: int = 40
    """Model requests in one turn."""
    budgets: tuple[Budget, ...] = ()
    """Each request needs room in all of them."""
    retry_for_s: float | None = None
    """None: it depends on whether somebody looks on."""
    web_search: bool = False
    dotenv: bool = False
    providers: dict[str, ProviderSettings] = {}
    """Headers and addresses may hold secrets: whole for those who may see them, else `without_secrets`."""
    models: dict[str, ModelFacts] = {}
    rules: tuple[RuleLine, ...] = ()
    """Of the user's file, what counts of the workspace's files, and of the flags."""
    sandbox: SandboxChoice = "auto"
    allow_unsandboxed: bool = False
    unrestricted: bool = False
    environment: tuple[str, ...] = ()
    diagnostics: bool = True
    repo_map: bool = True
    search: SearchSettings = SearchSettings()
    hooks: Hooks = Hooks()
    """The user's."""
    workspace_hooks: Hooks = Hooks()
    """Of the workspace's files, where the user vouched for them. They can tighten, not allow."""
    left_out: tuple[LeftOut, ...] = ()
    """What does not count of the workspace's files."""
    mcp: tuple[McpServer, ...] = ()
    """The MCP servers that count, by name. What they are given may be secret: whole for those who may see it."""
    mcp_left_out: tuple[LeftOutServer, ...] = ()
    """Those that are written down and do not."""
    mcp_tools_tokens: int = MCP_TOOLS_TOKENS
    servers_cwd: str = ""
    """Where they run, which is the session's workspace, of an agent that has another one; "" where it is `cwd`."""
    worker: WorkerKind = ""
    """Of a tool worker: what it is confined to."""
    temporary: str = ""
    """Of a further tool worker: the folder for temporary files that the agent's own one has. "": one of its own."""
    merging: bool = False
    """There is a key for the service that merges edits: its tool is offered."""
    searching: bool = False
    """There is a service that searches the web: its tool is offered."""
    notices: tuple[str, ...] = ()
    """What the user has to be told when the session starts."""
    subagent: OfSubagent | None = None
    """None: it is no subagent's."""
    background: Background = "wait"
    front: msgspec.Raw = msgspec.Raw(b"\xc0")
    """What the actor that talks to the user was asked to do; only that actor reads it."""

    @property
    def patience_s(self) -> float:
        """With an outage of a model service."""
        if self.retry_for_s is not None:
            return self.retry_for_s
        return PATIENCE_S if self.interactive else PATIENCE_ALONE_S


def without_secrets(settings: Settings) -> Settings:
    """Of providers what all actors need, which variables they must forget; of MCP servers how they are dealt with."""
    named = {name: ProviderSettings(api_key_env=provider.api_key_env) for name, provider in settings.providers.items()}
    return msgspec.structs.replace(settings, providers=named, mcp=tuple(map(bared, settings.mcp)))


def home_folder(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("TROUPER_HOME") or Path.home() / ".trouper").absolute()


def load(home: Path, cwd: Path, environ: Mapping[str, str], session_id: str, run_id: str) -> Settings:
    """Files and environment; flags are the caller's. Raises BadConfiguration."""
    user = toml_files.read(home / "config.toml", UserFile)
    _check_sign_in_urls(user.providers, home / "config.toml")
    _check_names(user, home / "config.toml")
    workspace = read_workspace(home, cwd, user.max_turns)
    mcp = _servers(home, cwd, user.mcp)
    return Settings(
        home=str(home),
        cwd=str(cwd),
        session_id=session_id,
        run_id=run_id,
        began=time.time(),
        model=environ.get("TROUPER_MODEL") or workspace.model or user.model,
        effort=user.effort,
        naming_model=user.naming_model,
        mode=user.mode,
        max_turns=workspace.max_turns,
        retry_for_s=_patience(user.retry_for, home / "config.toml"),
        web_search=user.web_search,
        dotenv=user.dotenv,
        providers=user.providers,
        models=user.models,
        rules=(*user.permissions.lines(str(home / "config.toml")), *workspace.rules),
        sandbox=user.sandbox,
        allow_unsandboxed=user.allow_unsandboxed,
        unrestricted=user.unrestricted,
        environment=user.environment,
        diagnostics=user.diagnostics,
        repo_map=user.repo_map,
        search=user.search,
        hooks=user.hooks,
        workspace_hooks=workspace.hooks,
        left_out=workspace.left_out,
        mcp=mcp.servers,
        mcp_left_out=mcp.left_out,
        mcp_tools_tokens=user.mcp_tools_tokens,
        theme=user.theme,
        editing=user.editing,
        announce=user.announce,
        notices=(*workspace.notices, *mcp.notices),
    )


def _servers(home: Path, cwd: Path, in_toml: Mapping[str, Entry]) -> Configured:
    """Raises BadConfiguration."""
    if not (in_toml or is_there(home / "mcp.json") or is_there(cwd / ".mcp.json")):
        return Configured((), (), ())
    from actors.settings.mcp import configured  # only who has servers pays for it: 8 ms

    found = configured.read(home, cwd, in_toml)
    configured.check(found.left_out)
    return found


def tried_sandbox(home: Path) -> Path:
    """What is remembered of whether this machine's bubblewrap works."""
    return home / "run" / "sandbox.json"


def _check_names(user: UserFile, path: Path) -> None:
    """Names that mean nothing would silently not count. Raises BadConfiguration."""
    for variable in user.environment:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):
            raise BadConfiguration(f'{path}: environment: "{variable}" is no name of a variable, such as "JAVA_HOME".')
    naming = user.naming_model
    if naming not in ("", "off") and "/" not in naming and not naming.startswith("scripted:"):
        raise BadConfiguration(f'{path}: naming_model is "{naming}"; it can be PROVIDER/NAME or "off".')
    for name, settings in user.providers.items():
        if settings.dialect and settings.dialect not in PROVIDERS:
            known = f"It can be that of a built-in provider: {', '.join(PROVIDERS)}."
            raise BadConfiguration(f'{path}: [providers.{name}] has the unknown dialect "{settings.dialect}". {known}')
    for model in user.models:
        provider, _, name = model.partition("/")
        if not (provider and name):
            raise BadConfiguration(f'{path}: [models."{model}"] names no model: write [models."PROVIDER/NAME"].')


def duration(text: str) -> float | None:
    """Seconds, of such as "90s", "10m", "1h", "0"; None for anything else."""
    found = re.fullmatch(r"(\d{1,9})(s|m|h|d)", text) or re.fullmatch(r"(0)()", text)
    return int(found[1]) * {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}[found[2]] if found else None


def _patience(retry_for: str, path: Path) -> float | None:
    """Raises BadConfiguration."""
    seconds = duration(retry_for)
    if retry_for and seconds is None:
        raise BadConfiguration(f'{path}: retry_for is "{retry_for}"; it can be such as "90s", "10m", "1h" or "0".')
    return seconds


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
