"""Values of foreign records made ours: times, texts, ids, attachments. Whatever is in a file, these are sane."""

import base64
import binascii
import datetime
import hashlib
import re
from pathlib import PurePosixPath

from actors.common.attachments import MOST_BYTES
from actors.common.plurals import how_many
from actors.messages.conversation import Attachment

LONGEST_TEXT = 4 * 1024 * 1024
"""Characters of a message or an output."""
LONGEST_NOTE = 16 * 1024
TAKEN = ("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf")
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
LAST_DAY = 4_102_444_800.0
"""2100: a later time is none."""


def seconds(timestamp: str | float | None) -> float:
    """Of an ISO time or of milliseconds; 0.0 when it is neither."""
    if isinstance(timestamp, str):
        try:
            found = datetime.datetime.fromisoformat(timestamp).timestamp()
        except (ValueError, OverflowError, OSError):
            return 0.0
    else:
        found = (timestamp or 0) / 1000
    return found if 0 <= found < LAST_DAY else 0.0


def cut(text: str, most: int = LONGEST_TEXT) -> str:
    return text if len(text) <= most else f"{text[:most]}\n[left out: {how_many(len(text) - most, 'more character')}]"


def name_of_tool(text: str) -> str:
    """As every model service takes it."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", text)[:64] or "tool"


def call_id(text: str) -> str:
    return text if NAME.fullmatch(text) else f"call_{hashlib.sha256(text.encode()).hexdigest()[:24]}"


def folder(text: str) -> str:
    """An absolute path, or "" where it is none."""
    is_one = text.startswith("/") and len(text) < 4096 and text.isprintable()
    return str(PurePosixPath(text)) if is_one else ""


def attachment(media_type: str, data: str, number: int) -> Attachment | None:
    """Of base64; None for what no model takes."""
    if media_type not in TAKEN or len(data) > MOST_BYTES * 4 // 3:
        return None
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    name = f"imported-{number}.{media_type.rpartition('/')[2]}"
    return Attachment(name=name, media_type=media_type, data=content, size=len(content)) if content else None


def attachment_of_url(url: str, number: int) -> Attachment | None:
    """Of a data URL: others are not fetched."""
    head, separator, data = url.partition(";base64,")
    return attachment(head.removeprefix("data:"), data, number) if separator and head.startswith("data:") else None
