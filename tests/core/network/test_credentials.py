"""What people paste beside a key comes off; what cannot be sent is named, and the key is not."""

from __future__ import annotations

import pytest

from furoshiki.core.network.credentials import clean, unfit
from furoshiki.core.settings import load


@pytest.mark.parametrize(
    "pasted",
    [
        *(
            "sk-xyz\n",
            "sk-xyz\r\n",
            "  sk-xyz\t",
            '"sk-xyz"',
            "'sk-xyz'",
            "“sk-xyz”",
            "„sk-xyz“",
            "‘sk-xyz’",
            "«sk-xyz»",
        ),
        *("`sk-xyz`", "\ufeffsk-xyz", "sk\u200b-xyz", "\u2060sk-xyz\u200e", "\u00a0sk-xyz\u202f", '"sk-xyz"\r\n'),
        *(' "sk-xyz" ', "\ufeff'sk-xyz'\n", "sk\u00ad-xyz", "\x00sk-xyz", "\u2028sk-xyz"),
    ],
)
@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "FUROSHIKI_CHROMA_TOKEN"])
def test_what_came_along_with_a_key_is_taken_off(pasted: str, name: str) -> None:
    assert clean(pasted) == "sk-xyz"
    assert unfit(name, clean(pasted)) is None
    held = getattr(load({name: pasted, "FUROSHIKI_DATA": "/nonexistent"}), name.lower())
    assert held.get_secret_value() == "sk-xyz"


@pytest.mark.parametrize(
    ("name", "pasted", "held"),
    [
        ("OPENAI_BASE_URL", " https://openrouter.ai/api/v1 \n", "https://openrouter.ai/api/v1"),
        ("TELEGRAM_API_URL", '"https://api.telegram.org"', "https://api.telegram.org"),
        ("FUROSHIKI_MODEL_CHAT", "\ufeffopenai:gpt-6\r\n", "openai:gpt-6"),
        ("FUROSHIKI_CHROMA_URL", "http://chroma:8000\u200b", "http://chroma:8000"),
    ],
)
def test_addresses_and_names_are_cleaned_too(name: str, pasted: str, held: str) -> None:
    assert getattr(load({name: pasted, "FUROSHIKI_DATA": "/nonexistent"}), name.lower()) == held


def test_a_token_of_telegram_is_cleaned() -> None:
    found = load({"TELEGRAM_BOT_TOKEN": "“7000000001:AAabc”\n", "FUROSHIKI_DATA": "/nonexistent"}).telegram_bot_token
    assert found is not None and found.get_secret_value() == "7000000001:AAabc"


@pytest.mark.parametrize(
    ("key", "sign"), [("sk–secret", "en dash"), ("sk secret", "space"), ("sk-sécret", "e with acute")]
)
def test_what_no_key_has_is_named_and_the_rest_of_it_is_not(key: str, sign: str) -> None:
    words = unfit("OPENAI_API_KEY", key)
    assert words is not None and sign in words and words.startswith("OPENAI_API_KEY holds")
    assert "cret" not in words
