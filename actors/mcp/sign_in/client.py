"""As whom we sign in to one server, and what becomes of it: what the SDK asks for and tells in a sign-in."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec
from mcp.client.auth import OAuthFlowError
from mcp.client.auth.oauth2 import OAuthContext
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from actors.mcp.sign_in.kept import Store
from actors.settings.mcp.servers import OAuth


class Client:
    """The storage of the SDK's sign-in."""

    context: OAuthContext
    """Of the sign-in that this is the storage of, set by whoever has made that: it knows the service."""

    def __init__(self, store: Store, own: OAuth, environ: Mapping[str, str]) -> None:
        """own: what the user has configured of it."""
        self._store = store
        self._own_id = own.client_id
        self._secret = environ.get(own.client_secret_env, "") if own.client_secret_env else ""

    async def get_tokens(self) -> OAuthToken | None:
        """Those that are to be more than they are: for any other sign-in there are none."""
        kept = self._store.read()
        return kept.token if kept.challenge else None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        service = self.context.oauth_metadata
        told = self.context.should_include_resource_param(self.context.protocol_version)
        async with self._store.alone():
            kept = msgspec.structs.replace(
                self._store.read(),
                issuer=str(service.issuer) if service is not None else "",
                token_endpoint=str(service.token_endpoint) if service is not None else "",
                resource=self.context.get_resource_url() if told else "",
                challenge="",
            )
            self._store.write(kept.with_tokens(tokens))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """One that the user has registered counts more, and stays with the service that it was first used at."""
        kept = self._store.read()
        if self._own_id:
            how = "client_secret_basic" if self._secret else "none"  # which every service has to take, RFC 6749 2.3.1
            return OAuthClientInformationFull(
                client_id=self._own_id,
                client_secret=self._secret or None,
                token_endpoint_auth_method=how,
                issuer=kept.issuer or None,
            )
        return OAuthClientInformationFull.model_validate_json(kept.client) if kept.client else None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Raises OAuthFlowError: it would be in the place of the user's own."""
        if self._own_id:
            raise OAuthFlowError("it names another service to sign in at than that of your client_id; log out first")
        await self._store.change(client=client_info.model_dump_json(exclude_none=True))

    def check_pkce(self) -> None:
        """Raises OAuthFlowError: the service has only the way that protects nothing. See DECISIONS."""
        service = self.context.oauth_metadata
        methods = service.code_challenge_methods_supported if service is not None else None
        if methods is not None and "S256" not in methods:
            raise OAuthFlowError("its service does not know PKCE with S256")

    async def form(self, fields: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """What to send to the token endpoint to show who we are: fields and headers."""
        info = await self.get_client_info()
        named = {**fields, "client_id": info.client_id} if info is not None else fields
        return replace(self.context, client_info=info).prepare_token_auth(named, {})
