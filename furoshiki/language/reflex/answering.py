"""Answer questions about the user's statements with dated quotations, or admit ignorance."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, capital, say
from furoshiki.core.timestamps import parse
from furoshiki.language import testimony
from furoshiki.language.facts import endings
from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.facts.extraction import USER
from furoshiki.language.facts.relatives import RELATIONS, find_related
from furoshiki.language.facts.retelling import names_to_user, past_to_user, to_user
from furoshiki.language.humanize import join_items
from furoshiki.language.reflex import days
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.reflex.hearing import Heard, content, plain
from furoshiki.language.reflex.values import KnownFact, Memory, PutRight, Reflex, SkillCall, ToolResult
from furoshiki.language.reflex.wording import Wording, add_full_stop, day, join_sentences, quote
from furoshiki.language.requests import asked, changed_plans, debts_and_jobs, lines
from furoshiki.language.requests.asked import Asked
from furoshiki.language.requests.forget_asked import request_in
from furoshiki.language.tables.care_words import GRAVE, UNQUOTED
from furoshiki.language.testimony import Utterance
from furoshiki.language.words import asks, count_words

# Least share of the question's words in a message quoted as the answer, or as the nearest one.
_ANSWERS, _NEAR = 0.6, 0.3
_MOST_TOLD = 6
_ASKED_ABOUT = 2  # shared words from which a question counts as about a distressing message

# questions how somebody is
_HOW_ARE_THEY = (
    r"^(?:and |so )?(?:how(?:'s| is| are)|do you know how) (?!old\b|tall\b|far\b|long\b|much\b|many\b)"
    r"[\w' -]{2,40}?(?: doing| feeling| getting on| today| now| these days| is)*$"
)

_MOST_NAMING = 5  # most words of a message that only says what somebody is called

# questions about a past state
_ONCE = r"\b(?:before(?: (?:that|then|now))?$|previously|formerly|earlier|back then|used? to|until (?:then|now))"


def answer(heard: Heard, wording: Wording) -> Reflex | None:
    """Answer from facts and messages, or request a search; None if memory is not asked for."""
    if heard.says(r"\bmy name\b|\bwho am i$|\bwhat am i called\b|\bdo you know who i am\b") and heard.asks:
        return Reflex(_name(heard, wording))
    if heard.says(asked.ABOUT_ME):
        return Reflex(_summarize_all(heard))
    if not asks_memory(heard):
        return None
    if debts_and_jobs.find_matter(heard.plain, heard.code) is not None:
        return search(heard)
    question = _question(heard)
    if question is not None and heard.says(_HOW_ARE_THEY) and (told := _told_last(question.subject, heard)) is not None:
        return Reflex(from_memory(told, 1.0, heard, wording))
    over: list[KnownFact] = []
    if question is not None and question.predicates not in ((), asked.ANYTHING):
        over = _choose_facts(question, heard, heard.situation.over)
    if over and heard.says(_ONCE):
        return Reflex(_from_past(over, heard))
    facts = _choose_facts(question, heard, heard.situation.facts) if question else by_words(heard)
    if facts:
        return Reflex(from_facts(facts, heard))
    if question is not None and question.predicates and RELATIONS.issuperset(question.predicates):
        for fact in filter(endings.is_denied, heard.situation.facts):
            if endings.is_of_kind(fact, question.predicates):
                return Reflex(from_facts([fact], heard))
        if over:  # the dead keep their names
            called = f"{capital(question.shown)} was called {over[0].object}."
            return Reflex(join_sentences(called, _source(over[0], heard)))
    found = best_of(heard, heard.situation.recalled)
    if over and (found is None or over[0].said_at is None or found[0].at <= over[0].said_at):
        return Reflex(_from_past(over, heard))
    if found is not None and found[1] >= _ANSWERS:
        return Reflex(from_memory(*found, heard, wording))
    return search(heard)


def search(heard: Heard) -> Reflex:
    """Request a search for the user's earlier messages."""
    return Reflex(calls=(SkillCall("recall", {"query": heard.text[:400], "k": 8}),))


