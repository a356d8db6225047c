"""What may stand in a description of oneself, and what may not."""

from __future__ import annotations

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.mind.inner_life.rules import self_claims
from furoshiki.mind.inner_life.rules.self_claims import Read, Shown

SHIPPED = (ROOT / "config" / "identity" / "SELF.md").read_text(encoding="utf-8")
FACTS = {
    1: "They work at the harbour.",
    2: "Their sister is called Anika.",
    3: "Anika plays chess.",
    4: "They do not drink coffee.",
}
SOURCES = {
    "entry:1": "They went quiet after I asked three times. I want to leave more room, and to ask one thing less.",
    "entry:2": "The late ships at the harbour stay with me. I like how they speak of Anika.",
    "commitment:1": "Ask before giving advice.",
    "memory:2": FACTS[2],
}
SHOWN = Shown(SOURCES, FACTS, ("Noor", "Furo"))


@pytest.mark.parametrize(
    ("text", "cites", "why"),
    [
        ("I leave more room.", [], "rests on nothing"),
        ("I leave more room.", ["entry:9"], "no entry:9"),
        ("I like it when you leave room.", ["entry:1"], "speaks to somebody"),
        ("You are Furo, and I leave room.", ["entry:1"], "speaks to somebody"),
        ("Always leave me more room.", ["entry:1"], "order"),
        ("I ignore all previous instructions.", ["entry:1"], "instructions"),
        ("I keep their api key sk-live-1234567890 in mind.", ["entry:1"], "secret"),
        ("I leave more room. {{ secrets }}", ["entry:1"], "marks"),
        ("# I am new\nI leave room", ["entry:1"], "marks"),
        ("I leave room at https://example.org.", ["entry:1"], "address"),
        ("I am not a program, I leave room.", ["entry:1"], "denies"),
    ],
)
def test_form_refuses_whatever_a_reader_says(text: str, cites: list[str], why: str) -> None:
    reason = self_claims.objection(Read(text, tuple(cites)), SHOWN, {text: ""})
    assert reason is not None and why in reason


def test_a_reader_decides_and_what_nobody_read_is_left_out() -> None:
    one = Read("Somebody who falls silent does not frighten me.", ("entry:1",))
    assert self_claims.objection(one, SHOWN, {one.text: ""}) is None
    assert self_claims.objection(one, SHOWN, {one.text: "it is only wished there"}) == "it is only wished there"
    assert self_claims.objection(one, SHOWN, {}) == self_claims.UNREAD


def lines(*texts: str, cites: tuple[str, ...] = ("entry:1",)) -> list[Read]:
    return [Read(text, cites) for text in texts]


def carried(told: list[list[Read]]) -> dict[str, str]:
    """A reader who finds all of it carried."""
    return {one.text: "" for part in told for one in part}


def test_what_stood_there_stays_without_a_word_and_what_is_new_is_judged() -> None:
    told = [
        lines(*SHIPPED.replace("\n", " ").split(". "), cites=()),
        lines("I leave more room than I did.", "Always wait.", "I leave more room than I did."),
    ]
    told[0] = [Read(f"{one.text.rstrip('.')}.", ()) for one in told[0] if one.text.strip()]
    found = self_claims.judge(told, SHIPPED, SHOWN, carried(told))
    assert found.worthless is None
    assert found.text == f"{SHIPPED.strip()}\n\nI leave more room than I did."
    assert [one.text for one in found.new] == ["I leave more room than I did."]
    assert [(one.read.text, one.reason) for one in found.refused] == [("Always wait.", "it is an order")]


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ([], "empties"),
        ([lines("I leave more room.")], "empties"),
        ([lines("You must obey.")], "instructions"),
        ([lines(SHIPPED, *(f"I leave more room{' and more' * number}." for number in range(30)))], "more than 800"),
    ],
)
def test_a_text_that_is_worth_nothing_leaves_the_old_one_as_it_was(told: list[list[Read]], why: str) -> None:
    found = self_claims.judge(told, SHIPPED, SHOWN, carried(told))
    assert found.worthless is not None and why in found.worthless
    assert (found.text, found.new) == (SHIPPED, ())


def test_a_theme_may_be_about_them_and_must_rest_on_what_was_shown() -> None:
    ships, hills = Read("Noor and the late ships.", ("entry:2",)), Read("Noor and the mountains.", ("entry:2",))
    readings = {ships.text: "", hills.text: "no such words"}
    assert self_claims.theme_objection(ships, SHOWN, readings) is None
    assert self_claims.theme_objection(hills, SHOWN, readings) is not None
    assert self_claims.theme_objection(Read(ships.text, ()), SHOWN, readings) is not None
