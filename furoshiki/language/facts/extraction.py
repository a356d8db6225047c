"""Extract facts about users and their relatives from their own words, by pattern, with evidence.

Facts come only from asserted clauses (`furoshiki.language.facts.assertions`); the patterns are in
`patterns`. Statements without a pattern are still remembered as messages.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from furoshiki.core.catalogue import capital
from furoshiki.language import word_tables
from furoshiki.language.facts import conflicts, patterns, words
from furoshiki.language.facts.assertions import Clause, list_asserted
from furoshiki.language.facts.names import NameStatement, statements
from furoshiki.language.facts.relatives import OWNED, PRONOUN, RELATIONS, find_related
from furoshiki.language.facts.retelling import past_sentence, sentence
from furoshiki.language.self_corrections import blank_retractions
from furoshiki.language.tables.function_words import COMMON, FILLER
from furoshiki.language.tables.numbers import NUMBERS, TENS, amount_of, spelled, up_to
from furoshiki.language.testimony import Own, as_told
from furoshiki.language.words import any_of, fold, word_set

USER = "user"

_WAYS = word_tables.by_language("facts_beside")["en"]
_CORRECTS = re.compile(_WAYS["corrects"], re.IGNORECASE)
_SURE, _LIKELY = 0.9, 0.75


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact the user stated.

    `subject` is "user", the name of a person or pet, or a relation ("sister"). `text` is a sentence
    about the user. `span` is the evidence's place in the message, `words` its text. `corrects`:
    stated as a change or correction; `instead` is the corrected value ("Anika, not Anita"). `past`:
    no longer true. `confidence` is in [0, 1].
    """

    subject: str
    predicate: str
    object: str
    category: str
    text: str
    span: tuple[int, int]
    words: str
    confidence: float = _SURE
    corrects: bool = False
    instead: str | None = None
    past: bool = False


def facts_in(text: Own, spoken_of: str | None = None) -> tuple[Fact, ...]:
    """Return the facts a message states, in order, without duplicates; not from questions or
    quotes. `spoken_of` is the person or pet mentioned before: the referent of "she" if nobody
    else is named."""
    plainly = _HAVE_NO.sub(lambda match: "have no".ljust(len(match.group())), blank_retractions(text))
    shown, turned = _as_of_today(_without_fillers(plainly))
    return tuple(
        replace(fact, words=text[slice(*fact.span)])
        for fact in _extract_stated(shown, spoken_of)
        if not _holds(fact, turned)
    )


@lru_cache(maxsize=64)  # several rules read the same words
def _extract_stated(text: str, spoken_of: str | None) -> tuple[Fact, ...]:
    fact_of: dict[tuple[str, str, str], Fact] = {}
    asserted = list_asserted(text)
    for clause in asserted:
        for fact in _in_clause(clause, spoken_of):
            key = (fact.subject.lower(), fact.predicate, fact.object.lower())
            fact_of.setdefault(
                key, replace(fact, corrects=_corrects(text, clause), instead=_instead(text, clause, fact))
            )
            spoken_of = find_referent(fact) or spoken_of
        person = find_related(clause.text)
        if person is not None and (spoken_of is None or spoken_of not in (person.name, person.relation)):
            spoken_of = person.name or person.relation
    for name in statements(as_told(text)):
        if not name.refused:
            fact_of.setdefault((USER, "name", name.name.lower()), _of_name(name, text))
            for fact in _introduce(name, text, asserted):
                fact_of.setdefault((USER, fact.predicate, fact.object.lower()), fact)
    facts = _correct_facts(text, list(fact_of.values()))
    kept = [fact for fact in facts if not _part_of_another(fact, facts)]
    return tuple(sorted(kept, key=lambda fact: fact.span))


def find_referent(fact: Fact) -> str | None:
    """Return whom "she" means after a fact: a name, or the relation of somebody without one."""
    if fact.predicate in RELATIONS:
        return fact.object
    if fact.subject != USER:
        return fact.subject
    number, _, relation = fact.object.partition(" ")
    if number.lower() not in ("a", "an", "one"):
        return None
    relation = relation.rpartition(" ")[2]
    return relation if fact.predicate in ("has_family", "has_pet") and relation in RELATIONS else None


