"""The MCP servers of a session, as the gate knows them: which there are, what they have, and that they are started.

Its entrance is `catalogue`.
"""
