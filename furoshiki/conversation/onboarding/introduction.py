"""The introduction: its questions, the effects of answers, and its end.

It starts when the owner pairs in Telegram; `KEY` records settled and skipped questions. Typed text
is answered as conversation, except for a mere name or city. After a name the next question follows;
others wait, and `/start` repeats them.
"""

import sqlite3
from dataclasses import replace
from typing import Any, cast
from zoneinfo import ZoneInfo

from furoshiki.conversation.onboarding import minds, steps
from furoshiki.conversation.onboarding.minds import Said
from furoshiki.conversation.onboarding.steps import SKIP, STEPS, Buttons, Step
from furoshiki.core import atomic_files, refs
from furoshiki.core.catalogue import say
from furoshiki.core.database import kv
from furoshiki.core.paths import is_zone, read_toml_file
from furoshiki.language import humanize, testimony
from furoshiki.language.facts import names
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.testimony import Own, Told
from furoshiki.language.words import ends_asking
from furoshiki.maintenance import operator_settings
from furoshiki.memory import facts
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.store import accounts, turns
from furoshiki.messages.store.accounts import Account
from furoshiki.messages.values import COMPANION, USER, Envelope, NewTurn, Words
from furoshiki.mind.outreach import laws
from furoshiki.models.llm.plans import plans_of
from furoshiki.owner.agenda import travel
from furoshiki.owner.agenda.store import quiet
from furoshiki.owner.user_model import user
from furoshiki.world import World

# the `kv` key of {"settled": [steps], "open": step or None}, until all are settled
KEY = "onboarding"

BUTTON = "begin"  # the part before the dot in its buttons' data; the verbs are the steps

# button values for another time zone, for accepting the name from Telegram, and for a manner in
# their own words
CITY, FIRST_NAME, OWN_WORDS = "other", "first", "own"

_PER_DAY = "furoshiki_outreach_per_day"


def begin(world: World) -> Words:
    """Return the greeting with the first question."""
    hello = say(
        "Hello! I'm {name}, or whatever you call me (“I'll call you …”). I live here from now "
        "on, remember what you tell me, and can show you where I know it from. A few short "
        "questions first; skip any you like.",
        name=world.settings.furoshiki_companion_name,
    )
    with world.database.write() as db:
        kv.put(db, KEY, {"settled": [], "open": None}, world.now)
    return _after(hello, _next(world))


def goes_on(world: World) -> Words | None:
    """Return the open question again; None without an introduction."""
    with world.database.read() as db:
        held = kv.get(db, KEY)
    return None if held is None else _next(world)


def handle_press(world: World, step: str, value: str) -> Words | None:
    """Handle a question's button; None for a settled question."""
    with world.database.read() as db:
        held = kv.get(db, KEY)
    if held is None or step in held["settled"]:
        return None
    if step == "clock" and value == CITY:
        return Words(say("Which big city are you near? One word is enough."), _buttons("clock", ()))
    if step == "manner" and value == OWN_WORDS:
        with world.database.write() as db:
            kv.put(db, KEY, {**held, "open": OWN_WORDS}, world.now)
        asked = say("Write me in a sentence or two how I should be, or send a character card (PNG or JSON, as a file).")
        return Words(asked, _buttons("manner", ()))
    return _settle(world, held, cast(Step, step), value)


def handle_answer(world: World, envelope: Envelope) -> Words | None:
    """Handle a typed answer to the open question; None for other messages."""
    message = envelope.message
    if message is None or not message.typed or not envelope.private:
        return None
    with world.database.read() as db:
        held = kv.get(db, KEY)
    if held is None:
        return None
    own = _own_words(envelope)
    if held["open"] == "name" and (name := steps.name_in(own)) is not None:
        return _settle(world, held, "name", name, envelope)
    if held["open"] == "clock" and (zone := steps.zone_in(own)) is not None:
        return _settle(world, held, "clock", str(zone), envelope)
    if held["open"] == OWN_WORDS and not ends_asking(own) and notice(own, world.care, world.now.year) is None:
        return _settle(world, held, "manner", steps.put_in_own_words(own), envelope)
    return None


def keep_caption(world: World, envelope: Envelope) -> bool:
    """Store the caption of a file as part of the conversation; return False if it tells of danger."""
    if notice(_own_words(envelope), world.care, world.now.year) is not None:
        return False
    if envelope.text and envelope.message is not None and not envelope.message.passed_on:
        with world.database.write() as db:
            _record(world, db, USER, envelope.text, envelope)
    return True


def find_next_question(world: World) -> Words | None:
    """Return the next question if the conversation has given the name; else None."""
    with world.database.read() as db:
        held = kv.get(db, KEY)
        given = held is not None and held["open"] == "name" and user.name(db) is not None
    return _next(world) if given else None


