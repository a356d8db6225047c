"""Painting and transcription, within the day's budget, each call recorded in the ledger."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from furoshiki.core.errors import BadSetting
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.prices import Cost
from furoshiki.models.llm.rules.budget import REPLY
from furoshiki.models.llm.values import CallRecord, Usage
from furoshiki.models.media import asking, choosing
from furoshiki.models.media.asking import Declined
from furoshiki.models.media.choosing import Values
from furoshiki.models.media.values import Made, Maker, NotMade, Use, Why

if TYPE_CHECKING:  # saves scripts without questions the import
    from furoshiki.models.llm.gateway import Gateway

PAINTING = "pictures"
# Purposes in the ledger. A voice note is part of its answer and transcribed even if the budget is
# spent; pictures are not painted then.
HEARING = f"{REPLY}.hearing"

# timeouts in seconds; local models have `AT_HOME` times as long
PAINTING_S, HEARING_S = 180.0, 90.0

AT_HOME = 5.0

_WHYS: dict[str, Why] = {
    "key": "key",
    "credit": "credit",
    "missing": "model",
    "network": "away",
    "client": "away",
    "timeout": "slow",
    "limited": "busy",
    "overloaded": "busy",
    "busy": "busy",
}


@dataclass(frozen=True)
class _Call:
    """One request: maker, purpose, number of pictures or minutes, turn, and start time."""

    maker: Maker
    purpose: str
    pieces: float
    turn_key: str | None = None
    began: float = field(default_factory=time.monotonic)


class Media:
    """The media models of a process; shares the gateway's budget, prices and quirks."""

    def __init__(self, gateway: Callable[[], Gateway], clock: Callable[[], datetime]) -> None:
        self._gateway = gateway
        self._clock = clock

    def maker(self, use: Use, values: Values) -> Maker | None:
        """Return the model for a use under these settings, or None."""
        with contextlib.suppress(BadSetting):  # reported where the settings are loaded
            return choosing.choose_maker(use, values)
        return None

    def price(self, maker: Maker, pieces: float = 1.0) -> Cost:
        """Return the expected cost of pictures or minutes."""
        return self._gateway().prices.of_piece(maker.ref, maker.piece.usd, pieces, self._clock())

    def refusal(self, maker: Maker) -> str:
        """Return why the budget allows no picture now; empty if it does."""
        verdict = self._gateway().verdict(PAINTING)
        if verdict.allowance == "none" or (verdict.allowance == "free_only" and self.price(maker).usd > 0):
            return verdict.reason
        return ""

    async def paint(self, maker: Maker, prompt: str, turn_key: str) -> Made:
        """Paint a picture. The caller records the success in the ledger, in its own transaction;
        failures are recorded here with their possible cost. Raises NotMade."""
        if reason := self.refusal(maker):
            raise NotMade("budget", reason)
        gateway, call = self._gateway(), _Call(maker, PAINTING, 1.0, turn_key)
        async with self._record_failure(call), gateway.turn(PAINTING):
            seconds = self._seconds(maker, PAINTING_S)
            data, kind, named = await asking.paint(maker, prompt, gateway.quirks, seconds)
        return Made(data, kind, self._record(call, named=named))

    def enter(self, record: CallRecord) -> None:
        """Add a record to the ledger."""
        self._gateway().enter(record)

    async def hear(self, maker: Maker, sound: bytes, media_type: str, minutes: float) -> str:
        """Transcribe a recording of this many minutes. Raises NotMade."""
        gateway, call = self._gateway(), _Call(maker, HEARING, minutes)
        verdict = gateway.verdict(HEARING)
        if verdict.allowance == "none":
            raise NotMade("budget", verdict.reason)
        async with self._record_failure(call), gateway.turn(HEARING):
            name, seconds = asking.sound_name(media_type), self._seconds(maker, HEARING_S)
            text, named = await asking.hear(maker, sound, name, gateway.quirks, seconds)
        self.enter(self._record(call, named=named))
        return text

    def _seconds(self, maker: Maker, seconds: float) -> float:
        return seconds * (AT_HOME if self._gateway().prices.is_home(maker.ref, self._clock()) else 1.0)

    @contextlib.asynccontextmanager
    async def _record_failure(self, call: _Call) -> AsyncIterator[None]:
        """Turn errors in this block into NotMade, recorded in the ledger. Calls that began and
        brought no result count in full, as it is unknown whether they are charged."""
        try:
            yield
        except Declined as declined:
            self.enter(self._record(replace(call, pieces=0.0), error=str(declined)))
            raise NotMade("declined", str(declined)) from None
        except Failure as failure:
            begun = failure.kind in ("timeout", "network", "too_big", "garbage")
            if failure.reached:
                counted = call if begun else replace(call, pieces=0.0)
                self.enter(self._record(counted, error=str(failure)))
            raise NotMade(_WHYS.get(failure.kind, "odd"), str(failure)) from None

    def _record(self, call: _Call, *, named: float | None = None, error: str | None = None) -> CallRecord:
        maker, prices = call.maker, self._gateway().prices
        cost = prices.of_piece(maker.ref, maker.piece.usd, call.pieces, self._clock(), named)
        return CallRecord(
            tier="chat",
            provider=maker.ref.provider,
            model=maker.ref.model,
            purpose=call.purpose,
            usage=Usage(),
            cost_usd=cost.usd,
            latency_s=time.monotonic() - call.began,
            turn_key=call.turn_key,
            error=error,
            price_named=cost.named,
        )
