"""One turn: what is kept, in which order, what the model is sent, and what is left when it breaks off."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import provider_faults as faults
import pytest
from provider_chat_kinds import KINDS, ChatKind
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer
from sessions.turns import called, talk

from holdfast import Memory
from holdfast.errors import BadArgument, Busy, NoModel, ProviderFailed, ProviderTooLarge
from holdfast.guard.origin import Origin
from holdfast.llm.chat_model import Answer, Request, Role, Stop, ToolCall, Usage
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.sessions.conversation import Session
from holdfast.sessions.turn_events import Event, Step

every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(settings={"memory.recall.deadline_ms": 60_000}) as opened:
        yield opened


@pytest.fixture
def session(memory: Memory) -> Session:
    return memory.session()


def story(session: Session) -> list[tuple[str, str]]:
    return [(entry.role.value, entry.text) for entry in session.messages()]


def test_a_turn_keeps_the_message_recalls_asks_and_keeps_the_answer(memory: Memory, session: Session) -> None:
    memory.save("The launch of Kestrel is on 3 March.", file="memory/launch.md")
    model = ScriptedModel("On 3 March.")
    events: list[Event] = []
    turned = session.turn("When is the launch of Kestrel?", model=model, on_event=events.append)
    assert turned.text == "On 3 March."
    assert story(session) == [("user", "When is the launch of Kestrel?"), ("assistant", "On 3 March.")]
    assert [event.step for event in events] == [Step.RECALLED, Step.TEXT]
    assert events[0].text == "recalled 1 note: memory/launch.md#1"
    told, asked = model.requests[0].messages
    assert told.role is Role.SYSTEM and "on 3 March." in told.text and "## Memory Search Results" in told.text
    assert (asked.role, asked.text) == (Role.USER, "When is the launch of Kestrel?")
    assert {tool.name for tool in model.requests[0].tools} == set(session.tools().names)
    score = memory.search("When is the launch of Kestrel?").results[0].score
    assert turned.to_json()["recalled"] == [{"path": "memory/launch.md", "line": 1, "score": pytest.approx(score)}]


def test_what_was_recalled_is_not_in_the_transcript(memory: Memory, session: Session) -> None:
    memory.save("The launch of Kestrel is on 3 March.", file="memory/launch.md")
    session.turn("When is the launch of Kestrel?", model=ScriptedModel("Soon."))
    assert "3 March" not in str(story(session))


def test_a_tool_is_called_and_its_result_goes_back_and_is_kept(home: Path, session: Session) -> None:
    model = ScriptedModel(called("memory_save", {"content": "- Likes tea.", "file": "memory/u.md"}), "Noted.")
    turned = session.turn("Remember that I like tea.", model=model)
    assert (home / "memory/u.md").read_text() == "- Likes tea.\n"
    # What the model saved is not noted by rule once more.
    assert [event.step for event in turned.events] == [Step.SAVED]
    assert turned.events[0].text == "saved to memory/u.md: - Likes tea."
    assert [role for role, _ in story(session)] == ["user", "assistant", "tool", "assistant"]
    (result,) = [message for message in model.requests[1].messages if message.role is Role.TOOL]
    assert '"saved": true' in result.text and not result.failed
    assert turned.rounds == 1 and turned.usage.output_tokens > 0


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("nothing", {}, "there is no tool 'nothing'"),
        ("memory_save", "no json", "the arguments are not JSON"),
        ("memory_save", {"content": "x", "file": "../x.md"}, "can't be used as a note's path"),
        ("memory_get", {"path": 5}, "it must be of type string"),
    ],
)
def test_a_call_that_can_not_be_done_comes_back_as_an_error_for_the_model_to_read(
    session: Session, name: str, arguments: object, said: str
) -> None:
    model = ScriptedModel(called(name, arguments), "Sorry.")
    turned = session.turn("Do it", model=model)
    assert turned.text == "Sorry." and [event.step for event in turned.events] == [Step.FAILED]
    assert said in model.requests[1].messages[-1].text and model.requests[1].messages[-1].failed
    assert session.messages()[2].failed


def test_a_model_that_never_stops_calling_is_told_to_and_then_left(session: Session) -> None:
    model = ScriptedModel(always=called("memory_search", {"query": "tea"}))
    turned = session.turn("Look", model=model, rounds=3)
    assert len(model.requests) == 5
    results = [entry for entry in session.messages() if entry.role is Role.TOOL]
    assert [entry.failed for entry in results] == [False, False, False, True, True]
    assert "last round" in results[-1].text
    assert turned.events[-1].text == "stopped: the model went on calling tools after 3 rounds"
    assert session.turn("And now?", model=ScriptedModel("Hello.")).text == "Hello."


def test_a_hundred_calls_at_once_are_not_all_done(session: Session) -> None:
    calls = tuple(ToolCall(f"c{number}", "session_state", {"action": "list"}) for number in range(100))
    session.turn("Go", model=ScriptedModel(Answer("", calls, Stop.TOOLS), "Done."))
    results = [entry for entry in session.messages() if entry.role is Role.TOOL]
    assert [entry.failed for entry in results] == [False] * 16 + [True] * 84


def test_without_a_model_nothing_is_kept_and_the_error_says_how_to_set_one(session: Session) -> None:
    with pytest.raises(NoModel, match=r"holdfast config set llm\.provider"):
        session.turn("Hello?")
    with pytest.raises(BadArgument):
        session.turn(" \n", model=ScriptedModel("x"))
    assert session.messages() == []


def test_a_failing_provider_is_raised_and_the_message_stays(session: Session) -> None:
    model = ScriptedModel(ProviderFailed("scripted", "it is down"), "Here I am.")
    with pytest.raises(ProviderFailed, match="it is down"):
        session.turn("Are you there?", model=model)
    assert story(session) == [("user", "Are you there?")]
    assert session.turn("And now?", model=model).text == "Here I am."
    assert [message.text for message in model.requests[1].messages][1:] == ["Are you there?", "And now?"]


class Torn(ScriptedModel):
    """Says half of it."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error

    def chat(self, request: Request, *, seconds: object = None, on_text: object = None) -> Answer:
        """The beginning of an answer."""
        assert callable(on_text)
        on_text("The answer ")
        on_text("is")
        raise self._error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ProviderFailed("x", "the line is dead")], ids=repr)
