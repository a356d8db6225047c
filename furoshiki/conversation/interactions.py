"""Handle reactions, buttons and slash commands. No model is asked.

Commands are stored, but are no conversation: nothing is learned from them or recalled.
"""

import base64
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, NamedTuple

from furoshiki.conversation import wrong_item
from furoshiki.conversation.commands import forget_plainly, open_question, proposals, quiet, registry
from furoshiki.conversation.commands.undo import CHANGING
from furoshiki.conversation.onboarding import character_cards, introduction, minds
from furoshiki.core import refs
from furoshiki.core.catalogue import say
from furoshiki.core.network import keys
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.plugin_setup import offering
from furoshiki.extensions.plugins.authoring.rules import wishes
from furoshiki.feelings import heartbeat
from furoshiki.feelings.heartbeat import Felt
from furoshiki.language import signals, testimony, word_tables
from furoshiki.language.requests.consent import consent
from furoshiki.memory.perception.signals import understand
from furoshiki.messages import withheld
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.events import Press, Reaction
from furoshiki.messages.store import inbox, outbox, skill_runs, turns
from furoshiki.messages.values import (
    COMMANDS_THAT_SHOW,
    EVERY_COMMAND,
    USER,
    Envelope,
    NewOutgoing,
    NewTurn,
    Words,
)
from furoshiki.mind.outreach import being_quiet
from furoshiki.owner.agenda import channel_modes
from furoshiki.world import World

# maximum characters of a message that only asks for quiet, which is handled without a model
QUIET_ALONE = 120

FORGET = "forget"  # the command that is also recognised in plain words


Row = list[Mapping[str, Any]]


def handle_reaction(world: World, envelope: Envelope) -> None:
    """Store a reaction as a feeling about its message."""
    reaction = envelope.event
    assert isinstance(reaction, Reaction)
    faces = reaction.emoji
    emoji, strengths = " ".join(faces), dict[str, float]()
    for face in faces:
        strengths = signals.merge(strengths, signals.of_reaction(face, world.lexicon).strengths)
    where = heartbeat.lane(envelope.channel, envelope.chat_id, envelope.kind)
    felt = Felt(envelope.id, where, strengths, world.now, gesture=True)
    world.state.change(heartbeat.hear(world.laws, felt))
    point("reaction.felt")
    with world.database.write() as db:
        target = str(reaction.reacted_to or "")
        about = turns.by_external(db, envelope.channel, envelope.chat_id, target)
        made = None
        if emoji:
            made = turns.add(
                db,
                NewTurn(
                    session_id=turns.current_session(db, world.now),
                    channel=envelope.channel,
                    chat_id=envelope.chat_id,
                    speaker=USER,
                    text=emoji,
                    at=world.now,
                    kind="reaction",
                    reply_to=about.id if about else None,
                    turn_key=refs.name("inbox", envelope.id),
                    signals=strengths,
                ),
            )
        inbox.finish(db, [envelope.id], world.now)
    if made is not None and strengths:
        understand(world, made, strengths)


async def handle_press(world: World, envelope: Envelope) -> None:
    assert isinstance(envelope.event, Press)
    _answer(world, envelope, await registry.press(world, envelope.event.data, envelope))


def is_key(envelope: Envelope) -> bool:
    """Return whether a message is an API key, which was masked before it was stored."""
    return envelope.message is not None and envelope.message.holds == "text" and keys.is_covered(envelope.text)


async def key_sent(world: World, envelope: Envelope) -> bool:
    """Handle a message that is a key; return whether it was. Nothing of it is stored."""
    if not is_key(envelope):
        return False
    with world.database.read() as db:
        asked = withheld.find_awaited(db, world.now) if world.who.standing == "owner" else None
    if asked in (withheld.ADDRESS, withheld.PASSWORD):
        _answer(world, envelope, await offering.take_secret(world, envelope))
    else:
        _answer(world, envelope, introduction.goes_on_from_mind(world, await minds.handle_key(world, envelope)))
    return True


