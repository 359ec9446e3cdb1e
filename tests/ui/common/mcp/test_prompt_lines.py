"""/server:prompt and its arguments: by place, by name, quoted, and what is wrong with them."""

import pytest

from actors.errors import Failed
from actors.messages.mcp import McpPrompt, McpPromptArgument
from ui.common.mcp import prompt_lines

REVIEW = McpPrompt(
    name="code review",
    arguments=(McpPromptArgument(name="file", required=True), McpPromptArgument(name="style")),
)
BARE = McpPrompt(name="bare")


def given(line: str) -> dict[str, str]:
    read = prompt_lines.read(line)
    assert read is not None
    return prompt_lines.arguments(read, prompt_lines.meant(read, (REVIEW, BARE)))


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("/docs:code_review a.py", {"file": "a.py"}),
        ("/docs:code_review a.py short and kind", {"file": "a.py", "style": "short and kind"}),
        ('/docs:code_review "my file.py" style=short', {"file": "my file.py", "style": "short"}),
        ("/docs:code_review style='very short' a.py", {"file": "a.py", "style": "very short"}),
        ("/docs:code_review a=b.py", {"file": "a=b.py"}),
        ("/docs:code_review a.py what's new", {"file": "a.py", "style": "what's new"}),
        ("/docs:bare", {}),
    ],
)
def test_arguments_go_by_place_and_by_name(line: str, arguments: dict[str, str]) -> None:
    assert given(line) == arguments


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/docs:code_review", "/docs:code_review needs file. Usage: /docs:code_review <file> [style]"),
        ("/docs:code_review file=", "/docs:code_review needs file. Usage: /docs:code_review <file> [style]"),
        ("/docs:code_review style=x", "/docs:code_review needs file. Usage: /docs:code_review <file> [style]"),
        ("/docs:bare one two", "/docs:bare takes no more: one two. Usage: /docs:bare"),
        ("/docs:code-review", "the MCP server docs has no prompt code-review. Did you mean /docs:code_review?"),
        ("/docs:zzz", "the MCP server docs has no prompt zzz. Its prompts: code_review, bare."),
    ],
)
def test_what_is_wrong_is_said_with_how_it_is_right(line: str, said: str) -> None:
    with pytest.raises(Failed) as refused:
        given(line)

    assert str(refused.value) == said


@pytest.mark.parametrize("text", ["/etc:", "docs:x", "/a/b:c", "/new", "see /docs:x", "/-x:y", ""])
def test_what_is_no_such_line_is_none(text: str) -> None:
    assert prompt_lines.read(text) is None
