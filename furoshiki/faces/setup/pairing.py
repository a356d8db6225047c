"""The second step: the owner, the first person who opens the link; the listener pairs them."""

from collections.abc import Sequence

from furoshiki.core.catalogue import later, say
from furoshiki.faces.cli import bot_api
from furoshiki.faces.cli.talk import pair
from furoshiki.faces.setup import links, rules
from furoshiki.faces.setup.asking import Asking
from furoshiki.faces.setup.listening import listener, wait_for
from furoshiki.faces.setup.session import Result, Session, understood
from furoshiki.messages.store import accounts, inbox, outbox
from furoshiki.messages.store.accounts import CODE_MINUTES, Account

NAME = "pairing"
OWNER = "TELEGRAM_OWNER_ID"

# seconds for the first answer before the listener ends; a later answer is sent later
ANSWER_SECONDS = 15.0

OPEN = later("Open this link on your phone (or scan it) and press START. The first person to do so is the owner.")
WAITING = later(
    "Waiting for you in Telegram for {minutes} minutes. Ctrl-C quits; `furoshiki setup` continues from here."
)
OVER = later("The code has expired: nobody used it within {minutes} minutes.")
NO_NETWORK = later("Telegram can't be reached right now, so nobody can be paired.")
NO_TOKEN = later("There is no bot yet, so nobody can be paired.")
WHO = later("Somebody already talks to it. Who is the owner?")
SURE = later("{name} will then be able to read, change and delete everything it knows about its owner. Is that right?")
OWN_PLACE = later("What {name} said as a member is kept separately (`furoshiki people`).")
BY_ID = later("The owner is the person with the Telegram id {id}: open your bot and press START.")


def run(session: Session) -> Result:
    """Pair the owner unless that is done."""
    settings, account = session.settings(), _owner(session)
    if settings.telegram_bot_token is None:
        return Result(
            "left out", say(NO_TOKEN), say("Run `furoshiki setup` again when you have a token from @BotFather.")
        )
    fixed, by_id = session.fixed(OWNER), settings.telegram_owner_id
    known = None if account is None else _describe_pairing(account)
    if known is None and by_id is not None:
        known = say("The Telegram account {id} becomes the owner with its first message.", id=by_id)
    fate = session.fate(NAME, known and f"  {known}", given=session.given.owner is not None)
    if fate == "keep" or fixed is not None:
        owner_id = str(by_id) if by_id else None
        if account is not None:
            owner_id = account.external_id
        return Result("kept", known or "", fixed, {"owner_id": owner_id})
    if session.given.owner is not None:
        return _by_id(session, understood(session.given.owner, rules.owner_id, "--owner"))
    if session.asking is not None and (members := _members(session)):
        chosen = _choose_member(session.asking, members, account)
        if chosen is not None:
            return _promote(session, chosen, account)
    session.save({OWNER: None})
    return _by_code(session, account)


def _by_id(session: Session, owner: int) -> Result:
    session.save({OWNER: str(owner)})
    held = _owner(session)
    for account in _members(session):
        if account.external_id == str(owner):
            return _promote(session, account, held)
    if held is not None and held.external_id != str(owner):
        _turn_away(session, held)
    return Result("done", say(BY_ID, id=owner), facts={"owner_id": str(owner)})


def _choose_member(asking: Asking, members: Sequence[Account], held: Account | None) -> Account | None:
    """Return the member who becomes the owner; None for a person who is not a member yet."""
    ids = {account.external_id: account for account in members}
    options = {"new": say("somebody else, who opens a link now")}
    for key, account in ids.items():
        options[key] = say("{name}, a member until now", name=_describe_account(account))
    while (answer := asking.one_of(f"  {say(WHO)}", options, "new")) in ids:
        if held is not None:
            asking.tell(f"  {say('{name} would lose access.', name=_describe_account(held))}")
        if asking.yes(f"  {say(SURE, name=_describe_account(ids[answer]))}", default=False):
            return ids[answer]
    return None


def _promote(session: Session, member: Account, before: Account | None) -> Result:
    """Make a member the owner, and turn the former owner away."""
    with session.database.write() as db:
        accounts.become_owner(db, pair.TELEGRAM, member.external_id)
    session.save({OWNER: member.external_id})
    if before is not None and before.external_id != member.external_id:
        _turn_away(session, before)
    session.say(f"  {say(OWN_PLACE, name=_describe_account(member))}")
    facts = {"owner_id": member.external_id, "name": member.name}
    return Result("done", say("{name} is the owner now.", name=_describe_account(member)), facts=facts)


def _by_code(session: Session, before: Account | None) -> Result:
    if session.asking is not None and not bot_api.call(session.settings(), "getMe").ok:
        return Result("left out", say(NO_NETWORK), say("Run `furoshiki setup` again when you're online."))
    code, link = pair.offer(session.settings(), session.database, "owner")
    facts = {"code": code, "link": link, "minutes": CODE_MINUTES}
    if session.asking is None:
        return Result("left out", pair.invitation(code, link), say("Open the link once a listener runs."), facts)
    session.say(say(OPEN) if link else pair.invitation(code, link))
    if link:
        links.show(link)
    with listener(session.settings()) as ended:
        session.say(f"  {say(WAITING, minutes=CODE_MINUTES)}")
        waited = wait_for(lambda: _new_owner(session, before), ended, CODE_MINUTES * 60)
        if waited.found is not None:
            wait_for(lambda: _find_settled_owner(session), ended, ANSWER_SECONDS)
    if waited.found is None:
        why = waited.why or say(OVER, minutes=CODE_MINUTES)
        return Result("failed", f"{say('Nobody is paired.')} {why}", say("Run `furoshiki setup` again for a new code."))
    owner = waited.found
    session.save({OWNER: owner.external_id})
    if before is not None and before.external_id != owner.external_id:
        _turn_away(session, before)
    return Result("done", _describe_pairing(owner), facts={"owner_id": owner.external_id, "name": owner.name})


def _new_owner(session: Session, before: Account | None) -> Account | None:
    """Return an owner other than `before`, or None."""
    with session.database.read() as db:
        owners = [
            account for account in accounts.everyone(db) if account.role == "owner" and account.channel == pair.TELEGRAM
        ]
    fresh = [account for account in owners if before is None or account.external_id != before.external_id]
    return fresh[-1] if fresh else None


def _find_settled_owner(session: Session) -> Account | None:
    """Return the owner once no message waits to be answered or sent, else None."""
    with session.database.read() as db:
        if inbox.count_pending(db) or outbox.count_pending(db):
            return None
        return accounts.owner(db, pair.TELEGRAM)


def _members(session: Session) -> list[Account]:
    with session.database.read() as db:
        return [
            account
            for account in accounts.everyone(db)
            if account.role == "member" and account.channel == pair.TELEGRAM
        ]


def _owner(session: Session) -> Account | None:
    with session.database.read() as db:
        return accounts.owner(db, pair.TELEGRAM)


def _turn_away(session: Session, former: Account) -> None:
    with session.database.write() as db:
        accounts.unpair(db, pair.TELEGRAM, former.external_id)
    session.say(f"  {say('{name} no longer has access.', name=_describe_account(former))}")


def _describe_account(account: Account) -> str:
    return account.name or f"Telegram {account.external_id}"


def _describe_pairing(account: Account) -> str:
    return say("Paired with {name}.", name=_describe_account(account))
