"""All that is found: those that know are asked, the model's service is tried, and this machine is looked at."""

from functools import partial

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.auth import Credentials, ListCredentials
from actors.messages.model import ResolvedModel, ResolveModel, ServiceSaid, TryService
from actors.messages.tool import OfferTools, Tools
from actors.settings.config import Settings
from ui.common.doctor import checks
from ui.common.doctor.checks import Here
from ui.common.doctor.rows import Row


async def found(mailbox: Mailbox, settings: Settings, *, interactive: bool, broken: str = "") -> list[Row]:
    """interactive, broken: as of Here. Raises Failed; that no model or service answers is a finding."""
    tools = await mailbox.insist("gate", OfferTools(), Tools)
    credentials = await mailbox.insist("providers", ListCredentials(), Credentials)
    model = await _model(mailbox, settings)
    service = None if isinstance(model, str) else await _service(mailbox, model)
    here = Here(interactive=interactive, broken=broken, service=service)
    look = partial(checks.rows, settings, tools, model, credentials, here)
    return await trio.to_thread.run_sync(look, abandon_on_cancel=True)


async def _model(mailbox: Mailbox, settings: Settings) -> ResolvedModel | str:
    """Or why there is none."""
    wanted = ResolveModel(model=settings.model, effort=settings.effort)
    try:
        return await mailbox.insist("providers", wanted, ResolvedModel)
    except Failed as why:
        return str(why)


async def _service(mailbox: Mailbox, model: ResolvedModel) -> ServiceSaid:
    try:
        return await mailbox.insist("providers", TryService(model=model.model), ServiceSaid)
    except Failed as why:
        return ServiceSaid(state="problem", text=why.problem.text, hint=why.problem.hint)