def test_what_was_said_of_an_answer_that_breaks_off_is_kept_and_marked(session: Session, error: BaseException) -> None:
    with pytest.raises(type(error)):
        session.turn("What is it?", model=Torn(error))
    last = session.messages()[-1]
    assert (last.role, last.text, last.tags) == (Role.ASSISTANT, "The answer is", ("cut",))
    model = ScriptedModel("42.")
    session.turn("Go on", model=model)
    assert [message.text for message in model.requests[0].messages][1:] == ["What is it?", "The answer is", "Go on"]


def test_a_listener_that_has_gone_ends_the_turn_and_what_was_told_is_kept(session: Session) -> None:
    def gone(event: Event) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        session.turn("Hello", model=ScriptedModel("Hello yourself."), on_event=gone)
    assert story(session) == [("user", "Hello"), ("assistant", "Hello yourself.")]


def test_a_window_smaller_than_the_settings_say_is_met_by_shortening_once(memory: Memory, session: Session) -> None:
    talk(session, 60)
    too_large = ProviderTooLarge("scripted", "the prompt is too long")
    model = ScriptedModel(too_large, "NO_REPLY", "I am here.")
    with pytest.raises(ProviderTooLarge):  # all of it is to stay by the settings: nothing helps
        session.turn("Still there?", model=model)
    with Memory.open(settings={"compaction.keep_tokens": 500}) as small, small.session() as again:
        turned = again.turn("Still there?", model=ScriptedModel(too_large, "NO_REPLY", "I am here."))
    assert turned.text == "I am here."
    assert [event.step for event in turned.events] == [Step.FLUSHED, Step.COMPACTED]


def test_what_a_provider_counts_decides_when_it_is_more_than_our_guess(memory: Memory, session: Session) -> None:
    talk(session, 100, words="a b c d e f g " * 80)
    heavy = Answer("Yes.", usage=Usage(120_000, 10))
    turned = session.turn("Hm?", model=ScriptedModel(heavy, "NO_REPLY"))
    assert [event.step for event in turned.events] == [Step.FLUSHED, Step.COMPACTED]