async def handle_introduction(world: World, envelope: Envelope) -> bool:
    """Handle a character card, or an answer to the introduction or a plugin's setting."""
    if world.who.standing != "owner":
        return False
    words = introduction.handle_answer(world, envelope) or await offering.take_answer(world, envelope)
    words = words or await character_cards.offer(world, envelope)
    if words is None:
        return False
    _answer(world, envelope, words)
    return True


def goes_on(world: World, envelope: Envelope) -> None:
    """Ask the introduction's next question if the message answered one."""
    words = introduction.find_next_question(world) if world.who.standing == "owner" else None
    if words is not None:
        with world.database.write() as db:
            items = _build_outgoing(world, envelope, words)
            outbox.put(db, items, world.now, None, refs.name("inbox", envelope.id))


def _answer(world: World, envelope: Envelope, words: Words | None) -> None:
    with world.database.write() as db:
        if words is not None:
            items = _build_outgoing(world, envelope, words)
            if not registry.stays(envelope):
                items += _strike_buttons(db, envelope, len(items))
            outbox.put(db, items, world.now, None, refs.name("inbox", envelope.id))
        inbox.finish(db, [envelope.id], world.now)


async def handle_consent(world: World, envelope: Envelope) -> Words | None:
    """Handle a typed "yes", "no" or time for an open question; None for other messages."""
    if envelope.message is None or not envelope.message.typed:
        return None
    answer = consent(envelope.text)
    if answer is None:
        return await proposals.handle_choice(world, envelope)
    return await open_question.handle_answer(world, answer, envelope)


async def handle_spoken_command(world: World, envelope: Envelope) -> Words | None:
    """Handle plain words that mean a command ("undo that"); None for other messages, and when the
    sender may not use the command."""
    if envelope.message is None or not envelope.message.typed:
        return None
    meant = find_spoken(envelope.text)
    if meant is not None and registry.is_allowed(world, meant.name, envelope):
        return await registry.run(world, meant.name, meant.args, envelope)
    if registry.is_allowed(world, "undo", envelope) and _keeps_cancelled(world, envelope):
        return await registry.run(world, "undo", "", envelope)
    if len(envelope.text) > QUIET_ALONE:
        return None
    said = testimony.build_typed(envelope.text, envelope.message.quoted)
    if testimony.outside(said.foreign):
        return None
    own = testimony.own(said.text, said.foreign)
    if registry.is_allowed(world, "undo", envelope) and (words := await wrong_item.handle(world, own, envelope)):
        return words
    if not registry.is_allowed(world, "quiet", envelope):
        return None
    if (hours := being_quiet.find_hours(world, own)) is not None:
        return quiet.handle_hours(world, hours)
    if (words := quiet.handle_other_end(world, own, envelope)) is not None:
        return words
    wish = being_quiet.find_wish(world, own)
    if wish is None or not wish.whole:
        return None
    return quiet.handle_wish(world, wish)


def is_command(envelope: Envelope) -> bool:
    """Return whether the sender gives a command; forwarded text does not count."""
    message = envelope.message
    return message is not None and not message.passed_on and message.text.lstrip().startswith("/")


async def command(world: World, envelope: Envelope) -> Words | None:
    """Return the answer to a slash command; None for other text.

    A request to forget in plain words counts as the command.
    """
    if envelope.kind != "text":
        return None
    if is_command(envelope):
        name, args = _split_command(envelope)
        return await registry.run(world, name, args, envelope) or _unknown(name, args)
    request = forget_plainly.parse_request(world, envelope)
    if request is None:
        return None
    with world.database.read() as db:
        args = forget_plainly.as_args(db, request, envelope)
    if args:
        return await registry.run(world, FORGET, args, envelope)
    return Words(say(forget_plainly.NOTHING_BEFORE))


# a valid Telegram command name: neither "/home/user" nor a sentence qualifies
_COMMAND = re.compile(r"[a-z][a-z0-9_]{0,31}")


