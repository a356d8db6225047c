"""`/quiet`: send nothing unprompted for some hours, or at certain hours daily. Reminders still
come, because they were requested."""

from datetime import UTC, datetime, time, timedelta

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.core import numbers
from furoshiki.core.catalogue import later, say, speaking
from furoshiki.language.dates import parsing
from furoshiki.language.dates.parsing import When
from furoshiki.language.humanize import clock
from furoshiki.language.testimony import Own
from furoshiki.messages.store import turns
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.outreach import being_quiet, laws
from furoshiki.owner.agenda.rules.quiet import asked as asked_quiet
from furoshiki.owner.agenda.rules.quiet.asked import LONGEST_HOURS, For, Hours, NoHours, Off, Shown, Until
from furoshiki.owner.agenda.rules.quiet.daily import DailyWish
from furoshiki.owner.agenda.rules.quiet.ends import LEAST, Clock
from furoshiki.owner.agenda.rules.quiet.reading import QuietWish
from furoshiki.owner.agenda.store import quiet
from furoshiki.owner.agenda.store.quiet import Asked
from furoshiki.owner.user_model import user
from furoshiki.world import World

# the offered durations, with their button values
BUTTONS = (
    ((later("3 hours"), "3h"), (later("Until tomorrow"), "tomorrow")),
    ((later("3 days"), "3d"), (later("A week"), "week")),
)

# how long after a wish for quiet a message may correct its end
ASKED_JUST_NOW = timedelta(minutes=30)

_EXAMPLES = later(
    "For example /quiet 3 hours, /quiet until tomorrow, /quiet 22:00-07:30 for every night, or /quiet off."
)


@Command(
    "quiet", "only write when you write to me: /quiet 8 hours, /quiet 22:00-07:30, /quiet off", place=100, in_menu=True
)
async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """Start, end or show the quiet."""
    if not args and quiet_now(world) is None:
        asks = f"{say('For how long?')} {say(_EXAMPLES)}"
        with world.database.read() as db:
            daily = quiet.is_daily(db)
        if daily:
            asks = f"{hours_in_words(world)}\n\n{asks}"
        return Words(asks, {"buttons": _buttons()})
    match asked_quiet.parse_request(args) if args else Shown():
        case Off():
            return Words(asked_quiet.over() if being_quiet.end_quiet(world) else say(NEVER_WAS))
        case Shown():
            return Words(describe(world))
        case NoHours():
            with world.database.write() as db:
                quiet.end_hours(db)
            return Words(hours_in_words(world))
        case Hours(since, until):
            return Words(being_quiet.keep_hours(world, since, until))
        case For(hours):
            return Words(_quiet_until(world, world.now + timedelta(hours=hours)))
        case Until(when):
            ends = _ends(world, when)
            return Words(f"{say('Until when?')} {say(_EXAMPLES)}" if ends is None else _quiet_until(world, ends))
    return Words(f"{say('For how long?')} {say(_EXAMPLES)}", {"buttons": _buttons()})


