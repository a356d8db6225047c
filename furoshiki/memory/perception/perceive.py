"""Turn incoming messages into a percept: words, feelings, name given. Mostly by rules."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from furoshiki.core import refs
from furoshiki.core.catalogue import get_language
from furoshiki.core.process.crash_points import hang_in_pattern
from furoshiki.feelings import heartbeat
from furoshiki.feelings.heartbeat import Felt
from furoshiki.language import nlp, testimony
from furoshiki.language.facts import abroad, names
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.intents import NAME, is_meant
from furoshiki.language.reflex.care import judging
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.requests import companion_name, small_talk
from furoshiki.language.testimony import Own
from furoshiki.memory.perception import attachments, signals
from furoshiki.memory.perception.attachments import Described
from furoshiki.memory.perception.values import Percept, RepliedTo, SaidNow
from furoshiki.messages.events import ReplyTo
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, Envelope, Turn, last_own
from furoshiki.models.llm.values import Image
from furoshiki.recall.retrieval import other_languages
from furoshiki.world import World

SUBJECT_WORDS = 4  # the least number of content words that make a subject …

_ENDS = " .!?…"

SUBJECT_TURNS = 6  # … which is new if none of them occurred in this many latest turns


async def perceive(world: World, envelopes: Sequence[Envelope]) -> Percept:
    """Return one percept of all messages this turn answers, oldest first; update the heartbeat."""
    now = world.now
    messages: list[SaidNow] = []
    images: list[Image] = []
    for envelope in envelopes:
        if envelope.kind == "hello":
            continue  # no message yet: the companion speaks first
        words, pictures = await _perceive_message(world, envelope, now)
        messages = [earlier for earlier in messages if not _corrects(envelope, earlier)]
        messages.append(words)
        images += pictures
    with world.database.read() as db:
        session_id = turns.current_session(db, now)
        before = turns.recent(db, envelopes[0].channel, envelopes[0].chat_id, SUBJECT_TURNS)
    asked_name = bool(before) and before[-1].speaker == COMPANION and names.asks_name(before[-1].text)
    key = refs.name("inbox", envelopes[0].id)
    text = testimony.together_own(words.own for words in messages)
    last = last_own(before)
    if len(messages) > 1:  # a hundred messages take seconds
        heard = await asyncio.to_thread(signals.read, world, [text, *(words.own for words in messages)], last)
    else:
        heard = await world.apart(lambda: signals.read(world, [text], last))
    at_once, *each_signals = heard.signals
    new_subject = _new_subject(text, [turn.text for turn in before])
    hear = []
    for words, own_signals in zip(messages, each_signals or [at_once] * len(messages), strict=True):
        rouses = new_subject or nlp.read(words.own, world.lexicon).has_question_mark
        where = heartbeat.lane(envelopes[0].channel, envelopes[0].chat_id, words.kind)
        felt = Felt(words.envelope_id, where, own_signals.strengths, now, asked=rouses)
        hear.append(heartbeat.hear(world.laws, felt))
    beat = world.state.change_beside(heartbeat.in_turn(hear)) if hear else None
    asked_name = asked_name and not _says_something_else(world, text, heard)
    looked = await signals.look(world, key, text, at_once, heard.half_heard.get(text, frozenset()))
    strengths = at_once.strengths if looked.felt is None else looked.felt
    name = _find_name(world, messages, asked_name, heard)
    return Percept(
        key=key,
        envelopes=tuple(envelopes),
        said=tuple(messages),
        signals=strengths,
        name_given=name,
        images=tuple(images),
        session_id=session_id,
        heartbeat=beat if beat is not None and looked.felt is None else world.state.heartbeat(),
        now=now,
        vector=tuple(heard.vectors.get(text, ())),
        encoder=heard.encoder,
        meant=heard.meant,
        look_later=looked.later,
        danger_shares=heard.danger,
        danger_bounds=heard.bounds,
    )


def _find_name(world: World, messages: Sequence[SaidNow], name_asked: bool, heard: signals.Read) -> str | None:
    """Return the name that the messages give, unless it is a sentence in their language."""
    languages = other_languages.load_languages(world.config)
    spoken = {language.code: language for language in languages.each}.get(get_language())
    for words in reversed(messages):
        statement = names.find_name(words.own, name_asked, heard.meant)
        language = languages.of(words.own, spoken)
        if statement is not None and not (language and abroad.is_no_name(statement.name, words.own, language)):
            return statement.name
    return None


def _says_something_else(world: World, text: Own, heard: signals.Read) -> bool:
    """Whether a short answer is not the requested name: "hola" is a greeting, "müde" a German word,
    "Help!" a shout, "ti chiamo Pip" names the companion, and "I want to die" means danger."""
    languages = other_languages.load_languages(world.config)
    if small_talk.language_of(text, languages.each) or companion_name.find_name(text):
        return True
    plain = text.lower().rstrip(_ENDS)
    names_one = " " in plain and is_meant(heard.meant, NAME)  # "im harold", "harold here"
    if (
        not names_one
        and (text.islower() or "!" in text)
        and (languages.is_english(plain) or any(plain in language.words for language in languages.each))
    ):
        return True
    noticed = notice(text, world.care, world.now.year) if world.care else None
    return bool(noticed) and judging.judge(noticed, heard.danger, heard.bounds, text, world.care[0]) is not None


async def _perceive_message(world: World, envelope: Envelope, now: datetime) -> tuple[SaidNow, list[Image]]:
    """Return one message in words, with other people's passages marked, and its pictures."""
    envelope = envelope.corrected
    described = await attachments.in_words(world, envelope)
    hang_in_pattern("perceive", described.text)
    words = SaidNow(
        envelope_id=envelope.id,
        text=described.text,
        kind=envelope.kind,
        at=_when(envelope.event.at, now),
        message_id=envelope.message_id,
        attachments=described.facts,
        foreign=described.foreign,
    )
    replied = None if envelope.message is None else envelope.message.reply_to
    if replied is None:
        return words, described.images
    with world.database.read() as db:
        earlier = turns.by_external(db, envelope.channel, envelope.chat_id, str(replied.message_id))
    answers, images = await _perceive_replied(world, envelope, replied, earlier)
    return replace(words, reply_to=earlier, answers=answers), [*images, *described.images]


