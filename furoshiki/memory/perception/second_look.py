"""A second reading, by a small model, of unclear, mixed, or perhaps dark messages.

Where a dark feeling is in doubt, or a long text is unclear, the reply waits for it briefly;
a later answer updates the heartbeat when it arrives and so affects the next reply. Where only other
feelings are in doubt, the model is asked after the reply, which it then does not delay. `kv` stores
the last look, so that a restarted turn does not ask again.
"""

import asyncio
import logging
from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from furoshiki.core.database import kv
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered, StorageUnavailable
from furoshiki.core.timestamps import parse, stamp
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.emotions import EmotionLaws
from furoshiki.feelings.rules.laws import SecondLookLaws
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.feelings.store import history
from furoshiki.language import signals
from furoshiki.language.signal_head import KIND
from furoshiki.language.signals import HEAVY, Signals
from furoshiki.language.tokens import cut
from furoshiki.language.words import count_letters
from furoshiki.messages.store import turns
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.world import World

log = logging.getLogger(__name__)

KEY = "signals.second_look"
"""The `kv` key of the last look: its turn, time, result (None before the answer), the id of the
user's turn once that is stored, and whether the model is asked after the reply."""

READ_TOKENS = 1_000
BY_SIGNALS = "signals of a message"
"""The cause in the history of needs."""

GIVES_UP_S = 20.0
"""The timeout, in seconds: later answers are of no use even to the next turn."""

PLAIN_TO_A_MODEL = 0.5
"""The strength from which a feeling is plain, as in the prompt `signals/second_look`."""

WAITED_FOR = HEAVY | {"frustration"}
"""Feelings whose second reading the reply waits for."""

_under_way: set[asyncio.Task[dict[str, float] | None]] = set()
"""References to running tasks, as the event loop holds only weak ones."""


def wants_second_look(
    first_signals: Signals, text: str, since_last: timedelta | None, laws: SecondLookLaws, *, half_heard: bool = False
) -> bool:
    """Whether a model should read this message too: it may be dark, or it is long and its signals
    are missing or mixed; and the last look was long enough ago.

    `since_last` is the time since the last look, None if there was none.
    """
    unclear = not first_signals.found or first_signals.mixed
    if half_heard:
        return since_last is None or since_last > laws.every_half_heard
    rested = since_last is None or since_last > laws.every
    return unclear and rested and count_letters(text) > laws.over


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
    later = bool(half_heard) and half_heard.isdisjoint(WAITED_FOR)
    with world.database.write() as db:
        kv.put(db, KEY, {"key": key, "at": stamp(now), "read": None, "turn": None, "later": later}, now)
    if later:
        return Look(later=True)
    task = asyncio.create_task(read(world, key, text, first_signals.strengths))
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


async def read(world: World, key: str, text: str, before: Mapping[str, float]) -> dict[str, float] | None:
    """Ask a model, and update the heartbeat by its strengths in place of those `before`; return
    them, or None without an answer."""
    from furoshiki.memory.perception.signal_form import ReadSignals

    question = Question(
        tier="micro",
        purpose="signals",
        system=(
            Block(world.prompts.render("signals/second_look", companion=world.settings.furoshiki_companion_name), True),
        ),
        messages=(Message("user", world.prompts.render("signals/message", text=cut(text, READ_TOKENS))),),
        answer=ReadSignals,
        max_tokens=120,
        timeout_s=GIVES_UP_S,
        turn_key=key,
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
