"""A turn of an earlier session and the reply to it, as one passage: a question says little without its answer."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.context.context import Context
from holdfast.guard.origin import weakest_origin
from holdfast.index.store_contract import StoredChunk
from holdfast.markdown.speakers import Voice
from holdfast.recall.addressee import asks_assistant
from holdfast.search.hit import Hit
from holdfast.search.origin_balance import whose
from holdfast.search.question_echo import TURN_GAP, is_question
from holdfast.search.snippet import snippet_of

__all__ = ["join_replies"]

_REPLY_CHARS = 300  # of a reply that was not found by itself


def join_replies(ctx: Context, query: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits, each turn that wants its reply together with it; a reply that was found too stands there no more."""
    is_asked = asks_assistant(query)
    turns = [hit for hit in hits if _wants_reply(hit, is_asked=is_asked)]
    replies = _replies(ctx, turns) if turns else {}
    joined = list(hits)
    for turn in turns:
        reply = replies.get(turn.chunk_id)
        if reply is None or turn not in joined or is_question(reply.text):
            continue
        if not is_question(turn.snippet) and reply.voice != Voice.ASSISTANT:
            continue
        reply_hits = [hit for hit in joined if hit is not turn and _is_of(hit, turn.path, reply)]
        place = min(map(joined.index, (turn, *reply_hits)))
        whole = _join_hits(turn, reply, reply_hits)
        joined = [hit for hit in joined if hit is not turn and hit not in reply_hits]
        joined.insert(place, whole)
    return tuple(joined)


def _wants_reply(hit: Hit, *, is_asked: bool) -> bool:
    # A message of a transcript has no line that says whose it is, so two of them are never shown as one.
    if hit.voice == Voice.UNKNOWN or hit.source == "sessions":
        return False
    return is_question(hit.snippet) or (is_asked and hit.voice == Voice.PERSON)


def _replies(ctx: Context, turns: Sequence[Hit]) -> dict[str, StoredChunk]:
    """The turns that come right after these, by their ids."""
    with ctx.database.connection.reading():
        edition = ctx.database.serving()
        if edition is None:
            return {}
        asked = [chunk for hit in turns if (chunk := edition.chunk_at(hit.chunk_id)) is not None]
        after = edition.following([chunk.row for chunk in asked])
    return {
        chunk.chunk_id: reply
        for chunk in asked
        if (reply := after.get(chunk.row)) is not None
        and reply.voice
        and reply.headings == chunk.headings
        and reply.start_line - chunk.end_line <= TURN_GAP
    }


def _is_of(hit: Hit, path: str, reply: StoredChunk) -> bool:
    """Say whether a hit is of a reply, or of a piece of it."""
    return hit.path == path and hit.start_line <= reply.end_line and reply.start_line <= hit.end_line


def _join_hits(turn: Hit, reply: StoredChunk, reply_hits: Sequence[Hit]) -> Hit:
    """A turn with its reply: what was found of that, or else how it begins."""
    every = (turn, *reply_hits)
    if reply_hits:
        text = reply_hits[0].snippet
    else:
        text = snippet_of(reply.text, (), _REPLY_CHARS).text
    end = max(reply.end_line, *(hit.end_line for hit in every))
    return turn.replace(
        snippet=f"{turn.snippet}\n{text}",
        end_line=end,
        ranges=((turn.start_line, end),),
        score=max(hit.score for hit in every),
        confidence=max(hit.confidence for hit in every),
        likely=any(hit.likely for hit in every),
        # It is trusted no more than the one of the two that is trusted less.
        origin=weakest_origin({whose([reply]), *(hit.origin for hit in every)}),
    )