def _unknown(name: str, args: str) -> Words | None:
    """Report an unknown command; None when it may be text that starts with a slash."""
    near = get_close_matches(name, [known for known, _ in registry.list_commands()], 1)
    if _COMMAND.fullmatch(name) is None or (args and not near):
        return None
    if near:
        return Words(say("I don't know the command /{name}. Did you mean /{near}?", name=name, near=near[0]))
    return Words(say("I don't know the command /{name}. /help shows the ones I know.", name=name))


def is_unwritten(world: World, envelope: Envelope) -> bool:
    """Return whether it is a command (also in plain words) whose text must not be stored."""
    if is_command(envelope):
        return not registry.is_recorded(_split_command(envelope)[0])
    return forget_plainly.parse_request(world, envelope) is not None


def forgets(world: World, envelope: Envelope) -> bool:
    """Return whether an edited message now asks not to be stored, and may."""
    return registry.is_allowed(world, FORGET, envelope) and forget_plainly.not_kept(world, envelope)


def stands_alone(world: World, envelope: Envelope) -> bool:
    """Return whether a message is always answered separately."""
    alone = is_key(envelope) or is_command(envelope) or character_cards.is_picture(envelope)
    return alone or forget_plainly.parse_request(world, envelope) is not None


def unheard(world: World, envelope: Envelope) -> None:
    """Discard an edited command that was already answered, without storing its text."""
    with world.database.write() as db:
        inbox.finish(db, [envelope.id], world.now)
        inbox.reword(db, envelope.id, _without_words(envelope))


def _without_words(envelope: Envelope) -> str:
    """Return the stored form of such a command."""
    return f"/{_split_command(envelope)[0] if is_command(envelope) else FORGET}"


def _split_command(envelope: Envelope) -> tuple[str, str]:
    name, *args = envelope.text.strip()[1:].split(None, 1) or [""]
    return name.partition("@")[0].lower(), args[0].strip() if args else ""


def record_command(world: World, envelope: Envelope, words: Words) -> None:
    """Store a command and its answer; nothing is learned from it or recalled."""
    now, key = world.now, refs.name("inbox", envelope.id)
    text = _without_words(envelope) if is_unwritten(world, envelope) else envelope.text
    with world.database.write() as db:
        session = turns.current_session(db, now)
        asked = NewTurn(
            session_id=session,
            channel=envelope.channel,
            chat_id=envelope.chat_id,
            speaker=USER,
            text=text,
            at=now,
            kind="command",
            external_id=envelope.message_id,
            turn_key=key,
        )
        turns.add(db, asked)
        if channel_modes.mode(world, envelope.channel) == "live":
            outbox.put(db, _build_outgoing(world, envelope, words), now, None, key)
        inbox.finish(db, [envelope.id], now)
        if is_unwritten(world, envelope):
            inbox.reword(db, envelope.id, text)


def _choose_tappable(envelope: Envelope) -> str:
    """Return which commands in an answer may be tapped: all in /help; others may be quoted."""
    listed = envelope.text.lstrip().lower().startswith(("/help", "/start", "/more"))
    return EVERY_COMMAND if listed else COMMANDS_THAT_SHOW


def _build_outgoing(world: World, envelope: Envelope, words: Words) -> list[NewOutgoing]:
    if words.picture is not None:
        file = {"filename": words.picture.name, "data": base64.b64encode(words.picture.data).decode("ascii")}
        return [NewOutgoing(envelope.channel, envelope.chat_id, words.text, "photo", extra={**words.extra, **file})]
    shaped = world.shape(envelope.channel, words.text, frozenset({_choose_tappable(envelope)})) if words.text else ()
    items = [
        NewOutgoing(envelope.channel, envelope.chat_id, one.text, one.kind, number, one.entities, extra=dict(one.extra))
        for number, one in enumerate(shaped)
    ]
    extra = dict(words.extra)
    if extra and items and "document" not in extra:
        items[-1] = replace(items[-1], extra={**items[-1].extra, **extra})
    return items


