"""The MCP servers of a session, as the gate knows them: which there are, what they have, and that they are started.

Its entrance is `catalogue`. `tool_specs` makes their tools ours, `told_servers` says of them what a model is told,
`deferral` when they are searched instead of listed, and `search` finds; `server_calls` checks a call and shows it.
"""
