"""What of a reading may be believed. A mind only claims; here is decided, without one, what the words carry.

Nothing is written here: what was refused is handed on with its reason, to be listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from furoshiki.dates.past.told_dates import named
from furoshiki.feelings.rules.session_feeling import WORDS, Felt, felt
from furoshiki.inner_life.self_model.commitment_form import ReadVerdict
from furoshiki.language.facts.predicates import fitting
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.facts.words import RELATION_FORMS
from furoshiki.language.grounding import thoughts
from furoshiki.language.grounding.said_of import said_of, said_so, somebody_else
from furoshiki.language.grounding.thoughts import FRAME, Near
from furoshiki.language.grounding.words import LEAST_OF_FACT, Verdict, mostly_said, only_said_back, said_in
from furoshiki.language.testimony import Own, as_told
from furoshiki.language.words import RUN
from furoshiki.memory.rules.concepts import concept_name
from furoshiki.memory.store.concepts import LinkType
from furoshiki.post_conversation.reading_form import (
    FollowUp,
    Moved,
    ReadContradiction,
    ReadFact,
    ReadNeed,
    ReadOutcome,
    SessionReading,
)
from furoshiki.post_conversation.rules import own_values, retold
from furoshiki.post_conversation.rules.affirmed import affirmed
from furoshiki.post_conversation.session import Session

Read = TypeVar("Read")

NOT_THEIRS = "it cites no message of the user in this session"
FURTHEST = timedelta(days=400)
"""Nothing is kept to be asked about after so long."""

_LEAST_FELT = 0.5
"""A feeling this strong is named when what was read of the user's state may not be."""


@dataclass(frozen=True)
class Refused:
    """A claim that reaches no memory: its kind and words, what it cited, and why it was not believed."""

    kind: str
    text: str
    messages: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class CheckedReading:
    """A reading without what the words do not carry. Facts come with the user's turns they rest on."""

    topics: tuple[str, ...]
    concepts: tuple[str, ...]
    links: tuple[tuple[str, str, LinkType], ...]
    user_state: str
    summary: str
    facts: tuple[tuple[ReadFact, tuple[int, ...]], ...]
    follow_ups: tuple[FollowUp, ...]
    felt: Felt
    moved_by: str
    moved_turns: tuple[int, ...]
    needs: tuple[ReadNeed, ...]
    questions: tuple[str, ...]
    outcomes: tuple[ReadOutcome, ...]
    verdicts: tuple[ReadVerdict, ...]
    refused: tuple[Refused, ...]


