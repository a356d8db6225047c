"""Read a finished conversation by rule: quality, topics, facts, and later follow-ups."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, timedelta
from typing import Any

from furoshiki.language.dates import parsing
from furoshiki.language.facts import conflicts
from furoshiki.language.facts.extraction import Fact, facts_in, past_facts_in
from furoshiki.language.humanize import join_in_english
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.reflex.care.noticing import Notice, notice
from furoshiki.language.reflex.care.weighing import PASSING
from furoshiki.language.reflex.hearing import content
from furoshiki.language.reflex.values import KnownFact
from furoshiki.language.session_feeling import WORDS, build_felt
from furoshiki.language.signals import merge
from furoshiki.language.signals import read as signals_of
from furoshiki.language.tables.care_words import KINDS, CareWords
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.testimony import Utterance
from furoshiki.language.word_tables import by_language

_MOST_FACTS, _MOST_FOLLOW_UPS, _MOST_TOPICS = 30, 5, 5
_EVENTS = {
    "excitement": "excitement_triggered",
    "worry": "worry_triggered",
    "anger": "anger_triggered",
    "praise": "pride_triggered",
}
_EVENT_STRENGTH = 0.75

# the need behind a clear feeling: the largest nudge of each in `config/inner_life.toml`
_NEEDS = {
    "sadness": "emotional_support",
    "worry": "grounding",
    "frustration": "focus",
    "warmth": "companionship",
    "excitement": "playfulness",
    "curiosity": "challenge",
    "disengagement": "space",
}

_NEED_STRENGTH = 0.5
# Confidence in a need: initial, per further message, and maximum. Models may be surer.
_NEED_SURE, _NEED_SURER, _NEED_SUREST = 0.3, 0.1, 0.6


def read_session(
    turns: Sequence[Utterance], lexicon: Lexicon | None = None, care: Sequence[CareWords] = ()
) -> dict[str, Any]:
    """Read a session into the format that post-conversation requests from a model.

    Only the user's turns are evidence, and facts cite their ids. Shares are in [0, 1]. Without a
    lexicon no feelings are read; `care` are the words that reveal distress.
    """
    own = [turn for turn in turns if turn.speaker == "user" and turn.own]
    felt_in = {turn.id: signals_of(turn.own, lexicon).strengths for turn in own} if lexicon is not None else {}
    strengths: dict[str, float] = {}
    for shown in felt_in.values():
        strengths = merge(strengths, shown)
    whole = build_felt({name: min(1.0, strength) for name, strength in strengths.items()})
    facts = _facts(own)
    topics = _topics(own)
    return {
        "connection_quality": _quality(turns, own, strengths),
        "warmth": _warmth(strengths),
        "feelings": [
            {"feeling": name, "strength": round(share, 2)}
            for name, share in sorted(whole.feelings.items(), key=lambda one: -one[1])
        ],
        "valence": round(whole.valence, 2),
        "intensity": round(whole.intensity, 2),
        "user_needs": _needs(felt_in),
        "topics": topics,
        "user_state": _state(strengths),
        "summary": _summary(own, topics, facts, strengths),
        "facts": [_build_entry(fact, turn) for fact, turn in facts][:_MOST_FACTS],
        "follow_ups": _follow_ups(facts, strengths, own, care)[:_MOST_FOLLOW_UPS],
        "events": [event for category, event in _EVENTS.items() if strengths.get(category, 0.0) >= _EVENT_STRENGTH][:2],
    }


def facts_of(turns: Sequence[Utterance]) -> list[dict[str, Any]]:
    """Return the user's facts in the format of a reading, each with the last turn that said it."""
    own = [turn for turn in turns if turn.speaker == "user" and turn.own]
    return [_build_entry(fact, turn) for fact, turn in _facts(own)]


def contradicts(old: KnownFact | Fact, new: KnownFact | Fact) -> bool:
    """Return whether two facts cannot both be true now (one of them ends the other)."""
    if old.subject.casefold() != new.subject.casefold():
        return False
    if old.predicate == new.predicate:
        return conflicts.ends(old.predicate, old.object, new.object)
    return {old.predicate, new.predicate} in _OPPOSED and conflicts.same(old.object, new.object)


_OPPOSED = ({"likes", "dislikes"}, {"does_not", "likes"})


def _facts(own: Sequence[Utterance]) -> list[tuple[Fact, Utterance]]:
    """Return each fact once, with the last turn that stated it; ended facts are left out."""
    found: dict[tuple[str, str, str], tuple[Fact, Utterance]] = {}
    for turn in own:
        for fact in (*facts_in(turn.own), *past_facts_in(turn.own)):
            ended = [key for key, (old, _) in found.items() if not old.past and contradicts(old, fact)]
            for key in ended if not fact.past else ():
                del found[key]
            found[(fact.subject.casefold(), fact.predicate, fact.object.casefold())] = fact, turn
    return list(found.values())


def _build_entry(fact: Fact, turn: Utterance) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "text": f"{fact.text}.",
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": fact.object,
        "category": fact.category,
        "messages": [turn.id],
    }
    when = parsing.read(fact.object, turn.at) if fact.category == "plan" else None
    if when is not None:
        shown["event_time"] = when.at.isoformat(timespec="minutes")
    return shown


