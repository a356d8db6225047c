"""Read the signals of messages: by the lexicon, and by a classifier where vectors are available.

memoryd caches these vectors, so that the recall in the same turn does not compute them again.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from furoshiki.core.catalogue import get_language
from furoshiki.core.database import kv
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered, StorageUnavailable
from furoshiki.core.timestamps import parse, stamp
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.emotions import EmotionLaws
from furoshiki.feelings.rules.laws import SecondLookLaws
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.feelings.store import history
from furoshiki.language import danger_head, intents, signal_head, signals, testimony
from furoshiki.language.danger_head import WORDS_ALONE, Bounds, DangerHead
from furoshiki.language.facts import names
from furoshiki.language.inflection import language_of
from furoshiki.language.signal_head import KIND
from furoshiki.language.signals import HEAVY, Signals
from furoshiki.language.testimony import Own
from furoshiki.language.tokens import cut
from furoshiki.language.words import count_letters, readable
from furoshiki.messages.store import turns
from furoshiki.models.llm.values import Question
from furoshiki.recall.retrieval import other_languages
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

# languages whose lines trained the classifier of danger
AT_HOME = frozenset({"en", "de", "es", "fr", "it", "pt", "ru", "tr", "zh"})

# the probability from which a message only says how things are to be done: of few words, it is
# easily heard as a feeling
ORDERED = 0.95

# the lexicon's lists of words that say nothing beside a feeling: "I'm so fed up"
_FREE = ("up", "first_person", "inside", "fillers")


@dataclass(frozen=True)
class Read:
    """The signals of each text, and the vectors computed for them by `encoder` (its id).

    `meant` is the intent of the first text; `half_heard` are the uncertain feelings of a text.
    """

    signals: list[Signals]
    encoder: str = ""
    vectors: Mapping[Own, Sequence[float]] = field(default_factory=dict)
    danger: Mapping[str, float] = field(default_factory=dict)
    bounds: Bounds | None = None
    meant: Mapping[str, float] = field(default_factory=dict)
    half_heard: Mapping[Own, frozenset[str]] = field(default_factory=dict)


def read(world: World, texts: Sequence[Own], before: Own | None = None) -> Read:
    """Read the signals of each text, and the probability of danger in any. Uses words alone if
    memoryd is unavailable or its encoder has no classifier. `before` is the user's previous
    message, which helps to detect the language of a short text."""
    languages = other_languages.load_languages(world.config)
    answered_in = {language.code: language for language in languages.each}.get(get_language())
    last = answered_in if before is None else languages.of(before, answered_in)
    begun = names.introduction(texts[0])
    parts = [testimony.own(part, ()) for part in (*intents.parts(texts[0]), *([begun.group()] if begun else []))]
    language_by_text = {text: languages.of(text, last) for text in dict.fromkeys([*texts, *parts])}
    foreign = {
        text
        for text, language in language_by_text.items()
        if language or (language_of(text) and not languages.is_english(text, share=0.5))
    }
    sentences, elsewhere = dict[Own, list[Own]](), set[Own]()
    for text in texts:
        sentences[text] = [testimony.own(one, ()) for one in danger_head.sentences(text)]
        language = language_by_text[text]
        if language is not None and language.code not in AT_HOME:
            elsewhere.add(text)
            foreign.update(sentences[text])
    perhaps = {text for text in language_by_text if text not in foreign and not languages.is_english(text)}
    all_signals, encoder, vectors = _near(world, texts, [text for text in (*texts, *parts) if text not in foreign])
    abroad = _abroad(world, foreign) | _abroad(world, perhaps, sure=False)
    vector_of = {text: (encoder, vector) for text, vector in vectors.items()} | abroad
    means = {
        text: told_by.shares(vector_of[text][1], text)
        for text in vector_of
        if (told_by := world.meaning(vector_of[text][0]))
    }
    half_heard = {}
    free = frozenset().union(*map(world.lexicon.words.__getitem__, _FREE))
    for place, text in enumerate(texts):
        by, vector = abroad.get(text) or (encoder, vectors.get(text))
        feelings = world.head(by)
        if feelings is None or vector is None:
            continue
        if text not in abroad and signal_head.says_only(text, all_signals[place], free):
            continue
        heard = signal_head.ABROAD if text in abroad else signal_head.ENGLISH
        if text in elsewhere or (text in abroad and means.get(text, {}).get("manner", 0.0) >= ORDERED):
            heard = signal_head.ELSEWHERE
        felt = feelings.shares(vector, "" if text in elsewhere else text)
        half_heard[text] = signal_head.half_heard(all_signals[place], felt, heard)
        all_signals[place] = signal_head.second_opinion(text, all_signals[place], felt, heard)
    whole = intents.together(means.get(texts[0], {}), [means[part] for part in parts if part in means])
    if begun is not None and parts[-1] in means:
        whole[intents.NAME] = means[parts[-1]].get(intents.NAME, 0.0)
    reading = Read(all_signals, encoder, vectors, meant=whole, half_heard=half_heard)
    judged: list[tuple[Mapping[str, float], Bounds]] = []
    alone = world.danger_head(WORDS_ALONE)
    for text in texts:
        language = language_by_text[text]
        if text in elsewhere:
            heard_there = _judge_elsewhere(world, text, sentences[text], abroad)
            if not heard_there and alone is not None:
                guess = {**alone.shares(text), "bright": 0.0}
                heard_there = [(guess, danger_head.BY_WORDS_ELSEWHERE)]
            judged += heard_there
            continue
        encoder_id, vector = abroad.get(text) or (encoder, vectors.get(text, ()))
        head = world.danger_head(encoder_id if vector else WORDS_ALONE) or alone
        if head is not None:
            vector = vector if head.directions else ()
            judged += [_judge(world, head, part, vector, text in abroad) for part in danger_head.pieces(text)]
            judged += [(alone.shares(one), danger_head.AMONG) for one in sentences[text] if alone is not None]
    if not judged:
        return reading
    shares, bounds = max(judged, key=_graveness)
    return replace(reading, danger=shares, bounds=bounds)


def _judge(
    world: World, head: DangerHead, text: str, vector: Sequence[float], multilingual: bool
) -> tuple[Mapping[str, float], Bounds]:
    """Judge a text by the classifier, and where danger is not far by its nearness to examples."""
    shares = head.shares(text, vector)
    if not vector or head.nearness is None:
        return shares, head.bounds
    if danger_head.danger(shares) < danger_head.COMPARED_FROM:
        return shares, head.nearness.bounds
    try:
        near = world.vectors.near_danger(text, multilingual=multilingual)
    except VectorsAway:
        near = None
    if near is None:
        return shares, head.bounds
    return head.nearness.weigh(shares, near), head.nearness.bounds


def _judge_elsewhere(
    world: World, text: Own, sentences: Sequence[Own], abroad: Mapping[Own, tuple[str, Sequence[float]]]
) -> list[tuple[Mapping[str, float], Bounds]]:
    """Judge a text and its sentences in a language that the classifier was not trained in."""
    bounds = {**dict.fromkeys(sentences, danger_head.AMONG_ELSEWHERE), text: danger_head.ELSEWHERE}
    judged: list[tuple[Mapping[str, float], Bounds]] = []
    for one in bounds.keys() & abroad.keys():
        encoder, vector = abroad[one]
        head = world.danger_head(encoder)
        if head is not None and head.directions:
            shares, _ = _judge(world, head, one, vector, multilingual=True)
            judged.append((shares, bounds[one]))
    return judged


def _graveness(one: tuple[Mapping[str, float], Bounds]) -> tuple[bool, float]:
    shares, bounds = one
    likely = danger_head.danger(shares)
    return likely >= bounds.sure, likely / bounds.read


def expect(world: World, text: str) -> None:
    """Compute a message's vector in advance, if `read` will ask for it."""
    languages = other_languages.load_languages(world.config)
    if signal_head.short(text) and languages.is_english(text) and languages.of(text) is None:
        world.vectors.expect(readable(text))


