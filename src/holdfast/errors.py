"""Everything that can go wrong, one class for each reason a caller can act on.

HoldfastError
├── SettingsError               holdfast.toml, the environment or an argument can't be used
│   ├── UnknownSetting          no such key; names the nearest one
│   ├── BadSetting              the key exists, the value does not fit
│   ├── HomeSetting             the key is the whole home's, and stands in one agent's file
│   ├── UnreadableSettings      the file is not TOML, or can't be read
│   └── NoModel                 a language model is needed, and `[llm]` names none
├── Refused                     what the caller sent can't be accepted; nothing was changed
│   ├── BadPath                 a note's path breaks the rules
│   ├── TwinPath                the path differs from an existing note only in case or Unicode form
│   ├── BadAgent                an agent's id breaks the rules
│   ├── BadText                 the text carries what must not reach disk
│   │   └── SecretFound         a password, a key or a token
│   ├── BadArgument             a value is out of range or does not fit the others
│   ├── BadTenant               a tenant's id breaks the rules, or is taken
│   ├── NotConfirmed            it must be confirmed, and there is nobody to ask
│   ├── KeyUsed                 the id that the caller gave its change is that of another request
│   └── TooLarge                more than the limit allows
├── NotPermitted                the settings forbid it
│   ├── WriteModeRefused        `memory.agent_write_mode` keeps an agent or a program out
│   ├── ReadOnlyToken           the token is a reader's, and this would change something
│   └── QuotaReached            the tenant has as many notes or bytes as it may have
├── NotFound                    what was named is not there
│   ├── HomeNotFound
│   ├── TenantNotFound
│   ├── NoteNotFound
│   ├── TextNotFound
│   ├── ChunkNotFound
│   ├── FactNotFound
│   ├── CheckpointNotFound
│   │   └── ForgottenForGood
│   └── SessionNotFound
├── NoteChangedOutside          the note is not what the caller read; nothing was overwritten
├── UnsafeFile                  a symlink, a hard link, a FIFO … stands where a note should be
├── StorageFailed               the disk or the system said no (full, read-only, I/O error)
├── Busy                        another process holds the lock for longer than we wait
├── CheckpointDamaged           a checkpoint's bytes are missing or are not what was stored
├── IndexDamaged                the index can't be read; it is a cache and can be rebuilt
│   └── IndexNotOurs            the file belongs to a newer Holdfast or to another program; it is left alone
├── SandboxFailed               there is no sandbox to run a command in; it was not run
├── ServerUnreachable           no Holdfast server answers at the address
├── DatabaseAway                the database does not answer, or its connection broke off
├── DatabaseUnfit               the database answers, and has not the tables or the roles that this Holdfast needs
├── TooManyRequests             the tenant asked more often in this minute than it may
├── MemoryClosed                the memory was closed, and used all the same
│   └── SessionClosed           only the session was
└── ProviderFailed              an embedding provider gave no usable answer; it may later
    ├── ProviderRefused         it will not answer this: the key, the model or the request is wrong
    ├── ProviderStalled         its answer began to come, or was to come, and then nothing came for too long
    ├── ProviderTooLarge        more than it takes in one request; a smaller one may pass
    ├── ProviderMissing         what it needs is not installed, or its model is not where it should be
    │   ├── ExtraMissing        an optional package is not installed; names the command that installs it
    │   └── ModelNotDownloaded  the model is named, and not here yet
    ├── BadAnswer               it answered, and the answer could not be read
    ├── BadVectors              it answered, and the vectors were refused whole
    └── TokensSpent             the limit of tokens is reached; nobody was asked
"""

from __future__ import annotations

# fmt: off
__all__ = [
    "BadAgent", "BadAnswer", "BadArgument", "BadPath", "BadSetting", "BadTenant", "BadText", "BadVectors", "Busy",
    "CheckpointDamaged", "CheckpointNotFound", "ChunkNotFound", "DatabaseAway", "DatabaseUnfit", "ExtraMissing",
    "FactNotFound", "ForgottenForGood", "HoldfastError", "HomeNotFound", "HomeSetting", "IndexDamaged",
    "IndexNotOurs", "KeyUsed", "MemoryClosed", "ModelNotDownloaded", "NoModel", "NotConfirmed", "NotFound",
    "NotPermitted", "NoteChangedOutside", "NoteNotFound", "ProviderFailed", "ProviderMissing", "ProviderRefused",
    "ProviderStalled", "ProviderTooLarge", "QuotaReached", "ReadOnlyToken", "Refused", "SandboxFailed", "SecretFound",
    "ServerUnreachable", "SessionClosed", "SessionNotFound", "SettingsError", "StorageFailed", "TenantNotFound",
    "TextNotFound", "TokensSpent", "TooLarge", "TooManyRequests", "TwinPath", "UnknownSetting", "UnreadableSettings",
    "UnsafeFile", "WriteModeRefused",
]
# fmt: on

