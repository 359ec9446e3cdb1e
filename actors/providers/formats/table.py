"""The wire formats that are spoken: the packages of this room that `Api` names, imported when first spoken."""

import importlib
from functools import cache
from typing import get_args

from actors.messages.model import Api
from actors.providers.formats.wire_format import WireFormat

ALL: tuple[Api, ...] = get_args(Api)


@cache
def format_of(api: Api) -> WireFormat:
    package = importlib.import_module(f"actors.providers.formats.{api.replace('-', '_')}")
    found: WireFormat = package.FORMAT
    return found
