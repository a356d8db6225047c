"""From a message and what is around it to its route: signals, scores, margin, and who decides where it is close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from furoshiki.language.meant import is_meant
from furoshiki.language.nlp import Nlp
from furoshiki.owner.routing.rules import modes, warmth
from furoshiki.owner.routing.rules.tie_breaker import Head, features
from furoshiki.owner.routing.rules.weights import Weights
from furoshiki.owner.routing.values import Mode, Route


@dataclass(frozen=True)
class Around:
    """What there is around a message: the turns of this conversation, the words recall found (best first), thoughts of
    the last half hour, whether there are surroundings, whether the companion's last words asked something, whether the
    message's emoji are pleased, and the topic. `antecedent` says that there is something that "it" or "that one" can
    mean, `meant` how likely the message means to do each of `language.meant.KINDS`."""

    turns: int = 0
    recalled: Sequence[str] = ()
    gists: int = 0
    surroundings: bool = False
    asked: bool = False
    antecedent: bool = False
    pleased: bool = False
    meant: Mapping[str, float] = field(default_factory=dict)
    new_topic: bool = False
    topic_id: int | None = None


@dataclass(frozen=True)
class Before:
    """What was decided before: the mode, whether anything was done in it, and how sure the last decisions on this
    topic were, newest first."""

    mode: Mode | None = None
    productive: bool | None = None
    on_topic: Sequence[float] = ()


@dataclass(frozen=True)
class Judged:
    """The route by the scores alone; which modes are so close that something else decides (none: nothing need), best
    first; and what a classifier is told of the message beside its vector."""

    route: Route
    close: tuple[Mode, ...] = ()
    features: tuple[float, ...] = ()


def judge(text: str, said: Nlp, around: Around, before: Before, w: Weights) -> Judged:
    """Score a message. Nothing said is ignored and a cancel acknowledged, whatever the scores."""
    bears = warmth.judge_relevance(text, around.recalled)
    # what a question about the world or the companion asks for is in no memory, and at hand all the same
    elsewhere = said.asks and not (said.about_them or said.action_intent or said.ambiguous)
    facts = int(w.facts_full) if elsewhere else sum(bears)
    warm = warmth.warmth(around.turns, around.gists, around.surroundings)
    known = warmth.assess(warm, bears, facts, new_topic=around.new_topic)
    seen = modes.signals(
        said,
        facts,
        around.gists,
        new_topic=around.new_topic,
        asked=around.asked,
        pleased=around.pleased,
        thanks=is_meant(around.meant, "thanks"),
        unclear=is_meant(around.meant, "unclear") and not (around.asked or around.antecedent),
    )
    of_all = Route(
        "RESPOND",
        {},
        signals=seen.plain(),
        knowing=known,
        previous_mode=before.mode,
        topic_id=around.topic_id,
    )
    if seen.empty or seen.cancel:
        mode: Mode = "IGNORE" if seen.empty else "ACKNOWLEDGE"
        return Judged(replace(of_all, mode=mode, scores={mode: 1.0}, confidence=1.0))
    scores = modes.adjust_scores(modes.scores(seen, known, w), w, before.mode, productive=before.productive)
    margin = modes.margin(seen, known, w, before.on_topic)
    first, confidence = modes.surest(scores)
    close = modes.within(scores, margin)
    found = replace(of_all, mode=first, scores=scores, confidence=confidence, margin=margin)
    told = features(seen, known, scores)
    return Judged(replace(found, tie_break="score"), close, told) if len(close) > 1 else Judged(found, (), told)


def broken(judged: Judged, head: Head, vector: Sequence[float], w: Weights) -> Route:
    """The route once the classifier has been heard: one of the close modes, where it is sure enough; else that of the
    higher score."""
    mode, share = best(head.shares(judged.features, vector), judged.close)
    heard = replace(judged.route, tie_confidence=round(share, 4))
    return replace(heard, mode=mode, tie_break="classifier") if share >= w.tie_confident else heard


def best(shares: Mapping[Mode, float], among: Sequence[Mode]) -> tuple[Mode, float]:
    """The likeliest of some modes, and its share among them."""
    whole = sum(shares.get(mode, 0.0) for mode in among)
    mode = max(among, key=lambda one: shares.get(one, 0.0))
    return mode, (shares.get(mode, 0.0) / whole if whole > 0 else 1 / len(among))
