"""Bytes to a service and back: connections, TLS, streams, WebSockets, the time they may take.

Its entrance is `exchange`. It imports `formats/` (what is to be sent and read), `services/` and `faults/`. Whatever
loads httpx is imported by others inside a function, when the first request is made.
"""
