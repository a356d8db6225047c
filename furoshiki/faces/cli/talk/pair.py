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
    role: Role = "member"
    with database.read() as db:
        if settings.telegram_owner_id is None and accounts.owner(db, TELEGRAM) is None:
            role = "owner"
    code, link = offer(settings, database, role)
    offered = {"code": code, "link": link, "role": role, "minutes": CODE_MINUTES}
    return answer(args.json, offered, invitation(code, link, role))


def offer(settings: Settings, database: Database, role: Role) -> tuple[str, str | None]:
    """Return a new code for an owner or a member, and its link (None while the bot's name is unknown)."""
    code, now = f"{secrets.randbelow(1_000_000):06d}", context.clock().now()
    with database.write() as db:
        accounts.offer_code(db, code, role, now)
    name = bot_api.user_name(settings)
    return code, None if name is None else f"https://t.me/{name}?start={code}"


def invitation(code: str, link: str | None, role: Role = "owner") -> str:
    """Say in words what to do with a code."""
    how = later("To pair your Telegram, open {link}\nor send  /start {code}  to the bot.")
    if link is None:
        how = later("To pair your Telegram, send  /start {code}  to your bot.")
    good = later("The code works for {minutes} minutes and one person; `furoshiki pair` makes a new one.")
    lines = [say(how, link=link, code=code), say(good, minutes=CODE_MINUTES)]
    if role == "member":
        lines.insert(0, say("Send this to the other person, who will see nothing of yours:"))
    return "\n".join(lines)
