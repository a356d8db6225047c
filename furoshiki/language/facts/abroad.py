"""Facts that users state about themselves in other languages, in the commonest forms. The forms
are patterns in languages.toml: `{relation}` is one of its `people`, `{name}` a name (`{Name}`
capitalized), `{place}`, `{work}`, `{age}` and `{date}` the object; `their_...` patterns are
about a relative, and `named` ones name one in passing ("meine Tochter Lena wird 7"). A pattern
must match a whole clause. `asked` maps questions to the fact they ask for, `theirs` words for a
person told of before ("sie") to the words to read instead ("meine Schwester")."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest

from furoshiki.core.catalogue import capital
from furoshiki.language.detection import GROUPS, Language
from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.facts.extraction import OLDEST, USER, Fact
from furoshiki.language.facts.relation_words import NOT_OF
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.facts.retelling import sentence
from furoshiki.language.tables.numbers import AND, spelled
from furoshiki.language.testimony import Own
from furoshiki.language.words import RUN, fold, word_set

LONGEST = 160  # longest clause (characters) that is read

# how many messages back somebody may have been named, if all since were about them
MOST_EARLIER = 3

# most parts of a sentence that state one fact together: "ich habe einen Sohn, der heißt Thomas"
MOST_JOINED = 2

CAPITAL_NOUNS = "de"  # the language in which capitals do not mark names

_CATEGORIES = {
    "lives_in": "location", "comes_from": "location", "works_as": "employment", "works_at": "employment",
    "birthday": "birthday", "likes": "preference", "dislikes": "preference", "age": "other",
}  # fmt: skip
_TASTES = ("likes", "dislikes")
_NO_FACTS = ("people", "groups", "asked", "once", "unreal", "theirs")
# objects of "hate" that express more than a taste
_NO_TASTE = word_set("vida vita vie leben hayat жизнь себя тебя вас его её их всех всё людей menschen gente")

_JOINING = frozenset({"de", "do", "da", "com", "del", "con", "di", "al", "alla", "au", "aux", "à"})

_WORD = r"[^\W\d_][\w'\u2019-]*"
_SLOTS = {
    "name": rf"(?P<object>{_WORD}(?: (?-i:[^\W\d_a-zß-öø-ÿа-яё])[\w'\u2019-]*){{0,2}})",
    "Name": r"(?P<object>(?-i:[^\W\d_a-zß-öø-ÿа-яё])[\w'\u2019-]+)",
    "place": rf"(?P<object>{_WORD}(?: {_WORD}){{0,4}}?)",
    "work": rf"(?P<object>{_WORD}(?: {_WORD}){{0,4}})",
    "thing": rf"(?P<object>{_WORD}(?: {_WORD}){{0,3}})",
    "date": r"(?P<object>\d{1,2}(?:[.\u2024]|º|er)? ?(?:de |d['\u2019])?[^\W\d_]+|\d{1,2}[./]\d{1,2}\.?)",
}
_AGE = r"(?P<object>\d{1,3}|[^\W\d_]{2,30}(?:[ -][^\W\d_]{1,12}){0,4}?)"
_THEIRS = "their_"
_SIGNS = {
    "name": r"(?P<object>[\u4e00-\u9fff]{1,4}|[A-Za-z]{2,20})",
    "place": r"(?P<object>[\u4e00-\u9fff]{2,10}|[A-Za-z ]{2,30})",
    "work": r"(?P<object>[\u4e00-\u9fff]{2,8})",
    "thing": r"(?P<object>[\u4e00-\u9fff]{1,8})",
    "date": r"(?P<object>\d{1,2}月\d{1,2}[日号])",
    "age": r"(?P<object>\d{1,3}|[一二两三四五六七八九十百]{1,5})",
}
_TITLES = frozenset({"Dr", "Prof", "Frau", "Herr"})
_JOINTS = re.compile(
    r"[,;:.!\uff0c\u3002\uff01\uff1b\n]+\s*|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])|\s+(?:und|y|et|e|mas|pero|и|ve)\s+"
)
_OF_DATE = re.compile(r"(?<=\d)\.(?= ?[^\W\d])")  # the full stop in "3. März" ends no sentence


def facts_in(text: Own, language: Language, earlier: Sequence[str] = ()) -> tuple[Fact, ...]:
    """Return the facts a message in this language states, in order. `earlier` are the user's
    messages before it, newest first: "sie" is somebody they were about."""
    fact_of: dict[tuple[str, str, str], Fact] = {}
    dated = _OF_DATE.sub("\u2024", text)
    for clause, at in _clauses(dated, language):
        whole = name_person(clause, (dated[:at], *earlier) if dated[:at] else earlier, language, begins=True)
        named = ""
        for what, pattern in _patterns(language):
            match = pattern.fullmatch(whole)
            fact = None if match is None else _fact(what, match, at, language)
            if match is not None and fact is not None:
                if named and fact.subject != USER:
                    fact = replace(fact, subject=named, text=sentence(named, fact.predicate, fact.object))
                place = (at, at + len(clause))
                in_context = replace(fact, span=place, words=text[slice(*place)])
                fact_of.setdefault((fact.subject, fact.predicate, fact.object.casefold()), in_context)
                if what != "named":
                    break
                named = fact.object
                whole = _join((whole[: match.start("object")], whole[match.end("object") :]), language)
    return tuple(fact_of.values())


def name_person(text: str, earlier: Sequence[str], language: Language, *, begins: bool = False) -> str:
    """Return a clause or question with the person named that "sie" means: "wo wohnt meine Schwester".

    `earlier` are the user's messages before it, newest first; with `begins` only its first words count.
    """
    if language.related(text):
        return text
    for who, pattern, instead in _list_theirs(language):
        match = pattern.match(text) if begins else pattern.search(text)
        word = None if match is None else _find_spoken_of(earlier, who, language)
        if match is not None and word is not None:
            return text[: match.start()] + instead.replace("{}", word) + text[match.end() :]
    return text


def _find_spoken_of(earlier: Sequence[str], who: str, language: Language) -> str | None:
    """Return the word for the only relative that the last messages about somebody were about."""
    for text in earlier[:MOST_EARLIER]:
        words = [word for word in language.related(text).values() if word.casefold() in _relations(language)]
        fits = [word for word in words if _relations(language)[word.casefold()] not in NOT_OF.get(who, ())]
        if fits:
            return fits[0] if len(fits) == 1 else None
        if not any(pattern.match(text) for _, pattern, _ in _list_theirs(language)):
            return None
    return None


def is_no_name(name: str, text: Own, language: Language) -> bool:
    """Return whether a supposed name is a sentence, or a whole message that states something else:
    "doktorumun adı Kaya" names the doctor."""
    return language.is_sentence(name, text) or (name == text.strip(" .!?") and bool(facts_in(text, language)))


def find_asked(text: str, language: Language) -> tuple[str, str] | None:
    """Return subject and predicate of the fact that a question asks for; None if unknown. Of the
    user's own people it is who they are ("wie heißt mein Mann"), told in whatever language."""
    small, related = text[:LONGEST].casefold(), language.related(text)
    person = next(iter(related), None)
    unknown = person is None and any(pattern.search(text) for _, pattern, _ in _list_theirs(language))
    for row in () if unknown else language.told.get("asked", ()):
        predicate, _, pattern = row.partition(": ")
        if not re.search(pattern, small):
            continue
        if predicate != "name":
            return person or USER, predicate
        if len({GROUPS.get(one, one) for one in related}) == 1 and (language.dense or language.is_mine(text)):
            return USER, next(iter(related))
    return None


