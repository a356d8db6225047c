"""Scores of the modes (ways to answer a message), from its words and the available context.

Pure and under a millisecond: the same signals, knowing and weights give the same scores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.nlp import Nlp
from furoshiki.owner.routing.rules.weights import Weights
from furoshiki.owner.routing.values import MODES, Knowing, Mode, Route

SMALLEST = 0.001
LAST_ON_TOPIC = 3  # decisions on a topic that must all be unsure to widen the margin


@dataclass(frozen=True, slots=True)
class Signals:
    """The inputs of the scores. An order in question form ("could you add …?") is no question, a
    goodbye is a greeting, and "ok" without a preceding question is praise.

    `facts` are the facts available for this message, `gists` those of the last half hour.
    """

    empty: bool = False
    cancel: bool = False
    question: bool = False
    interrogative: bool = False
    question_mark: bool = False
    statement: bool = False
    ambiguous: bool = False
    unclear: bool = False
    greeting_alone: bool = False
    praise_alone: bool = False
    action_intent: bool = False
    implicit_reference: bool = False
    lookup_request: bool = False
    rephrase: bool = False
    about_them: bool = False
    new_topic: bool = False
    negative: bool = False
    tokens: int = 0
    information_density: float = 0.0
    facts: int = 0
    gists: int = 0

    def plain(self) -> dict[str, Any]:
        """Return the non-default values for JSON."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}


def signals(
    nlp: Nlp,
    facts: int,
    gists: int,
    *,
    new_topic: bool,
    asked: bool,
    pleased: bool,
    thanks: bool = False,
    unclear: bool = False,
) -> Signals:
    """Compute the signals of a message from its words and its context.

    `asked`: the companion had asked something, so "ok" is an answer. `pleased`: its emoji are
    positive; `thanks`: by its meaning it is only thanks; `unclear`: it names nothing, and nothing
    before it could be meant.
    """
    question = nlp.asks and not nlp.action_intent
    thanks = thanks and not (nlp.asks or nlp.action_intent)
    praised = thanks or (nlp.feedback_alone and nlp.explicit_feedback == "positive")
    unclear = unclear and not (praised or nlp.pure_greeting or nlp.parting_alone or nlp.assent_alone)
    return Signals(
        empty=nlp.empty,
        cancel=nlp.cancel,
        question=question,
        interrogative=nlp.interrogative and question,
        question_mark=nlp.has_question_mark,
        statement=nlp.statement and not (thanks or unclear),
        ambiguous=nlp.ambiguous or unclear,
        unclear=unclear,
        greeting_alone=nlp.pure_greeting or nlp.parting_alone,
        praise_alone=praised or (nlp.assent_alone and not asked) or (pleased and nlp.tokens == 0 and not nlp.empty),
        action_intent=nlp.action_intent,
        implicit_reference=nlp.implicit_reference,
        lookup_request=nlp.lookup_request,
        rephrase=nlp.rephrase,
        about_them=nlp.about_them and question,
        new_topic=new_topic,
        negative=nlp.explicit_feedback == "negative",
        tokens=nlp.tokens,
        information_density=round(nlp.information_density, 3),
        facts=facts,
        gists=gists,
    )


def scores(read_signals: Signals, knowing: Knowing, w: Weights) -> dict[Mode, float]:
    """Compute each mode's score from the weights."""
    warmth = knowing.warmth
    cold, warm = warmth < w.cold_below, warmth > w.warm_above
    density = min(read_signals.facts / w.facts_full, 1.0)
    respond = (
        w.respond_base
        + w.respond_warmth * warmth
        + w.respond_facts * density
        + w.respond_gists * min(read_signals.gists / w.gists_full, 1.0)
        + w.respond_warm_question * (read_signals.question and warmth > w.respond_warm_question_above)
        + w.respond_statement * read_signals.statement
        - w.respond_cold * cold
        - w.respond_greeting * read_signals.greeting_alone
        - w.respond_praise * read_signals.praise_alone
    )
    clarify = (
        w.clarify_base
        + w.clarify_cold
        * (1 - warmth)
        * (read_signals.unclear or (cold and (read_signals.question or read_signals.ambiguous)))
        + w.clarify_no_facts * (read_signals.question and read_signals.facts == 0)
        + w.clarify_new_topic * (read_signals.new_topic and read_signals.question)
        - w.clarify_warm * warm
        - w.clarify_statement * read_signals.statement
    )
    unsure = knowing.confidence < w.act_unsure_below
    hardly = not unsure and knowing.confidence < w.act_hardly_sure_below
    act = (
        w.act_base
        + w.act_intent * read_signals.action_intent
        + w.act_question * (read_signals.question and w.act_question_from <= warmth <= w.act_question_to)
        + w.act_few_facts * (read_signals.interrogative and read_signals.facts < w.act_few_facts_below)
        + w.act_reference * read_signals.implicit_reference
        + w.act_unsure * (read_signals.question and unsure)
        + w.act_hardly_sure * (read_signals.question and hardly)
        - w.act_cold * (warmth < w.act_cold_below)
        - w.act_known * (warm and density > w.act_known_above)
    )
    acknowledge = (
        w.acknowledge_base
        + w.acknowledge_greeting * read_signals.greeting_alone
        + w.acknowledge_praise * read_signals.praise_alone
        - w.acknowledge_question * read_signals.question
    )
    ignore = w.ignore_base + w.ignore_empty * read_signals.empty
    return {"RESPOND": respond, "CLARIFY": clarify, "ACT": act, "ACKNOWLEDGE": acknowledge, "IGNORE": ignore}


