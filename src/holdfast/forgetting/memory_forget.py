"""memory_forget: remove what was asked for in words of the owner's own, claim by claim.

Search finds candidates, a language model says which are meant, and the host decides what of that may happen: a note
can talk a model into anything, so the model's choice is bounded by what the request matches, and is small.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.approval.prompt_gate import NeedsApproval, PromptGate, asks_owner
from holdfast.checkpoints.change import Change
from holdfast.checkpoints.group import Step, apply_group
from holdfast.checkpoints.note_change import locked_store
from holdfast.context.context import Context
from holdfast.context.index_repair import heal_once
from holdfast.context.line_origins import LineOrigins
from holdfast.errors import BadArgument, HoldfastError, NoteChangedOutside, NotPermitted
from holdfast.forgetting.forget_candidates import Offer, by_request, by_text, request_subject, words_in
from holdfast.forgetting.forget_plan import plan
from holdfast.forgetting.note_claims import bare
from holdfast.guard.argument_types import display_value
from holdfast.guard.origin import Origin
from holdfast.guard.paths import readable_path, writable_path
from holdfast.guard.text_rules import BOM, decode
from holdfast.markdown.lines import split_lines
from holdfast.markdown.text_removal import remove_text
from holdfast.value import Shown, Value

if TYPE_CHECKING:
    from holdfast.dreaming.fact_promotions import Copies
    from holdfast.forgetting.forget_everywhere import Cleared

__all__ = ["Candidate", "Forgot", "Removed", "candidate_of", "forget", "memory_forget", "remove", "scrub_index"]

_MOST_CHUNKS = 12
_MOST_AT_ONCE = 3  # claims that go without anybody's confirmation; a request for one thing is seldom about more
_SHOWN = 12  # candidates in a preview
_KEPT = "checkpoints keep it, so that it can be undone"
_ORDERS = "forget delete remove erase memory note everything"  # they say what to do, not to what
_GIVE_TEXT = "give the exact text of the one that is meant as `text`"


class Candidate(Shown):
    """A claim that may be meant; `because` says why it can't be removed as it is."""

    path: str
    line: int
    text: str
    chosen: bool = False
    because: str = ""
    origin: Origin | None = None
    """Whose words they are, of several the one trusted least; None where nobody can tell."""

    sparse = ("because",)


class Removed(Value):
    """A claim that is gone from its note, and the checkpoint that brings it back."""

    path: str
    text: str
    checkpoint_id: str


class Forgot(Value):
    """The result of forgetting: what was forgotten, or what could be; `candidates` were not touched."""

    forgotten: tuple[Removed, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    needs_confirmation: bool = False
    dry_run: bool = False
    because: str = ""
    cleared: Cleared | None = None
    """Where else it stood, where it was to be forgotten everywhere."""

    @property
    def checkpoint_ids(self) -> tuple[str, ...]:
        """The changes that were made, one a note; none where they were cleared as well."""
        return tuple(dict.fromkeys(removed.checkpoint_id for removed in self.forgotten if removed.checkpoint_id))

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "forgotten": [{"path": removed.path, "text": removed.text} for removed in self.forgotten],
            "needs_confirmation": self.needs_confirmation,
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "because": self.because,
            "checkpointIds": list(self.checkpoint_ids),
            "dry_run": self.dry_run,
        }
        if self.cleared is None:
            return shown
        return shown | {"everywhere": self.cleared.to_json()}


def memory_forget(
    ctx: Context,
    request: Annotated[str | None, "What to forget, in plain words; not needed with text."] = None,
    dry_run: Annotated[bool, "Only show what would be removed."] = False,
    limit: Annotated[int, "How many chunks of memory to look through, 1 to 12."] = 6,
    text: Annotated[str | None, "The exact text to remove, as a preview showed it."] = None,
) -> Forgot:
    """Forget something that was saved: removes the bullets or sentences that say it. checkpointIds bring them back.

    With needs_confirmation nothing was removed: ask the user which of the candidates is meant, and give its text.
    """
    return forget(ctx, request or "", text=text, dry_run=dry_run, limit=limit)


