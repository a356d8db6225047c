"""Signs that the cited words deny a statement, concern another person, or only suppose it.

They refuse nothing. They are looked for in the nearest clause alone, by a dozen small words of each
language; additions are looked for in the whole conversation.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.facts.relation_words import FIRST
from furoshiki.language.grounding.said_of import is_stated_of, speaks_of_another
from furoshiki.language.grounding.words import DENIED_NOW, NO, content_of, mostly_said, stems_of, unsaid_grave
from furoshiki.language.inflection import HAN, language_of
from furoshiki.language.tables import function_words
from furoshiki.language.tables.numbers import spelled
from furoshiki.language.word_tables import pattern
from furoshiki.language.words import HYPHENED, asks, count_words
from furoshiki.memory.grounding.rules.form import (
    Heard,
    collect_words,
    dates_itself,
    find_unheard,
    guesses_a_year,
    is_unread,
    language_by,
    own_said,
    values_of,
    weekdays_of,
)
from furoshiki.memory.grounding.rules.statement import Statement

_CLAUSE = re.compile(r"[^.!?\n\u2026]+")

_PART = re.compile(r"[^.!?,;:\n\u2026]+")

# characters by which a clause is matched with asserted clauses, which are split differently
_HEAD = 20

# a "no" that answers a question, before the clause states anything itself
_ANSWER = re.compile(
    r"^\W*(?:no|nope|nein|hayır|нет|non|não|不是?|[没沒]有?)\b\s*,|^\W*不是[^,]{1,12}, ?(?=而?是)", re.IGNORECASE
)

# what is over is asserted all the same, and "I don't like olives any more" does not deny it
_USED_TO = re.compile(r"\bused to\s", re.IGNORECASE)

# the least words of a complete message: a shorter answer takes its content from the question
_SHORTEST = 4

MOST_ECHO = 0.5  # the greatest share of a statement's words that may be the companion's alone

SUPPOSED, OF_ELSE = "it is only supposed, wished or planned there", "it is said of somebody else there"
QUOTED = "it stands only in what they quoted"
# doubts by which it is somebody else's life or opinion: “my mother says I'm worthless”
OF_OTHERS = frozenset(
    {OF_ELSE, QUOTED, "it is asked or told by others there", "it is asked, supposed or told of others there"}
)

_SPEAKER = {"en": r"\b(?:i|me|my|mine|myself|we|us|ours?)\b"}
Small = dict[str, re.Pattern[str]]


def _compile_patterns(patterns: dict[str, str]) -> Small:
    return {language: re.compile(pattern(ways), re.IGNORECASE) for language, ways in patterns.items()}


OPEN: Small = _compile_patterns(function_words.OPEN)
HEARSAY: Small = _compile_patterns(function_words.HEARSAY)
EVER: Small = _compile_patterns(function_words.EVER)
REASON: Small = _compile_patterns(function_words.REASON)
SPEAKER: Small = {**_compile_patterns(_SPEAKER), **FIRST}
SOMEBODY: Small = _compile_patterns(function_words.THIRD)

Near = Callable[[str, Sequence[str]], float]

UNREAD = "no rule reads the language that it was said in"


def doubts(statement: Statement, near: Near | None = None) -> list[str]:
    """Return reasons to doubt a statement that do not refute it, in plain language.

    `near` finds the nearest clause; without vectors, shared words do.
    """
    near = near or measure_overlap
    clauses = clauses_of(statement.cited)
    if not clauses:
        return ["nothing is said there"]
    unread = [UNREAD, *_quoted(statement)] if is_unread(_tongues(statement)[1]) else []
    with_object = [one for one in clauses if statement.object and mostly_said(statement.object, collect_words((one,)))]
    nearest = max(with_object or clauses, key=lambda clause: near(statement.text, [clause]))
    return list(
        dict.fromkeys(
            [
                *unread,
                *([] if statement.free else _otherwise(statement, nearest, *_tongues(statement))),
                *_unsaid(statement),
            ]
        )
    )


def _quoted(statement: Statement) -> list[str]:
    """Return a doubt about a fact whose object stands only within what they quoted."""
    quoted = statement.object and any(statement.object in text for text in statement.cited_whole)
    return [QUOTED] if quoted and not any(statement.object in text for text in statement.own) else []


def find_additions(statement: Statement) -> list[str]:
    """Return additions that readers overlook: "always", a number, other people's words."""
    language, spoken = _tongues(statement)
    additions: list[str] = []
    read = not is_unread(spoken)
    always = read and _says_always(statement.text, language)
    if always and not any(_has(EVER, text, one) for text in statement.cited_whole for one in {language, spoken}):
        additions.append("an \u201calways\u201d is told only here")
    numbers = _find_numbers(statement, language)
    if read and numbers:
        additions.append(f"{min(numbers)} was not said")
    named = statement.of_owner and statement.kind != "mood"  # both may call a feeling the same
    content = content_of(statement.text) if named and not _answers(statement) else set()
    echo = (content & _stems(tuple(statement.others))) - _stems(tuple(statement.own))
    if echo and len(echo) >= MOST_ECHO * len(content):
        additions.append(f"{min(echo)!r} was said by the companion alone")
    return additions


