"""`furoshiki pair`: the people who may talk to the companion in Telegram, and pairing codes."""

import argparse
import secrets

from furoshiki.core.catalogue import later, say
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import FuroshikiError, NotConfigured
from furoshiki.core.settings import Settings
from furoshiki.faces.cli import bot_api, context
from furoshiki.faces.terminal.printing import answer, show_list
from furoshiki.messages.roles import Person
from furoshiki.messages.store import accounts
from furoshiki.messages.store.accounts import CODE_MINUTES, Role

TELEGRAM = "telegram"


def run(args: argparse.Namespace) -> int:
    """List people, remove one, or offer a new code."""
    settings, database = context.storage()
    if args.remove is not None:
        with database.write() as db:
            gone = accounts.unpair(db, TELEGRAM, args.remove)
        if not gone:
            nobody = say("nobody with the id {id} is paired; `furoshiki pair --list` shows who is", id=args.remove)
            raise FuroshikiError(nobody)
        blocked = later(
            "{id} is blocked from now on. What they said is kept until `furoshiki people --remove {place}`."
        )
        place = Person("member", TELEGRAM, args.remove).place
        return answer(args.json, {"removed": args.remove}, say(blocked, id=args.remove, place=place))
    if args.list:
        with database.read() as db:
            people = accounts.everyone(db)
        data = [
            {"id": account.external_id, "name": account.name, "role": account.role, "channel": account.channel}
            for account in people
        ]
        rows = [(account.external_id, account.name, say(account.role), account.channel) for account in people]
        headers = ("id", say("name"), say("role"), say("channel"))
        return show_list(args.json, data, headers, rows, say("Nobody is paired yet. `furoshiki pair` shows a code."))
    if settings.telegram_bot_token is None:
        raise NotConfigured(
            say("TELEGRAM_BOT_TOKEN is not set: put the token from @BotFather into {path}", path=settings.data / ".env")
        )
    code, link = offer(settings, database)
    return answer(args.json, {"code": code, "link": link, "minutes": CODE_MINUTES}, invitation(code, link))


def offer(settings: Settings, database: Database, role: Role | None = None) -> tuple[str, str | None]:
    """Return a new code and its link (None while the bot's name is unknown).

    Without `role` it is for the owner while there is none, then for a member.
    """
    code, now = f"{secrets.randbelow(1_000_000):06d}", context.clock().now()
    with database.write() as db:
        free: Role = "owner" if accounts.owner(db, TELEGRAM) is None else "member"
        accounts.offer_code(db, code, role or free, now)
    name = bot_api.user_name(settings)
    return code, None if name is None else f"https://t.me/{name}?start={code}"


def invitation(code: str, link: str | None) -> str:
    """Say in words what to do with a code."""
    how = later("To pair your Telegram, open {link}\nor send  /start {code}  to the bot.")
    if link is None:
        how = later("To pair your Telegram, send  /start {code}  to your bot.")
    good = later("The code works for {minutes} minutes and one person; `furoshiki pair` makes a new one.")
    return f"{say(how, link=link, code=code)}\n{say(good, minutes=CODE_MINUTES)}"