def goes_on_from_mind(world: World, said: Said) -> Words:
    """Report the choice of a model; in the introduction its next question follows."""
    with world.database.read() as db:
        held = kv.get(db, KEY)
    if not said.settled or held is None or held["open"] != "mind":
        return said.words
    with world.database.write() as db:
        kv.put(db, KEY, {"settled": [*held["settled"], "mind"], "open": None}, world.now)
    return _after(said.words.text, _next(replace(world, settings=said.settings or world.settings)))


def keep_manner(world: World, manner: str) -> str:
    """Put a manner beneath SOUL.md, "" for none; return the one it replaces."""
    soul, shipped = world.home / "config" / "SOUL.md", world.config / "identity" / "SOUL.md"
    first = shipped.read_text(encoding="utf-8")
    held = first
    if soul.is_file():
        held = soul.read_text(encoding="utf-8")
    text, before = steps.with_manner(held, manner)
    if text.strip() == first.strip():
        soul.unlink(missing_ok=True)
    else:
        soul.parent.mkdir(parents=True, exist_ok=True)
        atomic_files.write_text(soul, text)
    return before


def settle_manner(world: World) -> None:
    """Close the question for a manner, if it is the open one."""
    with world.database.write() as db:
        held = kv.get(db, KEY)
        if held is not None and held["open"] in ("manner", OWN_WORDS):
            kv.put(db, KEY, {"settled": [*held["settled"], "manner"], "open": None}, world.now)


def go_on_after(world: World, words: Words) -> Words:
    """Add the next question, if the talk goes on and none is open; the words' buttons come first."""
    with world.database.read() as db:
        held = kv.get(db, KEY)
    if held is None or held["open"] is not None:
        return words
    then = _next(world)
    rows = [*words.extra.get("buttons", ()), *then.extra.get("buttons", ())]
    return Words(f"{words.text}\n\n{then.text}", {"buttons": rows})


def _settle(
    world: World, held: dict[str, Any], step: Step, value: str, envelope: Envelope | None = None
) -> Words | None:
    if envelope is not None and step != "name":
        with world.database.write() as db:
            _record(world, db, USER, envelope.text, envelope)
    said = "" if value == SKIP else _keep(world, step, value, envelope)
    if said is None:
        return None
    with world.database.write() as db:
        kv.put(db, KEY, {"settled": [*held["settled"], step], "open": None}, world.now)
    return _after(said, _next(world))


def _keep(world: World, step: Step, value: str, envelope: Envelope | None) -> str | None:
    """Apply an answer; return a confirmation, or None for an invalid button value."""
    match step:
        case "name":
            return say("{name} it is.", name=_keep_name(world, value, envelope))
        case "clock" if is_zone(value):
            zone = ZoneInfo(value)
            with world.database.write() as db:
                travel.follow(db, user.zone(world, db), zone, world.now)
                kv.put(db, user.ZONE_KEY, value, world.now)
            return say("So it is {time} where you are.", time=f"{world.now.astimezone(zone):%H:%M}")
        case "hours" if (night := steps.night_in(value)) is not None:
            with world.database.write() as db:
                quiet.keep_hours(db, *night, world.now)
            since, until = (f"{at:%H:%M}" for at in night)
            return say("From {since} to {until} I leave you alone.", since=since, until=until)
        case "manner" if envelope is not None or value in _characters(world):
            keep_manner(world, value if envelope is not None else _characters(world)[value].manner)
            return say("I'll try to be like that.")
        case "first" if value in ("yes", "no"):
            operator_settings.change(world.settings.data, _PER_DAY, None if value == "yes" else "0", agreed=True)
            return say("Good.") if value == "yes" else say("Then I'll only send your reminders.")
    return None


def _keep_name(world: World, given: str, envelope: Envelope | None) -> str:
    """Store the user's name with its source (their message or the button); return it."""
    with world.database.write() as db:
        owner = accounts.owner(db, TELEGRAM)
        name = text = _first_name(owner)
        if envelope:
            name, text = given, envelope.text
        turn = _record(world, db, USER, text, envelope)
        facts.learn(db, user.note_name(name), [turn], world.now, zone=user.zone(world, db))
    return name


def _record(world: World, db: sqlite3.Connection, speaker: str, text: str, envelope: Envelope | None = None) -> int:
    """Store a message as part of the conversation; return the turn's id."""
    owner = accounts.owner(db, TELEGRAM)
    new = NewTurn(
        session_id=turns.current_session(db, world.now),
        channel=TELEGRAM,
        chat_id=owner.chat_id if owner else "",
        speaker=speaker,
        text=text,
        at=world.now,
    )
    if envelope:
        new = replace(
            new,
            chat_id=envelope.chat_id,
            external_id=envelope.message_id,
            turn_key=refs.name("inbox", envelope.id),
            foreign=_typed(envelope).foreign,
        )
    return turns.add(db, new)


