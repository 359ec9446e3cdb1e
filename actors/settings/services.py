"""The model services that are known without configuration: where they are, how they speak, what holds their key."""

import msgspec

from actors.messages.model import Api


class BuiltIn(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    api: Api
    base_url: str
    key_env: str = ""
    base_url_env: str = ""
    default_model: str = ""
    sign_in: str = ""
    """The log-in that is needed instead of a key."""
    websocket: bool = False
    """Its own host takes Responses over a socket."""
    other_key_envs: tuple[str, ...] = ()
    """Where else its key may be."""
    talks: bool = True
    """It has models; the others are each asked one thing: to merge an edit, to search the web."""

    @property
    def local(self) -> bool:
        return not self.key_env and not self.sign_in


ANTHROPIC = BuiltIn(
    name="anthropic",
    api="anthropic-messages",
    base_url="https://api.anthropic.com",
    key_env="ANTHROPIC_API_KEY",
    base_url_env="ANTHROPIC_BASE_URL",
    default_model="claude-sonnet-5-5",
)
OPENAI = BuiltIn(
    name="openai",
    api="openai-responses",
    base_url="https://api.openai.com/v1",
    key_env="OPENAI_API_KEY",
    base_url_env="OPENAI_BASE_URL",
    default_model="gpt-6.2-sol",
    websocket=True,
)
OPENROUTER = BuiltIn(
    name="openrouter",
    api="openai-chat",
    base_url="https://openrouter.ai/api/v1",
    key_env="OPENROUTER_API_KEY",
    default_model="anthropic/claude-sonnet-5",
)
CODEX = BuiltIn(
    name="codex",
    api="openai-responses",
    base_url="https://chatgpt.com/backend-api/codex",
    default_model="gpt-5.5",
    sign_in="codex",
    websocket=True,
)
COPILOT = BuiltIn(
    name="copilot",
    api="openai-chat",
    base_url="https://api.githubcopilot.com",
    default_model="claude-sonnet-5",
    sign_in="copilot",
)

MORPH = BuiltIn(
    name="morph",
    api="openai-chat",
    base_url="https://api.morphllm.com/v1",
    key_env="MORPH_API_KEY",
    base_url_env="MORPH_BASE_URL",
    talks=False,
)
BRAVE = BuiltIn(
    name="brave",
    api="openai-chat",  # as of every endpoint; it is not spoken, see `web_search`
    base_url="https://api.search.brave.com/res/v1",
    key_env="BRAVE_API_KEY",
    other_key_envs=("BRAVE_SEARCH_API_KEY",),
    talks=False,
)
TAVILY = BuiltIn(
    name="tavily", api="openai-chat", base_url="https://api.tavily.com", key_env="TAVILY_API_KEY", talks=False
)


def _chat(name: str, base_url: str, key_env: str = "", base_url_env: str = "") -> BuiltIn:
    return BuiltIn(name=name, api="openai-chat", base_url=base_url, key_env=key_env, base_url_env=base_url_env)


BUILT_IN = (  # in order of preference when nothing is chosen
    ANTHROPIC,
    OPENAI,
    OPENROUTER,
    CODEX,
    COPILOT,
    _chat("google", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    _chat("xai", "https://api.x.ai/v1", "XAI_API_KEY"),
    _chat("deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    _chat("moonshotai", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"),
    _chat("zai", "https://api.z.ai/api/paas/v4", "ZAI_API_KEY"),
    _chat("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    _chat("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    _chat("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    _chat("ollama", "http://127.0.0.1:11434/v1", base_url_env="OLLAMA_HOST"),
    _chat("llamacpp", "http://127.0.0.1:8080/v1"),
    _chat("vllm", "http://127.0.0.1:8000/v1"),
    _chat("lmstudio", "http://127.0.0.1:1234/v1"),
    MORPH,
    BRAVE,
    TAVILY,
)
