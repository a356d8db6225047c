"""One call to one model, supervised while it runs, and recorded however it ends."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.framing import is_blank
from furoshiki.models.llm.catalogue import Patience
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.partial_answer import CALL_ID, UNFINISHED, Hearing, ListenerFailed, OnText
from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.prices import Cost
from furoshiki.models.llm.provider import Form, ModelOptions, Provider
from furoshiki.models.llm.quirks import Quirks
from furoshiki.models.llm.rules import refusals
from furoshiki.models.llm.rules.adapting import adapt, size
from furoshiki.models.llm.rules.refusals import Quirk
from furoshiki.models.llm.rules.spoken import Manner
from furoshiki.models.llm.values import Answer, CallRecord, Question, Tier, ToolCall, Usage

# estimate for calls that the provider did not count; about right for English prose
CHARS_PER_TOKEN = 4

MOST_TOKENS_A_CHARACTER = 4
# upper bounds of a call's input: bytes of a character, and tools and images besides text
MOST_TOKENS_BESIDE = 200_000

MOST_TOKENS_OUT = 200_000  # upper bound of a call's output in tokens, including thinking


# Characters a second; a slower answer drips. Any local model and any reader is faster.
SLOWEST = 1.0

TOO_LONG = "it thought too long"
THOUGHT_ALONE = later("it thought too long: {seconds:.0f} s of thinking and no answer")
# errors of a model that spent its time on thinking, or stopped in the middle
FELL_SILENT = later("silent for {seconds:.0f} s in the middle of its answer")

# kinds of failure that may be the refusal of a request field or of the content
REFUSALS = ("request", "missing", "overloaded", "garbage", "key")

# repetitions of a call without the refused fields; refusals are immediate and free
MOST_REFUSALS = 10

# An answer drips when this many consecutive pieces each arrive after this many seconds. One long
# pause for thinking is no drip.
DROPS, GAP_S = 6, 1.0


@dataclass
class Spending:
    """The total cost of all attempts at one question."""

    usage: Usage = Usage()
    cost_usd: float = 0.0

    def add(self, record: CallRecord) -> None:
        mine, its = self.usage, record.usage
        self.usage = Usage(
            mine.input + its.input,
            mine.cached + its.cached,
            mine.cache_written + its.cache_written,
            mine.output + its.output,
        )
        self.cost_usd += record.cost_usd


class Attempt:
    """One call. `run` it once; `record` then returns its cost, even if failed or cancelled."""

    def __init__(
        self,
        ref: ModelRef,
        question: Question,
        tier: Tier,
        on_text: OnText | None,
        patience: Patience,
        stretch: float,
        ticks: Callable[[], float],
        quirks: Quirks,
        manner: Manner,
    ) -> None:
        """`stretch` multiplies the timeouts of `patience`; `manner` is how the answer is parsed."""
        self._quirks = quirks
        self.ref = ref
        self._question = question
        self._tier = tier
        self._first_s = patience.of(tier) * stretch
        self._stall_s = patience.stall_s * stretch
        self._ticks = ticks
        self._begun_at = ticks()
        self._error: str | None = "cancelled"
        self._reached = False
        self._watch: asyncio.Timeout | None = None
        self._began_at = self._ends_at = 0.0
        self._pieces: deque[tuple[float, int]] = deque(maxlen=DROPS + 1)
        self._drips = False
        self._found: list[Quirk] = []
        self._hearing = Hearing(on_text, self._on_sign, manner)
        self.opened_late: bool | None = None
        """Whether the answer began with unmarked thoughts; None if these had their own field."""

    async def run(self, provider: Provider, form: Form | None, manner: ModelOptions, deadline: float) -> Answer:
        """Return the answer. Raises Failure, also when incomplete at `deadline` (ticks, in s)."""
        loop = asyncio.get_running_loop()
        limit = max(0.1, deadline - self._ticks())
        first = min(limit, self._first_s)
        self._began_at, self._ends_at = loop.time(), loop.time() + limit
        self._reached = True
        try:
            async with asyncio.timeout_at(loop.time() + first) as self._watch:
                question = await self._say(provider, form, manner)
            answer = self._answer(question)
        except TimeoutError:
            raise self._on_failure(self._timeout(loop.time(), first, limit)) from None
        except Failure as failure:
            raise self._on_failure(failure) from None
        except ListenerFailed as failed:
            self._error = "our own listener failed"
            raise failed.cause from None
        except Exception as error:  # the SDK may raise anything; the next model is called
            raise self._on_failure(Failure("garbage", f"its client broke ({type(error).__name__})")) from error
        finally:
            self._watch = None
            if self._hearing.characters:
                self._keep_guesses()
        self._error = None
        return answer

    async def _say(self, provider: Provider, form: Form | None, manner: ModelOptions) -> Question:
        """Send the question; a refused field is remembered and left out of an immediate repetition.
        Text withheld by a server is the answer. Returns the question as sent. Raises Failure."""
        found = self._found
        first: Failure | None = None
        while True:
            quirks = {**self._quirks.of(self.ref), **{one.name: one.value for one in found}}
            heeding, question = manner.heeding(quirks), adapt(self._question, quirks)
            try:
                await provider.say(self.ref.model, question, form, heeding, self._hearing)
            except Failure as failure:
                first = first or failure
                if self._hearing.characters or failure.kind not in REFUSALS:
                    raise
                if refusals.is_content_refusal(failure.status, failure.said):
                    self._hearing.finish = "refused"
                    break
                if failure.written:
                    await self._hearing.add_text(failure.written)
                    self._hearing.finish = "stop"
                    break
                quirk = self._learn_quirk(failure, question, heeding)
                if quirk is None or len(found) == MOST_REFUSALS or quirk in found:
                    raise first from None
                found.append(quirk)
                if (
                    self._watch is not None and not self._watch.expired()
                ):  # a refusal is a sign of life: restart the timeout
                    until = asyncio.get_running_loop().time() + self._first_s
                    self._watch.reschedule(min(until, self._ends_at))
                if quirk.sure:
                    self._quirks.learn(self.ref, quirk)
            else:
                break
        self._keep_guesses()
        return question

    def _keep_guesses(self) -> None:
        """Store guessed quirks once the call without these fields succeeds or begins to."""
        for quirk in self._found:
            if quirk.lasting and not quirk.sure:
                self._quirks.learn(self.ref, quirk)
        self._found = []

    def _learn_quirk(self, failure: Failure, question: Question, manner: ModelOptions) -> Quirk | None:
        """Return the quirk that a server's refusal reveals, or None."""
        if failure.kind == "key" and failure.status != 403:
            return None
        sent = self._hearing.may_go | {"images" for message in question.messages if message.images}
        words = failure.said.replace(self.ref.model.lower(), "")
        limit = manner.limit(question)
        return refusals.read(failure.status, words, sent, manner.quirks, tokens=size(question) + limit, limit=limit)

    def record(self, cost: Callable[..., Cost]) -> CallRecord | None:
        """Return the ledger's record of this call; None when no request reached the provider."""
        if not self._reached:
            return None
        usage = self._hearing.usage or self._guess()
        usage = usage.within(self._characters() * MOST_TOKENS_A_CHARACTER + MOST_TOKENS_BESIDE, MOST_TOKENS_OUT)
        spent = cost(usage, named=self._hearing.cost_usd)
        return CallRecord(
            tier=self._tier,
            provider=self.ref.provider,
            model=self.ref.model,
            purpose=self._question.purpose,
            usage=usage,
            cost_usd=spent.usd,
            price_guessed=spent.guessed,
            price_named=spent.named,
            latency_s=self._ticks() - self._begun_at,
            turn_key=self._question.turn_key,
            error=self._error,
            cache_miss=self._hearing.cache_miss,
        )

    def _on_sign(self, alive: bool) -> None:
        """Reset the timeout: silence counts from the last sign, but not while a listener works."""
        if self._watch is None or self._watch.expired():
            return
        now = asyncio.get_running_loop().time()
        silent_until = now + self._stall_s
        if alive and self._is_dripping(now):
            self._drips, silent_until = True, now
        self._watch.reschedule(min(silent_until, self._ends_at) if alive else None)

    def _is_dripping(self, now: float) -> bool:
        """Return whether the newest pieces of text arrived too slowly to wait for the rest."""
        written = self._hearing.characters
        if not self._pieces or written > self._pieces[-1][1]:
            self._pieces.append((now, written))
        times = [at for at, _ in self._pieces]
        if len(times) <= DROPS or min(b - a for a, b in pairwise(times)) < GAP_S:
            return False
        return written - self._pieces[0][1] < (times[-1] - times[0]) * SLOWEST

    def _answer(self, question: Question) -> Answer:
        heard = self._hearing
        finish = heard.finish
        if finish is None:
            raise Failure("truncated", Sentence(UNFINISHED))
        said, calls = heard.read(), heard.calls()
        text, native = said.text, heard.native
        self.opened_late = None if heard.thought else said.unopened
        if said.calls and not calls:
            calls = tuple(ToolCall(CALL_ID.format(at), *call) for at, call in enumerate(said.calls))
            finish, native = "tools", None
        if finish == "refused" and not heard.refusing:
            text = ""  # text before a refusal is incomplete: drop it
        silent = is_blank(text) and not calls
        if silent and finish not in ("refused", "length") and heard.broke_off is None and not question.may_be_silent:
            raise Failure("empty", Sentence("an empty answer"))
        answer = Answer(
            text=text,
            finish=finish,
            provider=self.ref.provider,
            model=self.ref.model,
            tier=self._tier,
            calls=calls,
            latency_s=self._ticks() - self._begun_at,
            native=native,
            logprob=heard.logprob,
            thought=heard.thought,
        )
        partial = None if silent else answer
        if heard.broke_off is not None:
            raise Failure("truncated", Sentence("it broke off ({why})", why=heard.broke_off))
        if finish == "length" and (silent or (heard.thought and not calls and len(text) < question.max_tokens)):
            raise Failure("thinking", Sentence("it thought too long: its tokens went into thinking"), partial=partial)
        return answer

    def _on_failure(self, failure: Failure) -> Failure:
        self._error = f"{failure.kind}: {failure}"
        self._reached = failure.reached
        return failure if failure.partial else replace(failure, partial=self._build_partial(failure))

    def _build_partial(self, failure: Failure) -> Answer | None:
        """Return the partial answer of a failed call, if it may be shown."""
        if self._question.answer is not None or not self._hearing.characters or failure.kind in ("too_big", "empty"):
            return None
        text = self._hearing.read(unfinished=True).text.rstrip()
        if is_blank(text):
            return None
        return Answer(text, "broken", self.ref.provider, self.ref.model, self._tier)

    def _timeout(self, now: float, first: float, limit: float) -> Failure:
        if not self._hearing.begun:
            return Failure("timeout", Sentence("no sign of an answer within {seconds:.0f} s", seconds=first))
        if self._hearing.thought and not self._hearing.characters:
            return Failure("thinking", Sentence(THOUGHT_ALONE, seconds=now - self._began_at))
        if now >= self._ends_at:
            return Failure("timeout", Sentence("not finished within {seconds:.0f} s", seconds=limit))
        if self._drips:
            return Failure("timeout", f"it writes less than {SLOWEST:g} character a second")
        return Failure("timeout", Sentence(FELL_SILENT, seconds=self._stall_s))

    def _guess(self) -> Usage:
        """Estimate the tokens of an uncounted call that began to answer, for the budget."""
        if not self._hearing.begun or not self.ref.spec.by_net:
            return Usage()
        return Usage(input=self._characters() // CHARS_PER_TOKEN, output=self._hearing.characters // CHARS_PER_TOKEN)

    def _characters(self) -> int:
        asked = sum(len(block.text) for block in self._question.system)
        return asked + sum(len(message.text) for message in self._question.messages)


# -- the circuit breaker: after several failures a provider is paused, then probed by one call --
#
# Pure values. `at` is a monotonic time in seconds from the caller's clock.


# failures in a row; more than the tries of one call, so that one question cannot open it
OPENS_AFTER = 4

FIRST_REST_S = 20.0
# Seconds. The pause doubles with each failed probe, up to one call in ten minutes.
LONGEST_REST_S = 600.0


@dataclass(frozen=True)
class Breaker:
    """Closed if `resting_until` is None, open until then, then half-open for one probe."""

    failures: int = 0
    resting_until: float | None = None
    rest_s: float = FIRST_REST_S
    probing: bool = False


def allows(breaker: Breaker, at: float) -> bool:
    """Return whether a call may be made now."""
    if breaker.resting_until is None:
        return True
    return at >= breaker.resting_until and not breaker.probing


def begin_call(breaker: Breaker, at: float) -> Breaker:
    """Return the breaker after a call began: in the half-open state it is the probe."""
    if breaker.resting_until is None or at < breaker.resting_until:
        return breaker
    return replace(breaker, probing=True)


def record_success(breaker: Breaker) -> Breaker:
    """Return the closed breaker after a success."""
    return Breaker()


def record_failure(breaker: Breaker, at: float, *, rest_s: float | None = None) -> Breaker:
    """Return the breaker after a failure. `rest_s` opens it at once for that many seconds."""
    failures = breaker.failures + 1
    if rest_s is not None:
        return Breaker(failures, at + min(rest_s, LONGEST_REST_S), breaker.rest_s)
    if breaker.probing:
        longer = min(breaker.rest_s * 2, LONGEST_REST_S)
        return Breaker(failures, at + longer, longer)
    if failures >= OPENS_AFTER:
        return Breaker(failures, at + breaker.rest_s, breaker.rest_s)
    return replace(breaker, failures=failures)


def release(breaker: Breaker) -> Breaker:
    """Return the breaker after a call without information (cancelled, or a wrong request)."""
    return replace(breaker, probing=False)
