"""The entry gate: speech gets in, what machines wrote mostly stays outside, and nothing is certain."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.rules.entry_gate import (
    MECHANICAL_SKIPPED,
    SHORT,
    SHORT_SKIPPED,
    charge,
    enters,
    mechanical,
    own_words,
)

MECHANICAL = [
    "/remind me tomorrow at nine",
    "$ git push origin main",
    "git push origin main",
    "sudo apt-get install -y python3-dev",
    "2026-03-24T15:00:01Z ERROR worker died\n2026-03-24T15:00:02Z INFO restarting",
    "[12:04:55] INFO  starting up\n[12:04:56] WARN  slow disk",
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    main()\nValueError: I live in Rome',
    "java.lang.NullPointerException: null\n\tat com.example.Main.run(Main.java:14)\n"
    "\tat com.example.Main.main(Main.java:3)",
    "```python\nname = 'I live in Rome'\n```",
    "def main():\n    return 3\n\nmain();",
    "const home = 'Rome';\nconsole.log(home);",
    '{"name": "Anika", "city": "Lyon", "age": 33}',
    '[{"id": 1, "text": "I live in Rome"},\n {"id": 2}]',
    "SELECT name FROM people WHERE city = 'Rome';",
    "https://example.org/a/very/long/path?with=things",
    "https://example.org https://example.com/two",
    "> I moved to Rome last year\n> and I hate it",
    "---------- Forwarded message ---------\nFrom: Ruben\nSubject: my new flat\nI live in Rome now",
    '"I have a dream that one day this nation will rise up"',
    "d41d8cd98f00b204e9800998ecf8427e0a1b2c3d",
    "| name | city |\n|---|---|\n| Anika | Lyon |",
    "1234567890 1234",
]
SAID = [
    "I moved to Lyon last week",
    "my sister Anika is getting married in June!",
    "look at this https://example.org/flat, I think I want to rent it",
    "I got this error today and spent three hours on it: ValueError. So tired.",
    'she said "come home" and I did',
    "Ich wohne seit März in Leipzig",
    "私は東京に住んでいます、とても楽しい",
    "at the weekend we go hiking in the hills",
    "make dinner with me tonight, please? I miss cooking together",
    "I use python every day, mostly for plots; and R for the rest of it",
    "cats are great, dogs, too, and birds, well, birds, I'm afraid of",
]


@pytest.mark.parametrize("text", MECHANICAL)
def test_what_a_machine_wrote_or_others_said_is_told_apart(text: str) -> None:
    assert mechanical(text) is not None


@pytest.mark.parametrize("text", SAID)
def test_speech_always_enters(text: str) -> None:
    assert mechanical(text) is None
    assert all(enters(text, random.Random(seed)).enters for seed in range(50))


def _share(text: str) -> float:
    rng = random.Random(3)
    return sum(enters(text, rng).enters for _ in range(4000)) / 4000


def test_short_messages_stay_outside_nineteen_times_in_twenty() -> None:
    assert _share("ok thanks") == pytest.approx(1 - SHORT_SKIPPED, abs=0.012)
    assert _share("x" * (SHORT - 1)) == pytest.approx(1 - SHORT_SKIPPED, abs=0.012)
    assert _share("x" * SHORT) == 1.0


def test_a_short_message_in_chinese_says_more() -> None:
    assert _share("我妈昨天走了") == 1.0
    assert _share("好的") < 0.2


def test_mechanical_output_stays_outside_nine_times_in_ten() -> None:
    assert _share("> I moved to Rome last year") == pytest.approx(1 - MECHANICAL_SKIPPED, abs=0.02)


@given(st.text(max_size=300), st.integers(0, 99))
def test_the_gate_decides_everything_and_the_same_way_with_the_same_dice(text: str, seed: int) -> None:
    first = enters(text, random.Random(seed))
    assert first == enters(text, random.Random(seed))
    assert first.enters or first.kind != "said"


@given(st.text(alphabet=" \n\t", max_size=20))
def test_nothing_never_enters(text: str) -> None:
    assert not enters(text, random.Random(0)).enters


def test_own_words_are_what_is_left_without_code_quotes_and_links() -> None:
    text = "this broke again\n```\nx = 1\n```\n> I live in Rome\nsee https://example.org\nERROR: no disk"
    assert own_words(text).split() == ["this", "broke", "again", "see"]


def test_charge_is_the_strongest_feeling() -> None:
    assert charge({"sadness": 0.4, "anger": 0.7, "curiosity": 0.9}) == 0.7
    assert charge({}) == 0.0
