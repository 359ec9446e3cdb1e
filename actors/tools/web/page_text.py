"""What the bytes of an answer are: a page, text or neither; in which characters; and with nothing hidden in them. Pure.

Neither header nor content is believed alone: a type that says text may come with an image, and the other way round.
"""

import re
from typing import Literal

from actors.tools import limits
from actors.tools.output import clean

Kind = Literal["page", "text", "binary"]
TYPE = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+_-]{1,80}")
TEXTUAL = re.compile(
    r"text/.*|application/(.*\+)?(json|xml|yaml)|application/(x-)?(javascript|ecmascript|typescript|ndjson|jsonl|toml|"
    r"yaml|sh|httpd-php|tex|sql|graphql|rtf|www-form-urlencoded|json5|json-seq)|message/.*|image/svg\+xml"
)
PAGES = ("text/html", "application/xhtml+xml")
UNSAID = ("", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown")
MAGIC = (
    b"%PDF-",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x7fELF",
    b"RIFF",
    b"7z\xbc\xaf",
    b"BZh",
)
TAG = re.compile(
    rb"\s*+(?>(?:<!--(?>(?:[^-]|-(?!->))*)-->\s*+)*)<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
MOSTLY = 0.1
"""More control characters than this share of the beginning, and it is no text."""
CONTROLS = bytes(set(range(32)) - {9, 10, 12, 13, 27})
DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{2,40})""", re.IGNORECASE)
ENCODINGS = re.compile(
    r"(utf[-_]?8|utf[-_]?16([-_]?[lb]e)?|us-ascii|ascii|iso[-_]?8859[-_]\d{1,2}|latin[-_]?1|windows-(125\d|874)|cp125\d|"
    r"koi8-[ru]|gb2312|gbk|gb18030|big5(-hkscs)?|shift[-_]jis|sjis|euc-(jp|kr)|iso-2022-jp|macintosh)",
    re.IGNORECASE,
)
"""The ones of the web. Python knows others, some of which take for ever."""
BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
HEAD_BYTES = 2048
"""Where a page says how it is encoded."""
UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""Characters that nobody sees and a model reads."""


def media_type(content_type: str) -> str:
    """In lower case, without parameters; "" for what is none."""
    found = content_type.partition(";")[0].strip().lower()
    return found if TYPE.fullmatch(found) else ""


def kind_of(content_type: str, body: bytes) -> Kind:
    declared = media_type(content_type)
    if not _looks_like_text(body, content_type):
        return "binary"
    if declared in PAGES:
        return "page"
    if declared in UNSAID:
        return "page" if TAG.match(body[:HEAD_BYTES]) else "text"
    return "text" if TEXTUAL.fullmatch(declared) else "binary"


def decoded(content_type: str, body: bytes) -> str:
    """As it says it is encoded, if that is an encoding of the web; else as UTF-8, else as browsers guess."""
    for bom, encoding in BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(encoding, "replace")
    said = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", content_type, re.IGNORECASE)
    inside = DECLARED.search(body[:HEAD_BYTES])
    for name in (said[1] if said else "", inside[1].decode("ascii", "replace") if inside else ""):
        if ENCODINGS.fullmatch(name):
            return body.decode(_as_browsers_do(name), "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        torn = len(body) == limits.WEB_BYTES and error.start >= len(body) - len("\U0010ffff".encode())
        return body.decode("utf-8" if torn else "cp1252", "replace")


def harmless(text: str) -> str:
    """Nothing in it steers a terminal, and nothing in it is hidden from people."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return UNSEEN.sub("", clean(lines.encode("utf-8", "replace")))


def _looks_like_text(body: bytes, content_type: str) -> bool:
    begin = body[: limits.SNIFF_BYTES]
    if begin.startswith(MAGIC):
        return False
    if any(begin.startswith(bom) for bom, _ in BOMS) or "utf-16" in content_type.lower():
        return True
    odd = len(begin) - len(begin.translate(None, CONTROLS))
    return b"\0" not in begin and odd <= MOSTLY * len(begin)


def _as_browsers_do(name: str) -> str:
    """https://encoding.spec.whatwg.org/#names-and-labels"""
    plain = name.lower().replace("_", "-")
    if plain in ("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii", "iso8859-1"):
        return "cp1252"
    return {"windows-874": "cp874", "macintosh": "mac-roman", "gb2312": "gb18030", "gbk": "gb18030"}.get(plain, plain)
