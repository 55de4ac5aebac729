"""The contract between a conversation and a model: what it is asked, and what it answers."""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from holdfast.errors import BadArgument
from holdfast.value import Value

__all__ = [
    "DEFAULT_WINDOW",
    "Answer",
    "Carried",
    "ChatModel",
    "Message",
    "Picture",
    "Request",
    "Role",
    "Stop",
    "ToolCall",
    "ToolSpec",
    "Usage",
    "ignore_text",
    "result_of",
    "system",
    "user",
]

DEFAULT_WINDOW = 128_000
"""Tokens, where neither the owner nor the server says: what the models of the large services have at the least."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Role(StrEnum):
    """The speaker of a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Stop(StrEnum):
    """The reason why a model stopped."""

    END = "end"
    TOOLS = "tools"  # it waits for the results of its calls
    LENGTH = "length"  # it was cut off: by `max_tokens`, or by its window
    REFUSED = "refused"  # it, or a filter around it, would not answer
    OTHER = "other"


class ToolSpec(Value):
    """A tool that a model may call; `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ToolCall(Value):
    """One call of a tool; `flaw` says why the arguments could not be read, and they are empty then."""

    id: str
    name: str
    arguments: Mapping[str, Any] = _NOTHING
    flaw: str = ""


class Carried(Value):
    """A turn as its provider wrote it (JSON), which the same provider wants to see again: signatures, thoughts."""

    provider: str
    content: Any


class Picture(Value):
    """An image as it is sent: what it is (`image/png`), and its bytes."""

    kind: str
    data: bytes

    @property
    def encoded(self) -> str:
        """The bytes in base64, as every provider wants them."""
        return b2a_base64(self.data, newline=False).decode("ascii")


class Message(Value):
    """One message; a result of a tool names the call that it answers.

    `carried` stands for the text and the calls where the turn goes back to its provider: leave it out of a message
    that was changed.
    """

    role: Role
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    tool_name: str = ""
    failed: bool = False
    carried: Carried | None = None
    pictures: tuple[Picture, ...] = ()
    """Images that a user shows; a model without vision refuses them."""


class Usage(Value):
    """The tokens of an answer; zeros where the provider does not say.

    `input_tokens` are all that the model read, those from a cache (`cached_tokens`) and those written to one
    included; `output_tokens` are all that it wrote, its thoughts included. Each kind has a price of its own.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, name) + getattr(other, name) for name in self.fields))


class Request(Value):
    """A conversation and how it is to go on; what is None is left to the model's settings.

    With a `schema` the text of the answer is to be a JSON object of that schema. It is enforced where the API can
    do that, so the messages must ask for it too, and whoever reads it must bear with less.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: Mapping[str, Any] | None = None
    max_tokens: int | None = None
    temperature: float | None = None

    def settle(self, held: dict[str, Any]) -> None:
        """Refuse a conversation in which nobody has said anything, which no provider answers."""
        if not any(message.role is not Role.SYSTEM for message in held["messages"]):
            raise BadArgument("messages", "there is none to answer")


class Answer(Value):
    """The next turn, the model that really gave it, and what it took."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    stop: Stop = Stop.END
    usage: Usage = Usage()
    model: str = ""
    carried: Carried | None = None

    @property
    def message(self) -> Message:
        """The answer as the next message of the conversation."""
        return Message(Role.ASSISTANT, self.text, self.tool_calls, carried=self.carried)


class ChatModel(Protocol):
    """A conversation in, its next turn out; raises `ProviderFailed` and nothing else when it can't."""

    @property
    def provider(self) -> str:
        """Its name in the settings."""
        ...

    @property
    def model(self) -> str:
        """The model that is asked for."""
        ...

    def chat(
        self, request: Request, *, seconds: float | None = None, on_text: Callable[[str], None] | None = None
    ) -> Answer:
        """The next turn, within so many seconds.

        `on_text` is told the text as it comes, in order, and in all exactly the answer's; a model that does not
        stream tells it once, at the end.
        """
        ...


def ignore_text(_: str) -> None:
    """Hear an answer that nobody watches: asked for as a stream, it may take as long as a slow model needs."""


def system(text: str) -> Message:
    """Return a message with what the model is to know and to keep to."""
    return Message(Role.SYSTEM, text)


def user(text: str) -> Message:
    """Return a message with what the person, or the program, asks."""
    return Message(Role.USER, text)


def result_of(call: ToolCall, text: str, *, failed: bool = False) -> Message:
    """Return a message with the result of a tool."""
    return Message(Role.TOOL, text, tool_call_id=call.id, tool_name=call.name, failed=failed)
