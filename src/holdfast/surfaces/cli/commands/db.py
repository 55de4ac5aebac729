"""`holdfast db`"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument, NotConfirmed
from holdfast.plural import count_of
from holdfast.surfaces.cli.command_memory import DATABASE, database_of
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from holdfast.postgres.home_transfer import Transferred
    from holdfast.postgres.postgres_pool import PostgresPool

EXAMPLES = """\
  holdfast db migrate --database postgresql://admin@db.example.org/memory
  holdfast db add-tenant acme --max-notes 10000 --max-requests 600
  holdfast db add-token acme --role agent --name "support bot"
  holdfast db limit-tenant acme --max-notes 50 --max-requests none
  holdfast db tenants
  holdfast db delete-tenant acme
"""
MAY_BEGIN_HOME = True
ARGUMENTS = {"notes": "max_notes", "bytes": "max_bytes", "requests": "max_requests"}
_ROLES = ("owner", "agent", "reader")


def configure(parser: argparse.ArgumentParser) -> None:
    """The acts of whoever runs the database of a team."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, summary: str, *arguments: str) -> argparse.ArgumentParser:
        action = actions.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        for argument in arguments:
            # `home` would be the option that every command has.
            if argument in ("HOME", "DIR"):
                name = "place"
            else:
                name = argument.lower()
            action.add_argument(name, metavar=argument, help=_ARGUMENTS[argument])
        action.add_argument("--database", metavar="URL", help=f"postgresql://USER@HOST/NAME (default: {DATABASE})")
        return action

    action("migrate", "make the tables, or bring them up to date")
    action("check", "look whether a server can use the database with this login")
    action("tenants", "list the tenants with what they have and may have")
    _add_limits(action("add-tenant", "make a tenant", "TENANT"), with_class=True)
    _add_limits(action("limit-tenant", "set what a tenant may have; what is not named stays", "TENANT"))
    gone = action("delete-tenant", "delete a tenant with all its notes and history, for good", "TENANT")
    gone.add_argument("--yes", metavar="TENANT", help="its id once more, where there is no terminal to ask on")
    settings = action("settings", "show a tenant's holdfast.toml, or put a file in its place", "TENANT")
    settings.add_argument("file", metavar="FILE", nargs="?", help="what to put in its place; - for standard input")
    action("tokens", "list the tokens of a tenant", "TENANT")
    token = action("add-token", "make a token and show it, this once", "TENANT")
    token.add_argument("--role", choices=_ROLES, default="agent", help="what it may do (default: agent)")
    token.add_argument("--name", metavar="TEXT", default="", help="what it is for")
    action("revoke-token", "let a token in no more", "TENANT", "ID")
    action("import", "copy a home into a tenant that is new or empty, history included", "HOME", "TENANT")
    action("export", "write a tenant as a home, history included, into an empty directory", "TENANT", "DIR")
    acts = action("audit", "list what was done to tenants and tokens, the newest first")
    acts.add_argument("--tenant", metavar="TENANT", help="of one tenant only")
    acts.add_argument("--limit", metavar="N", type=int, default=100, help="default: 100")


_ARGUMENTS = {
    "TENANT": "the tenant's id",
    "ID": "the token's id, as the list shows it",
    "HOME": "the home to copy",
    "DIR": "where the home is to be",
}


_LIMITS = {
    "notes": "how many notes it may have",
    "bytes": "how many bytes its notes may have together",
    "requests": "how often it may ask in a minute",
}


