"""Reading what local servers say of their models; b"" and whatever else cannot be read says nothing. Pure.

Only Ollama says all: its facts have an id, which stands for a model that is known. Tools are None where the server
makes every model take them, though not every one was trained for it.
"""

import re
from typing import TypeVar

import msgspec

from actors.messages.model import ModelFacts

EFFORTS = ("low", "medium", "high")
"""What Ollama takes for a model that thinks."""
Kind = TypeVar("Kind")


def _read(data: bytes, kind: type[Kind], nothing: Kind) -> Kind:
    try:
        return msgspec.json.decode(data, type=kind) if data else nothing
    except (msgspec.DecodeError, UnicodeDecodeError):
        return nothing


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
    full = next((int(bytes(size)) for key, size in model.model_info.items() if _is_context(key, size)), 0)
    names = (name, f"{name}:latest")
    loaded = next((one for one in _read(running, _AllRunning, _AllRunning()).models if one.name in names), _Running())
    told = re.search(r"^num_ctx\s+(\d+)", model.parameters, re.MULTILINE)
    context = loaded.context_length or (int(told[1]) if told else 0)
    can = model.capabilities
    return ModelFacts(
        id=name,
        context=context or full,
        efforts=EFFORTS if can and "thinking" in can else (),
        images=None if can is None else "vision" in can,
        tools=None if can is None else "tools" in can,
        unsure=not context,
    )


def _is_context(key: str, size: msgspec.Raw) -> bool:
    return key.endswith(".context_length") and bytes(size).isdigit()


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
        context=read.default_generation_settings.n_ctx,
        images=read.modalities.vision if read.modalities else None,
        tools=(read.chat_template_caps or _Template()).supports_tools or None,
    )


class _Listed(msgspec.Struct):
    id: str
    max_model_len: int = 0


class _List(msgspec.Struct):
    data: list[_Listed] = []


def listed(name: str, models: bytes) -> ModelFacts:
    """GET /v1/models, as vLLM answers it: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html."""
    found = next((one for one in _read(models, _List, _List()).data if one.id == name), None)
    return ModelFacts(context=found.max_model_len) if found else ModelFacts()


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
        context = loaded[0].config.context_length if loaded else 0
        return ModelFacts(
            context=context or model.max_context_length,
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
    return ModelFacts(
        context=model.loaded_context_length or model.max_context_length,
        images=model.type == "vlm",
        tools="tool_use" in model.capabilities or None,
        unsure=not model.loaded_context_length,
    )
