"""Which models answer for which tier."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.errors import BadSetting
from furoshiki.core.network import providers
from furoshiki.core.paths import read_toml_file
from furoshiki.models.llm.catalogue import SHIPPED, Catalogue, load, unknown
from furoshiki.models.llm.plans import REFLEX, ModelRef, parse_plan, plans_from
from furoshiki.models.llm.values import TIERS

CATALOGUE = load()
CLAUDE, HAIKU = ModelRef("anthropic", "claude-sonnet-5-5"), ModelRef("anthropic", "claude-haiku-5-5")


def tiers(values: dict[str, str | None]) -> dict[str, tuple[str, list[str]]]:
    plans = plans_from(values, CATALOGUE)
    return {tier: (plan.tier, [str(ref) for ref in plan.models]) for tier, plan in plans.by_tier.items()}


def test_a_list_is_read_in_order() -> None:
    assert parse_plan(" anthropic:claude-sonnet-5-5, openai:qwen3:4b ,local:mine.gguf,openai:qwen3:4b,") == (
        CLAUDE,
        ModelRef("openai", "qwen3:4b"),
        ModelRef("local", "mine.gguf"),
    )


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("claude-sonnet-5-5", "write it as anthropic:claude-sonnet-5-5"),
        ("gpt-6-luna", "write it as openai:gpt-6-luna"),
        ("llama", "provider:model"),
        ("antropic:claude", "did you mean anthropic?"),
        ("somebody:large", "known are anthropic, openai, gemini"),
        ("openai:", "for example openai:gpt-6.1-terra"),
        ("gemini-3.8-flash", "write it as gemini:gemini-3.8-flash"),
        ("local:reflexes", "local:reflex"),
    ],
)
def test_a_mistake_is_named_with_its_fix(text: str, fix: str) -> None:
    with pytest.raises(BadSetting, match="FUROSHIKI_MODEL_DEEP") as caught:
        plans_from({"FUROSHIKI_MODEL_DEEP": text}, CATALOGUE)
    assert fix in str(caught.value)


def test_without_anything_the_built_in_mind_answers() -> None:
    plans = plans_from({}, CATALOGUE)
    assert {plan.models for plan in plans.by_tier.values()} == {(REFLEX,)}
    assert not plans.cheapest.has_model
    assert plans.notes == ()


def test_a_key_alone_is_enough() -> None:
    plans = tiers({"ANTHROPIC_API_KEY": "k"})
    assert plans["chat"] == ("chat", ["anthropic:claude-sonnet-5-5", "local:reflex"])
    assert plans["micro"] == ("micro", ["anthropic:claude-haiku-5-5", "local:reflex"])
    both = tiers({"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"})
    assert both["fast"][1] == ["anthropic:claude-haiku-5-5", "openai:gpt-6-luna", "local:reflex"]


def test_an_open_tier_uses_the_next_cheaper_then_the_next_dearer() -> None:
    key = {"ANTHROPIC_API_KEY": "k"}
    plans = tiers({**key, "FUROSHIKI_MODEL_FAST": str(HAIKU)})
    assert {tier: used for tier, (used, _) in plans.items()} == dict.fromkeys(TIERS, "fast")
    plans = tiers({**key, "FUROSHIKI_MODEL_CHAT": str(CLAUDE), "FUROSHIKI_MODEL_MICRO": str(HAIKU)})
    assert {tier: used for tier, (used, _) in plans.items()} == {
        "deep": "chat",
        "reflect": "chat",
        "chat": "chat",
        "fast": "micro",
        "micro": "micro",
    }


def test_a_model_without_its_key_is_left_out_and_said() -> None:
    plans = plans_from({"FUROSHIKI_MODEL_CHAT": f"{CLAUDE},openai:gpt-6-luna", "OPENAI_API_KEY": "k"}, CATALOGUE)
    assert plans.by_tier["chat"].models == (ModelRef("openai", "gpt-6-luna"), REFLEX)
    [note] = plans.notes
    assert "ANTHROPIC_API_KEY is not set" in note


def test_a_server_of_ones_own_needs_a_model_and_no_key() -> None:
    server = {"OPENAI_BASE_URL": "http://localhost:11434/v1"}
    plans = plans_from(server, CATALOGUE)
    assert not plans.cheapest.has_model
    assert "FUROSHIKI_MODEL_CHAT=openai:" in plans.notes[0]
    plans = plans_from({**server, "FUROSHIKI_MODEL_CHAT": "openai:qwen3"}, CATALOGUE)
    assert plans.by_tier["micro"].models == (ModelRef("openai", "qwen3"), REFLEX)


def test_a_server_that_a_row_knows_needs_nothing_but_its_model() -> None:
    plans = plans_from({"FUROSHIKI_MODEL_CHAT": "ollama:qwen3:8b,compatible:x"}, CATALOGUE)
    assert plans.by_tier["chat"].models == (ModelRef("ollama", "qwen3:8b"), REFLEX)
    assert plans.notes == (
        "FUROSHIKI_MODEL_CHAT names compatible:x, but COMPATIBLE_BASE_URL is not set: set it, or choose another model.",
    )


def test_a_key_that_lies_about_is_no_wish_to_send_words_there() -> None:
    plans = plans_from({"GROQ_API_KEY": "k"}, CATALOGUE)
    assert not plans.cheapest.has_model
    assert plans.notes == ("GROQ_API_KEY is set, but no model: set FUROSHIKI_MODEL_CHAT=groq:openai/gpt-oss-120b.",)
    assert plans_from({"GROQ_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, CATALOGUE).notes == ()


def test_what_stands_behind_the_built_in_mind_is_never_asked() -> None:
    plans = tiers({"OPENAI_API_KEY": "k", "FUROSHIKI_MODEL_CHAT": "local:reflex,openai:gpt-6-luna"})
    assert plans["chat"] == ("chat", ["local:reflex"])


@given(
    st.dictionaries(
        st.sampled_from([f"FUROSHIKI_MODEL_{tier.upper()}" for tier in TIERS]),
        st.sampled_from(["anthropic:a", "openai:b", "local:c.gguf", "local:reflex", "", "anthropic:a,openai:b"]),
    ),
    st.booleans(),
    st.booleans(),
)
def test_every_plan_ends_with_the_built_in_mind(values: dict[str, str | None], one: bool, two: bool) -> None:
    keys = {"ANTHROPIC_API_KEY": "k" if one else None, "OPENAI_API_KEY": "k" if two else ""}
    plans = plans_from({**values, **keys}, CATALOGUE)
    for plan in plans.by_tier.values():
        assert plan.models[-1] == REFLEX
        assert plan.models.count(REFLEX) == 1


def test_the_owners_file_is_laid_over_the_shipped_one(tmp_path: Path) -> None:
    own = tmp_path / "models.toml"
    own.write_text(
        '[patience]\ntries = 0\n[defaults.anthropic]\nchat = "claude-opus-5-5"\n'
        '[prices."openai:qwen3"]\ninput = 1\noutput = 2\n'
        '[[manners]]\nmodels = "anthropic:claude-opus*"\nsend = {}\nroom = 9\n'
    )
    catalogue = load(own, tmp_path / "absent.toml")
    assert catalogue.defaults["anthropic"]["chat"] == "claude-opus-5-5"
    assert catalogue.defaults["anthropic"]["micro"] == "claude-haiku-5-5"
    assert catalogue.patience.tries == 1
    assert catalogue.patience.stall_s == CATALOGUE.patience.stall_s
    assert catalogue.prices["openai:qwen3"].cached == 1
    assert catalogue.manner("anthropic:claude-opus-5-5", "chat").room == 9
    assert catalogue.manner("openai:nobody-knows", "chat") == Catalogue().manner("x", "chat")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tries = ", "its end is not valid TOML"),
        ('[patience]\ntries = "many"', "wrong kind"),
        ('[prices."x:y"]\ninput = 1', "output"),
        ('prices = "none"', "wrong kind"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    own = tmp_path / "models.toml"
    own.write_text(text)
    with pytest.raises(BadSetting, match=words) as caught:
        load(own)
    assert str(own) in str(caught.value)


def test_names_of_another_release_are_passed_over_and_named(tmp_path: Path) -> None:
    own = tmp_path / "models.toml"
    own.write_text(
        "[patient]\nx = 1\n[patience]\ntries = 7\ntris = 3\nfirst_sign_s = {chatt = 3}\n"
        '[prices."x:y"]\ninput = 1\noutput = 2\nthought = 3\n[[manners]]\nmodels = "x:*"\nrom = 9\n'
    )
    assert load(own).patience.tries == 7
    named = [words.partition(" ")[0] for words in unknown(read_toml_file(own))]
    assert named == ["patient", "patience.tris", "patience.first_sign_s.chatt", "prices.x:y.thought", "manners[0].rom"]
    assert unknown(read_toml_file(SHIPPED)) == []


def test_every_shipped_default_has_a_known_price() -> None:
    import genai_prices

    named: dict[str, Any] = {provider: set(models.values()) for provider, models in CATALOGUE.defaults.items()}
    for provider, models in named.items():
        for model in models:
            usage = genai_prices.Usage(input_tokens=10, output_tokens=10)
            listed = providers.find(provider).prices
            assert genai_prices.calc_price(usage, model, provider_id=listed).total_price > 0
    assert SHIPPED.exists()
