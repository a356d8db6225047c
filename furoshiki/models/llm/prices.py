"""Cost of calls in US dollars: the owner's prices, then the list of the package genai-prices.

Unknown models have a cautious estimate (`[unknown_price]` in config/models.toml), so that the
budget holds; such costs are marked as estimated.
"""

import contextlib
import ipaddress
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from furoshiki.models.llm.catalogue import UNKNOWN, Price
from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.values import Usage

# caching for an hour costs 2 times the input price, for five minutes 1.25: their ratio
HOUR_WRITE = 1.6


COST_HEADER = "x-litellm-response-cost"  # LiteLLM's header with the cost of a call in US dollars

# estimate for a picture or a minute of speech of a model without a known price, in US dollars
UNKNOWN_PIECE = 0.1

# maximum plausible cost of a call in US dollars; higher figures are in other units
MOST_USD = 100.0

BATCH_SHARE = 0.5  # price of batched answers relative to normal ones, at Anthropic and at OpenAI


@dataclass(frozen=True)
class Cost:
    """The cost of a call in US dollars, and whether it is estimated."""

    usd: float
    guessed: bool = False
    named: bool = False  # whether the server reported it and it exceeds the known price


def parse_cost(value: object) -> float | None:
    """Parse a cost reported by a server, in US dollars; None for invalid or implausible values."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_USD:
        return None
    return float(value)


class Prices:
    """A price list. `servers` are the base URLs of providers with a custom address.
    `unknown` is the price of models on no list; `paid` are models ("openai:x") for which a server
    once reported a cost. Of these and the operator's prices the higher counts: no home can raise
    its limit."""

    def __init__(
        self,
        own: Mapping[str, Price],
        servers: Mapping[str, str] = MappingProxyType({}),
        unknown: Price = UNKNOWN,
        paid: Collection[str] = (),
        operators: "Prices | None" = None,
        by_piece: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self._paid = set(paid)
        self._own = own
        self._operators = operators
        self._by_piece = by_piece
        self._unknown = unknown
        self._servers = servers
        self._list: Any = None

    def load(self) -> None:
        """Import the price list (0.3 s CPU, 35 MB); idempotent, meant for a thread."""
        if self._list is None:
            import genai_prices

            self._list = genai_prices
            with contextlib.suppress(LookupError):
                # the list is read on first use: look up any model
                genai_prices.calc_price(genai_prices.Usage(input_tokens=1), "gpt-6-luna", provider_id="openai")

    def is_free(self, ref: ModelRef, at: datetime) -> bool:
        """Return whether a model is free: by the owner's price, or local without one."""
        if self._operators is not None and not self._operators.is_free(ref, at):
            return False
        own = self._own.get(str(ref))
        return own.input == 0 and own.output == 0 if own is not None else self.is_home(ref, at)

    def is_home(self, ref: ModelRef, at: datetime) -> bool:
        """Return whether a model runs at home, in the private network, and is not sold."""
        if not ref.spec.by_net:
            return True
        if str(ref) in self._paid:
            return False
        return self._is_nearby(ref) and self._find_list_price(ref, Usage(input=1), "5m", at) is None

    def cost(
        self, ref: ModelRef, usage: Usage, *, ttl: str, at: datetime, named: float | None = None, share: float = 1.0
    ) -> Cost:
        """Return the cost of a call: 0 for local models, an estimate for unlisted ones.

        A cost `named` by the server replaces an estimate, and counts if it exceeds the known price.
        `share` is a discount on known prices, as for batches.
        """
        ours = self._ours(ref, usage, ttl, at)
        known = Cost(ours.usd * share, ours.guessed)
        if named is None or not ref.spec.by_net or (named <= known.usd and not known.guessed):
            return known
        if named > 0:
            self._paid.add(str(ref))
        return Cost(named, named=True)

    def of_piece(self, ref: ModelRef, known: float, pieces: float, at: datetime, named: float | None = None) -> Cost:
        """Return the cost of pictures or minutes: the owner's price, else the `known` one; 0 for
        local models, else an estimate (`UNKNOWN_PIECE`). See `cost` for `named`."""
        own = self._by_piece.get(str(ref))
        if own is None and known == 0 and not self.is_home(ref, at):
            ours = Cost(UNKNOWN_PIECE * pieces, guessed=True)
        else:
            ours = Cost((known if own is None else own) * pieces)
        if self._operators is not None:
            ours = max(ours, self._operators.of_piece(ref, known, pieces, at), key=lambda cost: cost.usd)
        higher = named is not None and (named > ours.usd or ours.guessed)
        return Cost(named, named=True) if higher and named is not None else ours

    def _ours(self, ref: ModelRef, usage: Usage, ttl: str, at: datetime) -> Cost:
        own = self._by_own_list(ref, usage, ttl, at)
        known = own if self._operators is None else self._operators._ours(ref, usage, ttl, at)
        return max(own, known, key=lambda cost: cost.usd)

    def _by_own_list(self, ref: ModelRef, usage: Usage, ttl: str, at: datetime) -> Cost:
        own = self._own.get(str(ref))
        if own is not None:
            return Cost(_by(own, usage, ttl))
        if not ref.spec.by_net or usage == Usage():
            return Cost(0.0)
        listed = self._find_list_price(ref, usage, ttl, at)
        if listed is not None:
            return Cost(listed)
        return Cost(0.0) if self._is_nearby(ref) else Cost(_by(self._unknown, usage, ttl), guessed=True)

    def _find_list_price(self, ref: ModelRef, usage: Usage, ttl: str, at: datetime) -> float | None:
        self.load()
        writes = {"cache_write_tokens": usage.cache_written}
        if ttl == "1h" and ref.spec.door == "anthropic":
            writes["cache_write_1h_tokens"] = usage.cache_written
        counted = self._list.Usage(
            input_tokens=max(usage.input, usage.cached + usage.cache_written),
            cache_read_tokens=usage.cached,
            output_tokens=usage.output,
            **writes,
        )
        for where in self._sellers(ref):
            try:
                found = self._list.calc_price(counted, ref.model, genai_request_timestamp=at, **where)
            except (LookupError, ValueError):
                continue
            return float(found.total_price)
        return None

    def _sellers(self, ref: ModelRef) -> list[dict[str, str]]:
        """Return where to look up prices: the server's seller if known, then the maker."""
        server, listed = self._servers.get(ref.provider), ref.spec.prices
        own = [{"provider_api_url": server}] if server else []
        return [*own, {"provider_id": listed}] if listed else own

    def _is_nearby(self, ref: ModelRef) -> bool:
        return ref.spec.door == "openai" and _is_private(self._servers.get(ref.provider) or ref.spec.address)


def _by(price: Price, usage: Usage, ttl: str) -> float:
    fresh = max(0, usage.input - usage.cached - usage.cache_written)
    written = usage.cache_written * (HOUR_WRITE if ttl == "1h" else 1.0)
    millions = fresh * price.input + usage.cached * price.cached + written * price.cache_written
    return (millions + usage.output * price.output) / 1_000_000


def _is_private(url: str) -> bool:
    """Return whether an address is of this machine or a private network."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".lan", ".home.arpa", ".internal"))