@dataclass
class _Judge:
    session: Session
    near: Near | None
    refused: list[Refused] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.own = self.session.own
        self.words = [turn.own for turn in self.own.values()]
        self.said = said_in([str(turn.own) for turn in self.own.values()])
        self.all = [turn.text for turn in self.session.said]
        self.names = tuple(name for name in (self.session.name, self.session.companion) if name)

    def no(self, kind: str, text: str, messages: Sequence[int], reason: str) -> None:
        """Put a claim on the list of refused."""
        self.refused.append(Refused(kind, text, tuple(messages), reason))

    def cited(self, messages: Sequence[int]) -> tuple[int, ...]:
        """Those of the ids that are the user's messages in this session."""
        return tuple(dict.fromkeys(one for one in messages if one in self.own))

    def texts(self, ids: Sequence[int]) -> list[Own]:
        return [self.own[one].own for one in ids]

    def fact(self, one: ReadFact) -> tuple[ReadFact, tuple[int, ...]] | None:
        """A fact with the user's turns that carry it."""
        ids = self.cited(one.messages)
        verdict = Verdict(False, NOT_THEIRS)
        if ids:
            told = self.texts(ids)
            verdict = said_so(one.text, one.object, told, least=LEAST_OF_FACT)
            if not verdict.ok and self.near is not None:
                verdict = said_so(one.text, one.object, told, self.near(one.text, told), least=LEAST_OF_FACT)
            if verdict.ok:  # of the user by name, too
                verdict = said_of(self._without_names(one.text), one.object, told)
            if verdict.ok:
                verdict = self._about(one, ids)
        if verdict.ok:
            verdict = affirmed(
                one.text,
                one.object,
                self.texts(ids),
                category=one.category,
                about_user=self._of_user(one.subject),
            )
        if verdict.ok:
            echo = only_said_back(one.text, self.texts(ids), self.session.told)
            verdict = Verdict(echo is None, f"{echo!r} was said by the companion alone")
        if verdict.ok:
            brought = only_said_back(one.text, self.texts(ids), self.session.passed_on)
            verdict = Verdict(brought is None, f"{brought!r} stands only in what they passed on or quoted")
        if not verdict.ok:
            self.no("fact", one.text, one.messages, verdict.reason)
            return None
        return self._in_order(one, ids), ids

    def _in_order(self, one: ReadFact, ids: Sequence[int]) -> ReadFact:
        """A fact that is believed, under a predicate that fits it, and with the day only if that was named."""
        fits: dict[str, Any] = {"predicate": fitting(one.predicate, one.text)}
        if self._of_user(one.subject):
            whom = None if fits["predicate"] in RELATIONS else somebody_else(self._without_names(one.text))
            fits["subject"] = whom or "user"
        if one.event_time is not None:
            day = self.session.moment(one.event_time)
            zone = self.session.zone
            cited = [self.own[number] for number in ids]
            if day is None or not any(named(day.astimezone(zone), t.own, t.at.astimezone(zone)) for t in cited):
                self.no("event_time", f"{one.event_time}: {one.text}", one.messages, "that day was never named")
                fits["event_time"] = None
        return one.model_copy(update=fits)

    def _about(self, one: ReadFact, ids: Sequence[int]) -> Verdict:
        """Whether whom a fact is about was named too, where that is not the user."""
        if self._of_user(one.subject):
            return Verdict(True)
        words = {RELATION_FORMS.get(word, word) for text in self.texts(ids) for word in RUN.findall(text.casefold())}
        if one.subject.casefold() in words:
            return Verdict(True)
        return said_so(f"about {one.subject}", one.subject, self.texts(ids), None, frozenset({"about"}))

    def _of_user(self, subject: str) -> bool:
        return subject.casefold() in {"user", "they", "them", "the user", (self.session.name or "user").casefold()}

    def follow_up(self, one: FollowUp) -> bool:
        ids = self.cited(one.messages)
        verdict = Verdict(False, NOT_THEIRS)
        after = self.session.moment(one.after)
        if ids and after is not None and after - self.session.ended_at > FURTHEST:
            verdict = Verdict(False, f"{one.after} is too far ahead")
        elif ids:
            bare = self._without_names(one.text)
            verdict = said_so(bare, None, self.texts(ids), None, FRAME)
            if not verdict.ok and self.near is not None:
                verdict = said_so(bare, None, self.texts(ids), self.near(one.text, self.texts(ids)), FRAME)
        if not verdict.ok:
            self.no("follow_up", one.text, one.messages, verdict.reason)
        return verdict.ok

    def moved(self, one: Moved | None) -> tuple[str, tuple[int, ...]]:
        """The sentence on what moved the user, with its turns; nothing when it is not in them."""
        if one is None:
            return "", ()
        ids = self.cited(one.messages)
        verdict = Verdict(False, NOT_THEIRS)
        if ids:
            bare = self._without_names(one.text)
            verdict = thoughts.judge_claim(bare, self.texts(ids), self.words, self.session.told, self.names, self.near)
        if not verdict.ok:
            self.no("moved_by", one.text, one.messages, verdict.reason)
            return "", ()
        return " ".join(one.text.split()), ids

    def need(self, one: ReadNeed) -> bool:
        ok = bool(self.cited(one.messages))
        if not ok:
            self.no("user_need", f"{one.need} {one.level:g}", one.messages, NOT_THEIRS)
        return ok

    def contradiction(self, one: ReadContradiction) -> bool:
        reply = self.session.replies.get(one.message)
        if reply is None:
            verdict = Verdict(False, f"{one.message} is not a reply of the companion in this session")
        else:
            verdict = own_values.contradicted(
                self._without_names(one.question), one.value, reply.text, self.session.values
            )
        if not verdict.ok:
            self.no("contradiction", f"{one.question} ({one.value})", (one.message,), verdict.reason)
        return verdict.ok

    def once(
        self, kind: str, found: Sequence[Read], key: Callable[[Read], object], says: Callable[[Read], object]
    ) -> list[Read]:
        """Each of them once; of what is said in two ways neither counts."""
        kept: list[Read] = []
        for one in found:
            same = [other for other in found if key(other) == key(one)]
            if any(says(other) != says(one) for other in same):
                messages = getattr(one, "messages", ())
                self.no(kind, f"{key(one)}: {says(one)}", messages, "the same reading says otherwise of it")
            elif same[0] is one:
                kept.append(one)
        return kept

    def topic(self, text: str) -> bool:
        verdict = retold.topic(text, self.all, self.near)
        if not verdict.ok:
            self.no("topic", text, (), verdict.reason)
        return verdict.ok

    def concept(self, text: str) -> str:
        """A concept as it is named, if the user named all of it; else nothing."""
        name = concept_name(text)
        if name and not mostly_said(name, self.said, 1.0, strictly=True):
            self.no("concept", text, (), "not all of it was said by the user")
            return ""
        return name

    def state(self, text: str, feels: Felt) -> str:
        """How they were; in plain words for the strongest feelings when the reading says more than the words do."""
        verdict = retold.state(self._without_names(text), self.words)
        if verdict.ok and text.strip():
            return " ".join(text.split())
        if text.strip():
            self.no("user_state", text, (), verdict.reason)
        strong = sorted((n for n, s in feels.feelings.items() if s >= _LEAST_FELT), key=lambda n: -feels.feelings[n])
        return " and ".join(WORDS[name] for name in strong[:2]) or "calm"

    def summary(self, text: str, facts: Sequence[str]) -> str:
        """What may stay of a summary; facts that were believed may be said again in their own words."""
        words = [*self.words, *map(as_told, facts)]
        told = self.session.told
        kept, refused = retold.summary(text, words, told, self.session.companion, self.names, self.near)
        for sentence, reason in refused:
            self.no("summary", sentence, (), reason)
        return kept

    def _without_names(self, text: str) -> str:
        """Text with pronouns in place of how the two are called, which needs no proof."""
        text = retold.THEM.sub("they", text)
        for name in self.names:
            text = re.sub(rf"\b{re.escape(name)}(?:['\u2019]s)?\b", "they", text)
        return text