async def _perceive_replied(
    world: World, envelope: Envelope, replied: ReplyTo, earlier: Turn | None
) -> tuple[RepliedTo, list[Image]]:
    """Return the message that is replied to, in words, with its picture: the meaning of "this" in
    the reply. The stored turn is preferred to the channel's data."""
    described = await _within(world, envelope, replied, known=earlier is not None)
    if earlier is not None:
        return RepliedTo(earlier.speaker, earlier.text, earlier.at, replied.quote, earlier.foreign), described.images
    who = USER if replied.own else testimony.name_of(replied.who)
    if replied.ours:
        who = COMPANION
    text, part = described.text or replied.text or "", replied.quote
    if not text:
        text, part = part or "", None
    foreign = described.foreign
    if who not in (COMPANION, USER) and not (replied.message and replied.message.passed_on):
        foreign = testimony.whole(text, "forward", who)
    return RepliedTo(who, text, None, part, foreign), described.images


async def _within(world: World, envelope: Envelope, replied: ReplyTo, *, known: bool) -> Described:
    """Describe the message that is replied to; of a `known` one only the picture."""
    message = replied.message
    if message is None or (known and message.kind != "photo"):
        return Described("")
    event = replace(message, chat_id=envelope.event.chat_id, private=envelope.event.private)
    return await attachments.in_words(world, replace(envelope, event=event))


def _new_subject(text: str, before: Sequence[str]) -> bool:
    """Whether the content words share none with the latest turns."""
    content = content_of(text)
    return len(content) >= SUBJECT_WORDS and content.isdisjoint(stems_of(" ".join(before)))


def _corrects(envelope: Envelope, earlier: SaidNow) -> bool:
    return envelope.kind == "edit" and envelope.message_id == earlier.message_id


def _when(said_at: datetime | None, now: datetime) -> datetime:
    """Return the channel's sending time; now if it is in the future or 30 days old."""
    return said_at if said_at is not None and said_at <= now and (now - said_at).days < 30 else now
