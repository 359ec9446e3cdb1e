"""Settings: TROUPER_HOME/config.toml < workspace .trouper/config.toml < environment < flags.

A workspace is not trusted: its file may choose among what the user set up and tighten permissions, nothing else.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

import msgspec

from actors.errors import BadConfiguration
from actors.messages.model import Api, ModelFacts, Price
from actors.messages.tool import Mode
from actors.reading import read_regular

PROVIDERS = (
    *("anthropic", "openai", "openrouter", "codex", "copilot", "google", "xai", "deepseek", "moonshotai", "zai"),
    *("mistral", "groq", "cerebras", "ollama", "llamacpp", "vllm", "lmstudio", "morph"),
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


RULES = ("Read", "Write", "Edit", "Bash", "Glob", "Grep", "List", "MorphEdit")
"""What a rule may name: the tools. Not imported from them, so that a mistake is found before anything runs."""
MOST = 1024 * 1024
"""Bytes of a config file."""


class Permissions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules are tool names: "Bash", "Write". See RULES."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class TightenedPermissions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deny: tuple[str, ...] = ()


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


class WorkspaceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """.trouper/config.toml of a repository, which anybody may have written."""

    model: str = ""
    max_turns: MaxTurns | None = None
    permissions: TightenedPermissions = TightenedPermissions()


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
    permissions: Permissions = Permissions()
    merging: bool = False
    """There is a key for the service that merges edits: its tool is offered."""
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
    user = _read(home / "config.toml", UserFile)
    workspace = _read_workspace(cwd / ".trouper" / "config.toml")
    _check_sign_in_urls(user.providers, home / "config.toml")
    _check_names(user, home / "config.toml")
    check_rules((*user.permissions.allow, *user.permissions.deny), str(home / "config.toml"))
    permissions = Permissions(allow=user.permissions.allow, deny=(*user.permissions.deny, *workspace.permissions.deny))
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
        permissions=permissions,
    )


def check_rules(rules: Iterable[str], where: str) -> None:
    """A rule that names nothing would silently not count. Raises BadConfiguration, which begins with `where`."""
    known = {rule.casefold() for rule in RULES}
    for rule in rules:
        name, bracket, _ = rule.partition("(")
        if bracket and name.casefold() in known:
            raise BadConfiguration(
                f'{where}: the rule "{rule}" has a pattern in brackets, which is not supported yet; '
                f'"{name}" is for every call of the tool.'
            )
        if rule.casefold() not in known:
            raise BadConfiguration(f'{where}: unknown rule "{rule}"; known are: {", ".join(RULES)}.')


def _check_names(user: UserFile, path: Path) -> None:
    """Names that mean nothing would silently not count. Raises BadConfiguration."""
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
    workspace = _read(path, WorkspaceFile)
    if workspace.model.strip().startswith("scripted:"):
        raise BadConfiguration(
            f'{path}: a "scripted:" model may only be set in your own config file: a workspace is not trusted to.'
        )
    check_rules(workspace.permissions.deny, str(path))
    return workspace


File = UserFile | WorkspaceFile
FileType = TypeVar("FileType", UserFile, WorkspaceFile)


def _read(path: Path, shape: type[FileType]) -> FileType:
    try:
        data = read_regular(path, MOST + 1)
        if len(data) > MOST:
            raise BadConfiguration(f"{path} is larger than any config file ({MOST // 1024} KB). Move it away.")
        text = data.decode("utf-8")
    except FileNotFoundError:
        return shape()
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"cannot read {path}: {error}. Make it readable, or move it away.") from error
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadConfiguration(f"{path} is not valid TOML: {error}.") from error
    try:
        return msgspec.convert(table, shape)
    except msgspec.ValidationError as error:
        raise BadConfiguration(f"{path}: {_explain(_with_name(str(error), table, shape), shape)}") from error


def _with_name(error: str, table: dict[str, Any], shape: type[File]) -> str:
    """msgspec says `$.providers[...].api`: which one is found by trying each alone."""
    found = re.search(r"\$\.(\w+)\[\.\.\.\]", error)
    if found is None:
        return error
    for name, value in table[found[1]].items():
        try:
            msgspec.convert({found[1]: {name: value}}, shape)
        except msgspec.ValidationError as its_own:
            quoted = name if re.fullmatch(r"[\w-]+", name) else f'"{name}"'
            return str(its_own).replace(found[0], f"$.{found[1]}.{quoted}").replace("[...]", "")
    return error


def _explain(error: str, shape: type[File]) -> str:
    unknown = re.search(r"unknown field `([^`]*)`(?: - at `\$\.?(.*)`)?", error)
    if unknown is None:
        return _explain_value(error, shape)
    key, place = unknown[1], unknown[2] or ""
    where = f"in [{place}] " if place else ""
    if shape is WorkspaceFile and key in {*UserFile.__struct_fields__, *Permissions.__struct_fields__}:
        return f'"{key}" may only be set in your own config file: a workspace is not trusted to.'
    near = difflib.get_close_matches(key, _keys(place, shape), n=2, cutoff=0.5)
    if near:
        return f'unknown key "{key}" {where}. Did you mean {" or ".join(near)}?'.replace(" .", ".")
    return f'unknown key "{key}" {where}; known are: {", ".join(_keys(place, shape))}.'.replace(" ;", ";")


def _explain_value(error: str, shape: type[File]) -> str:
    """A value that its key cannot have: which key, and what it can have."""
    what, _, at = error.partition(" - at `$.")
    place, _, key = at.rstrip("`").rpartition(".")
    can_be = _can_be(_table(place, shape), key)
    where = f"[{place}] " if place else ""
    return f"{where}{key}: {what}{f'; it can be {can_be}' if can_be else ''}." if at else f"{what}."


def _can_be(table: type[msgspec.Struct], key: str) -> str:
    """The range or the choices of a key, "" where there are none to name."""
    fields = msgspec.inspect.type_info(table).fields  # type: ignore[attr-defined]  # a struct's has them
    for type_ in (field.type for field in fields if field.name == key):
        for one in type_.types if isinstance(type_, msgspec.inspect.UnionType) else (type_,):
            match one:
                case msgspec.inspect.LiteralType(values=values):
                    return ", ".join(map(str, values))
                case msgspec.inspect.IntType(ge=low, le=high) | msgspec.inspect.FloatType(ge=low, le=high) if high:
                    return f"{low:,} to {high:,}"
                case _:
                    continue
    return ""


def _keys(place: str, shape: type[File]) -> tuple[str, ...]:
    return _table(place, shape).__struct_fields__


def _table(place: str, shape: type[File]) -> type[msgspec.Struct]:
    if place.startswith("permissions"):
        return Permissions if shape is UserFile else TightenedPermissions
    if place.startswith("providers"):
        return ProviderSettings
    if place.startswith("models"):
        return Price if ".prices[" in place else ModelFacts
    return shape


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
