"""MCP servers as they are configured: where that is written, which of it counts, what they are called.

Its entrance is `servers`.
"""