def find_matter(heard: Heard, memories: Sequence[Utterance]) -> list[Utterance]:
    """Return what was told of the matter that a question asks for, newest first; among `memories`, and lately."""
    matter, situation = debts_and_jobs.find_matter(heard.plain, heard.code), heard.situation
    if matter is None:
        return []
    language = situation.language
    words, is_question = (content, _is_asked) if language is None else (language.content, language.is_asked)
    own = {(each.own, each.at): each for each in (*memories, *situation.recalled, *situation.told) if each.own}
    mine = [each for each in own.values() if each.speaker == USER and not is_question(each.own)]
    stated = [each for each in mine if not is_grave(each.own, heard)]
    return debts_and_jobs.find_open(matter, heard.plain, stated, words)[:_MOST_TOLD]


def _is_asked(text: str) -> bool:
    return asks(text) or debts_and_jobs.find_matter(text, ENGLISH) is not None


def _told_last(who: str, heard: Heard) -> Utterance | None:
    """Return what was told last of a person, but for what only names them."""
    people = [name.lower() for name in _same_person(who, heard)]
    told = [
        memory
        for memory in (*heard.situation.recent, *heard.situation.recalled)
        if memory.speaker == USER and not asks(memory.own) and asked.find_name(plain(memory.own), people)
    ]
    naming = [fact.said_text for fact in heard.situation.facts if fact.predicate in RELATIONS]
    news = [memory for memory in told if memory.own not in naming or count_words(memory.own) > _MOST_NAMING]
    return max(news, key=lambda memory: memory.at, default=None)


def name_source(heard: Heard, wording: Wording) -> Reflex | None:
    """Name the source of the last reply: who said it and when; or admit that there is none."""
    sources = heard.situation.sources
    if sources is None:
        return None
    if not sources:
        return Reflex(wording.one(lines.REPLIES["unsourced"]))
    return Reflex(from_memory(sources[0], 1.0, heard, wording))


def answer_search(result: ToolResult, heard: Heard, wording: Wording) -> str:
    """Answer after a search: a quotation, the nearest message, or that it was never said."""
    if answers := find_matter(heard, memories_in(result)):
        return join_sentences(*(from_memory(each, 1.0, heard, wording) for each in answers))
    shown = [one for one in heard.situation.recent if one.foreign]  # found by the name of their source
    best = best_of(heard, (*memories_in(result), *heard.situation.recalled, *shown))
    if best is not None and best[1] >= _NEAR:
        return from_memory(*best, heard, wording)
    return unknown(heard, wording)


def memories_in(result: ToolResult) -> tuple[Memory, ...]:
    """Return the memories in the recall skill's result."""
    rows = result.data.get("results") or result.data.get("memories") or ()
    return tuple(_read_memory(row) for row in rows if row.get("speaker") and row.get("at"))


def _read_memory(row: Mapping[str, Any]) -> Memory:
    text, since, righted = str(row["text"]), row.get("righted"), None
    if since:
        righted = PutRight(str(since["text"]), parse(str(since["at"])), str(since.get("reads", "")))
    [turn] = refs.rows([str(row["id"])], "turn") or [0]
    foreign = testimony.read(row.get("foreign"), text)
    return Memory(str(row["speaker"]), text, parse(str(row["at"])), turn, foreign, righted)


def asks_memory(heard: Heard) -> bool:
    """Return whether only the user's earlier statements can answer the question."""
    if lines.find_heading(heard.plain) is not None:
        return False
    if not asks(heard.text) and heard.says(asked.TO_KEEP):
        return False
    if heard.says(asked.TOLD_YOU) or debts_and_jobs.find_matter(heard.plain, heard.code) is not None:
        return True
    if not heard.asks or heard.says(asked.NOT_TOLD) or heard.says(r"\b(?:you|your|yourself)\b"):
        return False
    named = heard.named_plain
    return re.search(asked.MINE, named) is not None or asked.find_name(named, list_names(heard)) is not None


def list_names(heard: Heard) -> list[str]:
    """Return the known names of people and pets."""
    names = [fact.object for fact in heard.situation.facts if fact.predicate in RELATIONS]
    return [*names, *(f.subject for f in heard.situation.facts if f.subject != "user" and f.subject not in RELATIONS)]