def _find_numbers(statement: Statement, language: str) -> set[int]:
    """Return the spelled numbers above one of a statement that nobody said. "Two" in a thought of
    the companion's own counts what it speaks of."""
    said, least = values_of((*statement.own, *statement.others, *statement.known)), 1 + statement.free
    return {one for one in spelled(statement.text, language) if one > least and one not in said}


def _says_always(text: str, language: str) -> bool:
    """Whether a text contains "always" or "never", not negated ("not always")."""
    clauses = _PART.findall(text) if language in EVER else ()
    ever = [(clause, match) for clause in clauses for match in EVER[language].finditer(clause) if match["ever"]]
    return any(
        _says(NO, each["ever"], language) or not _says(NO, EVER[language].sub(" ", clause), language)
        for clause, each in ever
    )


def _tongues(statement: Statement) -> tuple[str, str]:
    return statement.languages[0] or language_of(statement.text) or "en", statement.languages[1] or language_by(
        tuple(statement.own)
    ) or "en"


def _answers(statement: Statement) -> bool:
    """Whether all cited messages are short answers, which take their content from the question."""
    whole = any(count_words(text) >= _SHORTEST for text in statement.cited)
    return not whole and any(asks(text) or _ANSWER.search(text) for text in (*statement.others, *statement.cited))


def _unsaid(statement: Statement) -> list[str]:
    """Return parts of a statement that were not said: a grave word, object, day, reason, name."""
    own_text = own_said(statement)
    grave = unsaid_grave(statement.text, own_text)
    missing = [grave] if grave and not _answers(statement) else []
    counted = statement.object.isdigit() and int(statement.object) in values_of((*statement.own, *statement.known))
    if statement.object and not counted and not mostly_said(statement.object, own_text):  # "zweiundachtzig" says 82
        missing.append(statement.object)
    doubts_found = [f"{word!r} was not said by them" for word in missing]
    if weekdays_of(tuple(statement.cited_whole)) and weekdays_of((statement.text,)) - weekdays_of(
        (*statement.own, *statement.cited_whole)
    ):
        doubts_found.append("another day of the week is named there")
    if dates_itself(statement):
        doubts_found.append("no day is named there but that on which it was said")
    if guesses_a_year(statement):
        doubts_found.append("that year is not named there in full")
    told, spoken = _tongues(statement)
    if is_unread(spoken) and (
        find_unheard(statement) or _find_numbers(statement, told) or _says_always(statement.text, told)
    ):
        doubts_found.append("a number or an \u201calways\u201d is told that cannot be read in their words")
    if _has(REASON, statement.text, told) and not any(_has(REASON, text, spoken) for text in statement.cited_whole):
        doubts_found.append("a reason is told only here")
    opening = HYPHENED.search(statement.text)
    if opening and statement.kind != "topic" and Heard(statement).only_passed_on(opening[0]):
        doubts_found.append(f"{opening[0]!r} stands only in what they passed on or quoted")
    return doubts_found


