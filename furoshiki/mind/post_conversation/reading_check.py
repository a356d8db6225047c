"""Judge together all claims that a reading makes about the user.

Claims are checked by form, by a reader, and by rules of doubt without one (`grounding.believing`).
Doubtful facts keep a reason; other claims must be certain. Nothing is written here.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, TypeVar

from furoshiki.language.dates.past.told_dates import is_date_named
from furoshiki.language.facts.predicates import OTHER, choose_predicate
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.grounding.said_of import somebody_else
from furoshiki.language.grounding.words import collect_words, mostly_said
from furoshiki.language.session_feeling import WORDS, Felt, build_felt
from furoshiki.language.tokens import estimate
from furoshiki.language.words import RUN
from furoshiki.memory.grounding.believing import Claim, judge_claims, with_language
from furoshiki.memory.grounding.rules.conversation import Conversation
from furoshiki.memory.grounding.rules.doubts import measure_overlap
from furoshiki.memory.grounding.rules.form import has_form, is_day_stated, is_unread
from furoshiki.memory.grounding.rules.statement import Judged, Kind
from furoshiki.memory.rules.concepts import concept_name
from furoshiki.memory.store.concepts import LinkType
from furoshiki.mind.inner_life.self_model.commitment_form import ReadVerdict
from furoshiki.mind.post_conversation import reading_form
from furoshiki.mind.post_conversation.parts import once_each
from furoshiki.mind.post_conversation.rules import own_values
from furoshiki.mind.post_conversation.session import Session
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

Read = TypeVar("Read")
# a fact with the supporting turns of the user and, if doubtful, the reason
Fact = tuple[reading_form.ReadFact, tuple[int, ...], str | None]

NOT_THEIRS = "it cites no message of the user in this session"
FURTHEST = timedelta(days=400)  # maximum time ahead of a follow-up

CITED_TOKENS = 6_000
# statements about the conversation cite all messages up to CITED_TOKENS, else MOST_CITED of them
MOST_CITED = 12

_LEAST_FELT = 0.5  # minimum strength of a feeling that replaces a refused user state

_CAPITAL = r"[A-Z\u00c0-\u00de\u0130\u015e]\w*"
# The user's name, alone or in a `longer` one: "the Virgen del Roc\u00edo hospital". What they are
# called stays.
_NAME = (
    r"(?<!\bcalled )(?<!\bnamed )(?<!\bname is )"
    rf"(?:(?P<longer>(?:\b{_CAPITAL} (?:(?:de|del|de la|da|do|di|du|von|van|of) )+|(?<=[\w,;] ){_CAPITAL} )%(name)s\b"
    rf"|\b%(name)s(?= {_CAPITAL}))|\b%(name)s(?P<possessive>['\u2019]s)?\b)"
)

# how models and rules refer to the user
_THEM = re.compile(r"\b(?:[Tt]he user|User)(?P<possessive>['\u2019]s)?\b")

# text that a model adds to a name: "Yannick, tout le monde dit Yaya"
_BESIDE_NAME = re.compile(
    r"\s*[,;(\uff0c\uff08].*|\s(?:-|\u2013|\u2014|but|aber|pero|mais|mas|ma|но|ama)\s.*", re.DOTALL
)

_SENTENCE_END = re.compile(r"(?<=[.!?\u2026])\s+")


@dataclass(frozen=True)
class Refused:
    """A claim that is not stored: its kind, text, citations, and the reason."""

    kind: str
    text: str
    messages: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class CheckedReading:
    """A reading without its refused claims."""

    topics: tuple[str, ...]
    concepts: tuple[str, ...]
    links: tuple[tuple[str, str, LinkType], ...]
    user_state: str
    summary: str
    facts: tuple[Fact, ...]
    follow_ups: tuple[reading_form.FollowUp, ...]
    felt: Felt
    moved_by: str
    moved_turns: tuple[int, ...]
    needs: tuple[reading_form.ReadNeed, ...]
    questions: tuple[str, ...]
    outcomes: tuple[reading_form.ReadOutcome, ...]
    verdicts: tuple[ReadVerdict, ...]
    settled: frozenset[int]
    refused: tuple[Refused, ...]
    # the refused claims that a model may rephrase: rejected, not only doubtful
    handed_back: tuple[Refused, ...] = ()


@dataclass
class _Judge:
    session: Session
    refused: list[Refused] = field(default_factory=list)
    handed_back: list[Refused] = field(default_factory=list)
    # each claim with its kind in the list of refusals, and its original text
    claims: list[tuple[str, Claim, str]] = field(default_factory=list)

    verdicts: Sequence[Judged] = ()

    def __post_init__(self) -> None:
        self.own = self.session.own
        self.short = sum(estimate(turn.own) for turn in self.own.values()) <= CITED_TOKENS
        self.talk = conversation(self.session)

    def no(self, kind: str, text: str, messages: Sequence[int], reason: str) -> None:
        """Add a claim to the list of refusals."""
        self.refused.append(Refused(kind, text, tuple(messages), reason))

    def ask(self, listed: str, kind: Kind, text: str, cited: Sequence[int], said: str = "", **more: Any) -> int | None:
        """Add a claim to be judged and return its position; None without a valid citation."""
        ids = self.cited(cited)
        if not ids:
            self.no(listed, text, cited, NOT_THEIRS)
            self.handed_back.append(self.refused[-1])
            return None
        self.claims.append((listed, Claim(self.of_them(said or text), kind, ids, **more), text))
        return len(self.claims) - 1

    def outcome(self, place: int | None, *, perhaps: bool = False) -> Judged | None:
        """Return a claim's verdict; None if not to be kept. `perhaps` accepts doubtful ones too."""
        if place is None:
            return None
        judged, (listed, claim, text) = self.verdicts[place], self.claims[place]
        if judged.outcome == "known" or (perhaps and judged.unconfirmed):
            return judged
        self.no(listed, text, claim.cited, judged.reason)
        if not judged.kept:
            self.handed_back.append(self.refused[-1])
        return None

    def known(self, place: int | None) -> bool:
        """Return whether a claim is certain."""
        return self.outcome(place) is not None

    def cited(self, messages: Iterable[int]) -> tuple[int, ...]:
        """Return the ids that are messages of the user in this session."""
        return tuple(dict.fromkeys(message for message in messages if message in self.own))

    def whole(self, text: str) -> tuple[int, ...]:
        """Return the messages behind a statement about the whole conversation."""
        if self.short:
            return tuple(self.own)
        nearest = sorted(self.own, key=lambda number: measure_overlap(text, [self.own[number].own]), reverse=True)
        return tuple(sorted(nearest[:MOST_CITED]))

    def of_user(self, subject: str) -> bool:
        """Return whether a fact is about the user."""
        return subject.casefold() in {"user", "they", "them", "the user", (self.session.name or "user").casefold()}

    def of_them(self, text: str) -> str:
        """Replace the user's name by English pronouns, because a name needs no evidence."""
        if load_languages().of(text) is not None:
            return " ".join(text.split())
        found = _THEM.sub(_pronoun, text)
        if self.session.name:
            found = re.sub(_NAME % {"name": re.escape(self.session.name)}, _pronoun, found)
        return " ".join(found.split())

    def once(
        self, kind: str, found: Sequence[Read], key: Callable[[Read], object], says: Callable[[Read], object]
    ) -> list[Read]:
        """Return each item once; contradictory items are refused."""
        kept: list[Read] = []
        for one in found:
            same = [other for other in found if key(other) == key(one)]
            if any(says(other) != says(one) for other in same):
                messages = getattr(one, "messages", ())
                self.no(kind, f"{key(one)}: {says(one)}", messages, "the same reading says otherwise of it")
            elif same[0] is one:
                kept.append(one)
        return kept

    def fact(self, one: reading_form.ReadFact) -> int | None:
        """Add a fact as a claim."""
        return self.ask("fact", "fact", one.text, one.messages, of_owner=self.of_user(one.subject), object=one.object)

    def follow_up(self, one: reading_form.FollowUp) -> int | None:
        """Add a follow-up as a claim, unless it is too far ahead."""
        after = self.session.moment(one.after)
        if after is not None and after - self.session.ended_at > FURTHEST:
            self.no("follow_up", one.text, one.messages, f"{one.after} is too far ahead")
            return None
        return self.ask("follow_up", "follow_up", one.text, one.messages, free=True)

    def came_about(self, one: reading_form.ReadOutcome) -> int | None:
        """Add as a claim that something expected came about or did not."""
        expected = next((anticipation for anticipation in self.session.expected if anticipation.id == one.id), None)
        if expected is None or one.outcome == "open":
            return None
        if not self.cited(one.messages):
            self.no(
                "anticipation", expected.text, one.messages, f"called a {one.outcome} without a word of theirs about it"
            )
            return None
        how = "came about" if one.outcome == "hit" else "did not come about"
        return self.ask(
            "anticipation",
            "anticipation",
            expected.text,
            one.messages,
            f"What was expected {how}: {expected.text} {expected.reason}",
            free=True,
        )

    def need(self, one: reading_form.ReadNeed) -> bool:
        """Return whether a need cites messages of the user."""
        ok = bool(self.cited(one.messages))
        if not ok:
            self.no("user_need", f"{one.need} {one.level:g}", one.messages, NOT_THEIRS)
        return ok

    def contradiction(self, one: reading_form.ReadContradiction) -> bool:
        """Return whether a question about a reply may be asked."""
        reply = self.session.replies.get(one.message)
        if reply is None:
            reason = f"{one.message} is not a reply of the companion in this session"
        else:
            reason = own_values.objection(self.of_them(one.question), one.value, reply, self.talk, self.session.values)
        if reason:
            self.no("contradiction", f"{one.question} ({one.value})", (one.message,), reason)
        return not reason

    def concept(self, text: str) -> str:
        """Return a concept's name if the user said all of it, else ""."""
        name = concept_name(text)
        own = [turn.own for turn in self.own.values()]
        forms = RUN.findall(" ".join(own))
        inflected = all(has_form(word, forms) for word in name.split())
        said = any(mostly_said(one, collect_words(own, text), 1.0) for one in (name, text))
        if name and not (inflected and is_unread(self.talk.tongue)) and not said:
            self.no("concept", text, (), "not all of it was said by the user")
            return ""
        return name