def forget(
    ctx: Context,
    request: str = "",
    *,
    text: str | None = None,
    dry_run: bool = False,
    limit: int = 6,
    confirmed: bool = False,
    places: Sequence[str] = (),
) -> Forgot:
    """Forget what a request means, or an exact text; `confirmed` lets more go than a model may choose by itself.

    With `places`, such as memory/a.md#3, just those of what a preview showed go: then a person has chosen.
    """
    ctx.workspace.gate.require_any()
    if not isinstance(limit, int) or not 1 <= limit <= _MOST_CHUNKS:
        raise BadArgument("limit", f"{limit!r} is not between 1 and {_MOST_CHUNKS}")
    if places:
        return _at_places(ctx, request, text, places, limit, dry_run=dry_run)
    if text is not None:
        return _exactly(ctx, text, dry_run=dry_run)
    if not isinstance(request, str) or not request.strip():
        raise BadArgument("request", "it is empty; say what to forget, or give the exact text")
    offers = by_request(ctx, request, limit)
    if not offers:
        return Forgot(dry_run=dry_run, because="nothing in memory has to do with this")
    model = ctx.chat_model
    if model is None:
        doubt = f"no language model is configured (llm.provider) that could choose; {_GIVE_TEXT}"
        return _preview(ctx, offers, (), doubt, dry_run=dry_run)
    plan_made = plan(
        model,
        request,
        [offer.claim.text for offer in offers],
        seconds=float(ctx.settings.llm.timeout_seconds),
    )
    chosen = _outermost([offers[place] for place in plan_made.chosen])
    doubt = plan_made.doubt or _faults(chosen) or ("" if confirmed else _too_much(request, chosen, offers))
    if doubt or dry_run:
        return _preview(ctx, offers, chosen, doubt, dry_run=dry_run)
    return remove(ctx, chosen)


def _at_places(
    ctx: Context, request: str, text: str | None, places: Sequence[str], limit: int, *, dry_run: bool
) -> Forgot:
    """Return what a person has ticked in a preview, found again in the same way."""
    if text is None and not request.strip():
        raise BadArgument("request", "it is empty; say what the preview was of, or give the exact text")
    if text is not None:
        offers = by_text(ctx, text)
    else:
        offers = by_request(ctx, request, limit)
    known = {f"{offer.path}#{offer.claim.line}": offer for offer in offers}
    gone = next((place for place in places if place not in known), None)
    if gone is not None:
        raise BadArgument("places", f"{display_value(gone)} is not among what was found; look at the preview again")
    chosen = _outermost([known[place] for place in dict.fromkeys(places)])
    doubt = _faults(chosen)
    if doubt or dry_run:
        return _preview(ctx, offers, chosen, doubt, dry_run=dry_run)
    return remove(ctx, chosen)


def _exactly(ctx: Context, text: str, *, dry_run: bool) -> Forgot:
    if not text.strip():
        raise BadArgument("text", "it is empty; give the exact text to remove")
    offers = _without_copies(by_text(ctx, text))
    if not offers:
        return Forgot(dry_run=dry_run, because="no note holds exactly this text")
    if len(offers) > 1:
        doubt = f"it stands in {len(offers)} places; give more of the text around it"
    else:
        doubt = ""
    doubt = doubt or _faults(offers)
    if doubt or dry_run:
        return _preview(ctx, offers, () if doubt else offers, doubt, dry_run=dry_run)
    return remove(ctx, offers)


def _without_copies(offers: Sequence[Offer]) -> list[Offer]:
    """Without what dreaming copied from another place into MEMORY.md: it is no second one, and goes with the first."""
    prompts = [offer for offer in offers if offer.path.casefold() == "memory.md"]
    if not prompts or len(prompts) == len(offers):
        return list(offers)
    from holdfast.dreaming.fact_promotions import copied_lines

    words = [bare(offer.claim.text) for offer in offers if offer not in prompts]
    copies = copied_lines(prompts[0].note.data, words)
    return [offer for offer in offers if offer not in prompts or offer.claim.line not in copies]


