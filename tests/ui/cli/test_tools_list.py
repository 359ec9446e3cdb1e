"""`trouper tools list`: aligned, with what each tool does and where it runs."""

from actors.messages.model import ToolSpec
from ui.cli.subcommands.tools import listed


def test_columns_are_as_wide_as_they_have_to_be() -> None:
    tools = (
        ToolSpec(name="read", description="Read a file.\nMore.", parameters="{}", effect="read"),
        ToolSpec(name="web_fetch", description="Get a page.", parameters="{}", effect="network", runs_in="web"),
        ToolSpec(name="gh", description="Look at GitHub.", parameters="{}", effect="read", runs_in="open"),
    )

    assert listed(tools) == (
        "read       read     sandbox       Read a file.\n"
        "web_fetch  network  network only  Get a page.\n"
        "gh         read     no sandbox    Look at GitHub.\n"
    )
    assert listed(()) == ""
