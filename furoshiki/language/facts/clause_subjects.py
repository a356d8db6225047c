"""Find the subject of each clause: the writer ("I", "we"), another person, or open. Read from
function words, without a model. A clause is about another person only if it plainly says so:
with a thing as subject ("my knee hurts") or with the writer in it ("my sister visits me") it is
open."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from furoshiki.language import word_tables
from furoshiki.language.facts import words
from furoshiki.language.facts.relation_words import FIRST, FORMS, GROUPS, OTHERS
from furoshiki.language.word_tables import by_language, texts

Kind = Literal["writer", "other", "open"]


@dataclass(frozen=True, slots=True)
class Person:
    """A person in a text: relation, name, and whose relation they are ("" for the writer's).

    All in lower case; None where not stated.
    """

    relation: str | None = None
    name: str | None = None
    of: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause. `people` are the persons in it; empty where only "she" is said."""

    kind: Kind
    people: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class Spoken:
    """A clause, its predicate (`rest`), its subject, and the other subjects of its sentence."""

    text: str
    rest: str
    subject: Subject
    sentence: str = ""
    beside: tuple[Person, ...] = field(default=())


OPEN = Subject("open")

_RELATION = (
    rf"(?:{words.KIN_WORD}|{words.PARTNER_WORD}|{words.FRIEND_WORD}|{words.PET_WORD}|parents?|grandparents|folks|guests?"
    r"|relatives?|students?|patients?|clients?|teammates?|in-laws)"
)
_NAME = r"(?-i:[^\W\d_a-z][\w\u2019-]{0,40}(?![\w\u2019-]))(?<!['\u2019]s)"
_LOOSE = r"(?:(?!(?:who|that|and|or|is|has)\b)[\w-]{1,30}[ \t]+){0,2}?"
_WHOSE = r"(?:my|our|his|her|their|your|the|an?|one\s+of\s+(?:my|our)|some\s+of\s+(?:my|our)"
_WHOSE += r"|(?!(?:it|that|this|he|she|there|here|what|who|let|today|tomorrow|yesterday)\b)[\w-]{1,40}['\u2019]s)"
_HEAD = rf"{_LOOSE}(?P<relation>{_RELATION})s?\b(?:\s{{0,3}},?\s{{0,3}}(?:called\s+|named\s+)?(?P<name>{_NAME}))?"
_PERSON = re.compile(rf"(?P<whose>{_WHOSE})\s+{_HEAD}(?P<owns>['\u2019]s?(?=\s))?", re.IGNORECASE)
_OWNED = re.compile(rf"\s*{_LOOSE}(?P<relation>{_RELATION})\b(?P<owns>['\u2019]s(?=\s))?", re.IGNORECASE)
_WAYS = word_tables.by_language("clause_subjects")["en"]
_VERBS = _WAYS["verbs"]
_NAMED = re.compile(
    rf"(?P<name>[^\W\d_][\w\u2019-]{{1,40}})(?:\s+{_NAME})?(?=\s+{_VERBS}|['\u2019]s\s+(?:an?|in|at)\s)", re.I
)
_THINGS = frozenset(by_language("small")["en"]["things"].split())
_PRONOUN = re.compile(r"(?:he|she)s?\b|(?:him|her)\s+and\s+", re.IGNORECASE)
_LEAD = re.compile(texts("clauses", "lead")["en"], re.IGNORECASE)
_WRITER = re.compile(_WAYS["writer"], re.IGNORECASE)
_DONE_TO_WRITER = re.compile(_WAYS["done_to_writer"], re.IGNORECASE)
LONGEST_SENTENCE = 2_000  # characters of a sentence read at once; longer ones are split

_ASIDE = re.compile(r",\s*(?:who|whom|which|that|whose)\b[^,]*,", re.IGNORECASE)
_WHO = re.compile(
    rf"(?<![\w-])(?P<person>{_WHOSE}\s{{1,3}}{_HEAD})\s{{0,3}},?\s{{1,3}}(?:who|that)\s(?P<rest>.+)", re.IGNORECASE
)
_HAVE = re.compile(
    rf"\b(?:i|we)(?:['\u2019]ve|\s+have|\s+got)(?:\s+[\w-]{{1,30}}){{0,2}}?\s+(?P<person>(?:an?|one|two|three|some)\s+{_HEAD})"
    r"\s+(?P<rest>(?:in|with|at|from|living|working)\s.+)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n;]+")
_JOINT = re.compile(_WAYS["joint"], re.IGNORECASE)
_FOREIGN_JOINT = re.compile(_WAYS["foreign_joint"], re.IGNORECASE)
_BARE = re.compile(
    rf"^\W*(?:like\s+|both\s+|just\s+like\s+)?(?:i|we|(?:{_WHOSE}\s+){_HEAD}|{_NAME}|he|she)(?:\s+too|\s+both)?\W*$",
    re.IGNORECASE,
)
_FOREIGN_BARE = re.compile(r"^\W*(?:[^\W\d_]+\s+){0,2}[^\W\d_]+\W*$")
_GOES_ON = re.compile(
    rf"^\W*(?:{_VERBS}|(?:is|has|was|had|can|will|does|did)\b|\w+ed\b|[a-z]+s\b(?!\s+(?:are|were|have)\b))",
    re.IGNORECASE,
)


def clauses(text: str, language: str | None = None) -> tuple[Spoken, ...]:
    """Return the clauses of a text with their subjects. `language` is None for English."""
    all_clauses: list[Spoken] = []
    for match in _SENTENCE.finditer(text):
        whole = match.group()
        parts = (whole[start : start + LONGEST_SENTENCE] for start in range(0, len(whole), LONGEST_SENTENCE))
        paragraph_clauses = [clause for part in parts for clause in _in_sentence(part, language)]
        for at, clause in enumerate(paragraph_clauses):
            others = (person for n, other in enumerate(paragraph_clauses) if n != at for person in other.subject.people)
            all_clauses.append(replace(clause, sentence=whole, beside=tuple(others)))
    return tuple(all_clauses)


def subject_of(clause: str, language: str | None = None) -> tuple[Subject, str]:
    """Split a clause into its subject and the rest."""
    if language is not None:
        return _foreign(clause, language)
    bare = _LEAD.sub("", clause)
    people, rest = _people(bare)
    if people:
        if _WRITER.search(bare) or _DONE_TO_WRITER.match(rest):
            return Subject("writer" if _WRITER.match(_strip_joiner(rest)) else "open", people), rest
        return Subject("other", people), rest
    if match := _PRONOUN.match(bare):
        return (OPEN if _WRITER.search(bare) else Subject("other")), bare[match.end() :]
    if _WRITER.search(clause):
        return Subject("writer"), clause
    return OPEN, clause


def _strip_joiner(rest: str) -> str:
    return re.sub(r"^\W*(?:and|or|,)?\s*", "", rest)


def _people(text: str) -> tuple[tuple[Person, ...], str]:
    """Return the people that open a clause ("my sister Anika and Tom"), and the rest."""
    people: list[Person] = []
    while True:
        person, rest = _one(text)
        if person is None:
            return tuple(people), text
        people.append(person)
        more = re.match(r"\s*(?:,|\band\b|&)\s*(?:like\s+)?", rest, re.IGNORECASE)
        text = rest
        if more is None or _one(rest[more.end() :])[0] is None:
            return tuple(people), rest
        text = rest[more.end() :]


def _one(text: str) -> tuple[Person | None, str]:
    match = _PERSON.match(text)
    if match is None:
        name_match = _NAMED.match(text)
        bare = name_match or re.match(rf"(?P<name>{_NAME})(?=\s*(?:,|and\b))", text)
        if bare is None or not words.is_name(bare["name"]) or bare["name"].casefold() in _THINGS:
            return None, text
        return Person(name=bare["name"].casefold()), text[bare.end() :]
    whose = match["whose"].casefold()
    of = re.sub(r"['\u2019]s$", "", whose) if whose.endswith(("'s", "\u2019s")) else ""
    of = of or (whose if whose in {"his", "her", "their"} else "")
    person = Person(relation(match["relation"]), match["name"] and match["name"].casefold(), of)
    end, owns = match.end(), match["owns"]
    while owns and (owned := _OWNED.match(text[end:])):
        person = Person(relation(owned["relation"]), None, person.name or person.relation or "")
        end, owns = end + owned.end(), owned["owns"]
    return person, text[end:]


def relation(word: str) -> str:
    """Normalize a relation: "mum" and "moms" are mother."""
    small = re.sub(r"\s+", " ", word.casefold())
    return words.RELATION_FORMS.get(small, small)


def group(word: str | None) -> str | None:
    """Return the language-independent relation: sister and hermano are both sibling."""
    return None if word is None else GROUPS.get(word, word)


def _in_sentence(sentence: str, language: str | None) -> Iterator[Spoken]:
    if language is None:
        sentence = _ASIDE.sub(" ", sentence)
        for pattern in (_WHO, _HAVE):
            if match := pattern.search(sentence):
                person, _ = _one(match["person"])
                yield from _pieces(sentence[: match.start("rest")], language)
                if person is not None:
                    kind: Kind = "open" if _WRITER.search(match["rest"]) else "other"
                    yield Spoken(match["rest"], match["rest"], Subject(kind, (person,)))
                return
    yield from _pieces(sentence, language)


def _pieces(sentence: str, language: str | None) -> Iterator[Spoken]:
    """Split a sentence into clauses; one without a subject inherits the previous one's."""
    before = OPEN
    for piece in _together(sentence, language):
        subject, rest = subject_of(piece, language)
        if subject == OPEN and before.kind != "open" and (before.kind == "writer" or _GOES_ON.match(piece)):
            subject = before if language is None or before.kind == "writer" else OPEN
        before = subject
        yield Spoken(piece, rest, subject)


def _together(sentence: str, language: str | None) -> Sequence[str]:
    joint, bare = (_JOINT, _BARE) if language is None else (_FOREIGN_JOINT, _FOREIGN_BARE)
    pieces: list[str] = []
    start, held = 0, 0
    for match in [*joint.finditer(sentence), None]:
        end = match.start() if match is not None else len(sentence)
        if match is not None and (not sentence[held:end].strip() or bare.match(sentence[held:end])):
            held = match.end()
            continue
        pieces.append(sentence[start:end])
        start = held = match.end() if match is not None else end
    return [piece for piece in pieces if piece.strip()]


def _foreign(clause: str, language: str) -> tuple[Subject, str]:
    if FIRST[language].search(clause):
        return Subject("writer"), clause
    match = OTHERS[language].search(clause)
    if match is None:
        return OPEN, clause
    word = FORMS[language].get(match["relation"].casefold())
    if word is None:  # ignoring case, "Karim" matches the Turkish "karım"
        return OPEN, clause
    return Subject("other", (Person(word),)), f"{clause[: match.start()]} {clause[match.end() :]}"
