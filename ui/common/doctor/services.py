"""The model, the credentials and the services: what providers say of them. Names and places, never a key."""

import os
import stat
import time
from collections.abc import Sequence
from pathlib import Path

import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.auth import Credential, Credentials, ListCredentials
from actors.messages.model import ResolvedModel, ResolveModel, ServiceSaid, TryService
from actors.settings.config import Settings
from ui.common.doctor.rows import Row

KEPT = "auth.json"
"""In TROUPER_HOME."""
OTHERS = 0o077


async def model(mailbox: Mailbox, settings: Settings) -> Sequence[Row]:
    """Its service is asked for its list, always: see DECISIONS."""
    try:
        wanted = ResolveModel(model=settings.model, effort=settings.effort)
        resolved = await mailbox.insist("providers", wanted, ResolvedModel)
    except Failed as why:
        return [model_row(str(why), None)]
    try:
        said = await mailbox.insist("providers", TryService(model=resolved.model), ServiceSaid)
    except Failed as why:
        said = ServiceSaid(state="problem", text=why.problem.text, hint=why.problem.hint)
    return [model_row(resolved, said)]


def model_row(model: ResolvedModel | str, service: ServiceSaid | None) -> Row:
    """model: or why there is none. service: None where it was not asked."""
    if isinstance(model, str):
        return Row(name="model", state="problem", found=model, advice="trouper models shows all, trouper auth signs in")
    facts = model.facts
    context = f", {how_many(facts.context, 'token')} of context" if facts.context else ""
    if service is None:
        return Row(name="model", found=f"{model.model}{context}")
    return Row(name="model", state=service.state, found=f"{model.model}{context}; {service.text}", advice=service.hint)


async def credentials(mailbox: Mailbox) -> Sequence[Row]:
    found = await mailbox.insist("providers", ListCredentials(), Credentials)
    return credential_rows(found, time.time())


def credential_rows(found: Credentials, now: float) -> list[Row]:
    """One for all that are in order, and one for each that is not."""
    wrong = [row for one in found.credentials if (row := _wrong(one, now))]
    if not found.credentials:
        advice = "trouper auth set PROVIDER, or trouper auth login codex"
        return [Row(name="credentials", state="note", found="none", advice=advice)]
    named = ", ".join(f"{one.provider} ({one.kind}, {one.place})" for one in found.credentials)
    return [Row(name="credentials", found=named), *wrong]


def _wrong(one: Credential, now: float) -> Row | None:
    name = f"credentials: {one.provider}"
    if one.kind == "sign-in" and one.expires_at is not None and one.expires_at <= now:
        return Row(
            name=name,
            state="warning",
            found="the sign-in has ended and cannot be renewed",
            advice=f"trouper auth login {one.provider}",
        )
    if one.doubt:
        again = f"put the right key into {one.place}, or keep one: trouper auth set {one.provider}"
        return Row(name=name, state="warning", found=f"{one.doubt} ({one.place})", advice=again)
    return None


def kept_rows(settings: Settings) -> Sequence[Row]:
    """Of the file that they are kept in: who else can read it."""
    path = Path(settings.home) / KEPT
    try:
        found = path.stat()
    except OSError:
        return []  # none is kept, or what providers say of it is the finding
    name, mode = f"credentials: {KEPT}", stat.S_IMODE(found.st_mode)
    if mode & OTHERS:
        said = f"{path} can be read by others (mode {mode:o})"
        advice = f"chmod 600 {path}; who may have read the keys has them: make new ones"
        return [Row(name=name, state="warning", found=said, advice=advice)]
    if found.st_uid != os.geteuid():
        advice = f"chown it to yourself, or set TROUPER_HOME to a folder of yours: {path}"
        return [Row(name=name, state="warning", found=f"{path} belongs to somebody else", advice=advice)]
    return []


async def others(mailbox: Mailbox, settings: Settings) -> Sequence[Row]:
    """Each service that there is a credential for, or that the user has configured, side by side."""
    kept = await mailbox.insist("providers", ListCredentials(), Credentials)
    names = sorted({*(one.provider for one in kept.credentials), *settings.providers})
    found: dict[str, Row] = {}

    async def ask(name: str) -> None:
        found[name] = await _service(mailbox, name)

    async with trio.open_nursery() as nursery:
        for name in names:
            nursery.start_soon(ask, name)
    nothing = [Row(name="service", state="note", found="none is configured", advice="trouper auth set PROVIDER")]
    return [found[name] for name in names] or nothing


async def _service(mailbox: Mailbox, provider: str) -> Row:
    name = f"service: {provider}"
    try:
        said = await mailbox.insist("providers", TryService(provider=provider), ServiceSaid)
    except Failed as why:
        return Row(name=name, state="problem", found=why.problem.text, advice=why.problem.hint)
    return Row(name=name, state=said.state, found=said.text, advice=said.hint)