_SHOWN_KEYS = 6


class HoldfastError(Exception):
    """Anything Holdfast raises on purpose; its text says what happened, to what, and at its end what to do next."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message if len(message) <= 2_000 else f"{message[:1_000]}…{message[-500:]}")

    @property
    def shown(self) -> str:
        """The text for callers of a server, who are not told where its own parts stand."""
        return str(self)


def _place(file: str | None, line: int | None) -> str:
    if file is None:
        return ""
    return f" ({file}, line {line})" if line is not None else f" ({file})"


def _of_agent(file: str | None) -> str:
    """Return the option that names the agent whose file it is; nothing for the home's."""
    agent, _, name = (file or "").rpartition("/agents/")[2].partition("/")
    return f"--agent {agent} " if name == "holdfast.toml" else ""


class SettingsError(HoldfastError):
    """The settings can't be used."""


class UnknownSetting(SettingsError):
    """A key that no room knows."""

    def __init__(
        self,
        key: str,
        nearest: str | None = None,
        file: str | None = None,
        line: int | None = None,
        inside: tuple[str, ...] = (),
        advice: str = "",
    ) -> None:
        # With such a key in a file, `config show` fails as well.
        listed = f" `holdfast config unset {_of_agent(file)}{key}` takes it out." if line is not None else ""
        hint = f" Did you mean '{nearest}'?" if nearest else listed or " `holdfast config show` lists the keys."
        if advice:  # an earlier version had it
            hint = f" {advice}"
        if inside:  # a section, by its own name
            more = " …" if len(inside) > _SHOWN_KEYS else ""
            hint = f" It is a section, with {', '.join(inside[:_SHOWN_KEYS])}{more}; `holdfast config show` lists all."
        super().__init__(f"There is no setting '{key}'{_place(file, line)}.{hint}")
        self.key, self.nearest, self.file, self.line = key, nearest, file, line