def _strike_buttons(db: sqlite3.Connection, envelope: Envelope, part: int) -> list[NewOutgoing]:
    """Return the edit that removes a message's settled buttons; [] when it is unknown."""
    press = envelope.event
    if envelope.channel != TELEGRAM or not isinstance(press, Press) or press.pressed_on is None:
        return []
    message = str(press.pressed_on)
    row, shown = outbox.buttons_under(db, envelope.channel, envelope.chat_id, message)
    if not shown:
        return []
    rows = list_remaining(shown, press.data)
    outbox.leave_buttons(db, row, rows)
    found = {"buttons": rows}
    return [NewOutgoing(envelope.channel, envelope.chat_id, "", "buttons", part, reply_to=message, extra=found)]


def list_remaining(shown: list[Row], pressed: str) -> list[Row]:
    """Return the button rows without the pressed row and alternatives to it."""
    if pressed.startswith(_ALL):
        return []
    rows = [row for row in shown if not any(_answers_same(str(one.get("data", "")), pressed) for one in row)]
    if pressed.startswith(_ONE) and _ONE not in str(rows):
        return []  # nothing is left to take all of
    return rows


_ONE, _ALL = "do.yes:", ("do.all:", "do.none:")  # answers to one offer, and to every offer above

_ROW = re.compile(r"\d+|[0-9a-f]{16}")


def _answers_same(data: str, pressed: str) -> bool:
    """Return whether buttons are alternatives ("quiet.for:3h"), not rows ("doubt.yes:12")."""
    asked, _, value = data.partition(":")
    other, _, chosen = pressed.partition(":")
    apart = _ROW.fullmatch(value) is not None and _ROW.fullmatch(chosen) is not None
    return data == pressed or (asked == other and not apart)


def _keeps_cancelled(world: World, envelope: Envelope) -> bool:
    """Return whether a message wants back what the message before cancelled: "actually, keep it"."""
    plain = " ".join(envelope.text.split()).replace("\u2019", "'").strip(" .!?\u3002\uff01")
    if len(plain) > _LONGEST or not any(way.fullmatch(plain) for way in _KEEP):
        return False
    with world.database.read() as db:
        newest = turns.newest_said(db, envelope.channel, envelope.chat_id, 1)
        changes = skill_runs.recent(db, CHANGING, 1)
    if not newest or not changes or changes[0].turn_key != newest[0].turn_key:
        return False
    return "cancelled" in (changes[0].result.get("data") or {})


# -- plain words that mean a slash command: "undo that", "why didn't you write?" --


class Spoken(NamedTuple):
    """The command and its arguments."""

    name: str
    args: str = ""


def find_spoken(text: str) -> Spoken | None:
    """Return the command that a message means; None for other messages."""
    if (wish := wishes.find_wish(text)) is not None:
        return Spoken("wish", wish)
    if len(text) > _LONGEST:
        return None
    plain = _EDGES.sub("", " ".join(text.split()).replace("\u2019", "'"))
    return next((spoken for pattern, spoken in _SAID if pattern.fullmatch(plain)), None)


_LONGEST = 80

_ASIDE, _LEAD = ("|".join(word_tables.texts("spoken_commands", key).values()) for key in ("aside", "lead"))
# words around a command without meaning
_EDGES = re.compile(
    rf"^\W{{0,5}}(?:(?:{_ASIDE})\b\W{{0,3}}){{0,2}}|(?:\W{{1,3}}(?:{_ASIDE}))?\W{{0,5}}$", re.IGNORECASE
)

_KEEP = tuple(re.compile(way, re.IGNORECASE) for way in word_tables.texts("spoken_commands", "keep").values())
_COMMANDS = (("undo", Spoken("undo")), ("why_not", Spoken("why", "not")), ("why", Spoken("why")))
# patterns of whole messages, with the command that they mean
_SAID = tuple(
    (re.compile(rf"(?:(?:{_LEAD})[\s,.!]{{1,3}}){{0,3}}(?:{pattern})", re.IGNORECASE), spoken)
    for key, spoken in (*_COMMANDS, ("readiness", Spoken("readiness")))
    for pattern in word_tables.patterns("spoken_commands", key).values()
)
