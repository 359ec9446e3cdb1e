"""The MCP servers of a session, as the gate knows them: which there are, what they have, and that they are started.

Its entrance is `catalogue`. `tool_specs` makes their tools ours, `resource_tools` are what models have for resources,
`told_servers` says of all of it what a model is told, `deferral` when tools are searched instead of listed, and
`search` finds; `server_calls` checks a call and shows it.
"""
