"""Tokens: which tenant a program acts for, and what it may do. The database has their hashes only.

A token names its tenant, so that a server looks for it among that tenant's rows and needs no right to see others'. It
holds 256 bits of chance: a plain hash can't be turned back, and no slow one is needed.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from holdfast.errors import BadArgument, NotFound, TenantNotFound
from holdfast.postgres.audit import record_act
from holdfast.postgres.tenants import Limits
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = [
    "Access",
    "Role",
    "Token",
    "find_access",
    "list_tokens",
    "make_token",
    "revoke_token",
    "tenant_in",
    "token_hash",
]

_SHAPE: Final = re.compile(r"holdfast_([a-z0-9-]{1,63})_[0-9a-f]{64}", re.ASCII)
_SHOWN: Final = 12  # characters of a hash that name a token to a person


class Role(StrEnum):
    """Holds what the bearer of a token may do."""

    OWNER = "owner"
    """All that a program of the owner's may."""
    AGENT = "agent"
    """What a model is let do: the tools, and reading."""
    READER = "reader"
    """Reading."""


class Access(Value):
    """Says whom a token lets in: for which tenant, and as what."""

    tenant: str
    role: Role
    name: str
    kind: str
    limits: Limits


class Token(Value):
    """A token as a list shows it; what lets in is in nobody's hands but its owner's."""

    id: str
    tenant: str
    role: Role
    name: str
    created: datetime
    revoked: datetime | None


def token_hash(token: str) -> str:
    """Return what the database has of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def tenant_in(token: str) -> str | None:
    """Return the tenant that a token names; None for what is no token of ours."""
    found = _SHAPE.fullmatch(token)
    return None if found is None else found[1]


def make_token(pool: PostgresPool, tenant: str, role: Role, *, name: str = "", actor: str = "") -> str:
    """Make a token and return it; it can't be shown again."""
    if len(name) > 100 or not name.isprintable():
        raise BadArgument("name", "it must be one line of at most 100 characters")
    token = f"holdfast_{tenant}_{secrets.token_hex(32)}"
    digest = token_hash(token)
    with pool.administration() as connection:
        if connection.execute("SELECT 1 FROM holdfast.tenant WHERE id = %s", [tenant]).fetchone() is None:
            raise TenantNotFound(tenant)
        connection.execute(
            "INSERT INTO holdfast.access_token (tenant, hash, role, name) VALUES (%s, %s, %s, %s)",
            [tenant, digest, role.value, name],
        )
        record_act(connection, tenant, actor, "token made", id=digest[:_SHOWN], role=role.value, name=name)
    return token


def list_tokens(pool: PostgresPool, tenant: str) -> list[Token]:
    """Return a tenant's tokens, those that were made first before the others."""
    with pool.administration(read_only=True) as connection:
        rows = connection.execute(
            "SELECT left(hash, %s), tenant, role, name, created, revoked FROM holdfast.access_token "
            "WHERE tenant = %s ORDER BY created, hash",
            [_SHOWN, tenant],
        ).fetchall()
    return [Token(row[0], row[1], Role(row[2]), *row[3:]) for row in rows]


def revoke_token(pool: PostgresPool, tenant: str, id: str, *, actor: str = "") -> None:  # noqa: A002 - its name
    """Let a token in no more, by the id that a list shows. Servers follow within some seconds."""
    if not re.fullmatch(r"[0-9a-f]{6,64}", id):
        raise BadArgument("id", "it is none; `holdfast db tokens TENANT` shows them")
    with pool.administration() as connection:
        rows = connection.execute(
            "UPDATE holdfast.access_token SET revoked = coalesce(revoked, now()) "
            "WHERE tenant = %s AND starts_with(hash, %s) RETURNING hash",
            [tenant, id],
        ).fetchall()
        if len(rows) != 1:
            which = "no token" if not rows else "more than one token"
            raise NotFound(f"There is {which} {id!r} of {tenant!r}. `holdfast db tokens {tenant}` lists them.")
        record_act(connection, tenant, actor, "token revoked", id=id)


def find_access(pool: PostgresPool, token: str) -> Access | None:
    """Return whom a token lets in; None for one that was revoked or never made."""
    tenant = tenant_in(token)
    if tenant is None:
        return None
    rows = pool.ask(
        tenant,
        "SELECT k.role, k.name, t.class, t.max_notes, t.max_bytes, t.max_requests "
        "FROM holdfast.access_token k JOIN holdfast.tenant t ON t.id = k.tenant "
        "WHERE k.tenant = %s AND k.hash = %s AND k.revoked IS NULL",
        [tenant, token_hash(token)],
    )
    return Access(tenant, Role(rows[0][0]), rows[0][1], rows[0][2], Limits(*rows[0][3:])) if rows else None
