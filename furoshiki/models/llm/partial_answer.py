"""The part of an answer received so far: filled by a provider, read by the caller.

It belongs to the caller, so that text and cost of an interrupted call are known.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from furoshiki.core.catalogue import later
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.rules import spoken
from furoshiki.models.llm.rules.json_repair import Unreadable, clean_text, read_json
from furoshiki.models.llm.rules.spoken import Manner, Spoken
from furoshiki.models.llm.values import Finish, Native, ToolCall, Usage

LARGEST_CHARS = 400_000
# LARGEST_CHARS: the maximum characters of an answer; only a broken server sends more
UNFINISHED = later("the stream ended without saying that it was finished")

# a partial answer is shown again after growing by 1/32, as parsing it for every token would take
# quadratic time
SHOWN_STEPS = 32

# the id of a call without one: nine letters and digits, as Mistral's models require
CALL_ID = "call{:05d}"

OnText = Callable[[str], Awaitable[None]]


class ListenerFailed(Exception):
    """The caller's listener raised: not the provider's fault, so there is no retry."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Hearing:
    """One answer as it arrives. `finish` is None until the provider reports the reason."""

    def __init__(
        self,
        on_text: OnText | None = None,
        on_sign: Callable[[bool], None] | None = None,
        manner: Manner = spoken.PLAIN,
    ) -> None:
        """`on_text` gets the text so far; `on_sign(alive)` is called when data arrived (True), or
        before the listener runs (False), so that a watchdog counts only the provider's silence.
        `manner` is how the text is parsed."""
        self._on_text = on_text
        self._on_sign = on_sign
        self._manner = manner
        self._told_at = 0
        self._parts: list[str] = []
        self._chars = 0
        self._fragments: dict[int, _Fragment] = {}
        self._places: dict[int, int] = {}
        self.finish: Finish | None = None
        self.usage: Usage | None = None
        self.cost_usd: float | None = None
        """The cost that the server reports, in US dollars."""
        self.native: Native | None = None
        self.cache_miss: str | None = None
        self.refusing = False
        self.begun = False
        self.may_go: frozenset[str] = frozenset()
        """The fields of the request that may be left out."""
        self.thought = False
        """Whether the model thinks before it answers."""
        self.thoughts: dict[str, str] = {}
        """The model's thoughts by field name: sent back to it, never shown."""
        self.over = False
        """Whether the stream ended properly, for whatever reason."""
        self.broke_off: str | None = None
        """The provider's abnormal finish reason, such as "error"."""
        self._logprobs: list[float] = []

    def read(self, *, unfinished: bool = False) -> Spoken:
        """Return the text so far, cleaned for the database, and the calls written in it."""
        # thoughts with a field of their own are not in the text
        manner = replace(self._manner, opens_late=False) if self.thought else self._manner
        return spoken.read(clean_text("".join(self._parts)), manner, unfinished=unfinished)

    @property
    def characters(self) -> int:
        """The characters received so far, thoughts included."""
        return self._chars

    @property
    def logprob(self) -> float | None:
        """The mean log-probability of the tokens so far; None when not reported."""
        return sum(self._logprobs) / len(self._logprobs) if self._logprobs else None

    def probable(self, logprob: float) -> None:
        """Record the log-probability of one token."""
        self._logprobs.append(logprob)

    def sign(self) -> None:
        """Record a sign of life of the provider."""
        self.begun = True
        if self._on_sign:
            self._on_sign(True)

    async def add_text(self, piece: str) -> None:
        """Add a piece of the answer's text. Raises ListenerFailed; Failure when too long."""
        if not piece:
            return
        self._count(piece)
        self._parts.append(piece)
        if self._on_text is None or self._chars < self._told_at:
            return
        self._told_at = self._chars + self._chars // SHOWN_STEPS
        if self._on_sign:
            self._on_sign(False)
        said = self.read(unfinished=True).text
        if said:
            try:
                await self._on_text(said)
            except Exception as error:
                # wrapped, to tell it from the SDK's exceptions; the caller unwraps it
                raise ListenerFailed(error) from error
        if self._on_sign:
            self._on_sign(True)

    def costs(self, usd: float | None) -> None:
        """Record a cost reported by the server; the largest one counts."""
        if usd is not None:
            self.cost_usd = max(usd, self.cost_usd or 0.0)

    def add_call(
        self, index: int, *, call_id: str | None = None, name: str | None = None, args: str = "", **beside: Any
    ) -> None:
        """Add a fragment of the tool call at `index`: id and name come once, arguments in pieces.
        Some servers give all calls the same index: a second beginning is another call."""
        place = self._places.get(index, index)
        if name and place in self._fragments and self._fragments[place].is_before(call_id):
            place = self._places[index] = max(self._fragments) + 1
        fragment = self._fragments.setdefault(place, _Fragment())
        fragment.id = call_id or fragment.id
        fragment.name = name or fragment.name
        self._count(args)
        fragment.args.append(args)
        fragment.beside |= beside

    def calls(self) -> tuple[ToolCall, ...]:
        """Return the complete tool calls. Raises Failure if unreadable, unless truncated."""
        found = []
        for index, fragment in sorted(self._fragments.items()):
            call = fragment.call(index)
            if call is not None:
                found.append(call)
            elif self.finish != "length":
                raise Failure("garbage", "a tool call without a name or with unreadable arguments")
        return tuple(found)

    def _count(self, piece: str) -> None:
        self._chars += len(piece)
        if self._chars > LARGEST_CHARS:
            raise Failure("too_big", f"the answer exceeds {LARGEST_CHARS} characters")


class _Fragment:
    """A tool call that is still arriving."""

    def __init__(self) -> None:
        self.id: str | None = None
        self.name: str | None = None
        self.args: list[str] = []
        self.beside: dict[str, Any] = {}

    def is_before(self, call_id: str | None) -> bool:
        """Return whether a named fragment with this id begins the next call."""
        if self.name is None or (call_id and call_id == self.id):
            return False
        return bool(call_id and self.id) or (bool("".join(self.args)) and self.call(0) is not None)

    def call(self, index: int) -> ToolCall | None:
        text = "".join(self.args).strip()
        args: Any = {}
        if text:
            try:
                read = read_json(text)
            except Unreadable:
                return None
            if read.cut:
                return None
            args = read.value
        if not self.name or not isinstance(args, dict):
            return None
        name = self.name.rpartition(".")[2]  # "functions.recall"
        return ToolCall(self.id or CALL_ID.format(index), name, args, self.beside)