def adjust_scores(
    mode_scores: Mapping[Mode, float], w: Weights, previous: Mode | None, *, productive: bool | None
) -> dict[Mode, float]:
    """Adjust the scores by the previous decision. `productive`: an action was taken then."""
    after = dict(mode_scores)
    if previous == "ACT" and productive is False:
        after["ACT"] -= w.act_unproductive
    if previous == "CLARIFY":
        after["RESPOND"] += w.respond_after_clarify
    return after


def surest(mode_scores: Mapping[Mode, float]) -> tuple[Mode, float]:
    """Return the best mode, and its lead over the second relative to its score."""
    first, second = sorted(MODES, key=lambda mode: -mode_scores[mode])[:2]
    return first, (mode_scores[first] - mode_scores[second]) / max(abs(mode_scores[first]), SMALLEST)


def margin(read_signals: Signals, knowing: Knowing, w: Weights, on_topic: Sequence[float]) -> float:
    """Return the least lead of the best score that needs no tie-break.

    `on_topic` are the confidences of the last decisions on the same topic.
    """
    last = on_topic[:LAST_ON_TOPIC]
    unsure = len(last) == LAST_ON_TOPIC and all(one < w.margin_unsure_below for one in last)
    return (
        w.margin_base
        - w.margin_warmth * knowing.warmth
        + w.margin_reference * read_signals.implicit_reference
        + w.margin_sparse * (knowing.density < w.margin_sparse_below)
        + w.margin_no_mark * (read_signals.interrogative and not read_signals.question_mark)
        + w.margin_unsure * unsure
    )


def within(mode_scores: Mapping[Mode, float], width: float) -> tuple[Mode, ...]:
    """Return the modes less than `width` below the best, best first."""
    order = sorted(MODES, key=lambda mode: -mode_scores[mode])
    return tuple(mode for mode in order if mode_scores[order[0]] - mode_scores[mode] < width)


# -- the hint about the route in the prompt: one line, only if it is informative --


# the line's name in `prompts/_parts/route/`
Hint = Literal["search", "act", "look_up", "clarify", "acknowledge"]


def must_search(route: Route) -> bool:
    """Whether memory must be searched before saying that a fact about the user is unknown."""
    return bool(route.signals.get("about_them")) and route.knowing.confidence < UNKNOWN_BELOW


def hint_words(route: Route) -> Hint | None:
    """Return the hint for a route; None for a plain answer, or a decision by score alone."""
    if route.signals.get("cancel") or route.signals.get("empty"):
        return None
    if must_search(route):
        return "search"
    if route.mode == "RESPOND" or route.tie_break == "score":
        return None
    if route.mode == "ACT":
        return "act" if route.signals.get("action_intent") else "look_up"
    if route.mode == "CLARIFY":
        return "clarify"
    if route.mode == "ACKNOWLEDGE" and not route.signals.get("greeting_alone"):  # a greeting deserves one in return
        return "acknowledge"
    return None


# turns of the conversation, and gists of the last half hour, for full warmth
WORKING_TURNS, GISTS = 4, 5

FLOOR = 0.5  # the share of a message's words that a recalled text must contain to be relevant

# the first recalled texts that count for the feeling of knowing; recall always fills its limit
FELT = 5

FACTS_FULL = 10.0

KNOWING, WARMTH, DENSITY = 0.4, 0.4, 0.2
NEW_TOPIC = 0.7  # the factor on the confidence for a new topic

# below this confidence memory is searched before saying that a fact about the user is unknown
UNKNOWN_BELOW = 0.15


def judge_relevance(text: str, recalled: Sequence[str]) -> list[bool]:
    """Return for each recalled text whether it contains half of the message's content words."""
    words = content_of(text)
    if not words:
        return [False] * len(recalled)
    return [len(words & stems_of(one)) >= FLOOR * len(words) for one in recalled]


def warmth(turns: int, gists: int, surroundings: bool) -> float:
    """Return the mean of turns, gists and surroundings (reminders, work, …), in [0, 1]."""
    return (min(turns / WORKING_TURNS, 1.0) + min(gists / GISTS, 1.0) + float(surroundings)) / 3


def assess(warm: float, bears: Sequence[bool], facts: int, *, new_topic: bool) -> Knowing:
    """Rate the available knowledge about a message. `bears` is in order of recall."""
    first = bears[:FELT]
    felt = sum(first) / len(first) if first else 0.0
    density = min(facts / FACTS_FULL, 1.0)
    confidence = KNOWING * felt + WARMTH * warm + DENSITY * density
    return Knowing(warm, felt, density, confidence * (NEW_TOPIC if new_topic else 1.0))