def conversation(session: Session) -> Conversation:
    """Return a session as evidence, with known facts without their reference names."""
    known = [one.partition("] ")[2] if one.startswith("[") else one for one in session.known]
    return with_language(Conversation(session.said, session.zone, session.name or "", session.companion, known))


def in_order(
    fact: reading_form.ReadFact, ids: Sequence[int], session: Session, judge: _Judge | None = None
) -> tuple[reading_form.ReadFact, str]:
    """Return a fact with matching predicate, subject and object, and its date only if it was
    mentioned, plus the reason if not, or "". An object found in neither text is replaced."""
    judge = judge or _Judge(session)
    cited = [judge.own[number] for number in ids]
    fits: dict[str, Any] = {"predicate": choose_predicate(fact.predicate, fact.text)}
    if not mostly_said(fact.object, collect_words([fact.text, *(turn.own for turn in cited)])):
        fits |= {"predicate": OTHER, "object": fact.text}
    elif fits["predicate"] == "name":
        fits["object"] = _BESIDE_NAME.split(fact.object)[0] or fact.object
    if judge.of_user(fact.subject):
        whom = None if fits["predicate"] in RELATIONS else somebody_else(judge.of_them(fact.text))
        fits["subject"] = whom or "user"
    reason = ""
    if fact.event_time is not None:
        day, zone = session.moment(fact.event_time), session.zone
        said = [(turn, turn.at.astimezone(zone)) for turn in cited]
        if day is None or not (
            any(is_date_named(day.astimezone(zone), turn.own, at) for turn, at in said)
            or (
                abs(day - session.ended_at) <= FURTHEST
                and is_day_stated(day.astimezone(zone).date(), judge.talk.statement(fact.text, "fact", ids))
            )
        ):
            reason, fits["event_time"] = "that day was never named", None
    return fact.model_copy(update=fits), reason