def speaks_of(what: str, text: str, language: Language) -> bool:
    """Return whether a message is about what was before ("once"), or what would be ("unreal")."""
    [words] = language.told.get(what, ("(?!)",))
    return re.search(words, text[:LONGEST].casefold()) is not None


def _clauses(text: str, language: Language) -> Iterator[tuple[str, int]]:
    """Yield a message's asserted clauses and their parts, with their offsets."""
    for clause in list_asserted(text):
        if language.is_asked(clause.text) or len(clause.text) > LONGEST:
            continue
        starts = [0, *(joint.end() for joint in _JOINTS.finditer(clause.text))]
        ends = [*(joint.start() for joint in _JOINTS.finditer(clause.text)), len(clause.text)]
        runs = [(starts[first], end) for first in range(len(starts)) for end in ends[first : first + MOST_JOINED]]
        for start, end in dict.fromkeys([(0, len(clause.text)), *runs]):
            part = clause.text[start:end]
            bare = part.strip(" .!\u3002\uff01")
            if bare:
                yield bare, clause.start + start + part.index(bare)


def _fact(what: str, match: re.Match[str], at: int, language: Language) -> Fact | None:
    thing = match["object"].replace("\u2024", ".").strip("'\u2019 ")
    relative = match.groupdict().get("relation")
    relation = _find_relation(relative, language) if relative else ""
    if relative and not relation:
        return None
    predicate, subject = what.removeprefix(_THEIRS), relation if what.startswith(_THEIRS) else USER
    if what in ("called", "named"):
        predicate = relation
    if predicate == "age" and not thing.isdigit():
        [thing] = _in_figures(thing, language.code) or [""]
    elif predicate in _TASTES and not language.dense:
        thing = " ".join(_find_thing(thing.split(), language.small | _NO_TASTE))
    elif predicate not in ("birthday", "age"):
        thing = " ".join(_find_names(thing.split(), language))
    if not thing or thing in _TITLES:
        return None
    if predicate in RELATIONS:
        if not language.dense and thing.casefold() in language.small:
            return None
        thing = capital(thing)
    category = "family" if relation else _CATEGORIES[predicate]
    span = (at + match.start(), at + match.end())
    return Fact(subject, predicate, thing, category, sentence(subject, predicate, thing), span, match.group())