def _follow_ups(
    facts: Sequence[tuple[Fact, Utterance]],
    strengths: dict[str, float],
    own: Sequence[Utterance],
    care: Sequence[CareWords],
) -> list[dict[str, Any]]:
    """Return follow-ups: how a finished plan went; how a worried or sad user is, next day."""
    heavy_things = [
        (seen, turn)
        for turn in own
        if (seen := notice(turn.own, care, turn.at.year)) is not None and seen.kind not in PASSING
    ]
    if heavy_things:
        return _gently(heavy_things, own)
    found = []
    for fact, turn in facts:
        if fact.predicate != "plans":
            continue
        when = parsing.read(fact.object, turn.at)
        if when is not None and not when.past:
            after = (when.at.astimezone(UTC) + timedelta(hours=2)).isoformat(timespec="minutes")
            who = "it" if fact.subject == "user" else f"it for {fact.subject}"
            found.append({"text": f"{fact.object}: ask how {who} went", "after": after, "messages": [turn.id]})
    heavy = [category for category in ("sadness", "worry") if strengths.get(category, 0.0) >= 0.6]
    if heavy and own:
        after = (own[-1].at.astimezone(UTC) + timedelta(hours=18)).isoformat(timespec="minutes")
        text = f"They sounded {WORDS[heavy[0]]}: ask how they are"
        found.append({"text": text, "after": after, "messages": [own[-1].id]})
    return found


# Kinds followed up by asking how the user is. Not violence or threats of harm: an abuser could read
# along, and nobody is reminded of a threat.
_GENTLY = frozenset({"self", "friend", "death", "panic", "illness", "relapse", "parted", "lonely"})


def _gently(heavy: Sequence[tuple[Notice, Utterance]], own: Sequence[Utterance]) -> list[dict[str, Any]]:
    """Return the only follow-up after distress, for the next day."""
    seen, turn = min(heavy, key=lambda one: KINDS.index(one[0].kind))
    if seen.kind not in _GENTLY:
        return []
    after = (own[-1].at.astimezone(UTC) + timedelta(hours=18)).isoformat(timespec="minutes")
    return [{"text": f"They sounded {WORDS['sadness']}: ask how they are", "after": after, "messages": [turn.id]}]


def _needs(felt_in: Mapping[int, Mapping[str, float]]) -> list[dict[str, Any]]:
    """Return apparent needs with the messages that show them; `felt_in` maps ids to signals."""
    found = []
    for feeling, need in _NEEDS.items():
        shown = {
            turn_id: felt[feeling] for turn_id, felt in felt_in.items() if felt.get(feeling, 0.0) >= _NEED_STRENGTH
        }
        if shown:
            sure = min(_NEED_SUREST, _NEED_SURE + _NEED_SURER * len(shown))
            level = round(min(1.0, max(shown.values())), 2)
            found.append({"need": need, "level": level, "confidence": round(sure, 2), "messages": list(shown)})
    return found


def _quality(turns: Sequence[Utterance], own: Sequence[Utterance], strengths: dict[str, float]) -> float:
    """Rate a conversation: exchanges, length of messages, and signs of turning away."""
    exchanges = min(1.0, len(own) / 8)
    length = min(1.0, sum(len(turn.own.split()) for turn in own) / max(1, len(own)) / 12)
    answered = min(1.0, len(turns) / max(1, 2 * len(own)))
    kind = 0.15 * max(strengths.get("warmth", 0.0), strengths.get("praise", 0.0))
    away = 0.35 * max(strengths.get("disengagement", 0.0), strengths.get("anger", 0.0))
    return round(min(1.0, max(0.0, 0.15 + 0.4 * exchanges + 0.25 * length + 0.1 * answered + kind - away)), 2)


def _warmth(strengths: dict[str, float]) -> float:
    warm = max(strengths.get("warmth", 0.0), 0.8 * strengths.get("praise", 0.0), 0.7 * strengths.get("excitement", 0.0))
    cold = max(strengths.get("anger", 0.0), 0.7 * strengths.get("disengagement", 0.0))
    return round(min(1.0, max(0.0, 0.4 + 0.6 * warm - 0.5 * cold)), 2)


def _state(strengths: dict[str, float]) -> str:
    felt = sorted((c for c, s in strengths.items() if s >= 0.5 and c != "curiosity"), key=lambda c: -strengths[c])[:2]
    return join_in_english([WORDS[category] for category in felt]) or (
        "curious" if strengths.get("curiosity") else "calm"
    )


def _topics(own: Sequence[Utterance]) -> list[str]:
    """Return the most frequent content words, earlier ones first in a tie."""
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for turn in own:
        for word in _list_content_words(turn.own):
            stems = content(word)
            if stems:
                stem = next(iter(stems))
                counts[stem] += 1
                shown.setdefault(stem, word)
    return [shown[stem] for stem, _ in counts.most_common(_MOST_TOPICS)]


def _list_content_words(text: str) -> list[str]:
    words = [word.strip(".,!?;:\"'()\u201c\u201d\u2026").removesuffix("'s") for word in text.lower().split()]
    return [word for word in words if len(word) > 3 and word.isalpha() and word not in COMMON and word not in _PLAIN]


_PLAIN = frozenset(by_language("small")["en"]["plain"].split())


def _summary(
    own: Sequence[Utterance],
    topics: Sequence[str],
    facts: Sequence[tuple[Fact, Utterance]],
    strengths: dict[str, float],
) -> str:
    """Summarize in one or two template sentences: topics, news, mood."""
    if not own:
        return "The user said nothing."
    about = f"They talked about {join_in_english(list(topics[:3]))}." if topics else "They exchanged a few words."
    new = f"New: {'; '.join(fact.text for fact, _ in facts[:3])}." if facts else ""
    felt = _state(strengths)
    mood = f"They seemed {felt}." if felt != "calm" else ""
    return " ".join(part for part in (about, new, mood) if part)[:600]
