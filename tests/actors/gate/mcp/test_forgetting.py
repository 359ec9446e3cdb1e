"""What the gate keeps of tools that servers had."""

from pathlib import Path

from actors.gate.mcp.catalogue import MOST_GONE, Catalogue
from actors.messages.mcp import McpTool, ServerIs
from actors.settings.config import Settings
from actors.settings.mcp.servers import McpServer
from tests.fakes.network import open_network


async def test_of_a_server_that_has_new_names_all_the_time_few_are_kept(tmp_path: Path) -> None:
    box = McpServer(name="box", transport="stdio", command="box", source="/c", scope="user")
    settings = Settings(home=str(tmp_path), cwd="/w", session_id="s", run_id="r", mcp=(box,))
    async with open_network() as network:
        catalogue = Catalogue(network.mailbox("gate"), settings)
        for number in range(5):
            tools = tuple(McpTool(name=f"tool{number}-{each}") for each in range(400))
            await catalogue.changed(ServerIs(name="box", state="ready", transport="stdio", tools=tools))

    mine = [spec.name for spec in catalogue.every if spec.server_tool.startswith("tool")]
    assert len(mine) == 400 + MOST_GONE
    assert mine[-1] == "box___tool4-99"
