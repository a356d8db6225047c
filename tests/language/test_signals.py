"""What is read between the lines: measured on a labelled table, and by the rules one at a time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language import nlp, signals
from furoshiki.language.lexicon import CATEGORIES, Lexicon
from tests.support.growth import MOST_GROWTH, growth
from tests.support.laws import CONFIG, english, parsed

TABLE = Path(__file__).with_name("signals.tsv")
UNSEEN = Path(__file__).with_name("signals_unseen.tsv")
FLOOR = 0.80
MOST_STIRRED = 0.05
"""Of the lines that say nothing, how many may be taken for a feeling."""


def strongest(found: signals.Signals) -> str | None:
    return found.found[0].category if found.found else None


def labelled(table: Path) -> list[tuple[frozenset[str], str, str]]:
    rows = []
    for line in table.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            labels, text, kind = line.split("\t")
            rows.append((frozenset(labels.split(",")) - {"-"}, text, kind))
    return rows


ROWS = labelled(TABLE)


def strengths(text: str) -> dict[str, float]:
    return signals.read(text, english()).strengths


def f1(hits: int, wrong: int, missed: int) -> float:
    return 2 * hits / max(1, 2 * hits + wrong + missed)


def test_the_table_is_what_the_chapter_asks_for() -> None:
    kinds = Counter(kind for _, _, kind in ROWS)
    assert len(ROWS) >= 300
    assert all(kinds[kind] >= 8 for kind in ("negated", "ironic", "emoji", "mixed"))
    assert all(sum(category in labels for labels, _, _ in ROWS) >= 20 for category in CATEGORIES)


@pytest.mark.parametrize("table", [TABLE, UNSEEN], ids=lambda table: table.stem)
def test_signals_are_found_with_macro_f1_of_at_least_080(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hits, wrong, missed, stirred = Counter[str](), Counter[str](), Counter[str](), Counter[bool]()
    rows = labelled(table)
    for labels, text, _ in rows:
        found = set(strengths(text))
        hits.update(found & labels)
        wrong.update(found - labels)
        missed.update(labels - found)
        if not labels:
            stirred[bool(found)] += 1
    scores = {c: f1(hits[c], wrong[c], missed[c]) for c in CATEGORIES}
    macro = sum(scores.values()) / len(scores)
    with capsys.disabled():
        neutral = f"{stirred[True]} of {stirred.total()} lines without one"
        print(f"\nsignals on the {len(rows)} lines of {table.name}: macro-F1 {macro:.3f}, signals in {neutral}")
        for c in CATEGORIES:
            precision, recall = hits[c] / max(1, hits[c] + wrong[c]), hits[c] / max(1, hits[c] + missed[c])
            print(f"  {c:14} precision {precision:.2f}  recall {recall:.2f}  F1 {scores[c]:.2f}")
    assert macro >= FLOOR
    assert stirred[True] <= MOST_STIRRED * stirred.total()


@pytest.mark.parametrize(
    ("plain", "stronger"),
    [
        ("I'm happy", "I'm so happy"),
        ("I'm worried", "I'm really worried"),
        ("I'm worried", "I'm WORRIED"),
        ("I'm worried", "I'm worrrried"),
        ("I'm worried", "I'm worried!"),
        ("I'm slightly worried", "I'm worried"),
        ("I'm a bit sad", "I'm sad"),
        ("I'm sad 😢", "I'm sad 😢😢😢"),
    ],
)
def test_emphasis_raises_and_hedges_lower(plain: str, stronger: str) -> None:
    assert max(strengths(plain).values()) < max(strengths(stronger).values())


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("not angry", None),
        ("I'm really not very angry with him", None),
        ("I don't think I'm angry", None),
        ("no anger left", None),
        ("I'm not only angry but furious", "anger"),
        ("No, I'm angry", "anger"),
        ("not at all helpful", "frustration"),
        ("not excited any more", "disengagement"),
        ("not excited", None),
        ("I'm not worried any more", "relief"),
        ("I'm not worried", None),
        ("I couldn't stop worrying", "worry"),
        ("never been so happy", "excitement"),
        ("isn't that brilliant?", "praise"),
        ("my boss is angry", None),
        ("my sister was so worried", None),
        ("she makes me so angry", "anger"),
        ("my heart is crushed, I'm sad", "sadness"),
        ('"I hate you" is what he said', None),
        ('"I hate you"', "anger"),
        ("dont worry", None),
    ],
)
def test_what_the_words_around_do(text: str, category: str | None) -> None:
    assert strongest(signals.read(text, english())) == category


@pytest.mark.parametrize(
    ("text", "ironic"),
    [
        ("Great, it crashed again", True),
        ("Oh great", True),
        ("that's nice 🙄", True),
        ("So helpful. /s", True),
        ("I'm so happy about it. Not.", True),
        ("Great, it works again", False),
        ("Great, you found what was lost", False),
        ("I'm not sure", False),
        ("that's nice", False),
    ],
)
def test_irony_turns_praise_into_frustration(text: str, ironic: bool) -> None:
    found = signals.read(text, english())
    assert (strongest(found) == "frustration") is ironic


def test_a_message_may_say_two_things_at_once() -> None:
    assert signals.read("I'm thrilled but also terrified", english()).mixed
    assert not signals.read("I'm thrilled", english()).mixed


def test_every_signal_points_at_its_words() -> None:
    text = "I'm so worried about mum, she hasn't called 😟"
    (found,) = signals.read(text, english()).found
    assert {span.words for span in found.spans} == {"I'm so worried", "hasn't called", "😟"}
    assert all(text[span.start : span.end] == span.words for span in found.spans)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Maria is furious", None),
        ("the kids were bored", None),
        ("you have no idea how angry that made me", "anger"),
        ("I used to be terrified of dogs", None),
        ("I would be sad", None),
        ("I was nervous, years ago", None),
        ("not gonna lie I cried", "sadness"),
        ("it isn't that I hate it", None),
        ("I'm not worried about it", None),
        ("I've never felt so alone", "sadness"),
        ("nothing brings me joy", "sadness"),
    ],
)
def test_whose_feeling_it_is_and_whether_it_is_one(text: str, category: str | None) -> None:
    assert strongest(signals.read(text, english())) == category


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("why do we yawn when others yawn", "curiosity"),
        ("random thought: do fish know they're wet?", "curiosity"),
        ("why's the moon orange?", "curiosity"),
        ("why won't it start?", "frustration"),
        ("why do people get bored?", "curiosity"),
        ("what's 15% of 80?", None),
        ("what time is it?", None),
        ("can you remind me at six?", None),
    ],
)
def test_a_question_about_the_world_is_curiosity(text: str, category: str | None) -> None:
    assert strongest(signals.read(text, english())) == category


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("k.", "disengagement"),
        ("yeah sure fine", "disengagement"),
        ("that's nice i guess", "disengagement"),
        ("ok so the meeting is at four", None),
        ("damn", "frustration"),
        ("damn, you're a genius", "praise"),
    ],
)
def test_a_few_dry_words_and_mere_exclamations(text: str, category: str | None) -> None:
    assert strongest(signals.read(text, english())) == category


@pytest.mark.parametrize(
    ("emoji", "category"),
    [
        ("👍", "praise"),
        ("👍🏽", "praise"),
        ("❤️", "warmth"),
        ("🤬", "anger"),
        ("😢", "sadness"),
        ("🥱", "disengagement"),
    ],
)
def test_a_reaction_is_a_signal(emoji: str, category: str) -> None:
    assert strongest(signals.of_reaction(emoji, english())) == category


def test_an_unknown_reaction_says_nothing() -> None:
    assert signals.of_reaction("🦕", english()).found == ()
    assert strongest(signals.of_reaction("😨", english())) == "worry"


def test_the_strengths_of_a_burst_are_the_strongest_of_each() -> None:
    assert signals.merge({"worry": 0.4, "anger": 0.5}, {"worry": 0.6}) == {"anger": 0.5, "worry": 0.6}
    assert strongest(signals.Signals()) is None


LONG = {
    "plain talk": "I was thinking about the garden and how we might plant tomatoes there next year, ",
    "full of signals": "great ",
    "short words": "a ",
    "emoji": "😀",
    "drawn out": "sooo happyyy ",
    "one letter": "a",
    "dots": ". ",
}


@pytest.mark.parametrize("name", LONG)
def test_4096_characters_take_ten_times_as_long_as_four_hundred(name: str) -> None:
    assert growth(lambda text: signals.read(text, english()), LONG[name], signals.LONGEST) < MOST_GROWTH


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    found = signals.read(text, english())
    for signal in found.found:
        assert signal.category in CATEGORIES
        assert signals.FAINTEST <= signal.strength <= 1
        assert all(text[span.start : span.end] == span.words for span in signal.spans)


@pytest.mark.parametrize("path", sorted(CONFIG.glob("lexicon/*.toml")), ids=lambda path: path.stem)
def test_every_shipped_lexicon_compiles(path: Path) -> None:
    lexicon = Lexicon.from_mapping(parsed(f"lexicon/{path.name}"))
    assert lexicon.language == path.stem


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"language": ""}, "language must be a text"),
        ({"signals": {"hunger": {}}}, r"signals\.hunger is not a setting"),
        ({"signals": {"anger": {"loud": []}}}, r"signals\.anger\.loud is not a setting"),
        ({"signals": {"anger": {"plain": 3}}}, r"signals\.anger\.plain must be a list"),
        ({"negated": {"praise": "boredom"}}, "'boredom' is not a signal"),
        ({"nlp": {"greetings": []}}, r"did you mean 'greeting'"),
    ],
)
def test_a_wrong_lexicon_is_named(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Lexicon.from_mapping({"language": "xx", "signals": {}, "nlp": {}, **change})


def test_a_lexicon_with_nothing_in_it_finds_nothing() -> None:
    empty = Lexicon.from_mapping({"language": "xx", "signals": {}, "nlp": {}})
    assert signals.read("I'm so happy! 🎉 :) ok", empty) == signals.Signals()


@pytest.mark.parametrize(
    ("language", "text", "category"),
    [
        ("de", "Ich bin so traurig heute", "sadness"),
        ("de", "Vielen Dank, du bist toll!", "praise"),
        ("de", "ich bin nicht traurig", None),
        ("de", "ich mache mir Sorgen um Oma", "worry"),
        ("es", "Estoy muy preocupada por mi madre", "worry"),
        ("es", "¡Muchas gracias!", "praise"),
        ("es", "qué alivio", "relief"),
        ("tr", "çok mutluyum", "excitement"),
        ("tr", "seni özledim", "warmth"),
        ("ru", "мне очень грустно", "sadness"),
        ("ru", "спасибо", "praise"),
        ("ru", "не волнуйся", None),
    ],
)
def test_other_languages_have_begun(language: str, text: str, category: str | None) -> None:
    lexicon = Lexicon.from_mapping(parsed(f"lexicon/{language}.toml"))
    assert strongest(signals.read(text, lexicon)) == category


@pytest.mark.parametrize(
    ("language", "greeting", "farewell"),
    [
        ("de", "Guten Morgen", "bis morgen"),
        ("es", "buenos días", "hasta luego"),
        ("tr", "merhaba", "görüşürüz"),
        ("ru", "привет", "до свидания"),
    ],
)
def test_other_languages_greet_and_part(language: str, greeting: str, farewell: str) -> None:
    lexicon = Lexicon.from_mapping(parsed(f"lexicon/{language}.toml"))
    assert nlp.read(greeting, lexicon).pure_greeting
    assert nlp.read(farewell, lexicon).farewell
    assert nlp.read(f"{greeting}?", lexicon).asks


def test_an_emoticon_inside_a_word_or_a_time_is_none() -> None:
    assert strengths("http://x.org at 8:30, a:Db") == {}
    assert set(strengths("see you :)")) == {"warmth"}
