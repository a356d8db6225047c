"""From a message and its context to a route: signals, scores, margin, and tie-breaks."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from furoshiki.core.similarity import dot, unpack
from furoshiki.language.intents import is_meant
from furoshiki.language.nlp import Nlp
from furoshiki.owner.routing.rules import modes
from furoshiki.owner.routing.rules.modes import Signals
from furoshiki.owner.routing.rules.weights import Weights
from furoshiki.owner.routing.values import Knowing, Mode, Route

# -- a classifier for two close modes: one logistic regression per mode --
#
# Features are signals, scores and the vector. Weights are in `config/tie_breaker.json`, fitted by
# `python -m bench.routing --write` from the shipped labelled messages or the owner's own. One set for
# each encoder, and one for messages without a vector.


# the modes that can be close; IGNORE is decided otherwise
CLASSES: tuple[Mode, ...] = ("RESPOND", "CLARIFY", "ACT", "ACKNOWLEDGE")

FLAGS = (
    *("question", "interrogative", "question_mark", "statement", "ambiguous", "greeting_alone", "praise_alone"),
    *("action_intent", "implicit_reference", "lookup_request", "rephrase", "about_them", "new_topic", "negative"),
)
# the features besides the vector, in this order; the last four are the scores
FEATURES = (*FLAGS, "length", "facts", "gists", "warmth", "knowing", "confidence", *CLASSES)

LONG = 20  # words from which on a message is long
NO_ENCODER = ""  # the key of the weights for a message without a vector


@dataclass(frozen=True)
class Head:
    """Weights for each class: of the features, then the vector, then the constant."""

    rows: Mapping[Mode, tuple[float, ...]]

    def shares(self, seen: Sequence[float], vector: Sequence[float]) -> dict[Mode, float]:
        """Return each class's probability (sum 1). Raises ValueError for a wrong vector size."""
        whole = (*seen, *vector)
        share_of = {mode: _logistic(dot(row[:-1], whole) + row[-1]) for mode, row in self.rows.items()}
        total = sum(share_of.values())
        return {mode: share / total for mode, share in share_of.items()}


def _logistic(height: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, height))))


def features(signals: Signals, knowing: Knowing, scores: Mapping[Mode, float]) -> tuple[float, ...]:
    """Return the features of a message besides its vector, each about in [0, 1]."""
    return (
        *(float(getattr(signals, name)) for name in FLAGS),
        min(signals.tokens / LONG, 1.0),
        min(signals.facts / 10, 1.0),
        min(signals.gists / 5, 1.0),
        knowing.warmth,
        knowing.knowing,
        knowing.confidence,
        *(scores[mode] for mode in CLASSES),
    )


def heads(parsed: Mapping[str, Any]) -> dict[str, Head]:
    """Return a parsed file's classifiers by encoder id. Raises ValueError for other features."""
    if tuple(parsed["features"]) != FEATURES or tuple(parsed["classes"]) != CLASSES:
        raise ValueError("it was made for other features: train it again with `python -m bench.routing --write`")
    return {encoder: Head(_unpack(text)) for encoder, text in parsed["weights"].items()}


def _unpack(text: str) -> dict[Mode, tuple[float, ...]]:
    flat = unpack(text)
    wide = len(flat) // len(CLASSES)
    if wide * len(CLASSES) != len(flat) or wide <= len(FEATURES):
        raise ValueError("its weights are cut short: train it again with `python -m bench.routing --write`")
    return {mode: flat[row * wide : (row + 1) * wide] for row, mode in enumerate(CLASSES)}


@dataclass(frozen=True)
class Around:
    """The context of a message: turns of the conversation, recalled texts (best first), gists of
    the last half hour, surroundings, whether the companion had asked something, whether the emoji
    are positive, and the topic. `antecedent`: there is a referent for "it" or "that one"; `meant`:
    the probability of each of `language.intents.KINDS`."""

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
    """Earlier decisions: the last mode, whether an action was taken in it, and the confidence of
    the last ones on this topic, newest first."""

    mode: Mode | None = None
    productive: bool | None = None
    on_topic: Sequence[float] = ()


@dataclass(frozen=True)
class Judged:
    """The route by scores alone; the modes close enough for a tie-break (or none), best first; and
    the classifier's features."""

    route: Route
    close: tuple[Mode, ...] = ()
    features: tuple[float, ...] = ()


def judge(text: str, nlp: Nlp, around: Around, before: Before, w: Weights) -> Judged:
    """Score a message. An empty one is ignored and a cancel acknowledged, whatever the scores."""
    bears = modes.judge_relevance(text, around.recalled)
    # questions about the world or the companion need no memory and count as answerable
    elsewhere = nlp.asks and not (nlp.about_them or nlp.action_intent or nlp.ambiguous)
    facts = int(w.facts_full) if elsewhere else sum(bears)
    warm = modes.warmth(around.turns, around.gists, around.surroundings)
    knowledge = modes.assess(warm, bears, facts, new_topic=around.new_topic)
    signals = modes.signals(
        nlp,
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
        signals=signals.plain(),
        knowing=knowledge,
        topic_id=around.topic_id,
    )
    if signals.empty or signals.cancel:
        mode: Mode = "IGNORE" if signals.empty else "ACKNOWLEDGE"
        return Judged(replace(of_all, mode=mode, scores={mode: 1.0}, confidence=1.0))
    scores = modes.adjust_scores(modes.scores(signals, knowledge, w), w, before.mode, productive=before.productive)
    margin = modes.margin(signals, knowledge, w, before.on_topic)
    first, confidence = modes.surest(scores)
    close = modes.within(scores, margin)
    route = replace(of_all, mode=first, scores=scores, confidence=confidence, margin=margin)
    all_features = features(signals, knowledge, scores)
    return (
        Judged(replace(route, tie_break="score"), close, all_features)
        if len(close) > 1
        else Judged(route, (), all_features)
    )


def broken(judged: Judged, head: Head, vector: Sequence[float], w: Weights) -> Route:
    """Return the route after the classifier: its choice among the close modes if it is confident
    enough, else the highest score."""
    mode, share = best(head.shares(judged.features, vector), judged.close)
    if share < w.tie_confident:
        return judged.route
    return replace(judged.route, mode=mode, tie_break="classifier")


def best(shares: Mapping[Mode, float], among: Sequence[Mode]) -> tuple[Mode, float]:
    """Return the most probable of some modes, and its share among them."""
    whole = sum(shares.get(mode, 0.0) for mode in among)
    mode = max(among, key=lambda one: shares.get(one, 0.0))
    return mode, (shares.get(mode, 0.0) / whole if whole > 0 else 1 / len(among))
