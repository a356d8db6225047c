"""What a call costs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from furoshiki.models.llm.catalogue import UNKNOWN, Price
from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.prices import Cost, Prices, parse_cost
from furoshiki.models.llm.values import Usage

NOW = datetime(2026, 11, 21, tzinfo=UTC)
USAGE = Usage(input=10_000, cached=5_000, cache_written=1_000, output=1_000)
OWN = {
    "openai:mine": Price(input=1, output=10, cached=0.1, cache_written=1.25),
    "openai:gift": Price(input=0, output=0, cached=0, cache_written=0),
    "local:priced.gguf": Price(input=1, output=10, cached=0.1, cache_written=1.25),
}
MINE, GIFT, PRICED = ModelRef("openai", "mine"), ModelRef("openai", "gift"), ModelRef("local", "priced.gguf")
LUNA, NOBODY = ModelRef("openai", "gpt-6-luna"), ModelRef("openai", "nobody-knows-me")
HOME = "http://192.168.1.7:11434/v1"
AT_HOME = {"openai": HOME}


def test_the_owners_price_comes_first() -> None:
    prices = Prices(OWN)
    assert prices.cost(MINE, USAGE, ttl="5m", at=NOW) == Cost(pytest.approx((4000 + 500 + 1250 + 10_000) / 1e6))
    assert prices.cost(MINE, USAGE, ttl="1h", at=NOW) == Cost(pytest.approx((4000 + 500 + 2000 + 10_000) / 1e6))


def test_the_list_knows_the_rest() -> None:
    assert Prices({}).cost(LUNA, USAGE, ttl="5m", at=NOW) == Cost(pytest.approx(0.001075))


def test_what_nobody_knows_counts_at_a_cautious_guess() -> None:
    guess = Cost(pytest.approx((10_000 * 5 + 1_000 * 25) / 1e6), guessed=True)
    assert Prices({}).cost(NOBODY, USAGE, ttl="5m", at=NOW) == guess
    assert Prices({}, {"openai": "https://api.example.com/v1"}).cost(NOBODY, USAGE, ttl="5m", at=NOW) == guess
    dear = Price(input=10, output=100, cached=10, cache_written=10)
    assert Prices({}, unknown=dear).cost(NOBODY, USAGE, ttl="5m", at=NOW) == Cost(pytest.approx(0.2), guessed=True)


@pytest.mark.parametrize(
    ("ref", "server", "named", "cost"),
    [
        (NOBODY, HOME, 0.5, Cost(0.5, named=True)),
        (NOBODY, HOME, 0.0, Cost(0.0)),
        (NOBODY, "https://api.example.com/v1", 0.0001, Cost(0.0001, named=True)),
        (NOBODY, "https://api.example.com/v1", 0.0, Cost(0.0, named=True)),
        (MINE, HOME, 0.5, Cost(0.5, named=True)),
        (MINE, HOME, 0.0, Cost(pytest.approx(0.01575))),
        (LUNA, HOME, 0.0001, Cost(pytest.approx(0.001075))),
        (ModelRef("local", "x.gguf"), None, 0.5, Cost(0.0)),
        (PRICED, None, 0.0, Cost(pytest.approx(0.01575))),
    ],
)
def test_what_a_server_names_counts_and_lifts_no_limit(
    ref: ModelRef, server: str | None, named: float, cost: Cost
) -> None:
    assert Prices(OWN, {"openai": server} if server else {}).cost(ref, USAGE, ttl="5m", at=NOW, named=named) == cost


def test_a_server_at_home_that_names_a_cost_is_not_free_any_more() -> None:
    prices = Prices({}, AT_HOME)
    assert prices.is_free(NOBODY, NOW)
    prices.cost(NOBODY, USAGE, ttl="5m", at=NOW, named=0.5)
    assert not prices.is_free(NOBODY, NOW)
    assert not Prices({}, AT_HOME, paid=[str(NOBODY)]).is_free(NOBODY, NOW)


@pytest.mark.parametrize(
    ("value", "usd"),
    [
        *((0.5, 0.5), (0, 0.0), ("0.00012", 0.00012), (" 1e-3 ", 0.001), (100, 100.0)),
        *((True, None), (-0.1, None), ("nan", None), ("inf", None), (1e9, None), ("much", None), (None, None)),
        *(([0.5], None), ({"usd": 1}, None), (float("nan"), None)),
    ],
)
def test_which_figures_are_costs(value: object, usd: float | None) -> None:
    assert parse_cost(value) == usd


def test_counts_that_cannot_be_true_still_have_a_price() -> None:
    odd = Usage(input=1, cached=5_000, output=3)
    assert Prices({}).cost(LUNA, odd, ttl="5m", at=NOW).usd > 0
    assert Prices({}).cost(LUNA, Usage(), ttl="5m", at=NOW) == Cost(0.0)


@pytest.mark.parametrize(
    ("ref", "server", "free"),
    [
        (ModelRef("local", "x.gguf"), None, True),
        (GIFT, None, True),
        (MINE, HOME, False),
        (NOBODY, HOME, True),
        (NOBODY, "http://localhost:1/v1", True),
        (NOBODY, "http://pi.local/v1", True),
        (NOBODY, "https://api.example.com/v1", False),
        (NOBODY, None, False),
        (ModelRef("ollama", "qwen3:8b"), None, True),
        (ModelRef("mistral", "nobody-knows-me"), None, False),
        (ModelRef("compatible", "qwen3:8b"), None, False),
        (LUNA, HOME, False),
        (ModelRef("anthropic", "claude-haiku-5-5"), HOME, False),
    ],
)
def test_what_is_certainly_free(ref: ModelRef, server: str | None, free: bool) -> None:
    assert Prices(OWN, {"openai": server} if server else {}).is_free(ref, NOW) is free


def test_a_model_at_home_costs_nothing_for_certain() -> None:
    assert Prices({}, AT_HOME).cost(NOBODY, USAGE, ttl="5m", at=NOW) == Cost(0.0)


def test_what_runs_at_home_is_given_more_time() -> None:
    assert Prices(OWN, AT_HOME).is_home(MINE, NOW)
    assert not Prices(OWN).is_home(MINE, NOW)


def test_a_home_lifts_no_limit_of_its_keepers_by_its_own_prices() -> None:
    free, dear = Price(0, 0, 0, 0), Price(100, 100, 100, 100)
    used, at = Usage(input=1_000_000), datetime(2026, 3, 24, tzinfo=UTC)
    ref = ModelRef("openai", "nobody-knows-it")
    kept = Prices({str(ref): free}, unknown=free, operators=Prices({}))
    assert kept.cost(ref, used, ttl="5m", at=at).usd == UNKNOWN.input and not kept.is_free(ref, at)
    priced = Prices({str(ref): free}, operators=Prices({str(ref): Price(2, 2, 2, 2)}))
    assert priced.cost(ref, used, ttl="5m", at=at).usd == 2.0
    assert Prices({str(ref): dear}, operators=Prices({})).cost(ref, used, ttl="5m", at=at).usd == 100.0
    near = {"openai": "http://127.0.0.1:11434/v1"}
    assert Prices({}, near, operators=Prices({}, near)).is_free(ref, at), "a server of one's own costs nothing"
