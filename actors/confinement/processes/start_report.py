"""What bubblewrap, or the launcher in its place, reports of the command that it was to start."""

import msgspec

STATUS_BYTES = 65_536
STARTED = b'{"exit-code": 0}\n'
"""Said by whoever starts something without them."""


class Status(msgspec.Struct):
    """What it reports, a JSON object a line."""

    exit_code: int | None = msgspec.field(default=None, name="exit-code")


def has_started(status: bytes) -> bool:
    """The command itself was reached: else what ended is bubblewrap, because it could not set up the sandbox."""
    decoder = msgspec.json.Decoder(Status)
    return any(report.exit_code is not None for report in decoder.decode_lines(status))