def _question(heard: Heard) -> Asked | None:
    return asked.question(heard.named_plain, list_names(heard))


def _choose_facts(question: Asked, heard: Heard, known: Sequence[KnownFact]) -> list[KnownFact]:
    """Return the `known` facts that answer, newest first (at most six)."""
    people = _same_person(question.subject, heard)
    if not question.predicates:
        facts = [f for f in known if f.subject in people or f.object in people]
        return _newest_first(facts)[:_MOST_TOLD]
    for predicate in question.predicates:
        facts = [f for f in known if f.predicate == predicate and f.subject in people]
        if facts:
            return _newest_first(facts)[:_MOST_TOLD]
    return by_words(heard) if question.predicates == asked.ANYTHING else []


def _same_person(subject: str, heard: Heard) -> set[str]:
    """Return all names of a person: "sister" and her name."""
    people = {subject} if subject != asked.OTHERS else {f.subject for f in heard.situation.facts} - {USER}
    for fact in heard.situation.facts:
        if fact.subject == "user" and fact.predicate == subject:
            people.add(fact.object)
        if fact.subject == "user" and fact.object == subject and fact.predicate in RELATIONS:
            people.add(fact.predicate)
    return people


def _newest_first(facts: list[KnownFact]) -> list[KnownFact]:
    return sorted(facts, key=lambda fact: (fact.said_at.timestamp() if fact.said_at else 0.0, fact.id), reverse=True)


def by_words(heard: Heard) -> list[KnownFact]:
    """Return the facts (at most two) that contain at least 75 % of the question's words."""
    wanted = heard.words
    if not wanted:
        return []
    scored = []
    for fact in heard.situation.facts:
        told = content(f"{fact.text} {fact.predicate.replace('_', ' ')}")
        if 2 * len(wanted & told) > len(wanted):  # else the rest of the message answers
            scored.append((len(wanted & (told | content(fact.said_text))) / len(wanted), fact))
    best = max((score for score, _ in scored), default=0.0)
    return _newest_first([fact for score, fact in scored if score == best])[:2] if best >= 0.75 else []


def from_facts(facts: list[KnownFact], heard: Heard) -> str:
    """Phrase the facts, with when the user stated them."""
    first = facts[0]
    same = [fact for fact in facts if fact.predicate == first.predicate and fact.subject == first.subject]
    if len(same) > 1 and first.predicate not in ("lives_in", "works_as", "works_at", "birthday", "age"):
        if first.predicate == "plans":
            return join_sentences(
                *dict.fromkeys(f"{capital(_phrase_fact(fact, heard))}." for fact in same), _source(first, heard)
            )
        each = list(dict.fromkeys(fact.object for fact in same))
        things = join_items(each)
        if first.subject == USER and first.predicate in RELATIONS and len(each) > 1:
            in_order = names_to_user(first.predicate, each[::-1])
            return join_sentences(f"{capital(in_order)}.", _source(first, heard))
        return join_sentences(f"{capital(to_user(first.subject, first.predicate, things))}.", _source(first, heard))
    if len(facts) > 1 and len(same) == 1:
        told = [capital(_phrase_fact(f, heard)) + "." for f in facts]
        return join_sentences(*dict.fromkeys(told), _source(first, heard))
    return join_sentences(f"{capital(_phrase_fact(first, heard))}.", _source(first, heard))


def _phrase_fact(fact: KnownFact, heard: Heard) -> str:
    return days.phrase_fact(fact, heard.situation.now, heard.situation.habits)


def _from_past(facts: list[KnownFact], heard: Heard) -> str:
    last = facts[0]
    return join_sentences(
        f"{capital(past_to_user(last.subject, last.predicate, last.object))}.",
        _source(last, heard),
        f"And before that: {join_items([fact.object for fact in facts[1:]])}." if len(facts) > 1 else None,
    )


def _source(fact: KnownFact, heard: Heard) -> str | None:
    if not fact.said_text or fact.said_at is None:
        return None
    when = day(fact.said_at, heard.situation.now)
    if len(fact.said_text.split()) < 3:
        return f"You told me {when}."  # a bare answer is not worth quoting
    return add_full_stop(f"You told me {when}: {quote(fact.said_text, content(fact.object))}")


