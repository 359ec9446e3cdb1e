"""MCP servers as they are configured: where that is written, which of it counts, what they are called.

Its entrance is `configured`: all that there are, and which count. `writing` changes the files, `foreign/` reads those
of other programs; `words` says to people what a server would do, `expansion` fills in variables where one is started.
Below: `vouching`, what the user trusts of a workspace's file; `entries`, one entry and its mistakes; `json_files`;
`servers`, what a server is; `names`, what its tools are called; `through`, calls of them through the tool `call_tool`.
"""