def remove(ctx: Context, chosen: Sequence[Offer]) -> Forgot:
    """Cut the claims from their notes as one change, as memory_delete would; and from the index, for good.

    What dreaming copied of them into MEMORY.md goes along. A note that somebody has just changed is left out.
    """
    late: list[Candidate] = []
    messages: list[str] = []
    left = list(chosen)
    changes: list[Change] = []
    while left and not changes:
        steps, copies = _steps(ctx, left)
        for path in dict.fromkeys(offer.path for offer in left):
            _refuse_parts(ctx, path, next(offer.note.data for offer in left if offer.path == path), steps)
        try:
            with locked_store(ctx.workspace) as store:
                changes = apply_group(store, steps, ctx.authorship("memory_forget", "forget"))
        except NoteChangedOutside as error:
            changed = [offer for offer in left if offer.path == error.path]
            if not changed and not copies.gone:
                raise
            reason = "the note has changed; ask again"
            late += [candidate_of(offer, LineOrigins(ctx), chosen=True, because=reason) for offer in changed]
            left = [offer for offer in left if offer not in changed]
    messages.append(ctx.notes_changed(changes))
    ids = {change.path: change.id for change in changes}
    gone = [Removed(offer.path, offer.claim.text, ids[offer.path]) for offer in left]
    if gone:
        gone += [Removed(changes[-1].path, text, changes[-1].id) for text in copies.gone]
        messages += [copies.because, scrub_index(ctx), _KEPT]
    because = "; ".join(dict.fromkeys(filter(None, messages)))
    return Forgot(tuple(gone), tuple(late), needs_confirmation=bool(late), because=because)


def _steps(ctx: Context, chosen: Sequence[Offer]) -> tuple[list[Step], Copies]:
    """Return what each note becomes without the claims; MEMORY.md comes last, where it has copies of them."""
    from holdfast.dreaming.fact_promotions import without_copies
    from holdfast.dreaming.memory_lines import without_empty_sections
    from holdfast.facts.facts_book import PROMPT, read_notes

    steps: list[Step] = []
    for path in dict.fromkeys(offer.path for offer in chosen):
        of_note = [offer for offer in chosen if offer.path == path]
        new: bytes | None = of_note[0].note.data
        for cut in _cuts(of_note):
            new, _ = remove_text(new or b"", cut, every=False)
        if new and readable_path(path).is_prompt_memory and not asks_owner(ctx):  # an agent takes out no heading
            new = without_empty_sections(new)
        new = new if new and new.removeprefix(BOM).strip() else None
        steps.append(Step(readable_path(path).text, new, of_note[0].note.hash))
    named = ctx.workspace.spot(writable_path(PROMPT)).path
    own = next((step for step in steps if step.path == named), None)
    if own is not None:
        now = own.data
    else:
        now = read_notes(ctx, (PROMPT,))[0][PROMPT]
    words = [bare(offer.claim.text) for offer in chosen]
    copies = without_copies(ctx, now, words)
    if copies.gone:
        if own is not None:
            expected = own.expected_hash
        else:
            expected = sha256(now or b"").hexdigest()
        steps = [*(step for step in steps if step is not own), Step(named, copies.data, expected)]
    return steps, copies


def _refuse_parts(ctx: Context, path: str, old: bytes, steps: Sequence[Step]) -> None:
    """Raise NotPermitted where an agent would take more or less than whole claims out of MEMORY.md."""
    to = readable_path(path)
    named = ctx.workspace.spot(to).path
    new = next((step.data for step in steps if step.path in (to.text, named)), old)
    try:
        PromptGate(ctx, to).check(old, new)
    except NeedsApproval as held:
        raise NotPermitted(f"{path} is not changed: an agent takes out whole sentences and bullets only.") from held


