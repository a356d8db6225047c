"""Understand one message before answering: facts, a name, content words."""

import re
from dataclasses import dataclass
from functools import cached_property

from furoshiki.core.catalogue import ENGLISH
from furoshiki.language.chat_spelling import write_out
from furoshiki.language.facts import abroad, endings, names
from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.facts.extraction import USER, Fact, facts_in, find_referent, past_facts_in
from furoshiki.language.facts.relatives import RELATIONS, find_related
from furoshiki.language.facts.retelling import sentence
from furoshiki.language.reflex import days
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import KnownFact
from furoshiki.language.reflex.wording import COMPANION
from furoshiki.language.requests import asked, companion_name, correction_words, small_talk
from furoshiki.language.requests.forget_asked import request_in
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.testimony import Own, as_told
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import MOST_ANSWERED, WORD, asks, stem, with_apostrophes

_WAYS = by_language("hearing_beside")["en"]
_IN_VAIN = re.compile(_WAYS["in_vain"])
# "it's on 3 March", "his name is Leo"; without such a lead the form must fit an answer
_LEAD = _WAYS["lead"]
_ANSWER = re.compile(
    rf"^\W*(?:oh,? |well,? |ok,? )?(?P<lead>(?:{_LEAD})\s+)?(?:called |named |on |in |at |a |an )?"
    r"(?P<given>\w[\w' .-]{0,40})$",
    re.IGNORECASE,
)
_TITLED = re.compile(r"[^\W\d_a-z][\w'-]*(?:\s[^\W\d_a-z][\w'-]*){0,2}\s?")
_MOST_ANSWERED = 6
_DATED = re.compile(r"\b\d{1,2}\b")
_NOW_AGED = re.compile(_WAYS["now_aged"], re.IGNORECASE)
_POSSESSIVE = re.compile(r"\b(?:her|his|their|its)\b(?= \w)")
_ASKS_NAME = re.compile(r"\b(?:(?:her|his|their|its) name|(?:is|was) (?:she|he|it) called)\b")
_SUBJECT = re.compile(r"\b(?:she|he|they)\b")


