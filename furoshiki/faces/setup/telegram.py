"""The first step: a bot's token, checked with Telegram, and other programs that poll the bot."""

from furoshiki.core.catalogue import later, say
from furoshiki.faces.cli import bot_api, servers
from furoshiki.faces.cli.bot_api import Answered
from furoshiki.faces.setup import links, rules
from furoshiki.faces.setup.listening import listens
from furoshiki.faces.setup.session import Result, Session, understood

NAME = "telegram"
TOKEN = "TELEGRAM_BOT_TOKEN"
BOT_FATHER = "https://t.me/BotFather"

HOW = later(
    "The companion needs a bot of its own. Open @BotFather in Telegram, send /newbot, choose a "
    "name, and copy the token it gives you."
)
AWAY = later("Telegram can't be reached (check the network), so the token is saved without checking.")
REFUSED = later("Telegram does not know this token: copy it again from @BotFather (/mybots, your bot, API Token).")
LEFT_OUT = later("No Telegram for now: you can talk to the companion in this terminal.")
LATER = later("Run `furoshiki setup` again when you have a token from @BotFather.")
WEBHOOK = later("This bot sends its messages to another server (a webhook is set), so none would come here.")


def run(session: Session) -> Result:
    """Ask for the token unless there is one, and check it."""
    held = session.settings().telegram_bot_token
    fixed = session.fixed(TOKEN)
    if held is not None and (fixed or NAME not in session.given.reset):
        found = bot_api.call(session.settings(), "getMe")
        who = _bot(found) or rules.mask_secret(held.get_secret_value())
        if fixed is not None or session.fate(NAME, f"  {who}", given=session.given.token is not None) == "keep":
            return _judge_token(session, found, held.get_secret_value(), kept=True, note=fixed)
    if NAME in session.given.reset:
        session.save({TOKEN: None})
    if session.given.token is not None:
        return _take_token(session, understood(session.given.token, rules.token, "--token"))
    return Result("left out", say(LEFT_OUT), say(LATER)) if session.asking is None else _ask_token(session)


def _take_token(session: Session, token: str) -> Result:
    found = bot_api.call(session.settings(), "getMe", token)
    if found.refused_token:
        return Result("failed", say(REFUSED), say("Give the right one with --token-file."))
    session.save({TOKEN: token})
    return _judge_token(session, found, token)


def _ask_token(session: Session) -> Result:
    assert session.asking is not None
    session.say(say(HOW))
    links.show(BOT_FATHER)
    while True:
        token = session.asking.secret(f"  {say('Token (paste it; just Enter skips Telegram)')}", rules.token)
        if token is None:
            return Result("left out", say(LEFT_OUT), say(LATER))
        found = bot_api.call(session.settings(), "getMe", token)
        if not found.refused_token:
            session.save({TOKEN: token})
            return _judge_token(session, found, token)
        session.say(f"  {say(REFUSED)}")


def _judge_token(
    session: Session, found: Answered, token: str, *, kept: bool = False, note: str | None = None
) -> Result:
    """Report on a saved token: which bot it is, and which other programs receive its messages."""
    if found.refused_token:
        return Result("failed", say(REFUSED), note or say("Run `furoshiki setup` and choose change."))
    bot = _bot(found)
    if bot is None:
        again = say("Run `furoshiki setup` again when you're online.")
        return Result("kept" if kept else "done", say(AWAY), again)
    facts = {"bot": bot.removeprefix("@")}
    words = say("Connected to {bot}.", bot=bot)
    trouble = _webhook(session, token) or _second(session, token)
    if trouble is not None:
        return Result("failed", f"{words} {trouble.words}", trouble.fix, facts)
    return Result("kept" if kept else "done", words, note, facts)


def _webhook(session: Session, token: str) -> Result | None:
    """Remove a webhook, if one is set and the person agrees; return the trouble if it stays."""
    found = bot_api.call(session.settings(), "getWebhookInfo", token)
    if not found.ok or not found.result.get("url"):
        return None
    wanted = session.given.delete_webhook
    if not wanted and session.asking is not None:
        session.say(f"  {say(WEBHOOK)}")
        wanted = session.asking.yes(f"  {say('Remove the webhook?')}")
    if wanted and bot_api.call(session.settings(), "deleteWebhook", token).ok:
        session.say(f"  {say('Webhook removed; waiting messages come here now.')}")
        return None
    fix = say("Run `furoshiki setup --delete-webhook`, or make another bot with @BotFather.")
    return Result("failed", say(WEBHOOK), fix)


def _second(session: Session, token: str) -> Result | None:
    """Return the trouble when another program polls; our own listener does not count."""
    if listens(session.settings()):
        return None
    if not servers.is_shared(session.settings(), token):
        return None
    fix = say(servers.SHARED)
    return Result("failed", say("But another program is receiving this bot's messages."), f"{fix[0].upper()}{fix[1:]}.")


def _bot(found: Answered) -> str | None:
    name = found.result.get("username") if found.ok and isinstance(found.result, dict) else None
    return None if name is None else f"@{name}"
