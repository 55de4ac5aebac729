"""Passages go in blocks of the size of a chunk to a provider that charges by call, and are found by those vectors."""

from __future__ import annotations

import base64
import random
from pathlib import Path

import pytest
from provider_openai_batch import OpenAIBatches
from provider_server import ProviderServer
from provider_vectors import tokens
from providers.scenes import AFAR, asking, opened, texts_sent

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.embeddings.embedder import Purpose, SpaceKey
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.embeddings.provider_link import Link
from holdfast.index.sqlite.vectors import Vectors

PLACES = "orchard harbour chapel quarry viaduct meadow foundry lighthouse cellar bakery".split()
FIRST_TURN = 5  # the line of it
NOON = 1_794_744_000.0  # 2026-11-15 12:00 UTC


class Hosted(FakeEmbedder):
    """Words as vectors, from a provider at another address."""

    def __init__(self) -> None:
        super().__init__(dimensions=256)
        self.space = SpaceKey("fake", "fake-64", "https://embeddings.internal", 256)


def turn(number: int, at: int) -> str:
    """Some 30 tokens."""
    role = "assistant" if at % 2 else "user"
    words = f"we spoke of the {PLACES[at % 10]} and of what stands beside it, item n{number}x{at}, for quite a while"
    return f"- **{role}** (12:{at % 60:02}): {words}\n"


def export(home: Path, number: int, turns: int = 60) -> Path:
    """A conversation as it is exported."""
    file = home / f"memory/sessions/talk{number}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    text = f"# Talk {number}\n\n## 2026-03-{number + 1:02}\n\n" + "".join(turn(number, at) for at in range(turns))
    file.write_text(text, encoding="utf-8")
    return file


def blocks(memory: Memory) -> dict[int, str | None]:
    """The block of every row, in the order of the notes."""
    edition = memory.ctx.database.serving()
    assert edition is not None
    sql = f"SELECT id, block FROM e{edition.number}_chunks ORDER BY note, start_line, id"
    return dict(memory.ctx.database.connection.all(sql))


def vectors_of(memory: Memory, embedder: FakeEmbedder) -> Vectors:
    return memory.ctx.database.vectors(embedder.space)


def asked(embedder: FakeEmbedder, text: str) -> bytes:
    (vector,) = Link.of(embedder).ask([text], Purpose.QUERY)
    return vector


def test_a_home_of_conversations_is_sent_in_texts_of_about_the_chunk_size(home: Path, provider: ProviderServer) -> None:
    files = [export(home, number) for number in range(5)]
    with opened(home, provider) as memory:
        synced, status = memory.sync(), memory.status()
    sent = texts_sent(provider)
    written = sum(tokens(file.read_text(encoding="utf-8")) for file in files)
    assert status.chunks == 300
    assert (synced.embedded, synced.pending) == (len(sent), 0)
    assert written / 400 <= len(sent) <= 1.25 * written / 400 + len(files)
    assert max(map(tokens, sent)) <= 400 + 80
    assert sum(map(tokens, sent)) <= 1.25 * written


def test_the_settings_say_how_long_a_block_is(home: Path, provider: ProviderServer) -> None:
    export(home, 0)
    settings = asking(provider) | {"memory.chunking.tokens": 100, "memory.chunking.overlap": 0}
    with Memory.open(home, settings=settings) as memory:
        memory.sync()
    assert 60 // 4 <= len(texts_sent(provider)) <= 60 // 3
    assert max(map(tokens, texts_sent(provider))) <= 100


def test_a_model_of_this_process_gets_every_passage_by_itself(home: Path) -> None:
    export(home, 0)
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as memory:
        assert memory.sync().embedded == embedder.texts == memory.status().chunks == 60


def test_a_note_that_is_cut_by_section_is_sent_as_it_is_cut(home: Path, provider: ProviderServer) -> None:
    (home / "memory").mkdir(parents=True)
    body = "\n\n".join(
        f"## Part {part}\n\n" + f"The valve of part {part} opens to the left. " * 25 for part in range(8)
    )
    (home / "memory/manual.md").write_text(f"# Manual\n\n{body}\n", encoding="utf-8")
    with opened(home, provider) as memory:
        memory.sync()
        assert len(blocks(memory)) > 3
        assert set(blocks(memory).values()) == {None}
        assert len(texts_sent(provider)) == len(blocks(memory))


def test_a_fact_is_sent_alone(home: Path, provider: ProviderServer) -> None:
    with opened(home, provider) as memory:
        for at in range(5):
            memory.facts.store(f"The {PLACES[at]} opens at {at + 6} in the morning.")
        memory.sync()
        assert set(blocks(memory).values()) == {None}