def _introduce(name: NameStatement, text: str, asserted: Iterable[Clause]) -> Iterator[Fact]:
    """Yield facts that follow one's name: "I'm Kai, 15, they/them", "I'm Mira, married to Tom"."""
    ends = [clause.end for clause in asserted if clause.start < name.end <= clause.end]
    if not ends:
        return
    joints = list(_BEHIND_NAME.finditer(text[: ends[0]], name.end))
    parts_end = [*(joint.start() for joint in joints[1:]), ends[0]]
    for joint, end in zip(joints, parts_end, strict=False):
        own = "I am".ljust(joint.end() - name.start)
        if len(own) > joint.end() - name.start:
            continue
        clause = Clause(own + text[joint.end() : end], name.start)
        for match, pattern in patterns.matches(patterns.FIRST_PERSON, clause.text, 0):
            if match.start() == 0:
                yield from _build_facts(USER, pattern, match, clause, 0)


def past_facts_in(text: Own, spoken_of: str | None = None) -> tuple[Fact, ...]:
    """Return facts that are no longer true: "I used to live in Rome", "until May I worked at …".

    The text is turned into the present tense at the same length, so that offsets stay valid.
    """
    shown, turned = _as_of_today(text)
    over = [
        fact
        for fact in (_extract_stated(shown, spoken_of) if turned else ())
        if fact.predicate in _PASSING and _holds(fact, turned)
    ]
    return tuple(
        replace(
            fact,
            past=True,
            text=past_sentence(fact.subject, fact.predicate, fact.object),
            words=text[slice(*fact.span)],
        )
        for fact in (*over, *_find_partings(text))
    )


def _find_partings(text: Own) -> Iterator[Fact]:
    """Yield former partners: "Tomas and I broke up", "I split up with my girlfriend Eva"."""
    for match in _PARTED.finditer(text):
        name = match["first"] or match["second"]
        if not words.is_name(name):
            continue
        for clause in list_asserted(text):
            if clause.start <= match.start("parted") < clause.end:
                yield _fact(USER, "partner", name, "relationship", clause, match.span("parted"), _SURE)
                break


def _holds(fact: Fact, places: Sequence[int]) -> bool:
    return any(fact.span[0] <= at < fact.span[1] for at in places)


def sentence_around(text: str, start: int, end: int) -> str:
    """Return the sentence that contains text[start:end]."""
    begin = max(text.rfind(mark, 0, start) for mark in ".!?\n;") + 1
    ends = [at for mark in ".!?\n;" if (at := text.find(mark, end)) >= 0]
    return text[begin : min(ends, default=len(text))].strip()


