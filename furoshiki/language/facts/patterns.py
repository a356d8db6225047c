"""The patterns by which facts are recognised in an asserted clause.

Each is a list of sayings (`furoshiki.language.facts.pattern_language`) with the predicate they state and a judge for
the object: what looks like a place must not be "peace", what looks like a job must be one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from furoshiki.language.facts import words
from furoshiki.language.facts.pattern_language import Saying
from furoshiki.language.tables.calendar_names import MONTHS

Judge = Callable[[str], bool]


@dataclass(frozen=True)
class Pattern:
    """A fact's predicate and category, the ways of stating it, and which objects it may have.

    `split` cuts the object at "and"; the predicate may hold "{p}", filled from the group p. Not `sure`: said so, but
    often in passing.
    """

    predicate: str
    category: str
    judge: Judge
    sayings: tuple[Saying, ...]
    split: bool = False
    sure: bool = True

    def objects(self, match: re.Match[str]) -> Iterator[str]:
        """The objects that pass the judge, tidied."""
        whole = match.group("o")
        if when := match.groupdict().get("when"):
            whole = f"{whole} {when}"
        split = self.split and whole.lower() not in words.PAIRS
        parts = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", whole) if split else [whole]
        yield from (part for part in map(tidy, parts) if part and self.judge(part))

    def named(self, match: re.Match[str]) -> str:
        """The predicate of this match."""
        if "{p}" not in self.predicate:
            return self.predicate
        return self.predicate.replace("{p}", re.sub(r"\s+", "_", match.group("p").strip().lower()))


LONGEST_CLAUSE = 2_000
"""Characters of one clause that are looked through: nobody states a fact in more."""


def matches(patterns: tuple[Pattern, ...], text: str, at: int) -> Iterator[tuple[re.Match[str], Pattern]]:
    """Every pattern found in the text from `at` on, in the order of the patterns."""
    text = text[:LONGEST_CLAUSE]
    for pattern in patterns:
        for saying in pattern.sayings:
            for match in saying.finditer(text, at):
                yield match, pattern


def tidy(raw: str) -> str:
    """An object as it is kept: single spaces, no mark or lone conjunction at its end, no article before an occasion."""
    text = re.sub(r"\s+", " ", raw).strip(" ,.;:!?'\u2019-\u0000")
    return re.sub(
        r"(?:\s(?:and|but|or|so|in|at|to|the|a|an|of|for|with|there|here)){1,6}$", "", text, flags=re.IGNORECASE
    )


def _pattern(
    predicate: str, category: str, judge: Judge, *sayings: str, split: bool = False, sure: bool = True
) -> Pattern:
    return Pattern(predicate, category, judge, tuple(Saying(saying) for saying in sayings), split, sure)


# ------------------------------------------------------------------ judges


def _always(_text: str) -> bool:
    return True


def _place(text: str) -> bool:
    lowered = text.lower()
    return lowered not in words.NO_PLACE and lowered.split()[0] not in words.NO_PLACE_START and len(text) > 1


def _birthplace(text: str) -> bool:
    return _place(text) and not text[0].isdigit() and text.lower().split()[0] not in MONTHS


def _is_taste(text: str) -> bool:
    """Whether it can be a matter of taste: who hates their life, or themselves, says something else."""
    return _is_thing(text) and _NO_TASTE.isdisjoint(text.lower().split())


_NO_TASTE = frozenset({"life", "myself", "everything", "living"})


def _is_thing(text: str) -> bool:
    lowered = text.lower()
    return lowered not in words.NO_THING and lowered.split()[0] not in words.NO_THING_START and "\u0000" not in text


def _job(text: str) -> bool:
    *before, last = text.lower().split()
    if not _BETWEEN.isdisjoint(before):  # "a love letter to a cook"
        return False
    return last in words.JOBS or (last.endswith(words.JOB_ENDINGS) and last not in words.NO_JOBS)


_BETWEEN = frozenset({"a", "an", "the", "to", "of", "from", "for", "with", "by", "about", "and", "or"})


def _workplace(text: str) -> bool:
    return text.lower() not in words.NO_WORKPLACE and text.lower().split()[0] not in words.NO_THING_START


def _field(text: str) -> bool:
    return _workplace(text) and text.lower() not in words.NO_FIELD


def _subject(text: str) -> bool:
    return _is_thing(text) and text.lower() not in words.NO_SUBJECT


def is_age(text: str) -> bool:
    return 4 < int(text) < 111


def _some_age(text: str) -> bool:
    return 0 < int(text) < 111


def _condition(text: str) -> bool:
    return text.lower().split()[-1] in words.CONDITIONS


def _possession(text: str) -> bool:
    return _is_thing(text) and not words.POSSESSIONS.isdisjoint((text.lower(), *text.lower().split(), _last_two(text)))


def _last_two(text: str) -> str:
    return " ".join(text.lower().split()[-2:])


def _is_played(text: str) -> bool:
    return text.lower() in words.PLAYED or text.lower().split()[-1] in words.PLAYED


def _language(text: str) -> bool:
    return text.lower() in words.LANGUAGES


def _nationality(text: str) -> bool:
    return text.lower() in words.NATIONALITIES


def _faith(text: str) -> bool:
    return text.lower().split()[-1] in words.FAITHS


def _belief(text: str) -> bool:
    return _is_thing(text) and text.lower() not in words.NO_BELIEF


def _not_eaten(text: str) -> bool:
    parts = text.lower().split()
    return parts[0] == "smoke" or (len(parts) > 1 and parts[-1] not in words.NO_FOOD)


# ------------------------------------------------------------------ the user

FIRST_PERSON: tuple[Pattern, ...] = (
    _pattern(
        "lives_in",
        "location",
        _place,
        "&I live|reside [now] in|at|near|on|outside|close_to OBJ",
        "&AM living|based|settled [now] in|at|near|on|outside OBJ",
        "&I moved|relocated [back|away|here] to OBJ",
        "I moved|relocated from ANY to OBJ",
        "I've|I_have lived|been_living|always_lived in OBJ",
    ),
    _pattern("comes_from", "location", _place, "AM [originally] from OBJ", "I come|came [originally] from OBJ"),
    _pattern("born_in", "location", _birthplace, "I was born in OBJ"),
    _pattern("grew_up_in", "location", _place, "&I grew_up|was_raised in OBJ", "I was born and grew_up|raised in OBJ"),
    _pattern("works_as", "employment", _is_thing, "&I work as [a|an|the] OBJ~at|for|in"),
    _pattern("works_as", "employment", _is_thing, "&AM working as [a|an|the] OBJ~at|for|in"),
    _pattern("works_as", "employment", _job, "&AM a|an OBJ~at|for|in|by|from", "MY job|profession|trade is [a|an] OBJ"),
    _pattern(
        "works_as",
        "employment",
        _always,
        "&AM { retired|unemployed|self-employed|freelancing|between_jobs|on_parental_leave|on_maternity_leave } END",
    ),
    _pattern(
        "works_at",
        "employment",
        _workplace,
        "&I work at|for OBJ",
        "&I work as ANY ANY at|for OBJ",
        "&AM working [there|now] at|for OBJ",
        "&AM a|an ANY JOB at|for OBJ",
        "I got|started|took|accepted|found|landed a|my|the [new] job at|with OBJ",
    ),
    _pattern("works_in", "employment", _field, "&I work in OBJ", "&AM working in OBJ"),
    _pattern("studies", "employment", _subject, "&I study OBJ~at|in", "&AM studying OBJ~at|in"),
    _pattern("studies_at", "employment", _workplace, "&I study ANY at OBJ", "&AM studying ANY at OBJ"),
    _pattern(
        "birthday",
        "other",
        _always,
        "MY birthday|bday|b-day is [on|always] DAY",
        "MY birthday's [on] DAY",
        "I was born on DAY",
    ),
    _pattern("age", "other", is_age, "&AM NUM years_old|year_old|years_of_age", "AM NUM END", "I turned|turn NUM END"),
    _pattern(
        "marital_status",
        "relationship",
        _always,
        "&AM { married|single|divorced|widowed|engaged|separated|a_widow|a_widower } END",
        "&AM { married|engaged } to",
    ),
    _pattern("partner", "relationship", words.is_name, "&AM married|engaged to TITLED"),
    _pattern(
        "has_family",
        "family",
        _always,
        "&I have|got|have_got { COUNT KINFOLK } END",
        "&I have|got|have_got { COUNT KINFOLK and COUNT KINFOLK } END",
    ),
    _pattern(
        "has_pet",
        "family",
        _always,
        "&I have|got|have_got { COUNT PETS } END",
        "&I have|got|have_got { COUNT PETS and COUNT PETS } END",
    ),
    _pattern("allergic_to", "health", _is_thing, "&AM [deathly|mildly|badly] allergic to LIST", split=True),
    _pattern("allergic_to", "health", _is_thing, "I have a|an [severe|bad|mild] WORDS allergy"),
    _pattern(
        "has_condition",
        "health",
        _condition,
        "&I have|suffer_from|live_with [a|chronic|mild|severe] OBJ",
        "&I was|got|been diagnosed_with [a|chronic|mild|severe|type_1|type_2] OBJ",
    ),
    _pattern(
        "has_condition",
        "health",
        _always,
        "&AM { pregnant|diabetic|colour-blind|color-blind|colour_blind|colourblind|deaf|blind|dyslexic|autistic|"
        "epileptic|asthmatic|left-handed|left_handed|short-sighted } END",
    ),
    _pattern(
        "diet",
        "health",
        _always,
        "&AM [a|an] { DIET } END",
    ),
    _pattern(
        "does_not",
        "health",
        _not_eaten,
        "I don't|do_not|never|can't|cannot { eat [any] ANY WORD } END",
        "I don't|do_not|never|can't { drink [any] alcohol|coffee|milk|wine|beer|tea } END",
        "I don't|do_not|never { smoke } END",
    ),
    _pattern("quit", "health", _always, "&I quit|stopped|gave_up { smoking|drinking } END"),
    _pattern(
        "favourite_{p}",
        "preference",
        _is_thing,
        "MY [all-time|all_time|absolute] favourite|favorite P is|are|has_always_been [probably|still|always] OBJ",
    ),
    _pattern(
        "likes",
        "preference",
        _is_thing,
        "&I love|adore|enjoy|like|am_fond_of|prefer BOTH~to|over|more",
        "&AM fond_of|crazy_about|into|addicted_to|obsessed_with BOTH",
        "&AM a|an [big|huge|great|massive] fan of OBJ",
        split=True,
    ),
    _pattern(
        "dislikes",
        "preference",
        _is_taste,
        "&I hate|dislike|detest|loathe|can't_stand|cannot_stand OBJ",
        "&I don't|do_not [really] like|enjoy|care_for OBJ",
        "I never liked OBJ",
    ),
    _pattern(
        "owns",
        "possession",
        _possession,
        "&I own|drive|ride|bought|adopted|have|got|have_got { a|an|two|three|my_own ANY WORD } END",
    ),
    _pattern("plays", "skill", _is_played, "&I play [the] OBJ~in|at|for|on|with"),
    _pattern("speaks", "skill", _language, "&I [can] speak [fluent|some] LIST", split=True),
    _pattern("learning", "skill", _is_thing, "&AM learning|teaching_myself [to_play|to_speak|to] [the] OBJ"),
    _pattern("speaks_natively", "skill", _language, "MY native_language|mother_tongue|first_language is WORDS END"),
    _pattern("nationality", "other", _nationality, "AM [a|an] [half] WORDS END"),
    _pattern("believes", "belief", _faith, "AM [a|an] WORDS END"),
    _pattern("believes", "belief", _belief, "I believe in OBJ"),
    _pattern(
        "plans",
        "plan",
        _always,
        "&I have|have_got|got [a|an|my|the|another] { ANY OCCASION SOON }",
        "&I have|have_got|got [a|an|my|the|another] { ANY OCCASION with|at|in|for|about SOME SOON }",
        "MY { ANY OCCASION } is|are|starts|begins WHEN",
        "WHEN I have|have_got|'ve_got [a|an|my|the|another] { ANY OCCASION } END",
        "&AM { going|flying|travelling|traveling|driving|heading|moving|off [back] to SOME SOON }",
        "&AM { going|off ANY SOON }",
        "&AM { starting|beginning|meeting|seeing|visiting|hosting|running|having|getting|taking|presenting|giving|"
        "defending|leaving|picking_up|cooking|throwing|playing|finishing SOME SOON }",
        f"&I {{ {'|'.join(words.LEAVING)} SOME SOON }}",
    ),
    _pattern(
        "has_to",
        "plan",
        _always,
        "&I have_to|must|need_to { SOME SOON }",
    ),
    _pattern(
        "goal",
        "goal",
        _always,
        "MY goal|dream|ambition|aim is to { SOME WORD } END",
        sure=False,
    ),
    _pattern(
        "intends",
        "plan",
        _always,
        "&AM planning|hoping|about to { SOME WORD } END",
        "&I plan|intend|decided to { SOME WORD } END",
        sure=False,
    ),
)

# ------------------------------------------------------------------ the user's people and pets, after "my sister Anika"

THIRD_PERSON: tuple[Pattern, ...] = (
    _pattern(
        "lives_in",
        "family",
        _place,
        "DOES lives|live [now] in|at|near|on OBJ",
        "IS living|based [now] in OBJ",
        "DOES moved|has_moved|relocated [back] to OBJ",
    ),
    _pattern("works_as", "family", _is_thing, "DOES works|work as [a|an] OBJ~at|for|in"),
    _pattern("works_as", "family", _job, "IS a|an OBJ~at|for|in"),
    _pattern("works_at", "family", _workplace, "DOES works|work at|for OBJ"),
    _pattern("studies", "family", _subject, "DOES studies OBJ~at|in", "IS studying OBJ~at|in"),
    _pattern("age", "family", _some_age, "IS NUM years_old", "IS NUM END", "DOES turned|turns NUM END"),
    _pattern("birthday", "family", _always, "'S birthday is [on] DAY"),
    _pattern("allergic_to", "family", _is_thing, "IS allergic to LIST", split=True),
    _pattern("likes", "family", _is_thing, "DOES loves|adores|likes|enjoys OBJ"),
    _pattern("dislikes", "family", _is_thing, "DOES hates|dislikes|can't_stand|doesn't_like OBJ"),
    _pattern(
        "{p}",
        "family",
        _always,
        "DOES has|have|got|adopted a|an PET called|named TITLED",
        "'S PET is|'s called|named TITLED",
    ),
    _pattern(
        "is",
        "family",
        _always,
        "IS { pregnant|diabetic|deaf|blind|ill|very_ill|in_hospital|in_the_hospital|married|divorced|retired } END",
        "IS { vegan|vegetarian|engaged } END",
        "DOES { died|passed_away }",
        "IS a|an { ANY BREED } END",
    ),
    _pattern(
        "plans",
        "plan",
        _always,
        "IS { getting_married|having_a_baby|coming_to_visit|visiting|visiting_me|starting_school|coming_over SOON }",
        sure=False,
    ),
)