def _otherwise(statement: Statement, nearest: str, told: str, spoken: str) -> list[str]:
    """Return what the small words of the nearest clause say against a statement."""
    reasons: list[str] = []
    denied = _has(NO, statement.text, told)
    texts, over = statement.cited, _USED_TO.search(statement.text) is not None
    if over:
        nearest, texts = _USED_TO.sub("", nearest), [_USED_TO.sub("", text) for text in texts]
    denied = denied or (over and DENIED_NOW.search(nearest) is not None)
    if _has(NO, _part_about(statement, _ANSWER.sub("", nearest), spoken), spoken) and not denied:
        reasons.append("it is denied there")
    if denied and not over and not any(_has(NO, text, spoken) for text in statement.cited_whole):
        reasons.append("it is not denied there")
    if _has(OPEN, nearest, spoken) and not _has(OPEN, statement.text, told):
        reasons.append(SUPPOSED)
    if statement.of_owner and told == spoken == "en" and not _is_assertion(nearest, texts):
        reasons.append("it is asked, supposed or told of others there")
    if (
        statement.of_owner
        and spoken != "en"
        and (_has(HEARSAY, nearest, spoken) or _is_question(nearest, statement.cited))
    ):
        reasons.append("it is asked or told by others there")
    if not is_stated_of(statement.text, None, statement.cited, of_user=statement.of_owner) or (
        statement.of_owner and not _has(SPEAKER, nearest, spoken) and _names_another(statement, nearest, told, spoken)
    ):
        reasons.append(OF_ELSE)
    return reasons


def _names_another(statement: Statement, clause: str, language: str, spoken: str) -> bool:
    """Whether a clause about a third person does not mean the owner. Between two languages, no
    shared words can tell who is meant."""
    return _has(SOMEBODY, clause, spoken) or (language != spoken and speaks_of_another(statement.text, clause, spoken))


def _part_about(statement: Statement, clause: str, language: str) -> str:
    """Return the part between commas that shares most words with a statement: "called Anika, not
    Anita" does not deny Anika."""
    about = stems_of(statement.text)
    return max(clause.split(","), key=lambda part: (len(stems_of(part) & about), _has(NO, part, language)))


@lru_cache(maxsize=16)
def _stems(texts: tuple[str, ...]) -> frozenset[str]:
    return stems_of(" ".join(texts))


def _is_question(clause: str, texts: Sequence[str]) -> bool:
    return any(f"{clause}?" in text for text in texts)


def _is_assertion(clause: str, texts: Sequence[str]) -> bool:
    """Whether the writer asserts a clause, as far as English words tell."""
    head = clause[:_HEAD]
    assertions = (one.text.strip() for text in texts for one in list_asserted(text))
    return any(head in one or (one and one[:_HEAD] in clause) for one in assertions)


def clauses_of(texts: Sequence[str]) -> list[str]:
    """Return the clauses that contain a word."""
    return [clause.strip() for text in texts for clause in _CLAUSE.findall(text) if HYPHENED.search(clause)]


def measure_overlap(text: str, others: Sequence[str]) -> float:
    """Return the greatest share of a text's words in one of the others, instead of a cosine."""
    wanted = content_of(text)
    return max((len(wanted & content_of(one)) / len(wanted) for one in others), default=0.0) if wanted else 0.0


# matches words that mean something only together: "they/them"
_PAIR = re.compile(r"\b\w{1,20}/\w{1,20}\b")


def strange_to(statement: Statement) -> bool:
    """Whether a statement shares no word with the cited text, though both are in the same language
    and it has no figure that might be computed."""
    language = statement.languages[0] or language_of(statement.text)
    spoken = statement.languages[1] or language_by(tuple(statement.own))
    cited = statement.cited_whole if statement.kind == "topic" else statement.cited
    if statement.kind == "mood":  # the name of a feeling is seldom in the user's words
        return False
    if HAN.search(" ".join(cited)):  # unsegmented Chinese words next to English ones
        return False
    if set(_PAIR.findall(statement.text.lower())) & set(_PAIR.findall(" ".join(cited).lower())):
        return False
    return language == spoken and not re.search(r"\d", statement.text) and not measure_overlap(statement.text, cited)


def _has(words: Small, text: str, language: str) -> bool:
    """Whether a text has one of these words in its language (default: the conversation's)."""
    return _says(words, text, language if language == "en" else language_of(text) or language)


def _says(words: Small, text: str, language: str) -> bool:
    ways = words.get(language)
    return ways is not None and ways.search(text) is not None
