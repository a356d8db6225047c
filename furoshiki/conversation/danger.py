"""Handle a user in danger: detect it, let a model decide in doubt, remember it for hours, and give
a local help number.

`reflex.care` judges; `speak` completes the answer of any model.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from furoshiki.conversation.values import NOBODY, REFLEX, Cared, Reply
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.framing import strip_tags
from furoshiki.language import danger_head, not_danger
from furoshiki.language.dates.habits import Habits
from furoshiki.language.reflex.care import judging
from furoshiki.language.reflex.care.judging import Danger
from furoshiki.language.reflex.care.noticing import Notice, notice
from furoshiki.language.reflex.care.weighing import Weight
from furoshiki.language.reflex.other_languages import LEAST_TOLD
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.requests import helplines, small_talk
from furoshiki.language.requests.helplines import Help, LineKind
from furoshiki.language.requests.list_things import find_needed
from furoshiki.language.requests.news import GLOOMY, find_kind, is_sure
from furoshiki.language.requests.values import ChangeList, Remind
from furoshiki.language.tables.care_words import GRAVE, KINDS, CareWords, Kind
from furoshiki.language.tokens import cut
from furoshiki.language.words import count_words
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.store import memories
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.values import USER, Turn, last_own
from furoshiki.models.llm.values import Question
from furoshiki.owner.agenda.rules.quiet.reading import needs_quiet
from furoshiki.owner.user_model import languages, user
from furoshiki.owner.user_model.store import danger as store
from furoshiki.owner.user_model.store.danger import Standing
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

log = logging.getLogger(__name__)

READS_S = 5.0  # maximum seconds that a turn waits for a model's judgement

READ_TOKENS, BEFORE_TOKENS = 600, 120
BEFORE = 2  # number of previous messages shown as context

# good news end the danger when the last grave message is this old; earlier they do not
CALM = timedelta(hours=1)

# probabilities of danger below which news of a light kind, and any message of at least `LEAST_TOLD`
# words, end an emergency
EVERYDAY, PLAINLY_EVERYDAY = 0.025, 0.001

# while danger stands, a number is repeated after this time, and sooner when messages are dark
AGAIN, AGAIN_IN_THE_DARK = timedelta(hours=2), timedelta(minutes=10)

PRESSES = ("self", "friend", "violence")  # kinds of danger that outlast their message
NONE = "none"  # a model's answer for no danger

DARK, DARKLY = ("sadness", "worry"), 0.35

DEEPLY = 0.75  # sadness from which a model is asked although no word or head finds danger
LIVES_IN = ("user", "lives_in")  # subject and predicate of the user's home

_TITLES: tuple[tuple[LineKind, str], ...] = (
    ("emergency", "In an emergency"),
    ("crisis", "For somebody who does not want to live, or worries about somebody"),
    ("violence", "For people who are being hurt"),
)


async def read(world: World, percept: Percept, *, ask: bool = True) -> Percept:
    """Return the percept with its danger, judged by a model in doubt, in deep sadness or for
    repetition; without `ask` only a stored judgement is used."""
    if not world.care:
        return percept
    found, words = notice(percept.own_text, world.care, percept.now.year), percept.own_text
    shares, bounds = percept.danger_shares, percept.danger_bounds
    seen = judging.judge(found, shares, bounds, words, world.care[0], faint=True)
    if found is None and seen is not None and not seen.sure and _is_harmless(world, percept):
        seen = None
    bright = judging.goes_on(found, shares, bounds)
    percept = replace(percept, danger=None if seen is not None and seen.faint else seen, bright=bright)
    if seen is None and not _dark(percept):
        return percept
    with world.database.read() as db:
        stands = store.find_current(db, percept.now)
        unheard = _deep(percept) if stands is None else _due(percept, stands, bright)
        again = seen is None and unheard
        kind = store.read_in(db, percept.key)
        before = turns.recent(db, percept.channel, percept.chat_id, 2 * BEFORE) if kind is None else []
    if not again and (seen is None or seen.certain):
        return percept
    if kind is None and ask and (kind := await _ask_mind(world, percept, before, stands)) is not None:
        with world.database.write() as db:
            store.keep_read(db, percept.key, kind, world.now)
    if kind is None:
        return percept
    if kind not in GRAVE:
        return replace(percept, danger=None)
    heard = seen.notice if seen is not None else Notice(cast(Kind, kind), words, world.care[0])
    return replace(percept, danger=Danger(replace(heard, kind=cast(Kind, kind)), sure=True, certain=True))


def of(world: World, db: sqlite3.Connection, percept: Percept, history: Sequence[Turn]) -> Cared | None:
    """Return the danger of this turn: present, recent or possible; None without any."""
    before = store.find_current(db, percept.now)
    found = percept.danger
    if found is None and (before is None or _is_over(percept, before)):
        return None
    language = _language(world, percept, history, found, before)
    numbers = here(world, db)
    if found is not None and not found.sure and before is None:
        asked = store.find_last_session(db) == percept.session_id
        question = "" if asked else language.said["asked"][0]
        return Cared(
            help=numbers, lines=helplines.list_numbers(numbers, _TITLES), question=question, kind=found.notice.kind
        )
    lightly = found is None and (percept.bright or not_danger.is_unmeant(percept.own_text))
    due = _due(percept, before, lightly) and (found is not None or store.read_in(db, percept.key) != NONE)
    said: Kind = "self"
    words, at = "", percept.now
    if found is not None:
        said, words = found.notice.kind, found.notice.words
    elif before is not None:
        said, at = cast(Kind, before.kind), before.last
    return Cared(
        help=numbers,
        lines=helplines.list_numbers(numbers, _TITLES),
        kind=said,
        weight=Weight(Notice(said, words, language), at),
        now=found is not None,
        lightly=lightly,
        added=helplines.render_addition(said, numbers, language) if due else "",
    )


def keep(db: sqlite3.Connection, reply: Reply, now: datetime) -> None:
    """Store the state after this turn: danger started, repeated, or ended."""
    cared, percept = reply.context.bearing.cared, reply.percept
    before = store.find_current(db, percept.now)
    if cared is None:
        store.end(db)
        return
    said = "\n".join(part.text for part in reply.speech.parts if part.channel in (None, percept.channel))
    given = helplines.gives(said, cared.kind, cared.help)
    by_mind = cared.weight is None and given and reply.draft.model not in (REFLEX, NOBODY)
    if cared.weight is None and cared.question and cared.question in said:
        store.record_question(db, percept.session_id, now)
    if cared.now or by_mind:
        began = percept.now if before is None else before.began
        language = "en" if cared.weight is None else cared.weight.notice.language.language
        kind = cared.kind if before is None else _graver(cared.kind, cast(Kind, before.kind))
        last = before.given if before is not None else None
        store.keep(db, Standing(kind, language, began, percept.now, percept.now if given else last, percept.key), now)
    elif before is not None and cared.lightly and _ends(percept, before):
        store.end(db)
    elif before is not None and (given or store.read_in(db, percept.key) == NONE):
        store.keep(db, replace(before, given=percept.now), now)


def here(world: World, db: sqlite3.Connection) -> Help:
    """Return the help numbers of the user's country, else of its region."""
    told = memories.about(db, *LIVES_IN)
    zone = str(user.zone(world, db))
    country = world.helplines.where(
        lives_in=told[-1].object if told else None, language=accounts.owners_language(db), zone=zone
    )
    return world.helplines.help_in(country, zone)


