"""The language of an answer is that of the conversation, unless a message says plainly that it is in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.core.catalogue import get_language
from furoshiki.owner.user_model import languages
from furoshiki.world import World

BEFORE = {
    "de": ["ich komme gerade von der arbeit", "meine schwester kommt morgen"],
    "es": ["acabo de llegar del trabajo", "mi hermana viene mañana"],
    "fr": ["je rentre du travail", "ma soeur vient demain"],
    "pt": ["acabei de chegar do trabalho", "minha irmã vem amanhã"],
    "it": ["sono appena tornato dal lavoro", "mia sorella viene domani"],
    "tr": ["işten yeni geldim", "kız kardeşim yarın geliyor"],
    "en": ["just came home from work", "my sister is coming tomorrow"],
    "ru": ["я только что с работы", "завтра приедет сестра"],
    "zh": ["我刚下班", "我姐姐明天来"],
}
ROWS = [line.split("\t") for line in Path(__file__).with_name("answered_in.tsv").read_text("utf-8").splitlines()[1:]]


def answered_in(world: World, before: list[str], said: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(languages, "_read_messages", lambda _: before)
    with languages.speaking_to(world, said):
        return get_language()


@pytest.mark.parametrize(("code", "said"), [(code, said) for kind, code, said in ROWS if kind == "stays"])
def test_a_short_line_is_answered_in_the_language_of_the_conversation(
    code: str, said: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answered_in(world, BEFORE[code], said, monkeypatch) == code


@pytest.mark.parametrize(("code", "said"), [(code, said) for kind, code, said in ROWS if kind == "turns"])
def test_a_plain_sentence_turns_the_conversation_to_its_language(
    code: str, said: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {answered_in(world, before, said, monkeypatch) for before in BEFORE.values()} == {code}


@pytest.mark.parametrize(("code", "said"), [(code, said) for kind, code, said in ROWS if kind == "first"])
def test_the_first_line_of_all_is_answered_in_its_language(
    code: str, said: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answered_in(world, [], said, monkeypatch) == code
