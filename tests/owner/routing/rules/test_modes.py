"""Which way a message is best answered: labelled messages in context, the effect of each number, and what is close."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bench import labelled
from bench.labelled import CONTEXTS, Labelled
from furoshiki.app.wiring import lexicon
from furoshiki.core.paths import ROOT
from furoshiki.language import nlp, signals
from furoshiki.language.signals import PLEASANT
from furoshiki.language.testimony import Own
from furoshiki.owner.routing.rules import deciding, modes, weights
from furoshiki.owner.routing.rules.deciding import Around, Before, Judged
from furoshiki.owner.routing.rules.modes import Signals, assess
from furoshiki.owner.routing.values import Knowing, Mode, Route

W = weights.parse_weights(json.loads((ROOT / "config" / "mode_router.json").read_text(encoding="utf-8")))
HEADS = deciding.heads(json.loads((ROOT / "config" / "tie_breaker.json").read_text(encoding="utf-8")))
MONTH = ROOT / "tests" / "owner" / "routing" / "month.tsv"
ROWS = labelled.read((ROOT / "tests" / "owner" / "routing" / "labelled.tsv").read_text(encoding="utf-8"))


def judged(text: str, around: Around) -> Judged:
    pleased = any(name in PLEASANT for name in signals.read(Own(text), lexicon()).strengths)
    return deciding.judge(text, nlp.read(text, lexicon()), replace(around, pleased=pleased), Before(), W)


def routed(row: Labelled) -> Route:
    found = judged(row.text, row.around)
    return deciding.broken(found, HEADS[""], (), W) if found.close else found.route


def test_labelled_messages_go_the_right_way() -> None:
    wrong = [(row.label, found, row.text) for row in ROWS if (found := routed(row).mode) != row.label]
    assert len(ROWS) >= 120 and {row.label for row in ROWS} == set(modes.MODES)
    assert len(wrong) <= 0.1 * len(ROWS), wrong
    alone = sum(judged(row.text, row.around).route.mode == row.label for row in ROWS)
    assert alone >= 0.9 * len(ROWS), "the scores alone do as well"


def test_a_varied_month_is_answered_in_varied_ways() -> None:
    """The chapter's healthy ranges; CLARIFY stays half a point below its 8 % here (ADR 0032)."""
    routes = [routed(row) for row in labelled.read(MONTH.read_text(encoding="utf-8"))]
    share = {mode: sum(one.mode == mode for one in routes) / len(routes) for mode in modes.MODES}
    assert 0.50 <= share["RESPOND"] <= 0.75 and 0.07 <= share["CLARIFY"] <= 0.20, share
    assert 0.05 <= share["ACT"] <= 0.15 and 0.03 <= share["ACKNOWLEDGE"] <= 0.12 and share["IGNORE"] < 0.02, share
    assert sum(one.tie_break != "none" for one in routes) / len(routes) <= 0.27


HERE = Knowing(0.5, 0.2, 0.3, 0.4)

EACH: tuple[tuple[str, Mode, Signals, Knowing, float], ...] = (
    ("respond_base", "RESPOND", Signals(), HERE, 1),
    ("respond_warmth", "RESPOND", Signals(), HERE, 0.5),
    ("respond_facts", "RESPOND", Signals(facts=4), HERE, 0.4),
    ("respond_gists", "RESPOND", Signals(gists=2), HERE, 0.4),
    ("respond_warm_question", "RESPOND", Signals(question=True), HERE, 1),
    ("respond_statement", "RESPOND", Signals(statement=True), HERE, 1),
    ("respond_cold", "RESPOND", Signals(), Knowing(0.2), -1),
    ("respond_greeting", "RESPOND", Signals(greeting_alone=True), HERE, -1),
    ("respond_praise", "RESPOND", Signals(praise_alone=True), HERE, -1),
    ("clarify_base", "CLARIFY", Signals(), HERE, 1),
    ("clarify_cold", "CLARIFY", Signals(ambiguous=True), Knowing(0.2), 0.8),
    ("clarify_no_facts", "CLARIFY", Signals(question=True), HERE, 1),
    ("clarify_new_topic", "CLARIFY", Signals(question=True, new_topic=True), HERE, 1),
    ("clarify_warm", "CLARIFY", Signals(), Knowing(0.7), -1),
    ("clarify_statement", "CLARIFY", Signals(statement=True), HERE, -1),
    ("act_base", "ACT", Signals(), HERE, 1),
    ("act_intent", "ACT", Signals(action_intent=True), HERE, 1),
    ("act_question", "ACT", Signals(question=True), HERE, 1),
    ("act_few_facts", "ACT", Signals(interrogative=True, facts=2), HERE, 1),
    ("act_reference", "ACT", Signals(implicit_reference=True), HERE, 1),
    ("act_unsure", "ACT", Signals(question=True), Knowing(0.2, confidence=0.1), 1),
    ("act_hardly_sure", "ACT", Signals(question=True), Knowing(0.2, confidence=0.2), 1),
    ("act_cold", "ACT", Signals(), Knowing(0.1), -1),
    ("act_known", "ACT", Signals(facts=6), Knowing(0.7), -1),
    ("acknowledge_base", "ACKNOWLEDGE", Signals(), HERE, 1),
    ("acknowledge_greeting", "ACKNOWLEDGE", Signals(greeting_alone=True), HERE, 1),
    ("acknowledge_praise", "ACKNOWLEDGE", Signals(praise_alone=True), HERE, 1),
    ("acknowledge_question", "ACKNOWLEDGE", Signals(question=True), HERE, -1),
    ("ignore_base", "IGNORE", Signals(), HERE, 1),
    ("ignore_empty", "IGNORE", Signals(empty=True), HERE, 1),
)