class BadSetting(SettingsError):
    """A value that does not fit its key."""

    def __init__(self, key: str, value: object, why: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__(f"Setting '{key}' can't be {value!r}{_place(file, line)}: {why}.")
        self.key, self.value, self.why, self.file, self.line = key, value, why, file, line


class HomeSetting(SettingsError):
    """A key of the whole home, given for one agent."""

    def __init__(self, key: str, file: str, home_file: str, line: int | None = None) -> None:
        super().__init__(
            f"Setting '{key}' is for the whole home and can't be set for one agent{_place(file, line)}. It belongs in "
            f"{home_file}: `holdfast config set {key} VALUE` without --agent or HOLDFAST_AGENT writes it there."
        )
        self.key, self.file, self.home_file, self.line = key, file, home_file, line


class UnreadableSettings(SettingsError):
    """The settings file is not TOML, or can't be read."""

    def __init__(self, file: str, why: str, line: int | None = None, remedy: str | None = None) -> None:
        mend = "Mend it in an editor." if remedy is None else remedy
        super().__init__(f"The settings can't be read{_place(file, line)}: {why}. {mend}".rstrip())
        self.file, self.why, self.line = file, why, line


class NoModel(SettingsError):
    """A language model is needed, and the settings name none."""

    def __init__(self) -> None:
        super().__init__(
            "No language model is set. `holdfast config set llm.provider ollama` (or openai, anthropic, gemini, "
            "custom) and `holdfast config set llm.model NAME` choose one."
        )


class Refused(HoldfastError):
    """Nothing was changed: the caller sent what can't be accepted."""


class BadPath(Refused):
    """A note's path breaks the rules."""

    def __init__(
        self, path: str, why: str, near: tuple[str, ...] = (), remedy: str = "Use MEMORY.md or memory/<name>.md."
    ) -> None:
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else remedy
        super().__init__(f"{path!r} can't be used as a note's path: {why}. {hint}")
        self.path, self.why = path, why


class TwinPath(Refused):
    """The path differs from an existing note only in case or Unicode form."""

    def __init__(self, path: str, twin: str) -> None:
        remedy = f"Write to {twin!r}" if twin.endswith(".md") else "Rename that"  # NOTE.MD is no note
        why = f"would be a twin of the existing {twin!r}: some systems can't tell them apart"
        super().__init__(f"{path!r} {why}. {remedy}, or choose another name.")
        self.path, self.twin = path, twin


class BadAgent(Refused):
    """An agent's id breaks the rules."""

    def __init__(self, agent: str, why: str) -> None:
        super().__init__(f"{agent!r} can't be an agent's id: {why}. Use lower-case letters, digits, '-' and '_'.")
        self.agent, self.why = agent, why


class BadText(Refused):
    """The text carries what must not reach disk."""

    remedy = "Remove it and try again."

    def __init__(self, what: str, why: str, line: int | None = None) -> None:
        where = f" in line {line}" if line is not None else ""
        super().__init__(f"The {what} was refused: {why}{where}. {self.remedy}")
        self.what, self.why, self.line = what, why, line


class SecretFound(BadText):
    """The text holds a known kind of secret."""

    remedy = "Leave it out, or ask the owner."

    def __init__(self, what: str, kinds: tuple[str, ...], line: int) -> None:
        super().__init__(what, f"it holds what looks like a secret ({', '.join(kinds)})", line)
        self.kinds = kinds


class BadArgument(Refused):
    """A value is out of range or does not fit the others."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"Argument '{name}' can't be used: {why}.")
        self.name, self.why = name, why


class BadTenant(Refused):
    """A tenant's id breaks the rules, or is taken."""

    def __init__(self, tenant: str, why: str, remedy: str = "Use lower-case letters, digits and '-'.") -> None:
        super().__init__(f"{tenant!r} can't be a new tenant's id: {why}. {remedy}")
        self.tenant, self.why = tenant, why


class NotConfirmed(Refused):
    """It must be confirmed, and there is no terminal to ask on."""

    def __init__(self, what: str, why: str = "it must be confirmed", look: str = "", say: str = "--yes") -> None:
        look_first = f", or {look} to look first" if look else ""
        super().__init__(
            f"Nothing was {what}: {why}, and there is no terminal to ask on. Say {say} to go ahead{look_first}."
        )
        self.what, self.why, self.look, self.say = what, why, look, say


class KeyUsed(Refused):
    """The id that the caller gave its change is that of another request."""

    def __init__(self, id: str) -> None:  # noqa: A002 - the name in the journal
        super().__init__(
            f"The key '{id}' was used for another request: nothing was done. Send each new request with a key of its "
            "own, and only the same request again with the same key."
        )
        self.id = id


class TooLarge(Refused):
    """More than the limit allows."""

    def __init__(self, what: str, size: int | None, limit: int, unit: str = "bytes") -> None:
        has = f"more than {limit:,} {unit}" if size is None else f"{size:,} {unit}; the limit is {limit:,}"
        super().__init__(f"The {what} has {has}. Split it into smaller pieces.")
        self.what, self.size, self.limit, self.unit = what, size, limit, unit


class NotPermitted(HoldfastError):
    """The settings forbid it.

    Whoever reads this is not the owner: a message says what is not done and whom to ask, and never the command that
    lifts it. A model that reads one runs it.
    """


class WriteModeRefused(NotPermitted):
    """`memory.agent_write_mode` does not let an agent or a program change this."""

    def __init__(self, mode: str, path: str) -> None:
        what = "any note" if mode == "off" else f"{path!r}; choose another note"
        super().__init__(
            f'memory.agent_write_mode = "{mode}" keeps agents and programs from changing {what}. '
            "That is the owner's to change; ask them."
        )
        self.mode, self.path = mode, path


class ReadOnlyToken(NotPermitted):
    """The token is a reader's, and this would change something."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"This token may only read, and {what} would change something. Ask the tenant's owner for another."
        )
        self.what = what


class QuotaReached(NotPermitted):
    """The tenant has as many notes or bytes as it may have."""

    def __init__(self, what: str, limit: int) -> None:
        super().__init__(
            f"Nothing was saved: this tenant may have {limit:,} {what} and would have more. Remove what is not needed, "
            "or ask whoever runs this server for more."
        )
        self.what, self.limit = what, limit


class NotFound(HoldfastError):
    """The thing that was named is not there."""


class HomeNotFound(NotFound):
    """There is no home in this directory."""

    def __init__(self, home: str) -> None:
        super().__init__(
            f"There is no home at {home!r}, and nothing was made there. Check the name, or make one with "
            f"`holdfast init --home {home!r}`."
        )
        self.home = home


class TenantNotFound(NotFound):
    """There is no tenant of this id."""

    def __init__(self, tenant: str) -> None:
        super().__init__(f"There is no tenant {tenant!r}. `holdfast db tenants` lists those that there are.")
        self.tenant = tenant


class NoteNotFound(NotFound):
    """There is no note at this path."""

    def __init__(self, path: str, near: tuple[str, ...] = (), what: str = "note") -> None:
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else "`holdfast search` finds what there is."
        super().__init__(f"There is no {what} {path!r}. {hint}")
        self.path, self.near = path, near


class TextNotFound(NotFound):
    """The note does not contain the text."""

    def __init__(self, path: str) -> None:
        remedy = "Read the note and give the exact text, white space included."
        super().__init__(f"{path!r} does not contain that text. {remedy}")
        self.path = path


class ChunkNotFound(NotFound):
    """No chunk has this id."""

    def __init__(self, chunk_id: str) -> None:
        message = f"There is no chunk {chunk_id!r}; its text may have changed. Search again, or use <path>:<line>."
        super().__init__(message)
        self.chunk_id = chunk_id


class FactNotFound(NotFound):
    """No fact has this id, or says this."""


class CheckpointNotFound(NotFound):
    """No checkpoint has this id."""

    def __init__(self, checkpoint: str) -> None:
        what = "no change to take back" if checkpoint == "last change" else f"no checkpoint {checkpoint!r}"
        if not checkpoint:  # that of a save which found everything there
            what = "no checkpoint without an id: nothing was written, so there is nothing to restore"
        super().__init__(f"There is {what}. `holdfast history` lists what was changed.")
        self.checkpoint = checkpoint


class SessionNotFound(NotFound):
    """There is no session of this key."""

    def __init__(self, key: str) -> None:
        super().__init__(f"There is no session {key!r}. `holdfast session list` shows those that there are.")
        self.key = key


class ForgottenForGood(CheckpointNotFound):
    """The last that was done is to forget something everywhere, which can't be taken back."""

    def __init__(self) -> None:
        HoldfastError.__init__(
            self,
            "What was done last is to forget something everywhere, and that can't be undone. `holdfast history` lists "
            "the changes before it; `holdfast undo CHECKPOINT` takes one of these back and keeps the rest.",
        )
        self.id = "last change"


class NoteChangedOutside(HoldfastError):
    """The note is not what the caller read."""

    def __init__(self, path: str, expected: str, found: str) -> None:
        if found and not expected:
            message = f"{path!r} is there already; nothing was overwritten. Read it first, or choose another name."
        elif expected and not found:
            message = f"{path!r} is not there; nothing was written. Leave out which one you expect, and it is made."
        else:
            message = f"{path!r} has changed since it was read; nothing was overwritten. Read it again, then retry."
        super().__init__(message)
        self.path, self.expected, self.found = path, expected, found


class UnsafeFile(HoldfastError):
    """Something other than a plain file or directory of ours stands at this path."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path!r} was not touched: {why}. Holdfast only opens plain files; replace it with one.")
        self.path, self.why = path, why


class StorageFailed(HoldfastError):
    """The disk or the system said no."""

    def __init__(self, path: str, operation: str, why: str) -> None:
        super().__init__(f"Could not {operation} {path!r}: {why}. What was there before is unchanged; try again.")
        self.path, self.operation, self.why = path, operation, why


class Busy(HoldfastError):
    """Another process holds the lock for longer than we wait."""

    def __init__(self, what: str, waited: float) -> None:
        super().__init__(
            f"{what} is held by another process; gave up after {waited:g} s. "
            "Nothing was changed; try again in a moment."
        )
        self.what, self.waited = what, waited


class CheckpointDamaged(HoldfastError):
    """A checkpoint's bytes are missing or are not what was stored."""

    def __init__(self, checkpoint: str, why: str) -> None:
        super().__init__(
            f"Checkpoint {checkpoint!r} can't be restored: {why}. The note was not touched; "
            "`holdfast doctor` checks the others."
        )
        self.checkpoint, self.why = checkpoint, why


class IndexDamaged(HoldfastError):
    """The index can't be read; it is a cache and can be rebuilt."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"The index {path!r} can't be used: {why}. `holdfast index --force` builds it anew.")
        self.path, self.why = path, why


class IndexNotOurs(IndexDamaged):
    """The file belongs to a newer Holdfast or to another program; it is left alone."""

    def __init__(self, path: str, why: str) -> None:
        message = f"The index {path!r} was not touched: {why}. Choose another file with memory.store.path."
        HoldfastError.__init__(self, message)
        self.path, self.why = path, why


class SandboxFailed(HoldfastError):
    """There is no sandbox to run a command in."""

    def __init__(self, why: str, advice: str, *, installed: bool = True) -> None:
        super().__init__(f"The command was not run: {why}. {advice}")
        self.why, self.advice, self.installed = why, advice, installed


class ServerUnreachable(HoldfastError):
    """No Holdfast server answers at the address."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"No Holdfast server answers at {url}: {why}. Start one with `holdfast serve`, or name another address."
        )
        self.url, self.why = url, why


