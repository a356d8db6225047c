"""`/dashboard`: a sign-in link to the web pages; they can be opened to the owner's phone."""

import getpass
import socket

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.core import settings as all_settings
from furoshiki.core.catalogue import later, say
from furoshiki.core.logins import addresses, lan, links
from furoshiki.core.logins.lan import Opening
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.logins.values import MINI_APP
from furoshiki.core.paths import environ, host_of
from furoshiki.core.process.locks import lock_held
from furoshiki.core.settings import Settings
from furoshiki.core.timestamps import of_seconds
from furoshiki.language.humanize import clock
from furoshiki.messages.channels import TELEGRAM, WEB
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

NOT_THERE = later(
    "My pages are not running. Put `FUROSHIKI_DASHBOARD=on` into {path} and restart me "
    "(`furoshiki up`, or `furoshiki service install`), or run `furoshiki dashboard --open` on "
    "the machine I live on."
)
ONCE = later("It signs one browser in, once, within five minutes.")
AT_HOME = later("My pages only work on the machine I live on. There, `furoshiki dashboard --open` opens them.")
THE_WAY_THERE = later(
    "From another computer, open a tunnel first:\n"
    "`ssh -L {port}:127.0.0.1:{port} {user}@{host}`\n"
    "and while it is open, go to\n"
    "{link}\n"
    "{once}\n\n"
    "To open them inside Telegram, give me an https address: docs/dashboard.md explains how."
)
OFFER = later(
    "Should I open my pages to your phone? They would be available at {address}, only within "
    "your own network, until nobody has used them for an hour. A link lets in one browser, once: "
    "yours."
)
ENCRYPTED = later("The connection is encrypted.")
CERTIFICATE = later(
    "Your browser will say that it does not know my certificate, because I made it myself. If "
    "the SHA-256 fingerprint it shows matches this one, it is mine, and you can "
    "continue:\n`{fingerprint}`"
)
PLAIN = later(
    "The connection is not encrypted: anyone listening on your network could read along, and use it to get in."
)
TRUST = later("Only say yes where you trust everyone.")
STANDS = later(
    "My pages have been open to your phone at {address} since {time}. After an hour without use, "
    "they close by themselves."
)
LEFT = later("All right, they stay closed.")


@Command("dashboard", "my pages, in your browser or here", place=180, shows=True)
async def run(world: World, _args: str, envelope: Envelope) -> Words:
    """Return a button for pages with an https address, else a link with directions."""
    settings = world.settings
    if envelope.channel == WEB:
        return Words(say("You are using them."))
    place = find_host_settings(settings)
    for_a_phone = _offer(world) if envelope.channel == TELEGRAM and not (place and _is_reached(place)) else None
    if for_a_phone is not None:
        return for_a_phone
    return _show_way(world, place, envelope)


@Button("dashboard", ("open", "close", "link", "computer", "no"))
async def press(world: World, verb: str, _value: str, envelope: Envelope) -> Words | None:
    """Open the pages to a phone, give a new link, close them, or give directions for a computer."""
    data = world.settings.data
    if verb == "computer":
        return _show_way(world, find_host_settings(world.settings), envelope)
    if verb == "close":
        lan.close(data, world.now)
        return Words(say("They are closed, and your phone is signed out."))
    if verb == "no" or envelope.channel != TELEGRAM or host_of(data) is not None:
        return Words(say(LEFT))
    opening = lan.find_opening(data)
    if opening is None:
        address = lan.find_address()
        if address is None:
            return _show_way(world, find_host_settings(world.settings), envelope)
        try:
            opening = await lan.open_pages(data, address)
        except lan.CannotOpen as error:
            return Words(say("I could not open them: {why}.", why=error))
    return _give_link(world, opening)


def _is_reached(place: Settings) -> bool:
    host = place.furoshiki_dashboard_host
    return place.furoshiki_dashboard_url is not None or not (
        addresses.stays_here(place) or host in addresses.EVERYWHERE
    )


def _offer(world: World) -> Words | None:
    """Return the state of the pages for a phone, or the offer to open them; None when impossible:
    in a host's home, or without a private network."""
    if host_of(world.settings.data) is not None:
        return None
    computer = [{"text": say("From a computer"), "data": "dashboard.computer:"}]
    opening = lan.find_opening(world.settings.data)
    if opening is not None:
        since = clock(of_seconds(opening.since), world.zone, world.now)
        row = [
            {"text": say("A new link"), "data": "dashboard.link:"},
            {"text": say("Close them"), "data": "dashboard.close:"},
        ]
        return Words(say(STANDS, address=opening.base, time=since), {"buttons": [row, computer]})
    address = lan.find_address()
    if address is None:
        return None
    line = say(ENCRYPTED) if lan.can_encrypt() else f"{say(PLAIN)} {say(TRUST)}"
    row = [{"text": say("Yes, open them"), "data": "dashboard.open:"}, {"text": say("No"), "data": "dashboard.no:"}]
    return Words(f"{say(OFFER, address=address)} {line}", {"buttons": [row, computer]})


def _give_link(world: World, opening: Opening) -> Words:
    """Return a link for one browser. It is part of the text, because Telegram may refuse a button
    with a private address; it expires on use or after five minutes."""
    ledger = Ledger(world.settings.data, opening.place)
    link = links.make_link(ledger, "admin", world.now, base=opening.base)
    line = say(CERTIFICATE, fingerprint=opening.fingerprint) if opening.fingerprint else say(PLAIN)
    return Words(f"{say('They are open.')} {say(ONCE)}\n{link}\n\n{line}")


def _show_way(world: World, place: Settings | None, envelope: Envelope) -> Words:
    """Return a button or link to the pages, or how to enable them."""
    settings = world.settings
    if place is None:
        return Words(say(NOT_THERE, path=settings.data / ".env"))
    home, settings = addresses.home_of(settings), place
    here = envelope.channel != TELEGRAM
    base = addresses.of_this_machine(settings) if here else addresses.usual(settings)
    link = links.make_link(Ledger(world.settings.data), "admin", world.now, base=base)
    if here or (_is_reached(settings) and not addresses.is_https(settings)):
        return Words(f"{link}\n{say(ONCE)}")
    if settings.furoshiki_dashboard_url is None:
        return Words(_way_home(settings, link))
    # A link that works from anywhere is a button: text is shown and stored in many places.
    mini_app = {"text": say("Open here"), "web_app": settings.furoshiki_dashboard_url + MINI_APP + home}
    return Words(
        f"{say('My pages, just for you.')} {say(ONCE)}",
        {"buttons": [[mini_app], [{"text": say("Open in a browser"), "url": link}]]},
    )


def find_host_settings(settings: Settings) -> Settings | None:
    """Return the settings under which this data directory's pages are served: its own, or its
    host's; None when not served."""
    if lock_held(settings.data / "run" / addresses.LOCK):
        return settings
    host = host_of(settings.data)
    if host is None or not lock_held(host / "run" / addresses.LOCK):
        return None
    return all_settings.load({**environ(), "FUROSHIKI_DATA": str(host)})


def _way_home(settings: Settings, link: str) -> str:
    port = settings.furoshiki_dashboard_port
    user, host = getpass.getuser(), socket.gethostname()
    way = say(THE_WAY_THERE, port=port, user=user, host=host, link=link, once=say(ONCE))
    return f"{say(AT_HOME)}\n\n{way}"
