"""Images and PDFs of the workspace as attachments: of a kind and a size that model services take."""

import io
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from actors.confinement.errors import ToolFailed
from actors.messages.conversation import Attachment
from actors.tools import limits

if TYPE_CHECKING:
    from PIL import Image

PDF = "application/pdf"
SENT = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
"""What services take, by Pillow's names."""
HEADS = re.compile(
    rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|II\*\0|MM\0\*|\0\0\x01\0|BM....\0\0\0\0", re.DOTALL
)
"""PNG, JPEG, GIF, WebP, TIFF, ICO, BMP."""
SUFFIXES = {".avif", ".icns", ".jp2", ".pcx", ".tga", ".ppm", ".pgm", ".pbm", ".dds", ".psd", ".xbm"}
"""Of binary files that Pillow may know, too."""
OPENED = (
    *("PNG", "JPEG", "GIF", "WEBP", "BMP", "DIB", "TIFF", "ICO", "ICNS"),
    *("AVIF", "JPEG2000", "PPM", "TGA", "PCX", "DDS", "PSD", "XBM"),
)
"""By Pillow's names; not EPS, which it has another program run."""
QUALITIES = (90, 75, 50)


def media(head: bytes, path: Path) -> str:
    """ "pdf", "image" or "" for neither; head: the first bytes."""
    if head.startswith(b"%PDF-"):
        return "pdf"
    is_image = HEADS.match(head) or (b"\0" in head and path.suffix.lower() in SUFFIXES)
    return "image" if is_image else ""


def pdf(name: str, data: bytes) -> Attachment:
    return Attachment(name=name, media_type=PDF, data=data, size=len(data))


def image(name: str, data: bytes) -> tuple[Attachment, str]:
    """As it can be sent; and what it is, in words. Takes time. Raises ToolFailed."""
    from PIL import Image, UnidentifiedImageError  # 40 ms and 8 MB, and few sessions read images

    Image.MAX_IMAGE_PIXELS = limits.IMAGE_PIXELS
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    Image.init()
    try:
        with Image.open(io.BytesIO(data), formats=[name for name in OPENED if name in Image.OPEN]) as opened:
            what = f"{opened.format} image, {opened.width}x{opened.height} pixels"
            media_type, sent = _sent(opened, data)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise ToolFailed(f"{name} has too many pixels to be decoded. Make it smaller with bash.") from error
    except UnidentifiedImageError as error:
        raise ToolFailed(f"{name} is no image that can be read. Look at it with bash.") from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:  # what Pillow's decoders raise
        raise ToolFailed(f"{name} is a damaged image: {error}.") from error
    what += "" if sent is data else ", sent smaller or as another kind"
    return Attachment(name=name, media_type=media_type, data=sent, size=len(sent)), what


def _sent(opened: "Image.Image", data: bytes) -> tuple[str, bytes]:
    """As it is where that can be; else upright, small enough, and the first picture of several."""
    from PIL import ImageOps

    name = opened.format or ""
    moves = getattr(opened, "is_animated", False)
    upright = opened.getexif().get(0x0112, 1) == 1
    small = max(opened.size) <= limits.IMAGE_SIDE and len(data) <= limits.SENT_IMAGE_BYTES
    opened.draft(None, (limits.IMAGE_SIDE, limits.IMAGE_SIDE))
    opened.load()  # a damaged one would be refused by the service, again and again
    if name in SENT and upright and small and not moves and opened.mode != "CMYK":
        return SENT[name], data
    made = ImageOps.exif_transpose(opened)
    made.thumbnail((limits.IMAGE_SIDE, limits.IMAGE_SIDE))
    return _encoded(made, photo=name in ("JPEG", "MPO"))


def _encoded(image: "Image.Image", *, photo: bool) -> tuple[str, bytes]:
    if not photo:
        plain = image if image.mode in {"1", "L", "LA", "P", "RGB", "RGBA"} else image.convert("RGBA")
        encoded = _saved(plain, "PNG")
        if len(encoded) <= limits.SENT_IMAGE_BYTES:
            return SENT["PNG"], encoded
    opaque = image.convert("RGB")
    encoded = _saved(opaque, "JPEG", QUALITIES[0])
    for quality in QUALITIES[1:]:
        if len(encoded) > limits.SENT_IMAGE_BYTES:
            encoded = _saved(opaque, "JPEG", quality)
    return SENT["JPEG"], encoded


def _saved(image: "Image.Image", kind: str, quality: int = 0) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **({"quality": quality} if quality else {}))
    return file.getvalue()