def test_an_appended_turn_sends_the_last_block_again_and_no_other(home: Path, provider: ProviderServer) -> None:
    file = export(home, 0)
    with opened(home, provider) as memory:
        memory.sync()
        for at in range(60, 90):
            before = provider.texts_paid
            with file.open("a", encoding="utf-8") as more:
                more.write(turn(0, at))
            assert memory.sync().pending == 0
            assert 1 <= provider.texts_paid - before <= 2
            assert any(f"n0x{at}," in text for text in texts_sent(provider)[before:])


def test_a_conversation_that_goes_on_is_cut_as_one_that_is_read_whole(home: Path, provider: ProviderServer) -> None:
    settings = asking(provider) | {"memory.sources": ["memory", "sessions"], "memory.session_export": "off"}
    with Memory.open(home, settings=settings, clock=FakeClock(NOON)) as memory:
        session = memory.session("main")
        for at in range(40):
            before = provider.texts_paid
            words = "This goes on, and on. " * (70 if at % 7 == 3 else 3)
            session.append("assistant" if at % 2 else "user", f"{PLACES[at % 10]} n{at} {words}")
            memory.ctx.session_index.catch_up()
            memory.ctx.session_index.wait()
            assert memory.ctx.session_index.because == ""
            assert provider.texts_paid - before <= 4  # the last block, and of a long message those that it fills
        grown, paid = list(blocks(memory).values()), provider.texts_paid
        assert len(set(grown)) < len(grown) / 2
        assert memory.sync(force=True).pending == 0
        assert list(blocks(memory).values()) == grown
        assert provider.texts_paid == paid


def test_pieces_of_a_long_line_stay_in_their_order_when_one_of_them_changes(
    home: Path, provider: ProviderServer
) -> None:
    file = export(home, 0, turns=3)
    long = " ".join(f"Sentence s{at} is about the {PLACES[at % 10]}." for at in range(60))
    with opened(home, provider) as memory:
        for old, new in (("", ""), ("s2 ", "s2 not "), ("s30 ", "s30 never "), ("s2 not ", "s2 ")):
            long = long.replace(old, new) if old else long
            file.write_text(
                f"# Talk\n\n- **user** (12:00): Look at this.\n- **user** (12:01): {long}\n", encoding="utf-8"
            )
            assert memory.sync().pending == 0
            pieces = "".join(texts_sent(provider)[-2:])
            assert new in pieces
        grown = list(blocks(memory).values())
        paid = provider.texts_paid
        assert memory.sync(force=True).pending == 0
        assert (list(blocks(memory).values()), provider.texts_paid) == (grown, paid)


def test_a_conversation_that_moves_costs_nothing(home: Path, provider: ProviderServer) -> None:
    file = export(home, 0)
    with opened(home, provider) as memory:
        memory.sync()
        paid = provider.texts_paid
        file.rename(file.with_name("elsewhere.md"))
        assert memory.sync().added == 1
        assert provider.texts_paid == paid


def test_what_is_wanting_is_counted_in_blocks(home: Path, afar: ProviderServer) -> None:
    export(home, 0)
    with opened(home, afar, base_url=AFAR, remote__ask_above=3) as memory:
        synced = memory.sync()
        assert synced.because.startswith(f"{synced.pending:,} texts would be sent to openai")
        assert synced.pending < 8
        assert memory.sync(approved=True).embedded == synced.pending == len(texts_sent(afar))


def test_vectors_of_blocks_that_are_gone_are_evicted_and_those_in_use_stay(
    home: Path, provider: ProviderServer
) -> None:
    file = export(home, 0)
    with opened(home, provider, cache__max_entries=1) as memory:
        memory.sync()
        for at in range(60, 66):
            with file.open("a", encoding="utf-8") as more:
                more.write(turn(0, at))
            assert memory.sync().pending == 0
        (space,) = memory.ctx.database.spaces()
        vectors = memory.ctx.database.vectors(space)
        assert vectors.coverage().texts == vectors.coverage().embedded == len(set(blocks(memory).values()))
        assert vectors.count() <= vectors.coverage().texts + 1


def test_the_words_tell_the_turns_of_a_block_apart(home: Path) -> None:
    for number in range(5):
        export(home, number)
    with Memory.open(home, embedder=Hosted()) as memory:
        found = memory.search("what did we say of item n3x42 near the chapel?", by_passage=True)
        first = found.results[0]
        assert found.mode == "hybrid"
        assert (first.path, first.start_line) == ("memory/sessions/talk3.md", FIRST_TURN + 42)


def test_what_shares_no_word_with_the_question_is_found_by_its_block(home: Path) -> None:
    for number in range(5):
        export(home, number)
    with (home / "memory/sessions/talk2.md").open("a", encoding="utf-8") as more:
        more.writelines(f"- **user** (13:{at:02}): granite pebbles glitter, basket p{at}\n" for at in range(20))
    with Memory.open(home, embedder=Hosted(), settings={"memory.search.typos": False}) as memory:
        # They begin alike, which is half a meaning to this embedder, and none to keywords.
        found = memory.search("granary pebbly glitz basketry")
        assert found.results[0].path == "memory/sessions/talk2.md"
        assert all(first >= FIRST_TURN + 40 for first, _ in found.results[0].ranges)


