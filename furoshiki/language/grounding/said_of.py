"""Check that the user said something about the subject of a claim: "My sister lives in Lyon" is
not about the user. A claim about the user needs a clause about the user, one about another
person a clause about that person. It is rejected only if every supporting clause is plainly
about someone else."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from furoshiki.language import word_tables
from furoshiki.language.facts.clause_subjects import Person, Spoken, clauses, group, relation, subject_of
from furoshiki.language.facts.relation_words import FORMS, OTHERS, THEIRS
from furoshiki.language.grounding.words import collect_language_words, content_of, mostly_said
from furoshiki.language.inflection import HAN, RUN_OF_HAN, language_of
from furoshiki.language.word_tables import texts
from furoshiki.language.words import RUN, bare, pairs_of_signs, singular

_WAYS = word_tables.by_language("said_of")["en"]
_USER = re.compile(_WAYS["user"], re.IGNORECASE)
_THEIRS = re.compile(r"^\W*(?:the\s+user['\u2019]s|user['\u2019]s|their|his|her)\s+", re.IGNORECASE)
_BESIDE = re.compile(_WAYS["beside"], re.IGNORECASE)
_HER = re.compile(r"\b(?:he|she|him|her|his|they|them|their)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n;]+")
_OF = {language: re.compile(of, re.IGNORECASE) for language, of in texts("small", "of_user").items()}
_CALLED = re.compile(r"\b(?:called|named|name|heißt|llama|appelle|chiama|chama|adı|зовут)\b|[叫名]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _About:
    """The subject of a claim: the user, or another person."""

    user: bool
    person: Person = Person()


def is_stated_of(claim: str, object_: str | None, cited: Sequence[str], *, of_user: bool = False) -> bool:
    """Return whether a claim's supporting clauses are about its subject; False if all are
    plainly about someone else. `of_user`: it is known to be about the user."""
    about = _about(claim, language_of(claim) or next((n for n, one in _OF.items() if one.search(claim)), None))
    about = about or (_About(True) if of_user else None)
    if about is None:
        return True
    wanted = object_ if object_ and object_.strip() else " ".join(sorted(content_of(claim)))
    told = [(clause, language) for text in cited for clause, language in _clauses(text)]
    carrying = [(one, n) for one, n in told if mostly_said(wanted, collect_language_words(one.text, n))]
    text = " ".join(cited)
    return not carrying or any(_fits(about, one, claim, wanted, text, language) for one, language in carrying)


def _clauses(text: str) -> Iterator[tuple[Spoken, str | None]]:
    """Yield the clauses of a text, each with its sentence's language; None is English."""
    for sentence in _SENTENCE.findall(text):
        language = language_of(sentence) or next((name for name, one in OTHERS.items() if one.search(sentence)), None)
        for clause in clauses(sentence, language):
            yield clause, language


def speaks_of_another(claim: str, clause: str, language: str) -> bool:
    """Return whether a non-English clause is about a relative the claim does not mention."""
    subject = subject_of(clause, language)[0] if language in OTHERS else None
    return (
        subject is not None
        and subject.kind == "other"
        and not any(_mentions(claim, person) for person in subject.people)
    )


def somebody_else(claim: str) -> str | None:
    """Return name or relation of an English claim's subject, unless it is the user."""
    about = _about(claim, None) if language_of(claim) is None else None
    if about is None or about.user:
        return None
    name = about.person.name
    return name[:1].upper() + name[1:] if name else about.person.relation


def is_mentioned(claim: str, texts: Sequence[str]) -> bool:
    """Return whether texts mention an English claim's subject, unless it is the user."""
    about = _about(claim, None) if language_of(claim) is None else None
    return about is not None and not about.user and any(_mentions(text, about.person) for text in texts)


def _about(claim: str, language: str | None) -> _About | None:
    """Return the subject of a claim, if its words show it."""
    if _USER.match(claim) and not any(one.search(claim) for one in _OF.values()):
        return _About(True)
    if language is not None:
        if not _OF[language].search(claim):
            return None
        forms = THEIRS[language]
        found = next((forms[word] for word in _list_words(claim) if word in forms), None)
        return _About(True) if found is None else _About(False, Person(found))
    theirs = _THEIRS.sub("My ", claim)
    subject, _ = subject_of(theirs)
    if not subject.people:
        return _About(True) if theirs != claim else None
    if len(subject.people) > 1:
        return None
    return _About(False, subject.people[0])


def _fits(about: _About, clause: Spoken, claim: str, wanted: str, text: str, language: str | None) -> bool:
    kind, people = clause.subject.kind, clause.subject.people
    if kind == "open" or not mostly_said(wanted, collect_language_words(clause.rest, language)):
        return True
    if about.user:
        claim_alone = _BESIDE.sub(" ", claim)
        return kind == "writer" or any(_mentions(claim_alone, person) for person in people)
    if kind == "writer":
        return _CALLED.search(claim) is not None or _in_writers(about.person, clause, text)
    return not people or any(_same(about.person, person) for person in people)


def _in_writers(person: Person, clause: Spoken, text: str) -> bool:
    """Return whether a clause about the writer may be about this person as well."""
    if person.name and re.search(rf"\b(?:i am|i['\u2019]m|name is|call me)\s+{re.escape(person.name)}\b", text, re.I):
        return True
    if _mentions(clause.text, person) or _HER.search(clause.text):
        return True
    elsewhere = any(_same(person, one) for one in clause.beside)
    return not elsewhere and _mentions(clause.sentence, person)


def _mentions(text: str, person: Person) -> bool:
    words = _list_words(text)
    groups = {group(relation(form)) for word in words for form in (word, singular(word))}
    foreign = {group(forms[word]) for forms in FORMS.values() for word in words if word in forms}
    return (person.name is not None and bare(person.name) in map(bare, words)) or (
        person.relation is not None and group(person.relation) in groups | foreign
    )


def _list_words(text: str) -> list[str]:
    """Return a text's words in lower case; for Chinese each one or two characters."""
    small = text.casefold()
    signs = " ".join(RUN_OF_HAN.findall(small))
    return [*RUN.findall(small), *HAN.findall(signs), *pairs_of_signs(signs)]


def _same(wanted: Person, person: Person) -> bool:
    """Return whether two may be one person: not if names or relations differ."""
    if person.of and person.of in {wanted.name, wanted.relation}:
        return person.relation is not None and person.relation == wanted.relation
    if wanted.name and person.name and bare(wanted.name) != bare(person.name):
        return False
    if wanted.relation and person.relation:
        if group(wanted.relation) != group(person.relation):
            return bool(person.of)
        return not (person.of and not wanted.of and person.of not in {"his", "her", "their"})
    return True