# questions that the day meant by a quoted message may answer: not "where does Matt live"
_ASKS_DAY = r"\b(?:whens?|what (?:day|date|time|month)|which day|how (?:soon|long)|until|due|planned?)\b"

_THIRD = re.compile(r"\b(?:s?he|they|it|his|hers?|their|its|him|them)\b", re.IGNORECASE)
_YOURS = "your user"
_SAYING = "say said write wrote written send sent tell told mention"


# questions about a person that a message which only names them does not answer: not "where is my husband"
_ASKS_OTHER = r"^(?!(?:and |so )?where\b)"


def best_of(heard: Heard, memories: Sequence[Utterance]) -> tuple[Utterance, float] | None:
    """Return the message with the largest share of the question's words, and that share. In a
    tie the user's own words win over another person's, which may be cited but not as the user's."""
    wanted, whom = _find_search_words(heard)
    question = _question(heard)
    if not wanted and (not whom or question is None or heard.says(_ASKS_OTHER)):
        return None
    of_them = question is not None and question.subject == USER and question.shown == "that"
    best: tuple[Utterance, float] | None = None
    for memory in memories:
        said = memory.own or testimony.others(memory.text, memory.foreign)
        if memory.speaker == "companion" or memory.text.strip() == heard.text or request_in(memory.own) is not None:
            continue
        if not list_asserted(said.replace("used to ", "")):  # what is over was true
            continue
        if of_them and re.search(asked.MINE, plain(said)) is None:
            continue  # "Ana lives in Porto" does not tell where they live
        kin = find_related(said) if question is not None and question.subject in RELATIONS else None
        names = bool(whom & content(said))
        names |= kin is not None and question is not None and kin.relation == question.subject
        if whom and not names and re.search(asked.MINE, plain(said)) and _THIRD.search(said) is None:
            continue  # nor "I live in Porto" where Ana does
        if not memory.own and wanted - content(_SAYING) <= content(source := _name_sources(memory)) | content(said):
            said = f"{said} {source}"  # "what did Ben write?" asks for whatever he did
        share = len(wanted & _tellable(said, wanted, heard)) / max(1, len(wanted))
        if names:
            share = max(share, _NEAR)
        if share >= _ANSWERS and changed_plans.find_since(said, heard.code) is not None:
            share = 1.0  # what holds from now on answers as well as what was said before, and is newer
        rank = (share, bool(memory.own), memory.at)
        if best is None or rank > (best[1], bool(best[0].own), best[0].at):
            best = memory, share
    return best


def _name_sources(memory: Utterance) -> str:
    return " ".join(one.source for one in testimony.outside(memory.foreign))


def _tellable(said: str, wanted: frozenset[str], heard: Heard) -> frozenset[str]:
    """Return the words by which a message may be found: none for despair or danger, unless asked
    for. "Where do I live?" is not answered by "I don't want to live any more"."""
    heavy = notice(said, heard.situation.care, heard.situation.now.year)
    if heavy is None or heavy.kind not in UNQUOTED or heard.situation.heavy is not None:
        return content(said)
    of_it = content(heavy.words)
    about_it = heavy.kind not in GRAVE and bool(of_it) and of_it <= wanted
    return content(said) if about_it or len(content(said) & wanted) >= _ASKED_ABOUT else frozenset()


def is_grave(said: str, heard: Heard) -> bool:
    """Return whether words show danger: they are never quoted to answer something else."""
    found = notice(said, heard.situation.care, heard.situation.now.year)
    return found is not None and found.kind in UNQUOTED