@pytest.mark.parametrize(("name", "mode", "seen", "known", "share"), EACH, ids=[one[0] for one in EACH])
def test_each_number_moves_its_own_mode_alone(
    name: str, mode: Mode, seen: Signals, known: Knowing, share: float
) -> None:
    before, after = (modes.scores(seen, known, w) for w in (W, replace(W, **{name: getattr(W, name) + 0.02})))
    assert {one: round(after[one] - before[one], 4) for one in modes.MODES if after[one] != before[one]} == {
        mode: pytest.approx(0.02 * share)
    }


@pytest.mark.parametrize(
    ("name", "seen", "known", "on_topic", "more"),
    [
        ("margin_base", Signals(), HERE, (), 1),
        ("margin_warmth", Signals(), HERE, (), -0.5),
        ("margin_reference", Signals(implicit_reference=True), HERE, (), 1),
        ("margin_sparse", Signals(), Knowing(0.5), (), 1),
        ("margin_no_mark", Signals(interrogative=True), HERE, (), 1),
        ("margin_unsure", Signals(), HERE, (0.1, 0.14, 0.0), 1),
    ],
)
def test_what_widens_the_margin(
    name: str, seen: Signals, known: Knowing, on_topic: tuple[float, ...], more: float
) -> None:
    before, after = (modes.margin(seen, known, w, on_topic) for w in (W, replace(W, **{name: getattr(W, name) + 0.02})))
    assert after - before == pytest.approx(0.02 * more)
    assert modes.margin(Signals(), HERE, W, (0.1, 0.14)) == modes.margin(Signals(), HERE, W, (0.1, 0.2, 0.1)) == 0.14


def test_what_went_before_is_weighed() -> None:
    plain = modes.scores(Signals(), HERE, W)
    idle = modes.adjust_scores(plain, W, "ACT", productive=False)
    assert idle["ACT"] == pytest.approx(plain["ACT"] - 0.15) and idle["RESPOND"] == plain["RESPOND"]
    assert (
        modes.adjust_scores(plain, W, "ACT", productive=True)
        == modes.adjust_scores(plain, W, "ACT", productive=None)
        == plain
    )
    assert modes.adjust_scores(plain, W, "CLARIFY", productive=False)["RESPOND"] == pytest.approx(
        plain["RESPOND"] + 0.05
    )


def test_how_much_is_at_hand() -> None:
    assert assess(0.5, [True, False, False, False, True, True], 3, new_topic=False) == Knowing(
        0.5, 0.4, 0.3, pytest.approx(0.4 * 0.4 + 0.4 * 0.5 + 0.2 * 0.3)
    )
    assert assess(0.5, [], 0, new_topic=True).confidence == pytest.approx(0.7 * 0.2)


def test_nothing_and_a_cancel_are_decided_before_anything_is_weighed() -> None:
    for text, mode in (("", "IGNORE"), (" \u200b ", "IGNORE"), ("never mind", "ACKNOWLEDGE"), ("stop", "ACKNOWLEDGE")):
        found = judged(text, CONTEXTS["full"])
        assert (found.route.mode, found.route.scores, found.close) == (mode, {mode: 1.0}, ())


def test_close_modes_are_decided_by_the_classifier_where_it_is_sure_and_by_the_score_where_it_is_not() -> None:
    found = judged("tomorrow at 9 remind me to water the plants", CONTEXTS["rich"])
    assert (found.close, found.route.mode, found.route.tie_break) == (("RESPOND", "ACT"), "RESPOND", "score")
    sure = deciding.broken(found, HEADS[""], (), W)
    assert (sure.mode, sure.tie_break) == ("ACT", "classifier")
    unsure = deciding.broken(found, HEADS[""], (), replace(W, tie_confident=0.99))
    assert (unsure.mode, unsure.tie_break) == ("RESPOND", "score")
    plain = judged("we walked home along the river", CONTEXTS["rich"])
    assert (plain.close, plain.route.tie_break) == ((), "none")


@pytest.mark.parametrize("encoder", sorted(set(HEADS) - {""}))
def test_every_encoder_that_comes_along_has_its_classifier(encoder: str) -> None:
    found = judged("thanks!", CONTEXTS["going"])
    shares = HEADS[encoder].shares(found.features, [0.0] * 384)
    assert sum(shares.values()) == pytest.approx(1) and set(shares) == set(deciding.CLASSES)


def test_a_classifier_made_for_something_else_is_refused() -> None:
    parsed = json.loads((ROOT / "config" / "tie_breaker.json").read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match="made for other features"):
        deciding.heads({**parsed, "features": ["length"]})
    with pytest.raises(ValueError, match="cut short"):
        deciding.heads({**parsed, "weights": {"": parsed["weights"][""][:16]}})