@pytest.mark.parametrize("often", [1, 8])  # few searches ask the tables, many hold them in memory
def test_every_passage_is_as_near_as_its_block_and_the_limit_is_one_of_blocks(home: Path, often: int) -> None:
    for number in range(3):
        export(home, number)
    embedder = Hosted()
    with Memory.open(home, embedder=embedder) as memory:
        memory.sync()
        vectors, named = vectors_of(memory, embedder), blocks(memory)
        question = asked(embedder, "the quarry n1x33 and the viaduct")
        for _ in range(often):
            near = vectors.nearest(question, 3, named)
        cosines = vectors.cosines(question, list(named))
        chosen = {named[one.row] for one in near.ranked}
        assert len(chosen) == 3
        assert {one.row for one in near.ranked} == {row for row in named if named[row] in chosen}
        assert len({(named[row], cosine) for row, cosine in cosines.items()}) == len(set(named.values()))
        assert {row: near.others.get(row) for row in near.others} == {row: cosines[row] for row in near.others}
        assert dict(near.ranked) == {one.row: cosines[one.row] for one in near.ranked}
        assert [one.score for one in vectors.among(question, list(named)).ranked] == sorted(
            cosines.values(), reverse=True
        )
        assert 0.0 < near.spread < 1.0
        assert vectors.packed_of(list(named)) == {}


def test_passages_of_one_block_do_not_pass_for_the_same(home: Path) -> None:
    export(home, 0)
    with Memory.open(home, embedder=Hosted(), settings={"memory.search.mmr.enabled": True}) as memory:
        found = memory.search("the quarry and the viaduct", by_passage=True, max_results=8)
        assert len(found.results) == 8
        assert all("quarry" in hit.snippet or "viaduct" in hit.snippet for hit in found.results[:4])


@pytest.mark.promise("P12")
def test_a_secret_in_a_block_or_at_its_border_is_not_sent(home: Path, provider: ProviderServer) -> None:
    told: list[str] = []
    for number, pad in enumerate(range(0, 1600, 80)):
        told.append(base64.urlsafe_b64encode(random.Random(number).randbytes(30)).decode())
        file = export(home, number, turns=10)
        with file.open("a", encoding="utf-8") as more:
            more.write(f"- **user** (13:00): {'x ' * (pad // 2)}\n")
            more.write(f'- **user** (13:01): {"word " * 128} curl -H "Authorization: Bearer {told[-1]}" \n')
            more.writelines(turn(number, at) for at in range(10, 30))
    with opened(home, provider) as memory:
        memory.sync()
    sent = "\n".join(texts_sent(provider))
    assert "curl -H" in sent
    assert [token for token in told if token[:16] in sent or token[-16:] in sent] == []


def test_a_batch_job_takes_blocks_and_what_it_brings_covers_the_notes(home: Path, provider: ProviderServer) -> None:
    service = OpenAIBatches(provider)
    export(home, 0)
    with opened(home, provider, remote__batch__poll_interval_ms=10) as memory:
        synced = memory.sync(batch=True)
        assert (synced.embedded, synced.pending, synced.because) == (len(set(blocks(memory).values())), 0, "")
        assert provider.texts_paid == synced.embedded < 8
        assert len(service.jobs) == 1


def test_an_edition_of_an_older_version_is_searched_by_passage_until_its_rebuild(home: Path) -> None:
    export(home, 0)
    embedder = Hosted()
    with Memory.open(home, embedder=embedder) as memory:
        memory.sync()
        edition, connection = memory.ctx.database.serving(), memory.ctx.database.connection
        assert edition is not None
        with connection.writing() as raw:
            raw.execute(f"DROP INDEX e{edition.number}_by_block")
            raw.execute(f"ALTER TABLE e{edition.number}_chunks DROP COLUMN block")
            raw.execute("DELETE FROM coverage")
    with Memory.open(home, embedder=embedder) as memory:
        assert memory.ctx.database.vectors(embedder.space).coverage() == (60, 0)
        assert memory.sync().embedded == 60
        assert memory.search("item n0x42 near the chapel", by_passage=True).results[0].start_line == FIRST_TURN + 42
        with (home / "memory/sessions/talk0.md").open("a", encoding="utf-8") as more:
            more.write(turn(0, 60))
        assert (memory.sync().embedded, memory.ctx.database.check()) == (1, [])
        assert memory.sync(force=True).pending == 0
        assert None not in blocks(memory).values()
