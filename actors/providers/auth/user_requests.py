"""What the user asks of the credentials: keep a key, sign in, list them, forget one."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from actors.errors import Failed, failed
from actors.mailbox import Request
from actors.messages.auth import (
    Credential,
    Credentials,
    FindPrograms,
    GiveRedirect,
    KeyKept,
    ListCredentials,
    LoggedIn,
    LoggedOut,
    LogIn,
    LogOut,
    Programs,
    SetKey,
    TakenOver,
    TakeOver,
)
from actors.messages.base import Done
from actors.providers.auth import key_looks, os_keyring
from actors.providers.auth.other_programs import OtherPrograms
from actors.providers.auth.vault import Entry, KeptKey, SignedIn, Vault
from actors.providers.auth.ways.copilot import NOTICE
from actors.providers.auth.ways.redirect_addresses import Redirects, parsed
from actors.providers.auth.ways.table import Ways
from actors.providers.auth.ways.way import Talk
from actors.providers.services.registry import Registry

KEY = re.compile(r"[\x21-\x7e]{1,4096}")
KEYRING = "the keyring"


class UserRequests:
    def __init__(self, vault: Vault, registry: Registry, ways: Ways, other_programs: OtherPrograms) -> None:
        self._other_programs = other_programs
        self._vault = vault
        self._registry = registry
        self._ways = ways
        self._waiting: dict[str, Redirects] = {}

    async def set_key(self, wanted: SetKey, request: Request) -> None:
        self._registry.check_name(wanted.provider)
        if self._registry.sign_in(wanted.provider):
            what = f"{wanted.provider} is used with a sign-in, not with a key."
            raise failed("bad_request", what, f"Sign in: trouper auth login {wanted.provider}")
        if not KEY.fullmatch(wanted.key):
            raise failed("bad_request", "That cannot be an API key: it is empty, too long, or has odd characters.")
        place = await self._keep_key(wanted.provider, wanted.key)
        request.reply(KeyKept(place=place, hidden_by=self._registry.given_by(wanted.provider)))

    async def log_in(self, wanted: LogIn, request: Request) -> None:
        way = self._ways.named(wanted.provider)
        if way is None:
            self._registry.check_name(wanted.provider)
            what = f"{wanted.provider} has no sign-in; it is used with an API key."
            raise failed("bad_request", what, f"Keep one: trouper auth set {wanted.provider}")
        self._vault.read()  # damaged, it had better be said before the user does their part
        redirects = self._waiting[wanted.provider] = Redirects()
        try:
            entry = await way.log_in(wanted.method, Talk(request.send, redirects))
        finally:
            redirects.close()
            if self._waiting.get(wanted.provider) is redirects:
                del self._waiting[wanted.provider]
        await self._keep(wanted.provider, entry)
        account = entry.account if isinstance(entry, SignedIn) else ""
        request.reply(LoggedIn(account=account, hidden_by=self._registry.given_by(wanted.provider)))

    async def give_redirect(self, wanted: GiveRedirect, request: Request) -> None:
        redirects = self._waiting.get(wanted.provider)
        if redirects is None or not redirects.wanted:
            raise failed("bad_request", "No sign-in is waiting for an address.")
        try:
            redirect = parsed(wanted.url)
        except ValueError as error:
            raise failed("bad_request", "That is no address.", "Copy all of what the browser shows.") from error
        redirects.put(redirect)
        verdict = await redirect.verdict()
        redirect.told()
        if not verdict.good:
            raise failed("bad_request", verdict.words)
        request.reply(Done())

    async def log_out(self, wanted: LogOut, request: Request) -> None:
        async with self._vault.changing() as change:
            entry = self._vault.entry(wanted.provider)  # under the lock: it may just have been renewed
            if isinstance(entry, KeptKey) and entry.place == "keyring":
                await os_keyring.forget(str(self._vault.path.parent), wanted.provider)
            change.forget(wanted.provider)
        request.reply(
            LoggedOut(
                forgotten=entry is not None,
                note=await self._revoked(wanted.provider, entry),
                still_in=self._registry.given_by(wanted.provider),
            )
        )

    async def find_programs(self, _wanted: FindPrograms, request: Request) -> None:
        request.reply(Programs(programs=tuple(self._other_programs.present())))

    async def take_over(self, wanted: TakeOver, request: Request) -> None:
        """What is kept here already stays as it is."""
        copilot = self._ways.copilot
        found = await self._other_programs.read(wanted.program, urlsplit(copilot.issuer).hostname or "")
        left_out = list(found.left_out)
        entries: dict[str, Entry] = {}
        for provider, key in found.keys.items():
            if why := self._why_no_key(provider, key):
                left_out.append(f"{provider}: {why}")
            else:
                entries[provider] = KeptKey(key=key)
        if found.github and self._vault.entry("copilot"):
            left_out.append("copilot: you are signed in here already.")
        elif found.github:
            entries["copilot"] = await copilot.adopted(found.github, found.account)
        for provider, entry in entries.items():
            await self._keep(provider, entry)
        note = NOTICE if "copilot" in entries else ""
        request.reply(TakenOver(providers=tuple(entries), left_out=tuple(left_out), note=note))

    def _why_no_key(self, provider: str, key: str) -> str:
        if provider not in self._registry.services or self._registry.sign_in(provider):
            return "no provider of that name takes a key here."
        if self._vault.entry(provider):
            return "you keep one here already."
        return "" if KEY.fullmatch(key) else "it has what cannot be an API key."

    async def list_credentials(self, _wanted: ListCredentials, request: Request) -> None:
        names = list(dict.fromkeys([*self._registry.services, *self._vault.providers()]))
        found = [credential for name in names if (credential := self._readable(name))]
        have = {credential.provider for credential in found}
        missing = [name for name in self._registry.names if self._registry.needs_credential(name) and name not in have]
        request.reply(Credentials(credentials=tuple(found), missing=tuple(missing)))

    async def _keep_key(self, provider: str, key: str) -> str:
        """Returns where it is, for the user."""
        keyring = await os_keyring.put(str(self._vault.path.parent), provider, key)
        async with self._vault.changing() as change:
            change.put(provider, KeptKey(place="keyring") if keyring else KeptKey(key=key))
        return f"{KEYRING} ({keyring})" if keyring else str(self._vault.path)

    async def _keep(self, provider: str, entry: Entry) -> None:
        if isinstance(entry, KeptKey):
            await self._keep_key(provider, entry.key)
            return
        async with self._vault.changing() as change:
            change.put(provider, entry)

    async def _revoked(self, provider: str, entry: Entry | None) -> str:
        """What the user should know of it. The entry is forgotten, whatever the service says."""
        if not isinstance(entry, SignedIn):
            return ""
        way = self._ways.by_token(provider)
        if way is None or entry.issuer != way.issuer:
            return ""
        try:
            await way.revoke(entry)
        except Failed as failure:
            return failure.problem.text
        return ""

    def _readable(self, provider: str) -> Credential | None:
        """One that is damaged is named; it does not hide the others."""
        try:
            return self._credential(provider)
        except Failed:
            variable = self._registry.given_by(provider)
            damaged = f"{self._vault.path} (damaged: sign in or set the key again)"
            return Credential(
                provider=provider, kind="key", place=variable or damaged, also=(damaged,) * bool(variable)
            )

    def _credential(self, provider: str) -> Credential | None:
        """The one that is used."""
        places = list(self._places(provider))
        entry = self._vault.entry(provider)
        if not places:
            return None
        if not isinstance(entry, SignedIn) or self._registry.given_by(provider):
            doubt = self._doubt(provider, entry)
            return Credential(provider=provider, kind="key", place=places[0], also=tuple(places[1:]), doubt=doubt)
        return Credential(
            provider=provider,
            kind="sign-in",
            place=places[0],
            account=entry.account,
            expires_at=None if entry.refresh else entry.expires_at or 0.0,
        )

    def _doubt(self, provider: str, entry: Entry | None) -> str:
        """None of a key that is in the keyring, which may ask for a password; nor of what answers elsewhere."""
        if self._registry.is_placed(provider):
            return ""
        kept = entry.key if isinstance(entry, KeptKey) else ""
        return key_looks.doubt(provider, self._registry.given(provider) or kept)

    def _places(self, provider: str) -> Iterator[str]:
        if variable := self._registry.given_by(provider):
            yield variable
        entry = self._vault.entry(provider)
        if isinstance(entry, KeptKey) and entry.place == "keyring":
            yield KEYRING
        elif entry is not None:
            yield str(self._vault.path)