@Button("quiet", ("for", "hours"))
async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Handle the buttons for a duration, or for the daily hours."""
    if verb == "hours":
        meant = asked_quiet.parse_request(value)
        if not isinstance(meant, Hours):
            return None
        return Words(being_quiet.keep_said_hours(world, meant))
    clock_now = Clock(_local(world), laws.current(world).quiet.until)
    ends = {
        "3h": world.now + timedelta(hours=3),
        "tomorrow": clock_now.next_morning(LEAST),
        "3d": world.now + timedelta(days=3),
        "week": clock_now.open_end(),
    }.get(value)
    return Words(_quiet_until(world, ends.astimezone(world.now.tzinfo))) if ends is not None else None


def handle_wish(world: World, wish: QuietWish) -> Words:
    """Handle a message that only asks for quiet, or for its end."""
    done = being_quiet.carry_out(world, wish)
    return Words(done, {"buttons": _buttons()} if wish.guessed else {})


def handle_other_end(world: World, own: Own, envelope: Envelope) -> Words | None:
    """Handle a message that only names an end, right after a wish for quiet: that end holds instead
    of daily hours; None for other messages."""
    with world.database.read() as db:
        said = turns.newest_said(db, envelope.channel, envelope.chat_id, 1)
    if not said or world.now - said[0].at > ASKED_JUST_NOW:
        return None
    wish = being_quiet.find_other_end(world, own, said[0].own)
    if wish is None or wish.until is None:
        return None
    if being_quiet.find_hours(world, said[0].own) is not None:
        with world.database.write() as db:
            quiet.end_hours(db)
    end = being_quiet.keep_quiet(world, wish.until, wish.why, shorten=True)
    return Words(being_quiet.describe_quiet(world, wish, end))


def handle_hours(world: World, wish: DailyWish) -> Words:
    """Handle a message that names daily quiet hours: store them, or ask when ambiguous."""
    with speaking(wish.tongue):
        if len(wish.ways) == 1:
            return Words(being_quiet.keep_said_hours(world, wish.ways[0], wish.days))
        buttons = [{"text": _name(hours), "data": f"quiet.hours:{_value(hours)}"} for hours in wish.ways]
        return Words(say("Which hours do you mean?"), {"buttons": [buttons]})


def _value(hours: Hours) -> str:
    """Format the hours as `/quiet` reads them."""
    if hours.since is None:
        return f"before {hours.until:%H:%M}"
    if hours.until is None:
        return f"after {hours.since:%H:%M}"
    return f"{hours.since:%H:%M}-{hours.until:%H:%M}"


def _name(hours: Hours) -> str:
    return "–".join(one and f"{one:%H:%M}" or "…" for one in (hours.since, hours.until))


def quiet_now(world: World) -> Asked | None:
    """Return the present quiet, or None."""
    with world.database.read() as db:
        return quiet.current(db, world.now)


def describe_wish(world: World) -> str:
    """Describe until when it is quiet by request, and the request; "" without one."""
    asked = quiet_now(world)
    if asked is None:
        return ""
    zone = user.zone_of(world)
    words = f": “{asked.why}”" if asked.why else ""
    when = clock(asked.until, zone, world.now)
    if asked.own:
        return say("I promised to be quiet until {when}{words}.", when=when, words=words)
    return say("You asked for silence until {when}{words}.", when=when, words=words)


def _buttons() -> list[list[dict[str, str]]]:
    return [[{"text": say(text), "data": f"quiet.for:{value}"} for text, value in row] for row in BUTTONS]


def _local(world: World) -> datetime:
    with world.database.read() as db:
        return world.now.astimezone(user.zone(world, db))


def describe(world: World) -> str:
    """Describe the present quiet and the daily hours."""
    with world.database.read() as db:
        zone, until = user.zone(world, db), quiet.until(db, world.now)
    for_now = _for_now(clock(until, zone, world.now)) if until else say("No quiet time is set now.")
    asked, why = quiet_now(world), ""
    if asked is not None and asked.why:
        whose = later("I promised it: “{why}”.") if asked.own else later("You asked for it: “{why}”.")
        why = f" {say(whose, why=asked.why)}"
    with world.database.read() as db:
        ahead = quiet.planned(db, world.now)
    for one in ahead:
        why += f" {asked_quiet.describe_planned(asked_quiet.say_period(one, zone, world.now))}"
    return f"{for_now}{why} {hours_in_words(world)}"


def _for_now(until: str) -> str:
    return say("Quiet until {when}.", when=until)


def in_short(world: World) -> str:
    """Describe the quiet and the daily hours in force; "" without any."""
    hours = laws.current(world).quiet
    with world.database.read() as db:
        zone, until = user.zone(world, db), quiet.until(db, world.now)
    for_now = [_for_now(clock(until, zone, world.now))] if until else []
    every_day = [] if hours.since == hours.until else [_never(hours.since, hours.until)]
    return " ".join(for_now + every_day)


def _never(since: time, until: time) -> str:
    return say("Never between {since} and {until}.", since=f"{since:%H:%M}", until=f"{until:%H:%M}")


def hours_in_words(world: World) -> str:
    """Describe the daily quiet hours, and how to change them."""
    hours = laws.current(world).quiet
    with world.database.read() as db:
        own, nap = quiet.hours(db) is not None, quiet.nap(db)
    if hours.since == hours.until:
        return say("There are no quiet hours; /quiet 23:00-08:00 sets some.")
    ends = later("I do not write first between {since} and {until} (/quiet hours off ends that).")
    changes = later("I do not write first between {since} and {until} (/quiet 22:00-07:30 changes that).")
    words = say(ends if own else changes, since=f"{hours.since:%H:%M}", until=f"{hours.until:%H:%M}")
    if nap is not None:
        words = f"{words} {_never(*nap)}"
    return words


NEVER_WAS = later("I was not being quiet; I may write first.")


def _quiet_until(world: World, until: datetime) -> str:
    being_quiet.keep_quiet(world, until, shorten=True)
    return asked_quiet.describe_quiet(until, _local(world).tzinfo or UTC, world.now)


def _ends(world: World, when: str) -> datetime | None:
    """Return the meant time; a day alone means the end of its quiet hours. None when unclear, past,
    or more than 30 days ahead."""
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
    local = world.now.astimezone(zone)
    found = parsing.parse_when(when if numbers.row(when) is None else f"at {when}", local, habits)
    if not isinstance(found, When) or found.past or found.rule is not None:
        return None
    at = found.at
    if not found.timed:
        at = datetime.combine(at.date(), laws.current(world).quiet.until, zone)
    ends = at.astimezone(world.now.tzinfo)
    return ends if world.now < ends <= world.now + timedelta(hours=LONGEST_HOURS) else None