def scrub_index(ctx: Context) -> str:
    """Take the bytes out of the index too, where SQLite and FTS5 only mark them; the note has changed already."""
    from holdfast.dreaming.dream_counts import forget_counts

    try:
        heal_once(ctx, lambda: ctx.index.on_disk().scrub())
        forget_counts(ctx)
    except HoldfastError as error:
        return f"traces in the index could not be cleared yet: {getattr(error, 'why', None) or error}"
    return ""


def _cuts(offers: Sequence[Offer]) -> list[str]:
    """Return what to cut out of one note: neighbours share the gap between them, so pieces that meet become one."""
    pieces: list[tuple[int, str]] = []
    for left, cut in sorted((offer.claim.left, offer.claim.cut) for offer in offers):
        start, piece = pieces[-1] if pieces else (0, "")
        if pieces and left <= start + len(piece):
            pieces[-1] = start, piece + cut[start + len(piece) - left :]
        else:
            pieces.append((left, cut))
    flat = "\n".join(split_lines(decode(offers[0].note.data)))
    # From the end: what closes up behind a cut must not read like a piece that is still to come.
    return [_with_gap(flat, left, piece) for left, piece in reversed(pieces)]


def _with_gap(flat: str, left: int, piece: str) -> str:
    """The piece, and the blanks before it where nothing follows them in their line any more."""
    line = flat[flat.rfind("\n", 0, left) + 1 : left]
    if not line.strip() or flat[left + len(piece) : left + len(piece) + 1] not in ("", "\n"):
        return piece
    return line[len(line.rstrip()) :] + piece


def _faults(chosen: Sequence[Offer]) -> str:
    return "; ".join(dict.fromkeys(offer.fault for offer in chosen if offer.fault))


def _too_much(request: str, chosen: Sequence[Offer], offers: Sequence[Offer]) -> str:
    """Return why the choice of a model is more than may happen by itself."""
    if len(chosen) > _MOST_AT_ONCE:
        return f"the language model chose {len(chosen)}, and no more than {_MOST_AT_ONCE} go without being confirmed"
    if len(chosen) > 1 and len(chosen) == len(offers):
        return "the language model chose everything that was found"
    asked = words_in(request_subject(request)) - words_in(_ORDERS)
    if len(chosen) > 1 and any(not asked & words_in(offer.claim.text) for offer in chosen):
        return "not all that the language model chose has a word of the request"
    return ""


def _outermost(chosen: Sequence[Offer]) -> list[Offer]:
    """Leave out those that lie inside another one."""

    def inside(offer: Offer, other: Offer) -> bool:
        within = other.claim.start <= offer.claim.start and offer.claim.end <= other.claim.end
        return other is not offer and other.path == offer.path and within

    return [offer for offer in chosen if not any(inside(offer, other) for other in chosen)]


def _preview(ctx: Context, offers: Sequence[Offer], chosen: Sequence[Offer], doubt: str, *, dry_run: bool) -> Forgot:
    picked = {id(offer) for offer in chosen}
    listed = [*chosen, *(offer for offer in offers if id(offer) not in picked)][: max(_SHOWN, len(chosen))]
    origins = LineOrigins(ctx)
    candidates = [candidate_of(offer, origins, chosen=id(offer) in picked, because=offer.fault) for offer in listed]
    return Forgot(candidates=tuple(candidates), needs_confirmation=bool(doubt), dry_run=dry_run, because=doubt)


def candidate_of(offer: Offer, origins: LineOrigins, *, chosen: bool, because: str = "") -> Candidate:
    """The claim of an offer, with whose words it is."""
    claim = offer.claim
    origin = origins.of(offer.note, claim.line, claim.line + claim.text.count("\n"))
    return Candidate(offer.path, claim.line, claim.text, chosen, because, origin)
