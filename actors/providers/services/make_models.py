"""Writes models.toml from a models.json: `just models`. Not part of the program; the program reads models.toml.

models.json holds facts that were gathered from models.dev and the services' own pages. What it leaves out and the
services' documentation says in general is put in here: the rules below name where each comes from.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from actors.messages.model import ModelFacts, Price, ThinkingKind
from actors.providers.services import copilot

TABLE = Path(__file__).with_name("models.toml")
PROVIDERS = {  # ours, and where its models are in models.json
    "anthropic": "anthropic",
    "openai": "openai",
    "openrouter": "openrouter",
    "codex": "openai",
    "copilot": "github-copilot",
    "google": "google",
    "xai": "xai",
    "deepseek": "deepseek",
    "moonshotai": "moonshotai",
    "zai": "zai",
    "mistral": "mistral",
    "groq": "groq",
    "cerebras": "cerebras",
    "lmstudio": "lmstudio",
}
PLANS = {"codex", "copilot"}
"""Their models have no price a token: a plan bills what it counts in its own way."""
NO_CHAT = re.compile(r"embed|whisper|-image|prompt-guard")
THINKING: tuple[
    tuple[str, ThinkingKind], ...
] = (  # platform.claude.com, on effort and on each model; the first that fits
    ("claude-fable-", "always"),
    ("claude-opus-5-5", "always"),
    ("claude-sonnet-5-5", "always"),
    ("claude-haiku-5-5", "always"),
    ("claude-opus-5", "adaptive"),
    ("claude-sonnet-5", "adaptive"),
    ("claude-opus-4-8", "optional"),
    ("claude-opus-4-7", "optional"),
    ("claude-opus-4-6", "optional"),
    ("claude-sonnet-4-6", "optional"),
    ("claude-", "budget"),
)
ANTHROPIC_SEARCH_USD = 0.01
"""Its web search costs 10 dollars for 1,000 searches, beside the tokens."""
ON_CODEX = re.compile(r"gpt-(5\.3-codex|5\.4|5\.5|5\.6|6)(?!.*-(pro|nano|chat))")
"""Models that a ChatGPT subscription offers."""
CODEX_CONTEXT, CODEX_INPUT = 400_000, 272_000
"""Known of gpt-5.5, whose context is larger on the API; taken for the others, where it is surely not too much."""
WRITES_FROM = (5, 6)
"""OpenAI bills and reports cache writes from this version on: 1.25 times the input, its prompt caching page says."""

_DATE = re.compile(r"-20\d{6}$")


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    cache_write_1h: float | None = None
    above: int = 0
    tiers: tuple["Cost", ...] = ()


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"input_limit": "in"}):
    """One model of models.json; its legend says what the members mean."""

    id: str
    ctx: int
    out: int
    flags: str
    cost: Cost | None = None
    effort: tuple[str, ...] = ()
    input_limit: int = 0
    unsure: bool = False
    rel: str = ""
    overlay: str = ""


class Source(msgspec.Struct, frozen=True):
    source: str
    licence: str
    made: str
    providers: dict[str, tuple[Listed, ...]]


def made(models_json: bytes) -> str:
    """The whole text of models.toml."""
    source = msgspec.json.decode(models_json, type=Source)
    return "\n".join([*_header(source), *_sections(source)])


def _header(source: Source) -> Iterator[str]:
    yield "# The built-in table of models. Made by make_models.py (just models): change that, or config.toml, not this."
    yield f"# Source: {source.source}."
    yield f"# Licence of the data: {source.licence}. Gathered {source.made}; prices and limits may have changed since."
    yield "# One line a model, so that looking one up reads one line. Prices: US dollars a million tokens."
    yield ""


def _sections(source: Source) -> Iterator[str]:
    for provider, theirs in PROVIDERS.items():
        yield f"[{provider}]"
        for facts in _with_aliases(provider, [_facts(provider, one) for one in _offered(provider, theirs, source)]):
            yield f"{json.dumps(facts.id)} = {_toml(msgspec.structs.replace(facts, id=''))}"
        yield ""


def _offered(provider: str, theirs: str, source: Source) -> Iterator[Listed]:
    for one in source.providers[theirs]:
        if one.ctx and one.out and not NO_CHAT.search(one.id) and (provider != "codex" or ON_CODEX.match(one.id)):
            yield _with_efforts(one, source) if provider == "copilot" else one


def _with_efforts(one: Listed, source: Source) -> Listed:
    """Those that its maker says of it, where Copilot only says that it reasons."""
    makers = next((made for made in source.providers["openai"] if made.id == one.id), one)
    return msgspec.structs.replace(one, effort=makers.effort) if "r" in one.flags and not one.effort else one


def _facts(provider: str, one: Listed) -> ModelFacts:
    codex = provider == "codex"
    api = copilot.api(one.id) if provider == "copilot" else None
    smaller = codex and one.ctx > CODEX_CONTEXT
    return ModelFacts(
        id=one.id,
        api=api if api != "openai-chat" else None,
        context=CODEX_CONTEXT if smaller else one.ctx,
        max_input=CODEX_INPUT if smaller else one.input_limit,
        max_output=one.out,
        prices=tuple(_prices(provider, one)) if one.cost and provider not in PLANS else (),
        search_usd=ANTHROPIC_SEARCH_USD if provider == "anthropic" else None,
        efforts=one.effort,
        thinking=_thinking(one),
        images="v" in one.flags,
        pdfs="p" in one.flags,
        tools="t" in one.flags,
        unsure=one.unsure or (smaller and one.id != "gpt-5.5"),
    )


def _thinking(one: Listed) -> ThinkingKind:
    name = _dashed(one.id.rpartition("/")[2])
    if "r" not in one.flags:
        return ""
    for beginning, kind in THINKING:
        if name.startswith(beginning):
            return kind
    openai = name.startswith(("gpt-", "o1", "o3", "o4"))
    return "always" if openai and one.effort and not {"none", "minimal"}.intersection(one.effort) else ""


def _prices(provider: str, one: Listed) -> Iterator[Price]:
    if one.cost is None:
        return
    for cost in (one.cost, *one.cost.tiers):
        written, written_1h = _or_unknown(cost, cost.cache_write), _or_unknown(cost, cost.cache_write_1h)
        if provider == "anthropic" and written_1h is None:
            written_1h = round(cost.input * 2, 6)  # its pricing page, prompt caching
        if provider == "openai" and written is None and _version(one.id) >= WRITES_FROM:
            written = round(cost.input * 1.25, 6)
        yield Price(
            above=cost.above,
            input=cost.input,
            output=cost.output,
            cache_read=_or_unknown(cost, cost.cache_read),
            cache_write=written,
            cache_write_1h=written_1h,
        )


def _or_unknown(cost: Cost, price: float | None) -> float | None:
    """models.dev writes 0 where it knows no price, and where storing is free but the tokens are not."""
    if not cost.input and not cost.output:
        return 0.0
    return price or None


def _version(model: str) -> tuple[int, ...]:
    numbers = re.match(r"gpt-(\d+)(?:\.(\d+))?", model)
    return tuple(int(number or 0) for number in numbers.groups()) if numbers else ()


def _with_aliases(provider: str, models: list[ModelFacts]) -> Iterator[ModelFacts]:
    """An alias that is somebody's id, or two models', is left out."""
    if provider == "anthropic":
        models = _snapshots(models)
    wanted = {facts.id: [*facts.aliases, *_other_names(provider, facts, models)] for facts in models}
    taken = [*wanted, *(alias for aliases in wanted.values() for alias in aliases)]
    for facts in models:
        aliases = tuple(dict.fromkeys(alias for alias in wanted[facts.id] if taken.count(alias) == 1))
        yield msgspec.structs.replace(facts, aliases=aliases)


def _snapshots(models: list[ModelFacts]) -> list[ModelFacts]:
    """At Anthropic a name without date or with -0 stands for its dated model, which says more exactly who answers."""
    dated = {_DATE.sub("", facts.id): facts.id for facts in models if _DATE.search(facts.id)}
    standing = {facts.id: dated.get(facts.id) or dated.get(facts.id.removesuffix("-0")) for facts in models}
    return [
        msgspec.structs.replace(facts, aliases=tuple(name for name, whole in standing.items() if whole == facts.id))
        for facts in models
        if not standing[facts.id]
    ]


def _other_names(provider: str, facts: ModelFacts, models: list[ModelFacts]) -> Iterator[str]:
    """Dots for dashes and the other way round, as the services themselves disagree; and the newest of each family."""
    if "claude" in facts.id:
        for name in (facts.id, *facts.aliases):
            yield from (other for other in (_dashed(name), _dotted(name)) if other != name and not _DATE.search(name))
    if provider == "anthropic":
        family = facts.id.split("-")[1]
        rivals = [other for other in models if other.id.split("-")[1] == family and not other.unsure]
        if rivals and facts is max(rivals, key=lambda other: _numbers(other.id)):
            yield from (family, f"claude-{family}-latest")


def _numbers(model: str) -> list[int]:
    return [int(number) for number in re.findall(r"-(\d{1,2})(?!\d)", model)]


def _dashed(model: str) -> str:
    return re.sub(r"(?<=\d)\.(?=\d)", "-", model)


def _dotted(model: str) -> str:
    return re.sub(r"(?<=-\d)-(?=\d(?!\d))", ".", model)


def _toml(value: object) -> str:
    """One line of it."""
    match msgspec.to_builtins(value):
        case dict() as members:
            return "{ " + ", ".join(f"{name} = {_toml(inner)}" for name, inner in members.items()) + " }"
        case list() | tuple() as items:
            return f"[{', '.join(_toml(item) for item in items)}]"
        case float() as number if number.is_integer():
            return str(int(number))
        case plain:
            return json.dumps(plain)  # strings, numbers and booleans look the same in both


def main(arguments: Iterable[str]) -> int:
    """Returns the exit code."""
    match list(arguments):
        case [path]:
            TABLE.write_text(made(Path(path).read_bytes()), encoding="utf-8")
            return 0
        case _:
            sys.stderr.write("usage: python -m actors.providers.services.make_models MODELS.json\n")
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
