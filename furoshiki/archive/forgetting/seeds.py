"""The initial choice of a forgetting: turns and memories that are named or match the words.

Words are searched as a phrase. "Forget that my brother is called Joost" or "forget my address" also
means the facts, however they were worded: facts are found by their statement, and if nothing else
is found, messages with all the words in any order.
"""

import sqlite3
from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache

from furoshiki.core.database.stems import Stemmed, Stems, Words
from furoshiki.core.refs import Ref
from furoshiki.core.timestamps import FIRST, LAST, stamp
from furoshiki.language import redaction
from furoshiki.language.detection import Language
from furoshiki.language.facts import abroad, conflicts
from furoshiki.language.facts.extraction import USER, facts_in, past_facts_in
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.redaction import Everything, Named, Phrase, Span, Wanted
from furoshiki.language.reflex.hearing import plain
from furoshiki.language.requests import asked
from furoshiki.language.requests.asked import Asked
from furoshiki.language.testimony import as_told
from furoshiki.language.words import RUN, bare, foreign_stems
from furoshiki.memory.store import forgetting as in_memory
from furoshiki.memory.store.forgetting import Held
from furoshiki.messages.store import forgetting as in_messages
from furoshiki.messages.values import COMPANION
from furoshiki.recall.retrieval.other_languages import load_languages

NEARBY = 6  # most turns between a name and what is said of its bearer without it
ROOT_LETTERS = 4  # least letters that two forms of a word share

# turns and memories to begin with, and phrases whose occurrences are deleted
Seeds = tuple[set[int], set[int], set[Stemmed]]


def of(db: sqlite3.Connection, stems: Stems, wanted: Wanted, zone: tzinfo) -> Seeds:
    """Return the initial choice."""
    match wanted:
        case Named(ids):
            return _find_by_refs(db, ids)
        case Span(first, last):
            return in_messages.turns_between(db, *_stamps(first, last, zone)), set(), set()
        case Everything():
            return in_messages.turns_between(db, "", "~"), {memory.id for memory in in_memory.memories_of(db)}, set()
        case Phrase(wordings, exact):
            return _find_by_words(db, stems, wordings, exact)


def _find_by_refs(db: sqlite3.Connection, ids: Iterable[Ref]) -> Seeds:
    turns: set[int] = set()
    memories: set[int] = set()
    for ref in ids:
        if ref.kind == "session":
            turns |= in_messages.turns_of_session(db, ref.id)
        elif ref.row is not None and ref.kind == "turn":
            turns |= {one.id for one in in_messages.turns_of(db, [ref.row])}
        elif ref.row is not None:
            for memory in in_memory.memories_of(db, [ref.row]):
                memories.add(memory.id)
                turns |= set() if memory.own else memory.turns
    return turns, memories, set()


def _find_by_words(db: sqlite3.Connection, stems: Stems, wordings: tuple[str, ...], exact: bool) -> Seeds:
    """Return matches of the first wording with any match, and the facts that are meant."""
    held = in_memory.memories_of(db)
    meant = [] if exact else [memory for memory in held if not memory.own and _means(memory, wordings, held)]
    turns = {turn for memory in meant for turn in memory.turns}
    memories = {memory.id for memory in meant}
    tried: list[Stemmed] = [found for one in wordings if (found := stems.of(one))]
    for phrase in tried:
        words = Words(stems, [phrase])
        saying, holding = in_messages.find_turns(db, words), in_memory.find_memories(db, words)
        if saying or holding:  # a later step decides which memories are deleted and which are shortened
            told = {turn for memory in held if memory.id in holding and not memory.own for turn in memory.turns}
            return turns | saying | told, memories, {phrase}
    if meant:
        return turns, memories, set()
    scattered = set() if exact else _find_scattered(db, wordings[0])
    if scattered:
        return scattered, set(), set()
    inflected = not exact and _find_inflected(db, wordings[0])
    if inflected:
        return inflected, set(), set()
    return set(), set(), set(tried[:1])


