"""Signing in from Telegram: the Mini App sends Telegram's signed data about the user."""

from furoshiki.core.catalogue import later
from furoshiki.core.logins import sessions
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.logins.values import SignedIn
from furoshiki.faces.dashboard.access.rules import init_data
from furoshiki.faces.overview.errors import Refused
from furoshiki.messages.store import accounts
from furoshiki.world import World

_FAULTS = later(
    {
        "forged": "Telegram has not signed this for my bot, so I cannot tell who you are.",
        "old": "This was opened too long ago.",
    }
)


class NotFromTelegram(Refused):
    """The init data let nobody in."""

    status, code = 403, "not_from_telegram"
    fix = later("Close this, send /dashboard to the bot, and press its button.")


def refuse() -> None:
    """Answer signed data for an unknown home like unsigned data. Raises NotFromTelegram."""
    raise NotFromTelegram(_FAULTS["forged"])


def sign_in(world: World, ledger: Ledger, given: str, browser: str, former: str | None) -> SignedIn:
    """Sign the owner in with Telegram's init data. Raises NotFromTelegram."""
    token = world.settings.telegram_bot_token
    if token is None:
        raise NotFromTelegram(
            later("There is no bot here."), later("Sign in with a link: `furoshiki dashboard --open`.")
        )
    user = init_data.user_of(given, token.get_secret_value(), world.now)
    if isinstance(user, str):
        raise NotFromTelegram(_FAULTS[user])
    with world.database.read() as db:
        owner = accounts.owner(db, "telegram")
    owners = {None if owner is None else owner.external_id, str(world.settings.telegram_owner_id)}
    if str(user) not in owners:
        raise NotFromTelegram(
            later("Only the person I belong to may see this."), later("Nobody else can be let in here.")
        )
    until = world.now + init_data.FRESH + init_data.AHEAD
    found = sessions.begin_once(ledger, given, until, browser, world.now, former)
    if found is None:
        raise NotFromTelegram(later("This was used already."))
    return found
