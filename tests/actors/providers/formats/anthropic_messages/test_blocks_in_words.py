"""What the service's own blocks say to another model."""

import pytest

from actors.messages.conversation import Opaque
from actors.providers.formats.anthropic_messages import FORMAT
from tests.actors.providers.formats.anthropic_messages.streams import MISSING, STREAMED, recorded, said


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ('{"type":"server_tool_use","name":"web_search","input":{"query":"trio"}}', "[Searched the web for: trio]"),
        ('{"type":"server_tool_use","name":"web_fetch","input":{"url":"https://a.b"}}', "[Opened https://a.b]"),
        ('{"type":"server_tool_use","name":"advisor","input":{}}', ""),
        (
            '{"type":"web_search_tool_result","content":[{"url":"https://a.b","title":"A"},{"url":"https://c.d"}]}',
            "[Found:\n- A (https://a.b)\n- https://c.d (https://c.d)\n]",
        ),
        (
            '{"type":"web_search_tool_result","content":{"type":"web_search_tool_result_error",'
            '"error_code":"max_uses_exceeded"}}',
            "[It failed: max_uses_exceeded]",
        ),
        ('{"type":"bash_code_execution_tool_result","content":{"stdout":"12\\n","stderr":"","content":[]}}', "12\n"),
        ('{"type":"advisor_tool_result","content":{"type":"advisor_result","text":"Ship it."}}', "Ship it."),
        ('{"type":"compaction","content":"All of it."}', "All of it."),
        ('{"type":"compaction","content":null}', ""),
        ('{"type":"redacted_thinking","data":"c2Vj"}', ""),
        ('{"type":"web_search_tool_result","content":5}', ""),
        ("not JSON", ""),
    ],
)
def test_what_a_block_says(data: str, says: str) -> None:
    assert FORMAT.as_text(data) == says


@pytest.mark.skipif(not STREAMED, reason=MISSING)
def test_a_recorded_search_becomes_a_short_text() -> None:
    blocks = said([recorded("web-search-citations.sse")]).blocks

    words = "\n".join(FORMAT.as_text(block.data) for block in blocks if isinstance(block, Opaque))

    assert "[Searched the web for: " in words
    assert "https://www.accuweather.com" in words
    assert "encrypted" not in words