def _typed(envelope: Envelope) -> Told:
    quoted = envelope.message.quoted if envelope.message else ()
    return testimony.build_typed(envelope.text, quoted)


def _own_words(envelope: Envelope) -> Own:
    typed = _typed(envelope)
    return testimony.own(typed.text, typed.foreign)


def _first_name(owner: Account | None) -> str:
    """Return the owner's first name in Telegram; "" if unknown."""
    return next(iter((owner.name or "").split()), "") if owner else ""


def _next(world: World) -> Words:
    with world.database.write() as db:
        held = kv.get(db, KEY)
        step = next((one for one in STEPS if one not in held["settled"] and not _is_known(world, db, one)), None)
        if step is None:
            kv.drop(db, KEY)
            name = user.name(db)
        else:
            kv.put(db, KEY, {**held, "open": step}, world.now)
    words = _last_words(world, name) if step is None else _ask(world, step)
    if step in ("name", None):  # questions answered by text are part of the conversation
        with world.database.write() as db:
            _record(world, db, COMPANION, words.text)
    return words


def _is_known(world: World, db: sqlite3.Connection, step: Step) -> bool:
    match step:
        case "name":
            return user.name(db) is not None
        case "clock":
            return kv.get(db, user.ZONE_KEY) is not None or world.settings.furoshiki_timezone is not None
        case "hours":
            return quiet.hours(db) is not None
        case "manner":
            return (world.home / "config" / "SOUL.md").is_file()
        case "mind":
            return _model(world) is not None
        case "first":
            return world.settings.furoshiki_outreach_per_day is not None


def _ask(world: World, step: Step) -> Words:
    with world.database.read() as db:
        zone, owner = user.zone(world, db), accounts.owner(db, TELEGRAM)
    here = world.now.astimezone(zone)
    match step:
        case "name":
            known = _first_name(owner)
            return Words(say(names.ASK), _buttons(step, ((known, FIRST_NAME),) if known else ()))
        case "clock":
            asked = say(
                "My clock says {time}, {weekday} ({zone}). Is it the same for you?",
                time=f"{here:%H:%M}", weekday=humanize.weekday(here), zone=zone,
            )  # fmt: skip
            return Words(asked, _buttons(step, ((say("Yes"), str(zone)), (say("No"), CITY))))
        case "hours":
            hours = laws.current(world).quiet
            asked = say(
                "At night I never write first: from {since} to {until}. Does that suit you?",
                since=f"{hours.since:%H:%M}", until=f"{hours.until:%H:%M}",
            )  # fmt: skip
            return Words(asked, _buttons(step, steps.nights((hours.since, hours.until))))
        case "manner":
            ways = _characters(world)
            lines = [f"• {say(one.title)}: {say(one.about)}" for one in ways.values()]
            asked = "\n".join([say("What should I be like?"), *lines])
            shown = tuple((say(one.title), name) for name, one in ways.items())
            return Words(asked, _buttons(step, shown, ((say("In my own words"), OWN_WORDS),)))
        case "mind":
            return minds.question(world, skips=True)
        case "first":
            asked = say(
                "May I write first when there is a reason, like a day you told me about or a "
                "thought that stayed with me? At most {number} times a day.",
                number=laws.current(world).per_day,
            )
            return Words(asked, _buttons(step, ((say("Yes"), "yes"), (say("Only reminders"), "no"))))


def _last_words(world: World, name: str | None) -> Words:
    model = _model(world)
    if model is not None:
        mind = say("That is all; /settings shows it. I think with {model}.", model=model)
    else:
        mind = say(
            "That is all; /settings shows it. I have no language model yet: I listen, remember, "
            "remind you and keep lists. /mind gives me one."
        )
    ask = say("I am glad to be here. How was your day?")
    if name:
        ask = say("I am glad to be here, {name}. How was your day?", name=name)
    return Words(f"{mind}\n\n{ask}")


def _model(world: World) -> str | None:
    """Return the first model of the chat tier; None for the built-in mind."""
    first = plans_of(world.settings).by_tier["chat"].models[0]
    return None if first.provider == "local" else first.model


def _after(said: str, then: Words) -> Words:
    return Words(f"{said}\n\n{then.text}" if said else then.text, then.extra)


def _buttons(step: Step, shown: Buttons, beside: Buttons = ()) -> dict[str, Any]:
    """Return a question's buttons in a row, and the skip button below, those `beside` it first."""
    rows = [shown, (*beside, (say("Skip"), SKIP))]
    buttons = [[{"text": text, "data": f"{BUTTON}.{step}:{value}"} for text, value in row] for row in rows]
    return {"buttons": list(filter(None, buttons))}


def _characters(world: World) -> dict[str, steps.Character]:
    return steps.characters(read_toml_file(world.config / "identity" / "characters.toml"))