async def check_claims(
    world: World, reading: reading_form.SessionReading, session: Session, *, by_rule: bool = False
) -> CheckedReading:
    """Return the accepted part of a reading, and the refusals. Asks at most one question, outside
    of any transaction; none for a reading `by_rule`, which only uses literal words."""
    judge = _Judge(session)
    outcomes = judge.once("anticipation", reading.anticipations, lambda outcome: outcome.id, lambda one: one.outcome)
    facts = [(fact, judge.fact(fact)) for fact in once_each(reading.facts)]
    moved = reading.moved_by
    moving = None if moved is None else judge.ask("moved_by", "summary", moved.text, moved.messages)
    state = _ask_state(judge, reading.user_state)
    sentences = _ask_summary(judge, reading.summary)
    follow_ups = [(follow_up, judge.follow_up(follow_up)) for follow_up in reading.follow_ups]
    topics = [
        (text, judge.ask("topic", "topic", text, judge.whole(text), f"They talked about {text}."))
        for text in reading.topics
        if text.strip()
    ]
    came = [(outcome, judge.came_about(outcome)) for outcome in outcomes]
    claims = [claim for _, claim, _ in judge.claims]
    judge.verdicts = [Judged("known")] * len(claims) if by_rule else await judge_claims(world, judge.talk, claims)
    shares: dict[str, float] = {}
    for feeling in reading.feelings:
        shares[feeling.feeling] = min(feeling.strength, shares.get(feeling.feeling, 1.0))
    feels = build_felt(shares, reading.valence, reading.intensity)
    needs = judge.once("user_need", reading.user_needs, lambda need: need.need, lambda one: one.level)
    verdicts = judge.once(
        "commitment_verdict", reading.commitments, lambda verdict: verdict.id, lambda one: one.verdict
    )
    concepts = tuple(dict.fromkeys(name for text in reading.concepts if (name := judge.concept(text))))
    links = []
    for link in reading.links:
        first, second = concept_name(link.one), concept_name(link.other)
        if first in concepts and second in concepts:
            links.append((first, second, link.how))
    moved = moved if judge.known(moving) else None
    return CheckedReading(
        topics=tuple(" ".join(text.split()) for text, place in topics if judge.known(place)),
        concepts=concepts,
        links=tuple(links),
        user_state=" ".join(reading.user_state.split()) if judge.known(state) else _plainly(feels),
        summary=" ".join(text for text, place in sentences if judge.known(place)),
        facts=tuple(found for one, place in facts if (found := _fact(judge, one, place)) is not None),
        follow_ups=tuple(one for one, place in follow_ups if judge.known(place)),
        felt=feels,
        moved_by=" ".join(moved.text.split()) if moved is not None else "",
        moved_turns=judge.cited(moved.messages) if moved is not None else (),
        needs=tuple(need for need in needs if judge.need(need)),
        questions=tuple(
            " ".join(contradiction.question.split())
            for contradiction in reading.contradictions
            if judge.contradiction(contradiction)
        ),
        outcomes=tuple(one for one, place in came if judge.known(place)),
        verdicts=tuple(verdicts),
        settled=frozenset(one.id for one in reading.settled if judge.cited(one.messages))
        & {one.id for one in session.noted},
        refused=tuple(judge.refused),
        handed_back=tuple(refusal for refusal in judge.handed_back if refusal.kind in _MAY_BE_BETTER),
    )