def _abroad(world: World, texts: Collection[Own], *, sure: bool = True) -> dict[Own, tuple[str, Sequence[float]]]:
    """Return multilingual vectors of short texts in other languages, if available."""
    wanted = [text for text in texts if signal_head.short(text)]
    if not wanted:
        return {}
    try:
        encoder, vectors = world.vectors.said(wanted, multilingual=True, foreign=sure)
    except VectorsAway:
        return {}
    return {text: (encoder, vector) for text, vector in zip(wanted, vectors, strict=True)}


def _near(
    world: World, texts: Sequence[Own], english: Sequence[Own]
) -> tuple[list[Signals], str, Mapping[Own, Sequence[float]]]:
    """Return the lexicon's signals, and the vectors of short texts that may be English."""
    all_signals = [signals.read(text, world.lexicon) for text in texts]
    wanted = list(dict.fromkeys(filter(signal_head.short, english)))
    if not wanted:
        return all_signals, "", {}
    try:
        encoder, vectors = world.vectors.said(wanted)
    except VectorsAway:
        return all_signals, "", {}
    return all_signals, encoder, dict(zip(wanted, vectors, strict=True))


# -- a second look, by a small model, at unclear, mixed, or perhaps dark messages --
#
# Where a dark feeling is in doubt, or a long text is unclear, the reply waits for it briefly;
# a later answer updates the heartbeat when it arrives and so affects the next reply. Where only other
# feelings are in doubt, or a look was just taken, the model is asked after the reply, which it then
# does not delay. `kv` stores
# the last look, so that a restarted turn does not ask again.


