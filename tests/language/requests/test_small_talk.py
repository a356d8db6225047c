"""A message that only greets is told from one that tells something."""

from __future__ import annotations

import pytest

from furoshiki.language.requests.small_talk import by_phrases, find_meaning
from furoshiki.recall.retrieval.other_languages import load_languages

FRENCH = next(one for one in load_languages().each if one.code == "fr")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("hello toi, me revoilà", "greets"),
        ("hier camille m'a sorti des horreurs. ça m'est resté en travers", None),
    ],
)
def test_a_long_message_is_no_greeting_by_its_meaning(text: str, meaning: str | None) -> None:
    assert find_meaning(FRENCH, text, "Furo", {"greets": 0.6}) == meaning


@pytest.mark.parametrize(
    ("code", "text", "meaning"),
    [
        ("zh", "我妹叫什么", None),
        ("zh", "你晓得我叫啥不", "asks_name"),
        ("fr", "et ma soeur, c'est quoi son nom", None),
        ("fr", "et moi, c'est quoi mon nom déjà", "asks_name"),
    ],
)
def test_who_asks_for_the_name_of_one_of_theirs_does_not_ask_for_their_own(
    code: str, text: str, meaning: str | None
) -> None:
    language = next(one for one in load_languages().each if one.code == code)
    assert find_meaning(language, text, "Furo", {"asks_name": 0.9}) == meaning


def test_good_news_is_no_goodbye_where_only_the_vector_takes_it_for_one() -> None:
    turkish = next(one for one in load_languages().each if one.code == "tr")
    assert find_meaning(turkish, "baristik 😊", "Furo", {"parts": 0.65}, feels=True) is None
    assert find_meaning(turkish, "ben kaçtım", "Furo", {"parts": 0.65}) == "parts"
    assert find_meaning(turkish, "hadi ben uçtum", "Furo", {"parts": 0.9}, feels=True) == "parts"


@pytest.mark.parametrize(
    ("text", "meaning"), [("na ja", "nods"), ("Na ja …", "nods"), ("na", "greets"), ("na du", "greets")]
)
def test_a_phrase_is_not_read_as_shorter_ones_in_a_row(text: str, meaning: str) -> None:
    german = next(one for one in load_languages().each if one.code == "de")
    assert by_phrases(german, text) == meaning


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "was bist du genau?"),
        ("es", "qué eres exactamente"),
        ("fr", "t'es quoi au juste ?"),
        ("it", "ma cosa sei di preciso"),
        ("pt", "o que você é afinal"),
        ("ru", "ты вообще кто?"),
        ("tr", "sen nesin tam olarak"),
        ("zh", "你到底是谁"),
    ],
)
def test_words_of_emphasis_may_stand_around_a_phrase(code: str, text: str) -> None:
    language = next(one for one in load_languages().each if one.code == code)
    assert by_phrases(language, text) == "asks_who"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "was kostest du?"),
        ("es", "¿cuánto cuestas?"),
        ("fr", "c'est gratuit ?"),
        ("it", "quanto costi"),
        ("pt", "você é de graça?"),
        ("ru", "сколько ты стоишь"),
        ("tr", "bana kaça mal oluyorsun?"),
        ("zh", "你收费吗"),
    ],
)
def test_what_it_costs_is_asked_in_eight_languages(code: str, text: str) -> None:
    language = next(one for one in load_languages().each if one.code == code)
    assert by_phrases(language, text) == "asks_costs"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("tr", "ne biliyosun hakkımda"),
        ("de", "was weisst du so über mich"),
        ("es", "q sabes sobre mi"),
        ("fr", "kes tu sais sur moi"),
        ("pt", "oq vc sabe de mim"),
        ("it", "ke sai di me"),
        ("ru", "че ты знаешь обо мне"),
        ("zh", "你知道我啥"),
    ],
)
def test_what_is_known_of_somebody_is_asked_in_chat_spelling(code: str, said: str) -> None:
    [language] = [one for one in load_languages().each if one.code == code]
    assert by_phrases(language, said) == "asks_known"
