"""The operating system's keyring, where there is a real one. It may ask the user to unlock it, or never answer."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import trio

from actors.errors import failed

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

WITHIN_S = 60.0
"""Somebody may have to type a password first."""
Result = TypeVar("Result")


async def put(home: str, provider: str, key: str) -> str:
    """The keyring's name, "" where there is none that keeps it. Raises Failed."""
    return await _in_thread(partial(_put, _service(home), provider, key))


async def get(home: str, provider: str) -> str:
    """ "" when it has none. Raises Failed."""
    return await _in_thread(partial(_get, _service(home), provider))


async def forget(home: str, provider: str) -> None:
    """Raises Failed."""
    await _in_thread(partial(_forget, _service(home), provider))


def _service(home: str) -> str:
    return f"trouper {home}"


async def _in_thread(call: Callable[[], Result]) -> Result:
    from keyring.errors import KeyringError

    try:
        with trio.fail_after(WITHIN_S):
            return await trio.to_thread.run_sync(call, abandon_on_cancel=True)
    except trio.TooSlowError as error:
        hint = "Unlock it and try again. PYTHON_KEYRING_BACKEND=keyring.backends.null.Keyring does without it."
        raise failed("stalled", f"The keyring has not answered for {WITHIN_S:g} s.", hint) from error
    except (KeyringError, OSError, RuntimeError, ImportError, AttributeError, ValueError) as error:
        raise failed("bad_configuration", f"The keyring cannot be used: {type(error).__name__}.") from error


def _put(service: str, provider: str, key: str) -> str:
    backend = _backend()
    if backend is None:
        return ""
    backend.set_password(service, provider, key)
    return str(backend.name) if backend.get_password(service, provider) == key else ""


def _get(service: str, provider: str) -> str:
    backend = _backend()
    return (backend.get_password(service, provider) or "") if backend else ""


def _forget(service: str, provider: str) -> None:
    backend = _backend()
    if backend is not None and backend.get_password(service, provider) is not None:
        backend.delete_password(service, provider)


def _backend() -> "KeyringBackend | None":
    import keyring
    from keyring.backends.chainer import ChainerBackend

    chosen = keyring.get_keyring()
    offered = chosen.backends if isinstance(chosen, ChainerBackend) else [chosen]
    return next((backend for backend in offered if _is_real(backend)), None)


def _is_real(backend: "KeyringBackend") -> bool:
    """Not the ones that fail or forget, nor those of keyrings.alt, some of which are plain files."""
    return not type(backend).__module__.startswith(("keyring.backends.fail", "keyring.backends.null", "keyrings.alt"))