class DatabaseAway(HoldfastError):
    """The database does not answer, or its connection broke off."""

    retry_seconds = 2
    unsure = False  # also of one that came over the wire, which is made from its text

    def __init__(self, where: str, why: str, *, unsure: bool = False, remedy: str = "") -> None:
        self.where, self.why, self.unsure, self.remedy = where, why, unsure, remedy
        state = "can't be used" if remedy else "does not answer"
        super().__init__(f"The database {where} {state}: {why}. {self._next_step(remedy)}")

    @property
    def shown(self) -> str:
        """The text without where the database stands, and without its driver's words, which tell that too."""
        return f"The database is away. {self._next_step()}"

    def _next_step(self, remedy: str = "") -> str:
        saved = "Whether the last save arrived is not known; the same one again is not doubled"
        return f"{saved if self.unsure else 'Nothing was changed'}; {remedy or 'try again in a moment'}."


class DatabaseUnfit(HoldfastError):
    """The database answers, and has not the tables or the roles that this Holdfast needs."""

    def __init__(self, where: str, why: str, remedy: str) -> None:
        super().__init__(f"The database {where} can't be used: {why}. {remedy}")
        self.where, self.why, self.remedy = where, why, remedy

    @property
    def shown(self) -> str:
        """The text without where the database stands."""
        return "The database can't be used as it is. Whoever runs this server must mend it."


