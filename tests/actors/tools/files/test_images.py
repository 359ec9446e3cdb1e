"""`read` of images and PDFs."""

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from actors.messages.conversation import Attachment
from actors.tools import limits
from tests.actors.tools.conftest import Call


def encoded(kind: str, size: tuple[int, int] = (40, 20), **more: object) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "red").save(file, kind, **more)
    return file.getvalue()


def opened(attachment: Attachment) -> Image.Image:
    return Image.open(io.BytesIO(attachment.data))


@pytest.mark.parametrize(
    ("kind", "media_type"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("WEBP", "image/webp")],
)
async def test_an_image_is_sent_as_it_is(folder: Path, call: Call, kind: str, media_type: str) -> None:
    data = encoded(kind)
    (folder / "picture").write_bytes(data)

    outcome = await call("read", path="picture")

    assert outcome.attachments == (Attachment(name="picture", media_type=media_type, data=data, size=len(data)),)
    assert outcome.output == f"picture: {kind} image, 40x20 pixels."


@pytest.mark.parametrize("kind", ["BMP", "TIFF", "ICO", "PPM"])
async def test_another_kind_becomes_a_png(folder: Path, call: Call, kind: str) -> None:
    name = f"picture.{kind.lower()}"
    (folder / name).write_bytes(encoded(kind, (16, 16)).replace(b"\xff\x00\x00", b"\xfe\x00\x00"))

    outcome = await call("read", path=name)

    (sent,) = outcome.attachments
    assert sent.media_type == "image/png"
    assert opened(sent).size == (16, 16)


async def test_a_large_one_becomes_smaller_and_stands_upright(folder: Path, call: Call) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    (folder / "photo.jpg").write_bytes(encoded("JPEG", (4000, 1000), exif=exif))

    outcome = await call("read", path="photo.jpg")

    (sent,) = outcome.attachments
    assert sent.media_type == "image/jpeg"
    assert opened(sent).size == (512, 2048)
    assert opened(sent).getexif().get(0x0112, 1) == 1


async def test_of_one_that_moves_the_first_picture_is_sent(folder: Path, call: Call) -> None:
    first, second = (Image.new("RGB", (30, 30), colour) for colour in ("red", "blue"))
    first.save(folder / "moving.gif", save_all=True, append_images=[second])

    (sent,) = (await call("read", path="moving.gif")).attachments

    assert sent.media_type == "image/png"
    assert opened(sent).convert("RGB").getpixel((5, 5)) == (255, 0, 0)


async def test_a_photo_of_a_phone_stays_a_photo(folder: Path, call: Call) -> None:
    first, second = (Image.new("RGB", (30, 30), colour) for colour in ("red", "blue"))
    first.save(folder / "phone.jpg", "MPO", save_all=True, append_images=[second])

    (sent,) = (await call("read", path="phone.jpg")).attachments

    assert sent.media_type == "image/jpeg"
    assert opened(sent).format == "JPEG"


async def test_print_colours_become_those_of_screens(folder: Path, call: Call) -> None:
    Image.new("CMYK", (30, 30)).save(folder / "print.jpg")

    (sent,) = (await call("read", path="print.jpg")).attachments

    assert opened(sent).mode == "RGB"


async def test_what_another_program_would_draw_is_not_opened(folder: Path, call: Call) -> None:
    (folder / "drawing.psd").write_bytes(b"\xc5\xd0\xd3\xc6" + b"\0" * 26 + b"%!PS-Adobe-3.0 EPSF-3.0\n")

    assert "is no image that can be read" in (await call("read", path="drawing.psd")).output


async def test_one_with_too_many_pixels_is_not_decoded(folder: Path, call: Call) -> None:
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    (folder / "bomb.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk + encoded("PNG")[33:])

    outcome = await call("read", path="bomb.png")

    assert outcome.output == "bomb.png has too many pixels to be decoded. Make it smaller with bash."


async def test_a_damaged_one_is_not_sent(folder: Path, call: Call) -> None:
    (folder / "cut.png").write_bytes(encoded("PNG")[:50])
    (folder / "none.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")

    assert "damaged" in (await call("read", path="cut.png")).output
    assert (await call("read", path="none.png")).failed


async def test_a_huge_file_is_refused(folder: Path, call: Call) -> None:
    with (folder / "huge.png").open("wb") as file:
        file.write(encoded("PNG"))
        file.truncate(limits.ATTACHED_BYTES + 1)

    assert "more than 20 MB" in (await call("read", path="huge.png")).output


async def test_a_noisy_one_stays_below_what_services_take(folder: Path, call: Call) -> None:
    Image.effect_noise((2000, 2000), 90).convert("RGB").save(folder / "noise.png")

    (sent,) = (await call("read", path="noise.png")).attachments

    assert sent.media_type in ("image/jpeg", "image/png")
    assert sent.size <= limits.SENT_IMAGE_BYTES


async def test_an_svg_is_text(folder: Path, call: Call) -> None:
    (folder / "a.svg").write_text("<svg/>\n")

    assert (await call("read", path="a.svg")).output == "     1\t<svg/>"


async def test_a_text_that_calls_itself_an_image_is_text(folder: Path, call: Call) -> None:
    (folder / "a.png").write_text("words\n")

    assert (await call("read", path="a.png")).output == "     1\twords"


async def test_a_pdf_is_attached(folder: Path, call: Call) -> None:
    data = b"%PDF-1.7\n\0"
    (folder / "a.pdf").write_bytes(data)

    outcome = await call("read", path="a.pdf")

    assert outcome.attachments == (Attachment(name="a.pdf", media_type="application/pdf", data=data, size=len(data)),)


@pytest.mark.parametrize("path", ["data:image/png;base64,AAAA", "https://example.com/a.png", "file:///etc/passwd"])
async def test_an_address_is_no_path(call: Call, path: str) -> None:
    outcome = await call("read", path=path)

    assert outcome.failed
    assert "http:// or https://" in outcome.output