async def _ask_mind(world: World, percept: Percept, before: Sequence[Turn], stands: Standing | None) -> str | None:
    """Let a fast model judge a message, given the danger; None without a timely answer."""
    from furoshiki.owner.user_model.forms import ReadDanger

    lines = [cut(strip_tags(turn.own), BEFORE_TOKENS) for turn in before if turn.speaker == USER and turn.own]
    told = {"companion": world.settings.furoshiki_companion_name, "before": lines[-BEFORE:]}
    system = world.prompts.render("danger/reading", **told, stands="" if stands is None else stands.kind)
    matter = world.prompts.render("danger/message", text=strip_tags(cut(percept.own_text, READ_TOKENS)))
    question = Question.of(
        "fast", "danger", system, matter, ReadDanger, max_tokens=60, timeout_s=READS_S, turn_key=percept.key
    )
    try:
        answer = (await asyncio.wait_for(world.ask(question), READS_S)).parsed
    except (AnswerUnusable, NoMindAnswered, TimeoutError) as error:
        log.debug("nobody read whether it is danger: %s", type(error).__name__)
        return None
    return answer.danger if isinstance(answer, ReadDanger) else None


def _is_harmless(world: World, percept: Percept) -> bool:
    """Return whether a message that may show danger is an ordinary wish, question or light news:
    nails, rope and wire on a list are purchases, and pills are taken every day."""
    if not percept.vector and is_sure(percept.meant, light=True):  # English has rules of its own
        return True
    own = percept.own_text
    wanted = requests.request(own, percept.now)
    if isinstance(wanted, Remind) and wanted.when is not None and wanted.when.rule:
        return True
    if isinstance(wanted, ChangeList) or find_needed(own) or needs_quiet(own, percept.now, Habits()):
        return True
    spoken = load_languages(world.config).each
    return any((small_talk.by_phrases(language, own) or "").startswith("asks_") for language in spoken)