class TooManyRequests(HoldfastError):
    """The tenant asked more often in this minute than it may."""

    def __init__(self, limit: int, retry_seconds: int) -> None:
        super().__init__(
            f"This tenant may ask {limit:,} times a minute and has. Nothing was done; try again in {retry_seconds} s."
        )
        self.limit, self.retry_seconds = limit, retry_seconds


class MemoryClosed(HoldfastError):
    """The memory was closed, and used all the same."""

    def __init__(self, way: str = "Memory.open") -> None:
        super().__init__(f"This memory is closed. Open it again with {way}, and use it inside its `with` block.")


class SessionClosed(MemoryClosed):
    """The session was closed, and used all the same."""

    def __init__(self, key: str) -> None:
        HoldfastError.__init__(self, f"The session {key!r} is closed. Open it again with memory.session({key!r}).")
        self.key = key


class ProviderFailed(HoldfastError):
    """An embedding provider gave no usable answer."""

    remedy = "Search goes on without it; `holdfast index` fills in what is missing."

    def __init__(self, provider: str, why: str, remedy: str = "") -> None:
        self.provider, self.why, self.advice = provider, why, remedy or self.remedy
        super().__init__(f"The provider '{provider}' failed: {why}. {self.advice}")


class ProviderRefused(ProviderFailed):
    """It will not answer this, however often it is asked."""

    remedy = "Mend memory.api_key, memory.model or memory.base_url; until then search goes on without it."


class ProviderStalled(ProviderFailed):
    """Nothing of an answer that is heard while it comes has come for as long as its pauses may be."""


class ProviderTooLarge(ProviderFailed):
    """More than it takes in one request."""


class ProviderMissing(ProviderFailed):
    """A package or a model that is needed is not where it should be."""


class ExtraMissing(ProviderMissing):
    """A package that only some of Holdfast needs is not installed, or can't be loaded."""

    def __init__(self, extra: str, package: str, why: str, install: str, consequence: str = "") -> None:
        self.provider, self.extra, self.package = extra, extra, package
        self.why, self.advice = f"the package {package} {why}", f"Install it with {install}{consequence}."
        HoldfastError.__init__(self, f"The extra '{extra}' is missing: {self.why}. {self.advice}")


class ModelNotDownloaded(ProviderMissing):
    """The model is named, and not here yet."""

    remedy = "`holdfast index` downloads it; until then search goes on without it."


class BadAnswer(ProviderFailed):
    """It answered, and the answer could not be read."""


class BadVectors(ProviderFailed):
    """It answered, and the vectors were refused whole."""


class TokensSpent(ProviderFailed):
    """The limit of tokens is reached; nobody was asked."""

    def __init__(self, provider: str, spent: int, limit: int) -> None:
        self.provider, self.spent, self.limit = provider, spent, limit
        self.why, self.advice = f"{spent:,} tokens are spent, and the limit is {limit:,}", "Raise the limit to go on."
        HoldfastError.__init__(self, f"Nothing more is asked of the provider '{provider}': {self.why}. {self.advice}")
