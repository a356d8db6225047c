"""`/dashboard`: a link that signs its owner in to the pages, or how to get there from home."""

from __future__ import annotations

import getpass
import socket

from furoshiki.conversation.commands.registry import Command
from furoshiki.core import settings as all_settings
from furoshiki.core.catalogue import later, say
from furoshiki.core.logins import addresses, links
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.logins.values import MINI_APP
from furoshiki.core.paths import environ, host_of
from furoshiki.core.process.locks import lock_held
from furoshiki.core.settings import Settings
from furoshiki.messages.channels import TELEGRAM, WEB
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

NOT_THERE = later(
    "My pages are not being served. Put `FUROSHIKI_DASHBOARD=on` into {path} and start me again (`furoshiki up`, or "
    "`furoshiki service install`), or run `furoshiki dashboard --open` on the machine I live on."
)
ONCE = later("It signs one browser in, once, within five minutes.")
AT_HOME = later(
    "My pages answer on the machine I live on, and nowhere else. There, `furoshiki dashboard --open` opens them."
)
THE_WAY_THERE = later(
    """\
From another computer, let it lead there first:
`ssh -L {port}:127.0.0.1:{port} {user}@{host}`
and while that is open, go to
{link}
{once}

To open them within Telegram, give me an https address: docs/dashboard.md tells how."""
)


@Command("dashboard", "my pages, in your browser or here", place=180, shows=True)
async def run(world: World, _args: str, envelope: Envelope) -> Words:
    """A button that opens them where they have an https address, else the link and the way there."""
    settings = world.settings
    if envelope.channel == WEB:
        return Words(say("You are on them."))
    place = find_host_settings(settings)
    if place is None:
        return Words(say(NOT_THERE, path=settings.data / ".env"))
    home, settings = addresses.home_of(settings), place
    here = envelope.channel != TELEGRAM
    base = addresses.of_this_machine(settings) if here else addresses.usual(settings)
    link = links.make_link(Ledger(world.settings.data), "admin", world.now, base=base)
    if here or (settings.furoshiki_dashboard_url is not None and not addresses.is_https(settings)):
        return Words(f"{link}\n{say(ONCE)}")
    if settings.furoshiki_dashboard_url is None:
        return Words(_way_home(settings, link))
    # What opens from everywhere stands in a button and not among the words, which are shown and kept in many places.
    mini_app = {"text": say("Open here"), "web_app": settings.furoshiki_dashboard_url + MINI_APP + home}
    return Words(
        f"{say('My pages, for you alone.')} {say(ONCE)}",
        {"buttons": [[mini_app], [{"text": say("Open in a browser"), "url": link}]]},
    )


def find_host_settings(settings: Settings) -> Settings | None:
    """The settings by which the pages of this data directory are served now: its own, or in a home those of its host;
    None where nobody serves them."""
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