# Predicates that can be over, unlike an age or a birthday.
_PASSING = word_set("""
lives_in works_as works_at works_in studies studies_at marital_status partner diet likes dislikes plays owns
believes speaks has_pet
""")
_DID = "live|reside|work|study|play|speak|own|drive|ride|love|like|hate|enjoy|adore|believe|have"
_USED_TO = re.compile(
    rf"\b(?P<who>\w+(?:['\u2019]s)?)\s+(?:(?:always|also|really|just|only)\s+)?(?P<used>used\s+to\s+)(?P<verb>be|{_DID})\b",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(
    rf"\b(?:i|we)\s+(?P<not>no\s+longer\s+|(?:don['\u2019]?t|do\s+not)\s+(?=[^.!?\n]{{0,200}}\b(?:any\s?more|any\s+longer)\b))"
    rf"(?:{_DID})\b",
    re.IGNORECASE,
)
_AM_NO_LONGER = re.compile(_WAYS["am_no_longer"], re.IGNORECASE)
# ways to say "have no": "don't have a", "never had any"
_HAVE_NO = re.compile(_WAYS["have_no"], re.IGNORECASE)
_LIVED = re.compile(_WAYS["lived"], re.IGNORECASE)
_WAS = re.compile(r"\b(?:i|we)\s+(?P<was>was|were)\s+(?!born\b|raised\b|diagnosed\b|not\b)", re.IGNORECASE)
_NAMED = r"(?-i:[A-Z\u00c0-\u00de])[\w\u2019-]+"
# "my late husband Harold was a fisherman"
_LATE = re.compile(
    rf"\b(?:my|our)\s+(?:dear\s+)?late\s+(?:{'|'.join(sorted(RELATIONS))})\b(?:\s+(?P<name>{_NAMED}))?(?:\s+(?P<was>was)\b)?",
    re.IGNORECASE,
)
_DEAD = re.compile(rf"\W*(?:(?:and|but)\s+)?(?P<name>{_NAMED})\s+(?:has\s+)?(?:died|passed\s+away)\b", re.IGNORECASE)
_ANYBODY = frozenset({"everyone", "everybody", "someone", "somebody", "anyone", "anybody", "nobody", "people"})
# matches before another statement after one's name: "I'm Kai, 15 they/them"
_BEHIND_NAME = re.compile(_WAYS["behind_name"], re.IGNORECASE)
# matches before another statement about the same person: "lives in Lisbon and works …"
_JOINED = re.compile(r"(?<!\s)\s{0,8}(?:,(?:\s{1,8}and)?|(?<=\s)and)(?=\s)", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\b(?:who|whose|which|that|where|but|while)\b", re.IGNORECASE)
_LOST = re.compile(_WAYS["lost"], re.IGNORECASE)
# the name of somebody of whom only the relation was told: "my mum died", "her name was Ruth"
_CALLED = re.compile(_WAYS["called"], re.IGNORECASE)
_SUBJECT_NAMED = re.compile(rf"\W*{_WAYS['before_name']}(?P<name>{_NAMED})", re.IGNORECASE)
# predicates that imply a person: accepted for an unknown name
_SAID_OF_A_NAME = frozenset({"lives_in", "allergic_to", "birthday"})
_FILLED = re.compile(
    rf"(?:(?<=\bis)|(?<=\bare)|(?<=\bwas)|(?<='s)|(?<=\bcalled)|(?<=\bnamed))(?:,?\s+{FILLER}\b,?){{1,3}}(?=\s+(?:called|named|[^\W\d_a-zß-ÿ]))"
)
_AGE_IN_WORDS = re.compile(
    rf"(?:(?<=\bam )|(?<=\bim )|(?<='m )|(?<=\u2019m )|(?<=\bis )|(?<=\bturned )|(?<=\bturns ))"
    rf"(?:(?:{'|'.join(TENS)})(?:[ -](?:{up_to(9, first=1)}))?|{'|'.join(NUMBERS)})\b"
    r"(?=\s*(?:$|[,.;!]|(?:and|but|years?|yrs?|today|yesterday|now)\b))",
    re.IGNORECASE,
)
_AS_WELL = re.compile(r"(?<!\s),?\s{1,8}(?:too|as\s{1,8}well),?(?=\s{1,8}(?:to|in|at|as|for|with)\b)", re.IGNORECASE)
_THAT_IS = re.compile(_WAYS["that_is"], re.IGNORECASE)  # a correction of who a just named person is

_PARTED = re.compile(_WAYS["parted"], re.IGNORECASE)
_BASE = {"lived": "live", "worked": "work", "studied": "study"}
_THIRD = {"lived": "lives", "worked": "works", "studied": "studies"}
_FIRST = frozenset({"i", "we", "they", "and"})
_HELPING = frozenset({"have", "has", "had", "ve", "never", "not", "to", "who", "that"})
_BEING = frozenset({"am", "is", "are", "was", "were", "be", "been", "get", "got", "getting", "m", "re"})


def _as_of_today(text: str) -> tuple[str, list[int]]:
    """Return the text with past forms as present ones (offsets kept), and their offsets."""
    turned: list[int] = []

    def put(match: re.Match[str], group: str, word: str) -> None:
        nonlocal text
        start, end = match.span(group)
        if len(word) <= end - start:
            text = text[:start] + word.ljust(end - start) + text[end:]
            turned.append(start)

    for match in list(_USED_TO.finditer(text)):
        who = match["who"].lower()
        if who in _BEING or who.endswith(("'s", "\u2019s")):
            continue  # "I'm used to living alone" is something else
        if match["verb"].lower() == "be":
            put(match, "used", {"i": "am", "we": "are", "they": "are"}.get(who, "is"))
            start, end = match.span("verb")
            text = text[:start] + " " * (end - start) + text[end:]
        else:
            put(match, "used", "")
    for match in (*_NO_LONGER.finditer(text), *_AM_NO_LONGER.finditer(text)):
        put(match, "not", "")
    for match in list(_LIVED.finditer(text)):
        if match["who"].lower() not in _HELPING:
            forms = _BASE if match["who"].lower() in _FIRST else _THIRD
            put(match, "verb", forms[fold(match["verb"])])
    for match in list(_WAS.finditer(text)):
        put(match, "was", "am")
    for match in list(_LATE.finditer(text)):
        if match["was"]:
            put(match, "was", "is")
    return text, turned


def _instead(text: str, clause: Clause, fact: Fact) -> str | None:
    """Return the value a fact corrects: "Anika, not Anita", "not Anita but Anika"."""
    here = sentence_around(text, clause.start, clause.end)
    thing = re.escape(fact.object)
    match = re.search(rf"{thing}\W+(?:and\s+)?not\s+(?:in\s+|at\s+|an?\s+)?(?P<o>\w[\w'\u2019-]*)", here, re.IGNORECASE)
    match = match or re.search(
        rf"\bnot\s+(?:in\s+|an?\s+)?(?P<o>\w[\w'\u2019-]*)\W+but\s+(?:\w+\s+)?{thing}", here, re.IGNORECASE
    )
    return None if match is None or conflicts.same(match["o"], fact.object) else match["o"]


def _without_fillers(text: str) -> str:
    """Blank out filler words between "called" and a name, and write an age in figures (same length)."""
    bare = _FILLED.sub(lambda match: " " * len(match.group()), text)
    bare = _AGE_IN_WORDS.sub(lambda match: str(spelled(match.group(), "en")[0]).rjust(len(match.group())), bare)
    return _AS_WELL.sub(lambda match: " " * len(match.group()), bare)


def _correct_facts(text: str, facts: list[Fact]) -> list[Fact]:
    """Apply later corrections: "My sister is Irma. No wait, that's my cousin" is a cousin."""
    for match in _THAT_IS.finditer(text):
        before = [fact for fact in facts if fact.predicate in RELATIONS and fact.span[1] <= match.start("relation")]
        relation = match["relation"].lower()
        if not before or relation not in RELATIONS:
            continue
        wrong = max(before, key=lambda fact: fact.span)
        right = replace(
            wrong,
            predicate=relation,
            text=sentence(wrong.subject, relation, wrong.object),
            span=(wrong.span[0], match.end("relation")),
        )
        facts = [right if fact is wrong else fact for fact in facts]
    return facts


def _part_of_another(fact: Fact, others: Iterable[Fact]) -> bool:
    """Return whether another fact says the same and more ("two sisters and a brother")."""
    return any(
        other is not fact
        and (other.subject, other.predicate) == (fact.subject, fact.predicate)
        and other.span[0] <= fact.span[0] < fact.span[1] <= other.span[1]
        and fact.object in other.object
        for other in others
    )


def _corrects(text: str, clause: Clause) -> bool:
    """Return whether the sentence, up to the clause's end, announces a change ("no, …")."""
    begin = max(text.rfind(mark, 0, clause.start) for mark in ".!?\n") + 1
    return _CORRECTS.search(text[begin : clause.end]) is not None


def _in_clause(clause: Clause, spoken_of: str | None) -> Iterator[Fact]:
    person = find_related(clause.text)
    if person is not None:
        if person.name:
            place = (clause.start + person.start, clause.start + person.end)
            yield _fact(USER, person.relation, person.name, person.category, clause, place, _SURE)
        if (lost := _LOST.search(clause.text)) is not None and person.relation not in words.PETS:
            place = (clause.start + lost.start(), clause.start + lost.end())
            yield _fact(person.name or person.relation, "is", "died", "family", clause, place, _LIKELY)
        yield from _say_of(person.name or person.relation, clause, person.start, person.end)
    elif spoken_of in RELATIONS and (called := _CALLED.match(clause.text)) and _is_somebody(called["name"]):
        place = (clause.start + called.start("name"), clause.start + called.end())
        yield _fact(USER, spoken_of, capital(called["name"]), "family", clause, place, _SURE)
    elif spoken_of is not None and (owned := OWNED.match(clause.text)):
        start, end = owned.span("whose")
        theirs = Clause(clause.text[:start] + "'s".rjust(end - start) + clause.text[end:], clause.start)
        yield from _say_of(spoken_of, theirs, owned.start(), end - len("'s"))
    elif spoken_of is not None and (pronoun := PRONOUN.match(clause.text)):
        yield from _say_of(spoken_of, clause, pronoun.start(), pronoun.end())
    elif (dead := _DEAD.match(clause.text)) and words.is_name(dead["name"]):
        place = (clause.start + dead.start("name"), clause.start + dead.end())
        yield _fact(dead["name"], "is", "died", "family", clause, place, _LIKELY)
    elif (name_match := _SUBJECT_NAMED.match(clause.text)) and _is_somebody(name_match["name"]):
        facts = _say_of(name_match["name"], clause, name_match.start("name"), name_match.end())
        yield from (fact for fact in facts if fact.predicate in _SAID_OF_A_NAME)
    if (late := _LATE.search(clause.text)) is not None and late["name"] and words.is_name(late["name"]):
        place = (clause.start + late.start("name"), clause.start + late.end("name"))
        yield _fact(late["name"], "is", "died", "family", clause, place, _LIKELY)
    for match, pattern in patterns.matches(patterns.FIRST_PERSON, clause.text, 0):
        yield from _build_facts(USER, pattern, match, clause, match.start())
    for mention in mentions(clause.text):
        place = (clause.start + mention.start, clause.start + mention.end)
        if mention.relation is not None:
            yield _fact(USER, mention.relation, mention.name, "family", clause, place, _SURE)
        if mention.age is not None:
            yield _fact(mention.name, "age", mention.age, "family", clause, place, _LIKELY)


def _say_of(who: str, clause: Clause, begin: int, end: int) -> Iterator[Fact]:
    """Yield the facts about the person in clause.text[begin:end], also after "and"."""
    turned = _OF_ANOTHER.search(clause.text, end)
    joints = _JOINED.finditer(clause.text, end, turned.start() if turned else len(clause.text))
    places = {end, *(at for joint in joints for at in joint.span())}
    for match, pattern in patterns.matches(patterns.THIRD_PERSON, clause.text, end):
        if match.start() in places:
            yield from _build_facts(who, pattern, match, clause, begin)


def _is_somebody(name: str) -> bool:
    return words.is_name(name) and name.lower() not in COMMON | _ANYBODY


def _build_facts(
    subject: str, pattern: patterns.Pattern, match: re.Match[str], clause: Clause, begin: int
) -> Iterator[Fact]:
    for object_ in pattern.objects(match):
        predicate = pattern.named(match)
        place = (clause.start + begin, clause.start + match.end())
        sure = _SURE if pattern.sure else _LIKELY
        yield _fact(subject, predicate, object_, pattern.category, clause, place, sure)


def _fact(
    subject: str, predicate: str, object_: str, category: str, clause: Clause, place: tuple[int, int], confidence: float
) -> Fact:
    raw = clause.text[place[0] - clause.start : place[1] - clause.start]
    start = place[0] + len(raw) - len(raw.lstrip(" ,:;-\n"))
    end = place[0] + len(raw.rstrip(" ,:;-\n"))
    words = clause.text[start - clause.start : end - clause.start]
    return Fact(
        subject, predicate, object_, category, sentence(subject, predicate, object_), (start, end), words, confidence
    )


def _of_name(name: NameStatement, text: str) -> Fact:
    place = (name.start, name.end)
    written = text[name.start : name.end]
    return Fact(USER, "name", name.name, "addressing", sentence(USER, "name", name.name), place, written)


OLDEST = 110  # highest accepted age, in years (exclusive)


@dataclass(frozen=True, slots=True)
class Mention:
    """A person mentioned in text[start:end], with age and relation if given."""

    name: str
    age: str | None
    relation: str | None
    start: int
    end: int


_NAME = r"[A-Z\u00c0-\u00de][^\W\d_A-Z]{1,20}(?:-[A-Z][^\W\d_]{1,20})?"
# an age right after a name: "Bram (9)", "Bram is 9"
_AGE = r"(?:\s?\(|\sis\s)(?P<age>\d{1,3})(?:\)|(?=\W*$|[,;.!](?!\d)|\s(?:and|but|years?)\b))"

_AGE_LISTED = _AGE.replace(r"\sis\s", r"\s(?:is\s)?")  # "our kids: Bram 9 and Mia 6"
_ONE = rf"(?:(?:little|baby|young|old|wee) )?{_NAME}(?:{_AGE_LISTED.replace('?P<age>', '')}|\s\d+ (?:month|week)s)?"
_SEVERAL = rf"(?P<names>{_ONE}(?:(?:, (?:and )?| and | & | (?=[A-Z\u00c0-\u00de])){_ONE}){{0,5}})"
_MANY: dict[str, str] = word_tables.by_language("children")["en"]
_PLURAL = {**_MANY, **{f"{one}s": words.RELATION_FORMS.get(one, one) for one in RELATIONS if one not in ("kid",)}}
_OURS = re.compile(
    rf"(?:\b(?:[Mm]y|[Oo]ur|(?:[Ww]e|[Ii])(?:['\u2019]ve)? (?:have|got|own)|I've got)\s"
    rf"|^\W*(?:[Gg]ot|[Hh]ave)\s|^\W*(?=\w+\s?:))"
    rf"(?:(?:(?P<count>{up_to(6, first=2)}|\d)|little|older|younger|best|both)\s){{0,3}}"
    rf"(?P<plural>(?i:{any_of(_PLURAL)}))"
    rf"(?:,?\s(?:are\s)?(?:called|named)|\s(?:are|were)|\W\s?|)\s?{_SEVERAL}"
)
_BLANK = re.compile(rf"(?P<first>{_NAME}) {_NAME}")
_AGED = re.compile(rf"\b(?P<name>{_NAME}){_AGE}")
_EACH = re.compile(rf"(?P<name>{_NAME})(?:{_AGE_LISTED})?")


def mentions(text: str) -> Iterator[Mention]:
    """Yield the people of a clause: all listed with a relation, else several listed with ages."""
    ours = _OURS.search(text)
    if ours is not None:
        relation = _PLURAL[fold(ours["plural"])]
        named = [match for match in _EACH.finditer(ours["names"]) if words.is_name(match["name"])]
        counted = ours["count"] is not None and amount_of(ours["count"]) == len(named)  # "2 dogs Rex and Dot"
        blank = None if counted else _BLANK.search(ours["names"])  # "my sisters Anna Maria and Eva"
        for match in named:
            if blank is None or match.end() <= blank.end("first"):
                at = ours.start("names")
                yield Mention(match["name"], _age(match["age"]), relation, ours.start(), at + match.end())
        return
    aged = [match for match in _AGED.finditer(text) if words.is_name(match["name"]) and _age(match["age"])]
    if len(aged) > 1:
        for match in aged:
            yield Mention(match["name"], _age(match["age"]), None, match.start(), match.end())


def _age(text: str | None) -> str | None:
    return text if text is not None and 0 < int(text) < OLDEST else None