def _find_search_words(heard: Heard) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words an answer must contain (for "how old is my cat?" without the cat), and those for somebody else
    whom it is about (the cat, her name)."""
    question = _question(heard)
    if question is None or not question.predicates or question.predicates == asked.ANYTHING:
        return heard.words, frozenset()
    if question.subject == USER and question.predicates[0] in RELATIONS:
        return heard.words, frozenset()  # it asks who that is
    people = content(" ".join((question.subject, question.shown, *_same_person(question.subject, heard))))
    if question.subject in (USER, asked.OTHERS):
        return heard.words - people, frozenset()
    return heard.words - people, people - content(_YOURS)


def find_righted(said: Utterance, heard: Heard) -> PutRight | None:
    """Return the later correction of a message, or None."""
    brought = said.righted if isinstance(said, Memory) else None
    return brought or heard.situation.righted.get(refs.name("turn", said.id))


def from_memory(memory: Utterance, share: float, heard: Heard, wording: Wording) -> str:
    """Quote a message with its day, and with the day that its words mean."""
    when = day(memory.at, heard.situation.now)
    if memory.speaker == "user" and not memory.own:
        passages = testimony.outside(memory.foreign)
        source = passages[0].source if passages else "quoted"
        words_said = quote(testimony.others(memory.text, memory.foreign), heard.words)
        return add_full_stop(f"You didn't say so yourself. {capital(source)}, {when}: {words_said}")
    words_said = quote(memory.quotable, heard.words)
    who = "You told me" if memory.speaker == "user" else f"{memory.speaker} said"
    righted = find_righted(memory, heard)
    if righted is not None:
        since = day(righted.at, heard.situation.now)
        if righted.reads:
            return tell_corrected(righted, heard)
        put_right = add_full_stop(f"You put that right {since}: {quote(righted.text)}")
        return join_sentences(add_full_stop(f"{who} {when}: {words_said}"), put_right)
    meant = days.find_meant_day(memory.own, memory.at, heard.situation.now, heard.situation.habits)
    if share >= _ANSWERS:
        if heard.asks and not heard.says(_ASKS_DAY):
            meant = None
        return join_sentences(add_full_stop(f"{who} {when}: {words_said}"), meant)
    small = who if memory.speaker != "user" else "you told me"
    return wording.one(lines.REPLIES["nearest"], small=small, when=when, words=words_said)


def tell_corrected(righted: PutRight, heard: Heard) -> str:
    """Tell the words of a message as corrected, with when that was and the day that they mean."""
    now, reads = heard.situation.now, " ".join(righted.reads.split())
    told = say("As you corrected it {when}: “{words}”.", when=day(righted.at, now), words=reads)
    meant = days.find_meant_day(righted.reads, righted.at, now, heard.situation.habits)
    return join_sentences(capital(told), meant)


def unknown(heard: Heard, wording: Wording) -> str:
    """Say that the answer is unknown; without the model, that it cannot be told now."""
    if wording.away:
        return wording.one(lines.REPLIES["away"])
    question = _question(heard)
    about = question.shown if question and question.shown != "that" else None
    known = _choose_facts(Asked(question.subject, (), ""), heard, heard.situation.facts) if question else []
    if about and question and question.subject != "user" and question.predicates and known:
        words = wording.one(lines.REPLIES["not_just_that"], about=about)
        return join_sentences(words, _source(known[0], heard))  # a statement about them may still answer it
    if about and question and not known:
        return wording.one(lines.REPLIES["nothing_about"], about=about)
    return wording.one(lines.REPLIES["not_told"])


def _name(heard: Heard, wording: Wording) -> str:
    name = heard.situation.user_name
    if name is None:
        return "You haven't told me yet. What should I call you?"
    fact = next((f for f in heard.situation.facts if f.predicate == "name" and f.subject == "user"), None)
    return join_sentences(
        wording.one(("You're {n}.", "{n}, of course.", "{n}."), n=name), _source(fact, heard) if fact else None
    )


def _summarize_all(heard: Heard) -> str:
    """Summarize all known facts in a few lines, and how to see their sources."""
    facts = _newest_first([f for f in heard.situation.facts if f.predicate not in ("name", "said")])
    name = heard.situation.user_name
    if not facts:
        first = f"Your name: {name}. Beyond that, not much yet." if name else "Not much yet."
        return f"{first} Tell me something about you, and I'll keep it."
    lines = list(dict.fromkeys(f"- {capital(_phrase_fact(f, heard))}" for f in facts))
    shown = lines[:12]
    more = f"… and {len(lines) - 12} more." if len(lines) > 12 else None
    opening = f"Here's what I have, {name}:" if name else "Here's what I have:"
    return "\n".join(
        filter(None, [opening, *shown, more, "Ask me about any of it and I'll tell you when you said it."])
    )