def _limit(word: str) -> int | None:
    """Return a limit as it is written; None for none."""
    if word == "none":
        return None
    try:
        return int(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no number; write one, or none for no limit") from None


def _add_limits(parser: argparse.ArgumentParser, *, with_class: bool = False) -> None:
    for name, what in _LIMITS.items():
        parser.add_argument(
            f"--max-{name}", metavar="N", type=_limit, default=argparse.SUPPRESS, help=f"{what}; none for no limit"
        )
    if with_class:
        parser.add_argument(
            "--class", metavar="NAME", dest="kind", default="standard", help="by which figures are kept"
        )


def run(args: argparse.Namespace, console: Console) -> int:
    """Do it, with a login that may see all tenants."""
    from holdfast.postgres.migration import check_numbers
    from holdfast.postgres.postgres_pool import PostgresPool

    dsn = database_of(args)
    if args.action == "migrate":
        return _migrate(dsn, console)
    with PostgresPool.open(dsn, application="holdfast db", most=2) as pool:
        if args.action != "check":  # a server's login may check, and that sees more
            check_numbers(pool)
        return _ACTIONS[args.action](pool, args, console)


def _migrate(dsn: str, console: Console) -> int:
    from holdfast.postgres.migration import apply_migrations

    applied = apply_migrations(dsn)
    if console.as_json:
        console.json({"applied": [migration.number for migration in applied]})
    elif applied:
        for migration in applied:
            console.line(f"Applied {migration.number:04} {migration.name}")
    else:
        console.note("The tables are up to date.")
    return 0


def _check(pool: PostgresPool, _args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.migration import check_schema, newest_number

    check_schema(pool)
    if console.as_json:
        console.json({"ready": True, "migration": newest_number()})
    else:
        console.line(f"Ready: the tables are those of migration {newest_number():04}, and tenants are kept apart.")
    return 0


def _tenants(pool: PostgresPool, _args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.tenants import list_tenants

    tenants = list_tenants(pool)
    if console.as_json:
        shown = [
            {
                "id": tenant.id, "class": tenant.kind, "created": tenant.created.isoformat(), "agents": tenant.agents,
                "notes": tenant.notes, "bytes": tenant.bytes, "max_notes": tenant.limits.notes,
                "max_bytes": tenant.limits.bytes, "max_requests": tenant.limits.requests,
            }
            for tenant in tenants
        ]  # fmt: skip
        console.json({"tenants": shown})
    elif tenants:
        heads = ("TENANT", "CLASS", "SINCE", "AGENTS", "NOTES", "BYTES", "REQUESTS A MINUTE")
        rows = [
            (
                tenant.id, tenant.kind, f"{tenant.created:%Y-%m-%d}", f"{tenant.agents}",
                _of(tenant.notes, tenant.limits.notes),
                _of(tenant.bytes, tenant.limits.bytes), _of(None, tenant.limits.requests),
            )
            for tenant in tenants
        ]  # fmt: skip
        console.table(heads, rows)
    else:
        console.note(f"There is no tenant yet. `{console.command('db', 'add-tenant', 'ID')}` makes one.")
    return 0


def _of(count: int | None, limit: int | None) -> str:
    """Return what there is of what there may be."""
    if limit is None:
        return "any" if count is None else f"{count:,}"
    if count is None:
        return f"{limit:,}"
    return f"{count:,} of {limit:,}"


def _add_tenant(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.tenants import Limits, create_tenant

    made = create_tenant(pool, args.tenant, kind=args.kind, limits=Limits(**_named_limits(args)), actor=_actor())
    if console.as_json:
        console.json({"id": made.id})
    else:
        add = console.command("db", "add-token", made.id)
        console.line(f"Made the tenant {made.id}. A token lets a program in: {add}")
    return 0


def _limit_tenant(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.tenants import limit_tenant

    named = _named_limits(args)
    if not named:
        raise BadArgument("TENANT", "name what to set: --max-notes, --max-bytes or --max-requests, none for no limit")
    held = limit_tenant(pool, args.tenant, named, actor=_actor())
    if console.as_json:
        limits = {f"max_{name}": getattr(held, name) for name in _LIMITS}
        console.json({"id": args.tenant, **limits})
    else:
        shown = ", ".join(f"{name} {_of(None, getattr(held, name))}" for name in _LIMITS)
        console.line(f"The limits of {args.tenant} hold from the next request on: {shown}.")
    return 0


def _delete_tenant(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.tenants import delete_tenant

    word = args.yes
    if word is None:
        if not (sys.stdin and sys.stdin.isatty()):
            why = f"the tenant {args.tenant} goes for good, with all notes and history"
            raise NotConfirmed("deleted", why, say=f"--yes {args.tenant}")
        word = console.ask(f"All notes and history of {args.tenant} go for good. Type its id to go ahead:")
    if word != args.tenant:
        raise BadArgument("TENANT", f"{word!r} is not {args.tenant!r}; nothing was deleted")
    gone = delete_tenant(pool, args.tenant, word=word, actor=_actor())
    if console.as_json:
        console.json({"id": args.tenant, "rows": gone})
    else:
        console.line(f"Deleted {args.tenant}: {count_of(gone['note'], 'note')}, {count_of(gone['journal'], 'change')}.")
    return 0


def _settings(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.guard.paths import agent_id
    from holdfast.postgres.tenant_files import HOME, read_settings, store_settings
    from holdfast.surfaces.tenant_settings import check_tenant_settings

    if args.agent is None:
        agent = HOME
    else:
        agent = agent_id(args.agent)
    if args.file is not None:
        text = _file_text(args.file)
        check_tenant_settings(text, is_agents=agent != HOME)
        store_settings(pool, args.tenant, text, agent=agent, actor=_actor())
    home, own = read_settings(pool, args.tenant, agent)
    held = home if agent == HOME else own
    if console.as_json:
        console.json({"tenant": args.tenant, "agent": agent or None, "text": held.text, "version": held.version})
    elif args.file is None:
        console.line(held.text.rstrip("\n"))
    else:
        console.line(f"Stored. Servers follow within some seconds (version {held.version}).")
    return 0


def _file_text(file: str) -> str:
    """Return what stands in a file, or comes on standard input."""
    try:
        if file == "-":
            return sys.stdin.read()
        with open(file, encoding="utf-8") as stream:
            return stream.read(1_000_001)
    except (OSError, UnicodeDecodeError) as error:
        raise BadArgument("FILE", f"{file!r} can't be read: {getattr(error, 'strerror', None) or error}") from error


def _tokens(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.access_tokens import list_tokens

    tokens = list_tokens(pool, args.tenant)
    if console.as_json:
        shown = [
            {
                "id": token.id, "role": token.role.value, "name": token.name, "created": token.created.isoformat(),
                "revoked": token.revoked.isoformat() if token.revoked else None,
            }
            for token in tokens
        ]  # fmt: skip
        console.json({"tokens": shown})
    elif tokens:
        rows = [
            (
                token.id,
                token.role.value,
                f"{token.created:%Y-%m-%d}",
                "revoked" if token.revoked else "lets in",
                token.name,
            )
            for token in tokens
        ]
        console.table(("ID", "ROLE", "SINCE", "STATE", "NAME"), rows)
    else:
        add = console.command("db", "add-token", args.tenant)
        console.note(f"There is no token of {args.tenant}. `{add}` makes one.")
    return 0


def _add_token(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.access_tokens import Role, make_token

    token = make_token(pool, args.tenant, Role(args.role), name=args.name, actor=_actor())
    if console.as_json:
        console.json({"token": token, "role": args.role})
    else:
        console.line(token)
        console.note("This is the only time that it is shown: the database has its hash.")
    return 0


def _revoke_token(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.access_tokens import revoke_token

    revoke_token(pool, args.tenant, args.id, actor=_actor())
    if console.as_json:
        console.json({"id": args.id, "revoked": True})
    else:
        console.line(f"The token {args.id} lets in no more; servers follow within some seconds.")
    return 0


def _audit(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.audit import list_acts

    acts = list_acts(pool, args.tenant, args.limit)
    if console.as_json:
        shown = [
            {"tenant": act.tenant, "at": act.at.isoformat(), "actor": act.actor, "act": act.act, "detail": act.detail}
            for act in acts
        ]
        console.json({"acts": shown})
    else:
        rows = [
            (
                f"{act.at:%Y-%m-%d %H:%M}",
                act.tenant,
                act.actor,
                act.act,
                " ".join(f"{k}={v}" for k, v in act.detail.items()),
            )
            for act in acts
        ]
        console.table(("WHEN", "TENANT", "WHO", "WHAT", "MORE"), rows)
    return 0


def _import(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.home_transfer import import_home

    done = import_home(pool, os.path.abspath(os.path.expanduser(args.place)), args.tenant, actor=_actor())
    return _tell_transferred(done, f"Copied into {args.tenant}", console)


def _export(pool: PostgresPool, args: argparse.Namespace, console: Console) -> int:
    from holdfast.postgres.home_transfer import export_home

    place = os.path.abspath(os.path.expanduser(args.place))
    done = export_home(pool, args.tenant, place, actor=_actor())
    return _tell_transferred(done, f"Wrote {place}", console)


def _tell_transferred(done: Transferred, what: str, console: Console) -> int:
    if console.as_json:
        shown = {name: getattr(done, name) for name in done.fields}
        console.json(shown | {"left_out": [left._asdict() for left in done.left_out]})
    else:
        parts = (
            (done.agents, "agent"),
            (done.notes, "note"),
            (done.changes, "change"),
            (done.transcripts, "transcript"),
        )
        console.line(f"{what}: {', '.join(count_of(count, noun) for count, noun in parts)}.")
        for path, why in done.left_out:
            console.note(f"Not copied: {path} ({why})")
    return 0


def _named_limits(args: argparse.Namespace) -> dict[str, int | None]:
    return {name: getattr(args, f"max_{name}") for name in _LIMITS if hasattr(args, f"max_{name}")}


def _actor() -> str:
    """Return who administers, as this machine knows them."""
    import getpass
    import socket

    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"
    except (OSError, KeyError):
        return socket.gethostname()


_ACTIONS: dict[str, Callable[[PostgresPool, argparse.Namespace, Console], int]] = {
    "check": _check,
    "tenants": _tenants,
    "add-tenant": _add_tenant,
    "limit-tenant": _limit_tenant,
    "delete-tenant": _delete_tenant,
    "settings": _settings,
    "tokens": _tokens,
    "add-token": _add_token,
    "revoke-token": _revoke_token,
    "audit": _audit,
    "import": _import,
    "export": _export,
}