log = logging.getLogger(__name__)

# the `kv` key of the last look: its turn, time, result (None before the answer), the id of the
# user's turn once that is stored, and whether the model is asked after the reply
KEY = "signals.second_look"

READ_TOKENS = 1_000
BY_SIGNALS = "signals of a message"  # the cause in the history of needs
GIVES_UP_S = 20.0  # the timeout, in seconds: later answers are of no use even to the next turn

# the strength from which a feeling is plain, as in the prompt `signals/second_look`
PLAIN_TO_A_MODEL = 0.5

WAITED_FOR = HEAVY | {"frustration"}  # feelings whose second reading the reply waits for

# references to running tasks, as the event loop holds only weak ones
_under_way: set[asyncio.Task[dict[str, float] | None]] = set()


def wants_second_look(
    first_signals: Signals, text: str, since_last: timedelta | None, laws: SecondLookLaws, *, half_heard: bool = False
) -> bool:
    """Whether a model should read this message too: it may be dark, or it is long, its signals are
    missing or mixed, and the last look was long enough ago.

    `since_last` is the time since the last look, None if there was none.
    """
    unclear = not first_signals.found or first_signals.mixed
    rested = since_last is None or since_last > laws.every
    return half_heard or (unclear and rested and count_letters(text) > laws.over)


@dataclass(frozen=True)
class Look:
    """The result of a look: a model's strengths by category (empty: it found nothing), or None if
    there is no need, no model, or no answer in time; and whether to `read` after the reply."""

    felt: Mapping[str, float] | None = None
    later: bool = False


async def look(world: World, key: str, text: str, first_signals: Signals, half_heard: Set[str] = frozenset()) -> Look:
    """Ask a model if needed and update the heartbeat. `half_heard`: feelings that are unsure."""
    laws, now = world.laws.second_look, world.now
    with world.database.read() as db:
        last = kv.get(db, KEY)
    if last is not None and last["key"] == key:
        return Look(None if last["read"] is None else dict(last["read"]), bool(last.get("later")))
    since = None if last is None else now - parse(last["at"])
    if not wants_second_look(first_signals, text, since, laws, half_heard=bool(half_heard)):
        return Look()
    in_a_burst = since is not None and since <= laws.every_half_heard
    later = bool(half_heard) and (in_a_burst or half_heard.isdisjoint(WAITED_FOR))
    with world.database.write() as db:
        kv.put(db, KEY, {"key": key, "at": stamp(now), "read": None, "turn": None, "later": later}, now)
    if later:
        return Look(later=True)
    task = asyncio.create_task(read_again(world, key, text, first_signals.strengths))
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)
    finished, _ = await asyncio.wait({task}, timeout=laws.waits_s)
    return Look(task.result() if finished else None)


