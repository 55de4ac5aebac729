"""Ask a provider once, with settings that nobody has saved yet: does it answer, with what, and how fast."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

from holdfast.context.context import Context
from holdfast.embeddings.embedder import Purpose
from holdfast.errors import BadArgument, HoldfastError, NoModel, ProviderFailed
from holdfast.guard.argument_types import check_choice
from holdfast.guard.secrets import redact
from holdfast.remote.redaction import Scrubber, without_secrets
from holdfast.settings.keys import find_key
from holdfast.settings.loader import load
from holdfast.value import Shown

if TYPE_CHECKING:
    from holdfast.llm.chat_model import ChatModel
    from holdfast.settings.settings import Settings

__all__ = ["EMBEDDING", "MODEL", "ProviderTested", "provider_test"]

EMBEDDING, MODEL = "embedding", "model"
_SECONDS: Final = 20.0  # that somebody waits before a page for an answer
_TEXT: Final = "Does this provider answer?"
_LONGEST: Final = 500  # characters of a reason
_KEPT_FROM_OTHERS: Final = "the saved key was not sent, because it is another provider's or another address's; enter it"


class ProviderTested(Shown):
    """Says what came of asking; `because` says in a line why it is not `ok`, without anything secret."""

    ok: bool
    what: str
    provider: str | None = None
    model: str | None = None
    endpoint: str | None = None
    sends_to: str | None = None
    """Where text would go, where that is another machine."""
    dimensions: int | None = None
    tokens: int | None = None
    took_ms: float = 0.0
    because: str = ""


def provider_test(
    ctx: Context,
    what: Annotated[str, "embedding or model."],
    changes: Annotated[dict[str, Any] | None, "Values that are not saved yet, by key; the others are as saved."] = None,
) -> ProviderTested:
    """Ask a provider once, with settings that are not saved yet if need be; `because` says what went wrong.

    It never fails for what the provider does, nor for a value that no setting can have: the answer says so.
    """
    changes = changes or {}
    check_choice("what", what, (EMBEDDING, MODEL))
    table = "memory" if what == EMBEDDING else "llm"
    foreign = next((key for key in changes if find_key(key).path.partition(".")[0] != table), None)
    if foreign is not None:
        raise BadArgument("changes", f"{foreign[:80]!r} has nothing to do with it; give keys of [{table}]")
    began = time.perf_counter()
    saved = ctx.settings
    secrets = [str(value) for key, value in changes.items() if find_key(key).secret and value]
    secrets += [secret for secret in (saved.memory.api_key, saved.llm.api_key, *saved.remote.headers) if secret]
    note = ""
    try:
        settings, note = _settings(ctx, table, changes)
        if what == EMBEDDING:
            tested = _test_embedding(ctx, settings)
        else:
            tested = _test_model(settings)
    except HoldfastError as error:
        if isinstance(error, ProviderFailed):
            reason = error.why
        else:
            reason = str(error)
        tested = ProviderTested(False, what, because="; ".join(filter(None, (_clean(reason, secrets), note))))
    return tested.replace(took_ms=round((time.perf_counter() - began) * 1000, 1))


def _settings(ctx: Context, table: str, changes: Mapping[str, Any]) -> tuple[Settings, str]:
    """The settings with the changes, and what was left out of them: a saved key goes to nobody it was not saved for."""
    given = {key: value for key, value in changes.items() if value is not None}
    settings = load(ctx.workspace.home, ctx.workspace.agent, arguments=given).settings
    for key in (find_key(key) for key, value in changes.items() if value is None):
        settings = _with(settings, key.room, {key.field: key.default})
    was, now = getattr(ctx.settings, table), getattr(settings, table)
    if (was.provider, was.base_url) == (now.provider, now.base_url):
        return settings, ""
    note = ""
    if now.api_key and f"{table}.api_key" not in changes:
        settings, note = _with(settings, table, {"api_key": None}), _KEPT_FROM_OTHERS
    if table == "memory" and settings.remote.headers and "memory.remote.headers" not in changes:
        settings, note = _with(settings, "remote", {"headers": ()}), _KEPT_FROM_OTHERS
    return settings, note


def _with(settings: Settings, room: str, values: Mapping[str, Any]) -> Settings:
    return settings.replace(**{room: getattr(settings, room).replace(**values)})


def _test_embedding(ctx: Context, settings: Settings) -> ProviderTested:
    from holdfast.embeddings.provider_choice import choose

    chain = choose(settings, ctx.workspace.home, learnt=lambda _: (None, None))
    if chain is None:
        return ProviderTested(False, EMBEDDING, because="memory.disable_rag is on: no provider is asked")
    link = chain.first
    link.ask([_TEXT], Purpose.QUERY, min(_SECONDS, settings.remote.timeout_seconds))
    space = link.space()
    endpoint = None
    if space.endpoint:
        endpoint = without_secrets(space.endpoint)
    away = endpoint if link.away else None
    return ProviderTested(True, EMBEDDING, link.name, space.model, endpoint, away, space.dimensions)


def _test_model(settings: Settings) -> ProviderTested:
    from holdfast.embeddings.remote.endpoint import is_here
    from holdfast.llm.chat_model import Request, user
    from holdfast.llm.model_choice import choose

    model = choose(settings.llm, context_window=settings.compaction.context_window)
    if model is None:
        raise NoModel
    answer = model.chat(Request((user(f"{_TEXT} Say yes."),)), seconds=min(_SECONDS, settings.llm.timeout_seconds))
    tokens = answer.usage.input_tokens + answer.usage.output_tokens
    endpoint = _address(settings, model)
    if endpoint is None:
        away = f"{model.provider}'s own address"
    else:
        away = endpoint
    return ProviderTested(
        True,
        MODEL,
        model.provider,
        answer.model or model.model,
        endpoint,
        None if endpoint is not None and is_here(endpoint) else away,
        tokens=tokens or None,
    )


def _address(settings: Settings, model: ChatModel) -> str | None:
    """Return where the model is, as it may be shown; None where it is at its provider's own address."""
    if settings.llm.base_url:
        written = settings.llm.base_url
        return without_secrets(written if "://" in written else f"https://{written}")
    if model.provider != "ollama":
        return None
    from holdfast.embeddings.remote.endpoint import ollama_endpoint

    return without_secrets(ollama_endpoint("ollama", os.environ.get("OLLAMA_HOST", "")).url)


def _clean(reason: str, secrets: Sequence[str]) -> str:
    """A reason without known kinds of secrets, and without those that were given or are saved."""
    hidden = {f"secret-{number}": value for number, value in enumerate(secrets)}
    return Scrubber(hidden).clean(redact(reason), _LONGEST)
