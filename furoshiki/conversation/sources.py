"""Find the sources of the companion's last message for "how do you know that?".

The answer must not depend on a model's memory: the stored evidence of the last answer is searched
for what its words contain.
"""

import sqlite3
from collections.abc import Sequence, Set

from furoshiki.core import refs
from furoshiki.language.detection import Language
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.rules import usage
from furoshiki.memory.store import memories
from furoshiki.messages.store import turn_journal, turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.mind.outreach import explanation
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

MOST_BESIDE = 8
"""Maximum words of a message besides the question."""

LEANING = 2
"""With at most this many, the question concerns the last message only."""

LEAST_NAMED = 2
"""Shared words (a name counts twice) by which a message says what a question names."""

MOST_SHOWN = 3
LATELY = 12
"""Number of recent messages that may be sources."""

_QUOTES = str.maketrans(dict.fromkeys('"\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d', " "))


def gather_sources(
    world: World,
    percept: Percept,
    history: Sequence[Turn],
    held_back: Set[str],
    come_up: Sequence[str] = (),
) -> tuple[Turn, ...] | None:
    """Return the messages behind what the question names, else behind the last message, surest
    first, if the user asks for them, else None. `held_back` names hidden items, `come_up` the
    memories at this message."""
    if not history or history[-1].speaker != COMPANION:
        return None
    languages = load_languages(world.config)
    own = [one for one in history[:-1][-LATELY:] if one.speaker == USER]
    language = languages.of(percept.own_text, languages.of(own[-1].own) if own else None) or languages.english
    beside = language.source_question(percept.own_text)
    if beside is None or beside > MOST_BESIDE:
        return None
    answer = history[-1]
    told = [one for one in own if not language.is_asked(one.own)]
    with world.database.read() as db:
        shown = _evidence(world, db, answer, held_back)
        recalled = _find_turns(db, come_up, held_back)
    if beside <= LEANING:
        recalled = []
    candidates = {one.id: one for one in [*told, *shown, *recalled]}
    asked = "\n".join(one.text for one in own if one.turn_key == answer.turn_key and one not in told)
    said = answer.text if beside <= LEANING else f"{answer.text}\n{percept.own_text}"
    open_ = [one for one in candidates.values() if refs.name("turn", one.id) not in held_back]
    telling = [one for one in open_ if language.source_question(one.text) is None]
    if beside > LEANING and (named := _find_named(telling, percept.own_text, language)):
        return named
    weighed = [(_count_shared(one.text, said, asked, language), one in shown, one) for one in telling]
    resting = _choose_sources(weighed)
    return resting if resting or beside <= LEANING else None


def _evidence(world: World, db: sqlite3.Connection, answer: Turn, held_back: Set[str]) -> list[Turn]:
    """Return the messages behind an answer's evidence or an unprompted message."""
    entry = turn_journal.of_turn(db, answer.turn_key) if answer.turn_key else None
    names: Sequence[str] = () if entry is None else entry.evidence
    if entry is None:
        unasked = explanation.last(world)
        names = unasked.rests_on if unasked is not None and unasked.turn_key == answer.turn_key else ()
    return _find_turns(db, names, held_back)


def _find_turns(db: sqlite3.Connection, names: Sequence[str], held_back: Set[str]) -> list[Turn]:
    """Return the messages of these turns and memories, not the companion's."""
    names = [one for one in names if one not in held_back]
    held = memories.of_ids(db, refs.rows(names, "memory"))
    rows = [*refs.rows(names, "turn"), *(row for one in held for row in one.turn_ids)]
    return [one for one in turns.many(db, rows) if one.speaker != COMPANION]


def _find_named(candidates: Sequence[Turn], question: str, language: Language) -> tuple[Turn, ...]:
    """Return the messages that say what the question itself names: “who told you that the inhaler is
    for the morning?” asks about neither the last message nor the inhaler of last week."""
    weighed = [(_count_shared(one.text, question, "", language), True, one) for one in candidates]
    best = max((points for points, _shown, _turn in weighed), default=0)
    return _choose_sources([one for one in weighed if one[0] == best]) if best >= LEAST_NAMED else ()


def _choose_sources(weighed: Sequence[tuple[int, bool, Turn]]) -> tuple[Turn, ...]:
    """Return the turns that share most with the answer, at least half as much as the best."""
    most = max((points for points, _shown, _turn in weighed), default=0)
    fitting = [one for one in weighed if one[0] > 0 and one[0] * 2 >= most]
    fitting.sort(key=lambda one: (one[0], one[1], one[2].id), reverse=True)
    return tuple(turn for _points, _shown, turn in fitting[:MOST_SHOWN])


def _count_shared(text: str, said: str, asked: str, language: Language) -> int:
    """Score the words that two texts share beyond the question: a word 1, an English name or number
    2; without word boundaries, a pair of characters 1."""
    if language.code != "en":
        said = said.translate(_QUOTES)
        return len((language.content(text) & language.content(said)) - language.content(asked))
    telling = usage.find_telling_words(text, asked)
    return sum(2 if telling.words[stem] else 1 for stem in usage.find_shared(telling, said))