def late(world: World, key: str, turn_id: int) -> Mapping[str, float] | None:
    """Return the strengths read in a stored turn; None if not read yet."""
    with world.database.read() as db:
        last = kv.get(db, KEY)
    if last is None or last["key"] != key:
        return None
    if last["read"] is None:
        with world.database.write() as db:
            kv.put(db, KEY, last | {"turn": turn_id}, world.now)
        return None
    return dict(last["read"])


async def read_again(world: World, key: str, text: str, before: Mapping[str, float]) -> dict[str, float] | None:
    """Ask a model, and update the heartbeat by its strengths in place of those `before`; return
    them, or None without an answer."""
    from furoshiki.memory.perception.signal_form import ReadSignals

    system = world.prompts.render("signals/second_look", companion=world.settings.furoshiki_companion_name)
    matter = world.prompts.render("signals/message", text=cut(text, READ_TOKENS))
    question = Question.of(
        "micro", "signals", system, matter, ReadSignals, max_tokens=120, timeout_s=GIVES_UP_S, turn_key=key
    )
    try:
        answer: ReadSignals | None = (await world.ask(question)).parsed
        felt = _strengths(answer, world.laws.emotions)
        _land(world, key, before, felt)
    except (AnswerUnusable, NoMindAnswered) as error:
        log.debug("no second look: %s", type(error).__name__)
        return None
    except StorageUnavailable as error:
        log.warning("a second look is lost: %s", error)
        return None
    return felt


def _strengths(answer: Any, laws: EmotionLaws) -> dict[str, float]:
    strengths: dict[str, float] = {}
    for signal in () if answer is None else answer.signals:
        if signal.strength >= signals.FAINTEST:
            strengths[signal.category] = max(
                _scale_strength(signal.category, signal.strength, laws), strengths.get(signal.category, 0.0)
            )
    return strengths


def _scale_strength(category: str, strength: float, laws: EmotionLaws) -> float:
    """Convert a model's strength to the lexicon's scale, so that "plain" is equal in both."""
    plainly = laws.plainly.get(category)
    if plainly is None or category in KIND:
        return strength
    if strength < PLAIN_TO_A_MODEL:
        return round(plainly.at * strength / PLAIN_TO_A_MODEL, 3)
    beyond = (strength - PLAIN_TO_A_MODEL) / (1.0 - PLAIN_TO_A_MODEL)
    return round(plainly.at + (1.0 - plainly.at) * beyond, 3)


def _land(world: World, key: str, before: Mapping[str, float], felt: dict[str, float]) -> None:
    """Update the heartbeat with the model's signals instead of the lexicon's. If the turn is over,
    also update the stored turn and the user's needs."""
    with world.database.write() as db:
        last = kv.get(db, KEY)
        ours = last is not None and last["key"] == key
        if ours:
            kv.put(db, KEY, last | {"read": felt}, world.now)
            if last["turn"] is not None:
                turns.keep_signals(db, last["turn"], felt)
    if not felt and not before:
        return
    world.state.change(heartbeat.read_again(world.laws, before, felt, world.now))
    if felt and ours and last["turn"] is not None:
        understand(world, last["turn"], felt)


def understand(world: World, turn_id: int, strengths: Mapping[str, float]) -> None:
    """Update the user's needs from a turn's signals, with a line of history."""
    changed = find_need_changes(world, turn_id, strengths)
    if changed:
        with world.database.write() as db:
            history.record_user_needs(db, changed, BY_SIGNALS, world.now)


def find_need_changes(world: World, turn_id: int, strengths: Mapping[str, float]) -> Mapping[str, UserNeed]:
    """Update the user's needs in the heartbeat alone; return the changed ones, for the history."""
    before = world.state.heartbeat().user_needs
    after = world.state.change(heartbeat.understood(world.laws, turn_id, strengths, world.now)).user_needs
    return {name: need for name, need in after.items() if need != before.get(name)}