async def again(
    world: World, corrected: reading_form.Corrected, session: Session, first: CheckedReading
) -> CheckedReading:
    """Judge a model's rephrased claims and add them to the first result."""
    reading = reading_form.SessionReading.model_construct(
        **{name: getattr(corrected, name) for name in reading_form.Corrected.model_fields}
    )
    second = await check_claims(world, reading, session)
    told = {one.text for one, _, _ in first.facts}
    asked = {follow_up.text for follow_up in first.follow_ups}
    plain = any(refusal.kind == "user_state" for refusal in first.refused)
    better = (
        plain and corrected.user_state.strip() and not any(refusal.kind == "user_state" for refusal in second.refused)
    )
    return replace(
        first,
        facts=(*first.facts, *(fact for fact in second.facts if fact[0].text not in told)),
        follow_ups=(*first.follow_ups, *(follow_up for follow_up in second.follow_ups if follow_up.text not in asked)),
        moved_by=first.moved_by or second.moved_by,
        moved_turns=first.moved_turns or second.moved_turns,
        user_state=second.user_state if better else first.user_state,
        summary=" ".join(one for one in (first.summary, second.summary) if one),
        refused=tuple(dict.fromkeys((*first.refused, *second.refused))),
    )


_MAY_BE_BETTER = frozenset({"fact", "follow_up", "moved_by", "user_state", "summary"})


def _fact(judge: _Judge, one: reading_form.ReadFact, place: int | None) -> Fact | None:
    judgement = judge.outcome(place, perhaps=True)
    if judgement is None:
        return None
    ids = judge.cited(one.messages)
    fact, undated = in_order(one, ids, judge.session, judge)
    if undated:
        judge.no("event_time", f"{one.event_time}: {one.text}", one.messages, undated)
    return fact, ids, (judgement.reason or "it was only likely") if judgement.unconfirmed else None


def _ask_state(judge: _Judge, text: str) -> int | None:
    if not text.strip():
        return None
    seemed = f"They seemed {text[:1].lower()}{text[1:]}"
    return judge.ask("user_state", "mood", text, judge.whole(text), seemed, of_owner=True)


def _ask_summary(judge: _Judge, text: str) -> list[tuple[str, int | None]]:
    sentences = [part for part in _SENTENCE_END.split(text.strip()) if RUN.search(part)]
    return [(sentence, judge.ask("summary", "summary", sentence, judge.whole(sentence))) for sentence in sentences]


def _plainly(feels: Felt) -> str:
    """Describe the user's state in plain words, by the strongest feelings."""
    strong = sorted((n for n, s in feels.feelings.items() if s >= _LEAST_FELT), key=lambda n: -feels.feelings[n])
    return " and ".join(WORDS[name] for name in strong[:2]) or "calm"


def _pronoun(match: re.Match[str]) -> str:
    if match.groupdict().get("longer"):
        return match[0]
    word = "their" if match["possessive"] else "they"
    return word.capitalize() if not match.string[: match.start()].strip() else word
