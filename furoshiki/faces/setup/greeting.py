"""The sixth step: the companion says hello, with three things to try; only once."""

from furoshiki.app.wiring import shape
from furoshiki.core import refs
from furoshiki.core.catalogue import later, say, speaking
from furoshiki.core.database import kv
from furoshiki.faces.cli.talk import pair
from furoshiki.faces.setup.listening import listener, listens, wait_for
from furoshiki.faces.setup.session import Result, Session
from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.store.accounts import Account
from furoshiki.messages.values import Outgoing
from furoshiki.mind.outreach import sending
from furoshiki.mind.outreach.addressee import Address
from furoshiki.mind.outreach.store.decisions import NewDecision

NAME = "greeting"
KIND = "greeting"
SAID = "setup.greeting"
"""The key in `kv` of the decision to say hello, which is made once."""

WHY = "setup was finished, and you were at it"
PRIORITY = 1
ARRIVAL_SECONDS = 30.0

WRITTEN = later("It has written to you. Answer it!")
WRITTEN_AHEAD = later("It has written to you. It will see your answer once it's running.")
NOBODY = later("Nobody is paired in Telegram yet, so it can't say hello.")

WORDS = later(
    "Hello{whose}! I'm {name}. From now on I live here. Three small things to try:\n\n"
    "• tell me something about your day: I'll remember it, and you can ask me about it later\n"
    "• “remind me tomorrow at 9 to water the plants”\n"
    "• /why, whenever you wonder why I said something\n\n"
    "I rarely write first, and never in your quiet hours. /help shows the rest."
)


def run(session: Session) -> Result:
    """Say hello unless that was done, and wait until it has arrived."""
    with session.database.read() as db:
        owner, said = accounts.owner(db, pair.TELEGRAM), kv.get(db, SAID)
    if owner is None:
        return Result("left out", say(NOBODY), say("Run `furoshiki setup` again when you are paired."))
    if said is not None and not _on_its_way(session, said):
        return Result("kept", say("It has already said hello."))
    number = _say(session, owner) if said is None else int(said)
    if session.asking is None and not listens(session.settings()):
        return Result("done", say("It will say hello once the listener is running."))
    session.say(f"  {say('It is writing to you in Telegram …')}")
    with listener(session.settings()) as ended:
        waited = wait_for(lambda: None if _on_its_way(session, number) else owner, ended, ARRIVAL_SECONDS)
    if waited.found is None:
        return Result("done", waited.why or say("It will arrive when Telegram can be reached."))
    if any(message.state == "failed" for message in _parts(session, number)):
        return Result(
            "failed", say("Telegram didn't accept it."), say("Open the bot, press START, and send it a message.")
        )
    return Result("done", say(WRITTEN if listens(session.settings()) else WRITTEN_AHEAD))


def _say(session: Session, owner: Account) -> int:
    """Store decision, turn, words and key in one transaction; return the number of the decision."""
    now, settings = session.now(), session.settings()
    whose = f", {owner.name}" if owner.name else ""
    with session.database.write() as db:
        with speaking(settings.furoshiki_language or accounts.owners_language(db)):
            text = say(WORDS, whose=whose, name=settings.furoshiki_companion_name)
        to = Address(pair.TELEGRAM, owner.chat_id)
        shaped = shape(pair.TELEGRAM, text, frozenset())
        number, _ = sending.say(db, NewDecision(KIND, PRIORITY, "sent", WHY), to, text, shaped, now)
        kv.put(db, SAID, number, now)
    return number


def _parts(session: Session, number: int) -> list[Outgoing]:
    with session.database.read() as db:
        return outbox.of_turn(db, refs.name("outreach", number))


def _on_its_way(session: Session, number: int) -> bool:
    return any(message.state in ("ready", "sending") for message in _parts(session, number))