def _find_scattered(db: sqlite3.Connection, wording: str) -> set[int]:
    """Return the turns with all content words of a wording, or with the words besides a name soon after or before it
    ("her car" of "Carol's car"), or else, if nobody said those words, with the name."""
    content, names = redaction.content(wording), redaction.names(wording)
    if scattered := in_messages.turns_with_all(db, content):
        return scattered
    named = in_messages.turns_with_all(db, names)
    beside = in_messages.turns_with_all(db, [word for word in content if word not in names])
    if named and beside:
        return {turn for turn in beside if any(abs(turn - other) <= NEARBY for other in named)}
    return named


def _find_inflected(db: sqlite3.Connection, wording: str) -> set[int]:
    """Return the user's messages with all content words of a wording in any form of another
    language: "начальницу" and "начальница", "老板" in "老板又骂我"."""
    told = in_messages.turns_of(db, in_messages.turns_between(db, "", "~"))
    for language in load_languages().each:
        content = set(RUN.findall(language.part_signs(wording).casefold())) - language.small
        if not language.told or not content:
            continue
        found = set()
        for one in told:
            own = one.speaker != COMPANION and one.kind != "command"
            if own and _has_forms(bare(one.text), content, language):
                found.add(one.id)
        if found:
            return found
    return set()


def _has_forms(text: str, content: Collection[str], language: Language) -> bool:
    """Return whether a text without diacritics has each of these words in some form."""
    for word in content:
        if bare(word)[:ROOT_LETTERS] not in text:
            return False
    if language.dense:
        return True
    there: set[str] = set()
    for word in RUN.findall(text):
        there |= foreign_stems(word, language.code)
    for word in content:
        shared = there & foreign_stems(word, language.code)
        if len(max(shared, key=len, default="")) < ROOT_LETTERS:
            return False
    return True


def _means(memory: Held, wordings: tuple[str, ...], memories: list[Held]) -> bool:
    """Return whether a fact is stated ("my brother is Joost") or asked for ("my address")."""
    if not (memory.subject and memory.predicate and memory.object):
        return False
    stated = [fact for wording in wordings for fact in (*facts_in(as_told(wording)), *past_facts_in(as_told(wording)))]
    for fact in stated:
        same = (memory.subject.casefold(), memory.predicate) == (fact.subject.casefold(), fact.predicate)
        if same and conflicts.same(memory.object, fact.object):
            return True
    question = None if stated else _question(wordings, memories)
    if question is not None:
        return _answers(memory, question, memories)
    return not stated and (memory.subject, memory.predicate) == _find_asked_abroad(wordings[0])


@lru_cache(maxsize=4)
def _find_asked_abroad(wording: str) -> tuple[str, str] | None:
    """Return subject and predicate of the fact that a non-English wording asks for ("nerede
    oturduğumu"). None if it asks about a person by name."""
    for language in load_languages().each:
        named = (word for word in wording.split()[1:] if word[:1].isupper() and word.casefold() not in language.words)
        asks = language.is_asked(wording) or not language.asks.isdisjoint(wording.casefold().split())
        found = abroad.find_asked(wording, language) if asks else None
        if found is not None and not any(named):
            return found
    return None


def _question(wordings: tuple[str, ...], memories: list[Held]) -> Asked | None:
    """Return the question in a wording, if it is nothing else."""
    names = [memory.object for memory in memories if memory.predicate in RELATIONS and memory.object]
    found = asked.question(plain(wordings[0]), names)
    if found is None or (found.predicates == asked.ANYTHING and len(wordings[-1].split()) > 1):
        return None
    return found


def _answers(memory: Held, question: Asked, memories: list[Held]) -> bool:
    people = {question.subject}
    for other in memories:
        if other.subject == USER and other.predicate in RELATIONS and other.object:
            if other.predicate == question.subject:
                people.add(other.object)
            if other.object == question.subject:
                people.add(other.predicate)
    if question.predicates and question.predicates != asked.ANYTHING:
        return memory.subject in people and memory.predicate in question.predicates
    return memory.subject in people or (
        memory.subject == USER and (memory.predicate in people or memory.object in people)
    )


def _stamps(first: date, last: date, zone: tzinfo) -> tuple[str, str]:
    """Return the UTC stamps of these days' begin and end, open-ended outside the valid range."""

    def begins(day: date) -> str:
        return stamp(datetime(day.year, day.month, day.day, tzinfo=zone))

    since = begins(first) if first > FIRST.date() else ""
    until = begins(last + timedelta(days=1)) if last < LAST.date() else "~"
    return since, until