def test_a_conversation_at_its_limit_says_so_saves_and_is_shortened_before_the_model_is_asked() -> None:
    keys = {"compaction.context_window": 4000, "compaction.keep_tokens": 200, "compaction.reserve_tokens_floor": 1000}
    with Memory.open(settings=keys) as memory, memory.session() as session:
        talk(session, 60)
        model = ScriptedModel(
            called("write_file", {"path": "memory/x.md", "content": "- x"}),
            always=lambda request: "Here." if len(request.tools) > 1 else "NO_REPLY",
        )
        turned = session.turn("Hm?", model=model)
        assert [event.step for event in turned.events] == [Step.NOTED, Step.FLUSHED, Step.COMPACTED]
        assert turned.text == "Here." and len(model.requests[-1].messages) < 20
        assert model.requests[-1].messages[-1].text == "Hm?"


def test_a_prompt_that_fills_the_window_by_itself_is_no_reason_to_shorten_every_turn() -> None:
    with Memory.open(
        origin=Origin.USER, settings={"compaction.context_window": 1000, "compaction.keep_tokens": 100}
    ) as memory:
        memory.save("A long line about nothing in particular. " * 1000)
        with memory.session() as session:
            model = ScriptedModel(always="Yes.")
            turned = [session.turn("Hm, and then?", model=model) for _ in range(4)][-1]
            assert {event.step for event in turned.events} == {Step.NOTED}
            assert "the prompt alone has about" in turned.events[0].text
            assert session.transcript.cycle == 0 and len(model.requests) == 4


def test_in_a_small_window_not_every_turn_is_followed_by_a_silent_one() -> None:
    with Memory.open(settings={"compaction.context_window": 8192, "memory.recall.enabled": False}) as memory:
        session = memory.session()
        model = ScriptedModel(always=lambda request: "Yes, so it is. " * 18 if len(request.tools) > 1 else "NO_REPLY")
        for number in range(60):
            session.turn(f"Question {number}: " + "and why is it so? " * 10, model=model)
        assert 2 <= session.transcript.cycle <= 20
        assert len(model.requests) == 60 + session.transcript.cycle


def test_a_conversation_is_shortened_too_where_there_is_to_be_no_silent_turn() -> None:
    keys = {
        "compaction.memory_flush.enabled": False,
        "compaction.context_window": 8000,
        "compaction.keep_tokens": 300,
        "memory.recall.enabled": False,
    }
    with Memory.open(settings=keys) as memory, memory.session() as session:
        model = ScriptedModel(always="Yes. " * 40)
        events = [event for _ in range(40) for event in session.turn("so " * 100, model=model).events]
        assert session.transcript.cycle >= 2
        assert {event.step for event in events} == {Step.COMPACTED}
        assert len(model.requests) == 40


SMALL = {"compaction.context_window": 40_000, "compaction.keep_tokens": 200, "memory.recall.enabled": False}


def fails_to_save(request: Request) -> str:
    if len(request.tools) > 1:
        return "Here."
    raise ProviderFailed("scripted", "it is down")


def test_where_saving_failed_the_conversation_is_not_shortened_yet_and_the_next_turn_tries_again() -> None:
    with Memory.open(settings=SMALL) as memory, memory.session() as session:
        talk(session, 160)
        turned = session.turn("Hm?", model=ScriptedModel(always=fails_to_save))
        assert [event.step for event in turned.events] == [Step.NOTED, Step.FAILED, Step.NOTED]
        assert "tried again at the next turn" in turned.events[-1].text and turned.text == "Here."
        assert session.transcript.cycle == 0
        turned = session.turn(
            "And now?", model=ScriptedModel(always=lambda one: "Yes." if one.tools[1:] else "NO_REPLY")
        )
        assert Step.FLUSHED in {event.step for event in turned.events} and session.transcript.cycle == 1


def test_where_saving_failed_and_the_window_is_full_the_conversation_is_shortened_all_the_same() -> None:
    with Memory.open(settings=SMALL) as memory, memory.session() as session:
        talk(session, 300)
        turned = session.turn("Hm?", model=ScriptedModel(always=fails_to_save))
        steps = [event.step for event in turned.events]
        assert Step.FAILED in steps and Step.COMPACTED in steps and session.transcript.cycle == 1


def test_a_single_message_that_is_too_long_is_not_said_to_be_shortened() -> None:
    with Memory.open(settings=SMALL) as memory, memory.session() as session:
        seen: list[str] = []

        def answer(request: Request) -> str:
            seen.append("asked")
            return "Long." if len(request.tools) > 1 else "NO_REPLY"

        turned = session.turn(
            "word " * 100_000,
            model=ScriptedModel(always=answer),
            on_event=lambda event: seen.append(event.text) if event.step is not Step.TEXT else None,
        )
        assert turned.text == "Long."
        before = seen[: seen.index("asked")]
        assert any("its last message alone is too long" in one for one in before)
        assert not any("what matters is saved" in one for one in before)
        assert session.messages()[0].text.startswith("word ")


