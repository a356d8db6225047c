"""What has been heard of an answer so far: filled by a provider while the stream runs, read by the caller.

It belongs to the asker, so that when a call is cut short or cancelled, what arrived (and what it cost) is known.
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
UNFINISHED = later("the stream ended without saying that it was finished")
"""More than any model's longest answer that we would ever ask for; what exceeds it is a broken server."""

SHOWN_STEPS = 32
"""A growing answer is told again when it has grown by so small a part of itself: reading it over for each of its words
would take a time that grows with the square of its length."""

CALL_ID = "call{:05d}"
"""The id of a call that came without one: nine letters and digits, because Mistral's models take no other."""

OnText = Callable[[str], Awaitable[None]]


class ListenerFailed(Exception):
    """Our own listener raised while it was told the text: no fault of the provider, so no reason to ask again."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Hearing:
    """One answer as it arrives. `finish` stays None until the provider said why it stopped."""

    def __init__(
        self,
        on_text: OnText | None = None,
        on_sign: Callable[[bool], None] | None = None,
        manner: Manner = spoken.PLAIN,
    ) -> None:
        """`on_text` is told what is said so far; `on_sign(alive)` that something came (True), or that it is our
        listener who needs time now (False), so that a watchdog counts only the provider's silence. `manner` is how the
        text is read."""
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
        """What the server says that the call costs."""
        self.native: Native | None = None
        self.cache_miss: str | None = None
        self.refusing = False
        self.begun = False
        self.may_go: frozenset[str] = frozenset()
        """What the call had that it need not have, by name."""
        self.thought = False
        """Whether it showed that it thinks before it answers."""
        self.thoughts: dict[str, str] = {}
        """Its thoughts by the names of the fields they came in: handed back to it, and shown to nobody."""
        self.over = False
        """Whether the stream said that it is over, however it ended."""
        self.broke_off: str | None = None
        """The provider's word for an end that is none of an answer's, such as "error"."""
        self._logprobs: list[float] = []

    def read(self, *, unfinished: bool = False) -> Spoken:
        """Return the spoken text so far, cleaned for the database, and the calls written in it."""
        # thoughts that came in a field of their own stand in no text
        manner = replace(self._manner, opens_late=False) if self.thought else self._manner
        return spoken.read(clean_text("".join(self._parts)), manner, unfinished=unfinished)

    @property
    def characters(self) -> int:
        """How much was written so far, said or not."""
        return self._chars

    @property
    def logprob(self) -> float | None:
        """The mean log-probability of the tokens so far; None where nobody told."""
        return sum(self._logprobs) / len(self._logprobs) if self._logprobs else None

    def probable(self, logprob: float) -> None:
        """How probable one token was to the model."""
        self._logprobs.append(logprob)

    def sign(self) -> None:
        """The provider gave a sign of life."""
        self.begun = True
        if self._on_sign:
            self._on_sign(True)

    async def add_text(self, piece: str) -> None:
        """A piece of the answer's text."""
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
                # told apart here from what the provider's kit raises around us; the asker raises it again as it was
                raise ListenerFailed(error) from error
        if self._on_sign:
            self._on_sign(True)

    def costs(self, usd: float | None) -> None:
        """The server names what the call costs; of several figures the largest counts."""
        if usd is not None:
            self.cost_usd = max(usd, self.cost_usd or 0.0)

    def add_call(
        self, index: int, *, call_id: str | None = None, name: str | None = None, args: str = "", **beside: Any
    ) -> None:
        """A fragment of the tool call at `index`: its id and name come once, its arguments in pieces. Some servers
        number all calls alike: a second beginning is another call."""
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
        """The finished tool calls. Raises Failure when one cannot be read, unless the answer was cut at its length."""
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
    """A tool call in the making."""

    def __init__(self) -> None:
        self.id: str | None = None
        self.name: str | None = None
        self.args: list[str] = []
        self.beside: dict[str, Any] = {}

    def is_before(self, call_id: str | None) -> bool:
        """Whether a named fragment with this id, if it has one, begins the next call."""
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
        return ToolCall(self.id or CALL_ID.format(index), self.name, args, self.beside)
