"""Reading what local servers say of their models; b"" and whatever else cannot be read says nothing. Pure.

Only Ollama says all: its facts have an id, which stands for a model that is known. Tools are None where the server
makes every model take them, though not every one was trained for it.
"""

import re
from typing import TypeVar

import msgspec

from actors.messages.model import ModelFacts
from actors.providers.faults.foreign_json import Unreadable, decoded

EFFORTS = ("low", "medium", "high")
"""What Ollama takes for a model that thinks."""
Kind = TypeVar("Kind")


MOST_TOKENS = 10**9
"""Nothing has so large a context: more is a mistake, or no number that could be passed on."""
MOST_NAMES = 2000
"""Models of one server that are listed."""


def _read(data: bytes, kind: type[Kind], nothing: Kind) -> Kind:
    try:
        return decoded(data, kind) if data else nothing
    except Unreadable:
        return nothing


def _tokens(*sizes: int) -> int:
    """The first that says something; 0 for none."""
    return next((size for size in sizes if 0 < size <= MOST_TOKENS), 0)


class _Shown(msgspec.Struct):
    model_info: dict[str, msgspec.Raw] = {}
    parameters: str = ""
    capabilities: list[str] | None = None


class _Running(msgspec.Struct):
    name: str = ""
    context_length: int = 0


class _AllRunning(msgspec.Struct):
    models: list[_Running] = []


def ollama(name: str, shown: bytes, running: bytes) -> ModelFacts:
    """POST /api/show and GET /api/ps: https://docs.ollama.com/api."""
    model = _read(shown, _Shown, _Shown())
    if not model.model_info:
        return ModelFacts()
    sizes = (_number(size) for key, size in model.model_info.items() if key.endswith(".context_length"))
    full = _tokens(*sizes)
    names = (name, f"{name}:latest")
    loaded = next((one for one in _read(running, _AllRunning, _AllRunning()).models if one.name in names), _Running())
    told = re.search(r"^num_ctx\s+([0-9]{1,10})\s*$", model.parameters, re.MULTILINE)
    context = _tokens(loaded.context_length, int(told[1]) if told else 0)
    can = model.capabilities
    return ModelFacts(
        id=name,
        context=context or full,
        efforts=EFFORTS if can and "thinking" in can else (),
        images=None if can is None else "vision" in can,
        tools=None if can is None else "tools" in can,
        unsure=not context,
    )


def _number(size: msgspec.Raw) -> int:
    """0 for what is none that could be one of tokens."""
    return int(bytes(size)) if re.fullmatch(rb"[0-9]{1,10}", bytes(size)) else 0


class _Settings(msgspec.Struct):
    n_ctx: int = 0


class _Modalities(msgspec.Struct):
    vision: bool | None = None


class _Template(msgspec.Struct):
    supports_tools: bool | None = None


class _Props(msgspec.Struct):
    default_generation_settings: _Settings
    modalities: _Modalities | None = None
    chat_template_caps: _Template | None = None


def llamacpp(props: bytes) -> ModelFacts:
    """GET /props: https://github.com/ggml-org/llama.cpp/tree/master/tools/server. The context is that of one slot."""
    read = _read(props, _Props, _Props(_Settings()))
    return ModelFacts(
        context=_tokens(read.default_generation_settings.n_ctx),
        images=read.modalities.vision if read.modalities else None,
        tools=(read.chat_template_caps or _Template()).supports_tools or None,
    )


class _Listed(msgspec.Struct):
    id: str
    max_model_len: msgspec.Raw = msgspec.Raw()


class _List(msgspec.Struct):
    data: list[_Listed] = []


def listed(name: str, models: bytes) -> ModelFacts:
    """GET /v1/models, as vLLM answers it: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html."""
    return offered(models).get(name, ModelFacts())


def offered(models: bytes) -> dict[str, ModelFacts]:
    """All that such a list names, which are the same words everywhere; only vLLM's says more than the names."""
    named = [one for one in _read(models, _List, _List()).data if one.id]
    return {one.id: ModelFacts(context=_tokens(_number(one.max_model_len))) for one in named[:MOST_NAMES]}


class _Config(msgspec.Struct):
    context_length: int = 0


class _Instance(msgspec.Struct):
    id: str = ""
    config: _Config = msgspec.field(default_factory=_Config)


class _Can(msgspec.Struct):
    vision: bool | None = None
    trained_for_tool_use: bool | None = None


class _Model(msgspec.Struct):
    key: str
    max_context_length: int = 0
    loaded_instances: list[_Instance] = []
    capabilities: _Can = msgspec.field(default_factory=_Can)
    variants: list[str] = []


class _Models(msgspec.Struct):
    models: list[_Model] = []


def lmstudio(name: str, models: bytes) -> ModelFacts | None:
    """GET /api/v1/models: https://lmstudio.ai/docs/developer/rest. None: it is not in it."""
    for model in _read(models, _Models, _Models()).models:
        ids = [instance.id for instance in model.loaded_instances]
        if name not in (model.key, *model.variants, *ids):
            continue
        loaded = sorted(model.loaded_instances, key=lambda instance: instance.id != name)
        context = _tokens(loaded[0].config.context_length) if loaded else 0
        return ModelFacts(
            context=context or _tokens(model.max_context_length),
            images=model.capabilities.vision,
            tools=model.capabilities.trained_for_tool_use or None,
            unsure=not context,
        )
    return None


class _Older(msgspec.Struct):
    id: str
    type: str = ""
    max_context_length: int = 0
    loaded_context_length: int = 0
    capabilities: list[str] = []


class _AllOlder(msgspec.Struct):
    data: list[_Older] = []


def older_lmstudio(name: str, models: bytes) -> ModelFacts | None:
    """GET /api/v0/models, before version 0.4."""
    model = next((one for one in _read(models, _AllOlder, _AllOlder()).data if one.id == name), None)
    if model is None:
        return None
    context = _tokens(model.loaded_context_length)
    return ModelFacts(
        context=context or _tokens(model.max_context_length),
        images=model.type == "vlm",
        tools="tool_use" in model.capabilities or None,
        unsure=not context,
    )