def _join(parts: Sequence[str], language: Language) -> str:
    between = "" if language.dense else " "
    return between.join(" ".join(parts).split())


def _in_figures(words: str, code: str) -> list[str]:
    """Return the age that words say and nothing else: "zweiundachtzig", "ochenta y dos"."""
    counts = code == "zh" or all(word in AND or spelled(word, code) for word in RUN.findall(words.casefold()))
    numbers = spelled(words, code) if counts else []
    return list(map(str, numbers)) if len(numbers) == 1 and numbers[0] < OLDEST else []


def _find_thing(words: list[str], small: frozenset[str]) -> Iterator[str]:
    """Yield the words up to the first function word that joins nothing ("pão de queijo")."""
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        joins = word.casefold() in _JOINING and following and following.casefold() not in small
        if word.casefold() in small and not joins:
            return
        yield word


def _find_names(words: list[str], language: Language) -> Iterator[str]:
    """Yield the words of a name, up to the first function word without a name after it."""
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        leads_to_name = following[:1].isupper() and language.code != CAPITAL_NOUNS
        if not word[0].isupper() and not leads_to_name and word.casefold() in language.words:
            return
        yield word


@lru_cache(maxsize=16)
def _patterns(language: Language) -> tuple[tuple[str, re.Pattern[str]], ...]:
    relation = f"(?P<relation>{'|'.join(sorted(_relations(language), key=len, reverse=True))})"
    slots = {"age": _AGE, **_SLOTS, **(_SIGNS if language.dense else {}), "relation": relation}
    return tuple(
        (what, re.compile(_fill_form(form, slots), re.IGNORECASE))
        for what, forms in language.told.items()
        if what not in _NO_FACTS
        for form in forms
    )


@lru_cache(maxsize=16)
def _relations(language: Language) -> dict[str, str]:
    """Map each word for a relative, as written, to the relation."""
    rows = (row.partition(": ") for row in language.told["people"])
    return {word.replace("_", " "): relation for relation, _, words in rows for word in words.split()}


def _find_relation(word: str, language: Language) -> str:
    """Return the relation that a word names, also with "i" for "ı" or the reverse; "" for the name Karim,
    which a pattern takes for the Turkish "karım" (my wife)."""
    relations = _relations(language)
    if (exact := relations.get(word.casefold())) or word[:1].isupper():
        return exact or ""
    return next((relation for form, relation in relations.items() if fold(form) == fold(word)), "")


def _fill_form(form: str, slots: dict[str, str]) -> str:
    return re.sub(r"\{([A-Za-z]{1,20})\}", lambda slot: slots[slot[1]], form)


@lru_cache(maxsize=16)
def _list_theirs(language: Language) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """List whom a word for a person may mean (she, he, any), its pattern, and the words to read instead."""
    rows = [row.partition(": ") for row in language.told.get("theirs", ())]
    parts = [(who, *form.partition(" => ")) for who, _, form in rows]
    return tuple((who, re.compile(pattern, re.IGNORECASE), instead) for who, pattern, _, instead in parts)