def test_two_turns_at_once_in_one_session_come_one_after_the_other(memory: Memory, session: Session) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(_: Request) -> str:
        begun.set()
        assert go_on.wait(60)
        return "first answer"

    said: list[str] = []
    first = threading.Thread(target=lambda: said.append(session.turn("first", model=ScriptedModel(slow)).text))
    first.start()
    assert begun.wait(60)
    with Memory.open() as elsewhere, elsewhere.session() as other:
        second = threading.Thread(target=lambda: said.append(other.turn("second", model=ScriptedModel("two")).text))
        second.start()
        go_on.set()
        first.join(60)
        second.join(60)
    assert said == ["first answer", "two"]
    assert [text for _, text in story(session)] == ["first", "first answer", "second", "two"]


def test_a_turn_that_waited_long_enough_for_another_is_refused_and_says_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.sessions.session_turn._PATIENCE", 0.0)
    refused: list[BaseException] = []

    def second() -> None:
        with Memory.open() as elsewhere, elsewhere.session() as other, pytest.raises(Busy) as caught:
            other.turn("second", model=ScriptedModel("two"))
        refused.append(caught.value)

    def meanwhile(_: Request) -> str:
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(60)
        return "first answer"

    assert session.turn("first", model=ScriptedModel(meanwhile)).text == "first answer"
    assert "A turn of session 'main' is held by another process" in str(refused[0])
    assert [text for _, text in story(session)] == ["first", "first answer"]


def test_a_turn_inside_a_turn_is_refused_at_once(session: Session) -> None:
    def again(_: Event) -> None:
        session.turn("inner", model=ScriptedModel("x"))

    with pytest.raises(Busy, match="A turn of session 'main'"):
        session.turn("outer", model=ScriptedModel("y"), on_event=again)
    assert session.turn("after", model=ScriptedModel("z")).text == "z"


@every_kind
def test_a_turn_with_a_tool_works_over_every_api(
    home: Path, kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(
        Said("One moment. ", calls=(("memory_save", {"content": "- tea", "file": "memory/u.md"}),)), "Done.", "Hello."
    )
    keys = {"llm.provider": kind.name, "llm.model": kind.model, "llm.base_url": provider.url}
    pieces: list[str] = []

    def hear(event: Event) -> None:
        if event.step is Step.TEXT:
            pieces.append(event.text)

    with Memory.open(settings={**keys, "llm.api_key": provider.key}) as memory, memory.session() as session:
        assert session.turn("I like tea", on_event=hear).text == "Done."
        assert session.turn("Hello", on_event=hear).text == "Hello."
    assert "".join(pieces).replace(" ", "") == "Onemoment.Done.Hello."
    assert len(pieces) > 3
    assert (home / "memory/u.md").read_text() == "- tea\n"


@pytest.mark.fault
@pytest.mark.parametrize("fault", [faults.STREAM_CUT, faults.STREAM_ENDS, faults.STREAM_ERROR], ids=str)
def test_a_stream_that_breaks_off_over_http_loses_nothing(
    fault: faults.Fault, provider: ProviderServer, script: ChatScript
) -> None:
    script.say("A long answer about this and that, in many words, which never comes to its end.", "Back again.")
    provider.script(fault, on="/v1/chat/completions")
    keys = {"llm.provider": "custom", "llm.model": "m", "llm.base_url": provider.url, "llm.api_key": provider.key}
    with Memory.open(settings=keys) as memory, memory.session() as session:
        with pytest.raises(ProviderFailed):
            session.turn("Tell me")
        assert session.messages()[0].text == "Tell me"
        assert all(entry.tags == ("cut",) for entry in session.messages()[1:])
        assert session.turn("Again") is not None


def test_what_a_person_says_of_themselves_in_a_turn_is_noted_as_a_fact() -> None:
    with Memory.open() as memory, memory.session() as session:
        turned = session.turn("I live in Turku.", model=ScriptedModel("Noted."))
        assert [fact.text for fact in memory.facts.list().facts] == ["I live in Turku"]
        assert any("I live in Turku" in event.text for event in turned.events)
        session.turn("What did I say?", model=ScriptedModel("That you live in Oslo."))
        assert len(memory.facts.list().facts) == 1