@dataclass(frozen=True)
class Heard:
    """One message, understood by rule."""

    situation: Situation

    @property
    def text(self) -> Own:
        return as_told(self.situation.text.strip())

    @property
    def code(self) -> str:
        """The code of its language."""
        language = self.situation.language
        return ENGLISH if language is None else language.code

    @cached_property
    def plain(self) -> str:
        """Lower case, straight apostrophes, single spaces, no final punctuation, short forms written out; bounded
        length. In English also the apostrophes that were left out."""
        text = write_out(plain(self.text[:MOST_ANSWERED]), self.code)
        return text if self.situation.language else with_apostrophes(text)

    @cached_property
    def asks_to_forget(self) -> bool:
        """Whether it also asks to forget something; that is confirmed below the reply."""
        return request_in(self.text) is not None

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts stated, except the name (stored when the message is perceived)."""
        if self.asks_to_forget:
            return ()  # nothing is stored until that is decided
        stated = facts_in(self.text, self._spoken_of) + past_facts_in(self.text, self._spoken_of)
        found = stated or self._completed or self._day_of_two or self._aged
        return tuple(fact for fact in found if fact.predicate != "name" and not (fact.past and self.ended))

    @cached_property
    def ended(self) -> tuple[KnownFact, ...]:
        """The known facts that it ends ("quit the bakery"); the commit ends them in the store."""
        ended = () if self.asks else endings.find_ended(self.text, self.situation.facts, self.code)
        return tuple(fact for fact, _ in ended if not endings.is_denied(fact))

    @property
    def _spoken_of(self) -> str | None:
        """The person or pet that the user's last two messages were about; for "he" no sister."""
        relation_of = {fact.object: fact.predicate for fact in self.situation.facts if fact.predicate in RELATIONS}
        own = [said.own for said in self.situation.recent if said.speaker == USER][-2:]
        for text in reversed(own):
            people = [*map(find_referent, reversed(facts_in(text)))]
            if (person := find_related(text)) is not None:
                people.append(person.name or person.relation)
            people.append(asked.find_name(plain(text), relation_of))
            for who in filter(None, people):
                if correction_words.fits_pronoun(self.text, relation_of.get(who, who)):
                    return who
        return None

    @cached_property
    def named_plain(self) -> str:
        """The plain form with pronouns resolved: "what's anika's cat called"."""
        about = self._spoken_of or self._last_of_facts
        if about is None:
            return self.plain
        facts = (*self.situation.over, *self.situation.facts)  # the dead keep their names
        kin = {fact.object: fact.predicate for fact in facts if fact.predicate in RELATIONS}
        if about in kin and _ASKS_NAME.search(self.plain):  # "what was her name?" asks for my wife's
            about = f"my {kin[about]}"
        found = _POSSESSIVE.sub(f"{about.lower()}'s", self.plain)
        return _SUBJECT.sub(about.lower(), found)

    @property
    def _last_of_facts(self) -> str | None:
        others = [fact for fact in self.situation.facts if fact.subject != USER or fact.predicate in RELATIONS]
        newest = max(others, key=lambda fact: fact.id, default=None)
        return None if newest is None else (newest.object if newest.subject == USER else newest.subject)

    @property
    def _completed(self) -> tuple[Fact, ...]:
        """The fact completed by a short answer: "it's on 3 March", after a vain question."""
        own = [said.own for said in self.situation.recent if said.speaker == "user" and said.own]
        if not own or not _IN_VAIN.search(self.last_reply) or asks(self.text):
            return ()
        wanted = asked.question(plain(own[-1]), ())
        answer = _ANSWER.match(self.text)
        if wanted is None or not wanted.predicates or wanted.predicates == asked.ANYTHING or answer is None:
            return ()
        predicate, given = wanted.predicates[0], answer["given"].strip(" .!")
        if not _answers(predicate, given, led=answer["lead"] is not None):
            return ()
        statement = sentence(wanted.subject, predicate, given)
        category = "family" if predicate in RELATIONS or wanted.subject != USER else "other"
        return (Fact(wanted.subject, predicate, given, category, statement, answer.span("given"), given),)

    @property
    def _day_of_two(self) -> tuple[Fact, ...]:
        """The birthday given in ambiguous digits, once the user says which day is meant."""
        told = [fact for fact in self.situation.facts if fact.predicate == "birthday"]
        either = days.of_two(told[-1].object) if told else None
        if either is None or f"Is that {either[0]} or {either[1]}?" not in self.last_reply:
            return ()
        said = set(self.plain.split())
        meant = [day for day in either if day.split()[1].lower() in said]
        if len(meant) != 1 or len(said) > _MOST_ANSWERED:
            return ()
        about, place = told[-1], (0, len(self.text))
        statement = sentence(about.subject, "birthday", meant[0])
        return (Fact(about.subject, "birthday", meant[0], "other", statement, place, str(self.text)),)

    @property
    def _aged(self) -> tuple[Fact, ...]:
        """The new age of a known person: "actually Bram is 10"."""
        known = {fact.object for fact in self.situation.facts if fact.predicate in RELATIONS}
        known |= {fact.subject for fact in self.situation.facts if fact.predicate == "age"}
        for clause in list_asserted(self.text):
            found = _NOW_AGED.match(clause.text)
            if found is not None and found["name"] in known:
                name, age, place = found["name"], found["age"], (clause.start + found.start("name"), clause.end)
                return (Fact(name, "age", age, "family", sentence(name, "age", age), place, clause.text),)
        return ()

    @cached_property
    def name(self) -> str | None:
        language = self.situation.language
        talk = None if language is None else small_talk.by_phrases(language, self.text)
        asked = names.asks_name(self.last_reply) and talk is None and not companion_name.find_name(self.text)
        found = names.find_name(self.text, asked, self.situation.meant)
        if found is None or (language is not None and abroad.is_no_name(found.name, self.text, language)):
            return None
        return found.name

    @cached_property
    def last_reply(self) -> str:
        """The companion's last reply, or ""."""
        for said in reversed(self.situation.recent):
            if said.speaker == COMPANION:
                return said.text
        return ""

    @property
    def asks(self) -> bool:
        return self.situation.nlp.asks or asks(self.text)

    @cached_property
    def first_meeting(self) -> bool:
        """Whether this is their first conversation."""
        return self.situation.last_seen is None and not self.situation.recent

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of the content words."""
        return content(self.text)

    def says(self, pattern: str) -> bool:
        """Return whether the plain text contains this pattern."""
        return re.search(pattern, self.plain) is not None

    def is_only(self, pattern: str) -> bool:
        """Return whether the text is only this pattern (and courtesies)."""
        return (
            re.fullmatch(
                rf"(?:(?:oh|well|so|ok|okay|hey|hi|hello|um|and|but|please|now|then),? )*(?:{pattern})", self.plain
            )
            is not None
        )


def _answers(predicate: str, given: str, led: bool) -> bool:
    """Return whether a short text fits the question: a name for a person, digits for an age."""
    if predicate in RELATIONS or predicate.endswith("_in") or predicate == "comes_from":
        return _TITLED.fullmatch(given) is not None
    if predicate in ("birthday", "age"):
        return _DATED.search(given) is not None
    return led and len(given.split()) <= _MOST_ANSWERED


def plain(text: str) -> str:
    """Return lower case with straight apostrophes and single spaces, without final punctuation."""
    straight = text.lower().replace("\u2019", "'")
    return re.sub(r"\s+", " ", straight).strip(" .!?,;:\u2026")


def content(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    found = (word.replace("\u2019", "'") for word in WORD.findall(with_apostrophes(text.lower())))
    return frozenset(stem(word) for word in found if word not in COMMON and len(word) > 1)
