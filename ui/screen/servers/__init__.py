"""The MCP servers of this session: which there are and how each stands, starting one anew, and signing in to one.

Its entrance is `server_list` (/mcp, and what is told of them meanwhile). Below: `sign_in`, with the user's browser;
`orders`, what is asked of the actor of one; `news`, what of it is worth a line; `questions`, how they are shown;
`standing`, what is known of each.
"""
