"""msgspec and trio, imported first and for every process: without parts of them that nobody here uses.

What these would import takes 10 ms of a start: typing_extensions, which msgspec asks for words that Python's own typing
has as well, and trio's DTLS.
"""

from actors.common.lean.absent import absent, hollow

with absent("typing_extensions"):
    import msgspec

with hollow("trio._dtls"):
    import trio

__all__ = ["msgspec", "trio"]
