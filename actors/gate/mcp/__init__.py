"""The MCP servers of a session, as the gate knows them: which there are, what they have, and that they are started.

Its entrance is `catalogue`. Below: `resource_tools`, what models have for resources; `tool_specs`, from tools of a
server to ours; `server_calls`, what is checked and shown of calls.
"""