def _due(percept: Percept, before: Standing | None, lightly: bool) -> bool:
    """Return whether the answer must contain a number."""
    if lightly:
        return False
    if percept.danger is not None or before is None:
        return True
    dark = _dark(percept)
    if not dark and before.kind not in PRESSES:
        return False
    return before.given is None or percept.now - before.given >= (AGAIN_IN_THE_DARK if dark else AGAIN)


def _is_over(percept: Percept, before: Standing) -> bool:
    """Return whether a plainly everyday message follows an emergency, which then is over, or was none."""
    if before.kind != "emergency" or not percept.meant or not percept.danger_shares or _dark(percept):
        return False
    likely, kind = danger_head.danger(percept.danger_shares), find_kind(percept.meant)
    if kind is not None and kind not in GLOOMY:
        return likely < EVERYDAY
    return likely < PLAINLY_EVERYDAY and count_words(percept.own_text) >= LEAST_TOLD


def _ends(percept: Percept, before: Standing) -> bool:
    """Return whether danger ends with good news: after a while, or if it was not meant so; the wish to die was."""
    denied = before.kind != "self" and not_danger.is_unmeant(percept.own_text)
    return denied or percept.now - before.last >= CALM


def _dark(percept: Percept) -> bool:
    return any(percept.signals.get(one, 0.0) >= DARKLY for one in DARK)


def _deep(percept: Percept) -> bool:
    return percept.signals.get("sadness", 0.0) >= DEEPLY


def _graver(one: Kind, other: Kind) -> Kind:
    return min(one, other, key=KINDS.index)


def _language(
    world: World, percept: Percept, history: Sequence[Turn], found: Danger | None, before: Standing | None
) -> CareWords:
    """Choose the answer's language: the message's, else the one in which danger was noticed."""
    words: Mapping[str, CareWords] = {one.language: one for one in world.care}
    known = load_languages(world.config)
    told = known.of(percept.own_text, known.of(last_own(history) or ""))
    if told is not None and told.code in words:
        return words[told.code]
    if before is not None and count_words(percept.own_text) < languages.ENGLISH_WORDS:
        return words.get(before.language, world.care[0])
    return world.care[0] if found is None else found.notice.language
