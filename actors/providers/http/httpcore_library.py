"""httpcore without anyio, which it would import wherever that is installed: it is for asyncio, 10 ms and 0.7 MB."""

from actors.common.lean.absent import absent

with absent("anyio"):
    import httpcore

__all__ = ["httpcore"]