def in_order(fact: ReadFact, ids: Sequence[int], session: Session) -> ReadFact:
    """A fact under a predicate and a subject that fit it, and with its day only where that was named."""
    return _Judge(session, None)._in_order(fact, ids)


def judged(reading: SessionReading, session: Session, near: Near | None = None) -> CheckedReading:
    """Everything of a reading that its session carries, and the list of what it does not.

    `near` returns cosines where somebody embeds; ask before a transaction, never in one.
    """
    judge = _Judge(session, near)
    shares: dict[str, float] = {}
    for one in reading.feelings:
        shares[one.feeling] = min(one.strength, shares.get(one.feeling, 1.0))
    feels = felt(shares, reading.valence, reading.intensity)
    needs = judge.once("user_need", reading.user_needs, lambda one: one.need, lambda one: one.level)
    outcomes = judge.once("anticipation", reading.anticipations, lambda one: one.id, lambda one: one.outcome)
    verdicts = judge.once("commitment_verdict", reading.commitments, lambda one: one.id, lambda one: one.verdict)
    moved_by, moved_turns = judge.moved(reading.moved_by)
    facts = [found for one in reading.facts if (found := judge.fact(one)) is not None]
    concepts = tuple(dict.fromkeys(name for one in reading.concepts if (name := judge.concept(one))))
    return CheckedReading(
        topics=tuple(" ".join(text.split()) for text in reading.topics if judge.topic(text)),
        concepts=concepts,
        links=tuple(
            (first, second, link.how)
            for link in reading.links
            if (first := concept_name(link.one)) in concepts and (second := concept_name(link.other)) in concepts
        ),
        user_state=judge.state(reading.user_state, feels),
        summary=judge.summary(reading.summary, [fact.text for fact, _ in facts]),
        facts=tuple(facts),
        follow_ups=tuple(one for one in reading.follow_ups if judge.follow_up(one)),
        felt=feels,
        moved_by=moved_by,
        moved_turns=moved_turns,
        needs=tuple(one for one in needs if judge.need(one)),
        questions=tuple(" ".join(one.question.split()) for one in reading.contradictions if judge.contradiction(one)),
        outcomes=tuple(outcomes),
        verdicts=tuple(verdicts),
        refused=tuple(judge.refused),
    )
