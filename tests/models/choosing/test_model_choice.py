"""Which settings follow from a choice of models, and what a month of them would cost."""

from __future__ import annotations

import pytest

from furoshiki.models.choosing import model_choice, monthly_cost
from furoshiki.models.choosing.model_choice import NAMES, Chosen, settings_for
from furoshiki.models.choosing.monthly_cost import Day
from furoshiki.models.llm import catalogue
from furoshiki.models.llm.plans import VARIABLES, plans_from
from furoshiki.models.llm.values import TIERS, Tier, Usage

SHIPPED = catalogue.load()
NOTHING: dict[str, str | None] = dict.fromkeys(NAMES)
CLAUDE, GPT = {**NOTHING, "ANTHROPIC_API_KEY": "a"}, {**NOTHING, "OPENAI_API_KEY": "o"}
OLLAMA = {**NOTHING, "OPENAI_BASE_URL": "http://127.0.0.1:11434/v1", "FUROSHIKI_MODEL_CHAT": "openai:qwen3:8b"}
BOTH = {**CLAUDE, **{name: value for name, value in GPT.items() if value}}

CHOICES = [
    (Chosen("anthropic", "k"), NOTHING, "anthropic:claude-sonnet-5-5", "anthropic:claude-haiku-5-5"),
    (Chosen("anthropic", "k"), OLLAMA, "anthropic:claude-sonnet-5-5", "anthropic:claude-haiku-5-5"),
    (Chosen("openai", "k"), CLAUDE, "openai:gpt-6.1-terra", "openai:gpt-6-luna"),
    (Chosen("openai", "k"), OLLAMA, "openai:gpt-6.1-terra", "openai:gpt-6-luna"),
    (Chosen("gemini", "k"), NOTHING, "gemini:gemini-3.8-flash", "gemini:gemini-3.5-flash-lite"),
    (
        Chosen("openrouter", "k"),
        BOTH,
        "openrouter:anthropic/claude-sonnet-5.5",
        "openrouter:anthropic/claude-haiku-5.5",
    ),
    (Chosen("ollama", model="qwen3:8b"), BOTH, "ollama:qwen3:8b", "ollama:qwen3:8b"),
    (Chosen("compatible", "k", "http://box/v1", "m"), CLAUDE, "compatible:m", "compatible:m"),
    (Chosen("anthropic", "k", None, "claude-x"), GPT, "anthropic:claude-x", "anthropic:claude-x"),
    (Chosen("local", model="small.gguf"), BOTH, "local:small.gguf", "local:small.gguf"),
    (Chosen("none"), BOTH, "local:reflex", "local:reflex"),
    (Chosen("none"), NOTHING, "local:reflex", "local:reflex"),
]


@pytest.mark.parametrize(("chosen", "held", "chat", "micro"), CHOICES)
def test_what_is_chosen_answers(chosen: Chosen, held: dict[str, str | None], chat: str, micro: str) -> None:
    plans = plans_from({**held, **settings_for(chosen, held, SHIPPED)}, SHIPPED)
    assert (str(plans.by_tier["chat"].models[0]), str(plans.by_tier["micro"].models[0])) == (chat, micro)
    assert plans.notes == ()


def test_the_shipped_models_go_on_being_followed() -> None:
    written = settings_for(Chosen("anthropic", "k"), NOTHING, SHIPPED)
    assert {name for name, value in written.items() if value is not None} == {"ANTHROPIC_API_KEY"}


def test_a_key_is_not_sent_to_a_server_that_it_is_not_for() -> None:
    written = settings_for(Chosen("compatible", None, "http://x/v1", "m"), BOTH, SHIPPED)
    assert {name: value for name, value in written.items() if not name.startswith("FUROSHIKI_")} == {
        "COMPATIBLE_API_KEY": None,
        "COMPATIBLE_BASE_URL": "http://x/v1",
    }


def test_the_tiers_in_words() -> None:
    answering: dict[Tier, str] = dict.fromkeys(TIERS, "a:x")
    assert model_choice.tiers_in_words({**answering, "micro": "a:y"}) == "chat, deep, reflect, fast: a:x; micro: a:y"
    assert set(VARIABLES) == set(answering)


def test_a_month_is_the_measured_day_at_the_tiers_prices() -> None:
    day = Day("somebody", 10, {"chat": Usage(1_000_000, 600_000, output=10_000), "micro": Usage(1000, output=10)})

    def cost(tier: Tier, used: Usage) -> float:
        return 0.0 if tier == "micro" else (used.input - used.cached * 0.9) / 1_000_000 + used.output / 100_000

    found = monthly_cost.monthly(day, cost)
    assert found.usd == pytest.approx((0.46 + 0.1) * 365.25 / 12)
    assert found.uncached_usd == pytest.approx(1.1 * 365.25 / 12)
    assert monthly_cost.in_words(found) == "With 10 messages a day: about $17–33 a month."


def test_the_measured_days_are_those_of_a_quiet_and_of_a_talkative_person() -> None:
    quiet, talkative = monthly_cost.days()
    assert 0 < quiet.messages < talkative.messages
    for day in (quiet, talkative):
        assert set(day.tokens) == set(TIERS)
        chat = day.tokens["chat"]
        assert 0 < chat.cached < chat.input and chat.output > 0
