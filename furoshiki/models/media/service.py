"""Has pictures painted and speech heard, within the day's money, each call with its line in the ledger."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.prices import Cost
from furoshiki.models.llm.rules.budget import REPLY
from furoshiki.models.llm.values import CallRecord, Usage
from furoshiki.models.media import asking, choosing
from furoshiki.models.media.asking import Declined
from furoshiki.models.media.choosing import Values
from furoshiki.models.media.values import Made, Maker, NotMade, Use, Why

if TYPE_CHECKING:  # a script that asks nothing must not pay for it
    from furoshiki.models.llm.gateway import Gateway

PAINTING = "pictures"
HEARING = f"{REPLY}.hearing"
"""Purposes in the ledger. A voice note is part of the answer to it: like a reply it is heard when the day's money is
spent; a picture is not painted then."""

PAINTING_S, HEARING_S = 180.0, 90.0
"""How long somebody else's machine may take; one at home has `AT_HOME` times as long."""

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
    """One request: to whom, what for, for how many pictures or minutes, for which turn, and when it began."""

    maker: Maker
    purpose: str
    pieces: float
    turn_key: str | None = None
    began: float = field(default_factory=time.monotonic)


class Media:
    """One a process, beside its language models, whose money, prices and manners it shares."""

    def __init__(self, gateway: Callable[[], Gateway], clock: Callable[[], datetime]) -> None:
        self._gateway = gateway
        self._clock = clock

    def maker(self, use: Use, values: Values) -> Maker | None:
        """Who paints or hears with these settings; None when nobody does. Raises BadSetting."""
        return choosing.choose_maker(use, values)

    def price(self, maker: Maker, pieces: float = 1.0) -> Cost:
        """What so many pictures or minutes cost, as far as is known before."""
        return self._gateway().prices.of_piece(maker.ref, maker.piece.usd, pieces, self._clock())

    def refusal(self, maker: Maker) -> str:
        """Why the day's money allows no picture of this maker now; empty while it does."""
        verdict = self._gateway().verdict(PAINTING)
        if verdict.allowance == "none" or (verdict.allowance == "free_only" and self.price(maker).usd > 0):
            return verdict.reason
        return ""

    async def paint(self, maker: Maker, prompt: str, turn_key: str) -> Made:
        """A picture of what the words say. Its line of the ledger is the caller's to write, with what else is certain
        then; where nothing came of it, what it may have cost is in the ledger. Raises NotMade."""
        if reason := self.refusal(maker):
            raise NotMade("budget", reason)
        gateway, call = self._gateway(), _Call(maker, PAINTING, 1.0, turn_key)
        async with self._record_failure(call), gateway.turn(PAINTING):
            seconds = self._seconds(maker, PAINTING_S)
            data, kind, named = await asking.paint(maker, prompt, gateway.quirks, seconds)
        return Made(data, kind, self._record(call, named=named))

    def enter(self, record: CallRecord) -> None:
        """Write a line into the ledger."""
        self._gateway().enter(record)

    async def hear(self, maker: Maker, sound: bytes, media_type: str, minutes: float) -> str:
        """The words in a recording of so many minutes. Raises NotMade."""
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

    @asynccontextmanager
    async def _record_failure(self, call: _Call) -> AsyncIterator[None]:
        """Within it, what goes wrong is NotMade, with its line in the ledger. What was begun and did not come is
        counted in full: whether it is paid for, only its maker knows."""
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
