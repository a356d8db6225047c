"""Access for Telegram users: paired accounts only; strangers get one polite line a day, unrecorded.

One transaction handles a batch of updates: it pairs, rejects and stores. Actions after the commit
(answer a button, greet a stranger) are returned as values.
"""

import dataclasses
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from furoshiki.channels.telegram.updates import CHANNEL, Incoming, Me, number_of, read
from furoshiki.core.catalogue import later, say, speaking
from furoshiki.core.network import keys
from furoshiki.messages import withheld
from furoshiki.messages.events import Message
from furoshiki.messages.store import accounts, inbox, outbox
from furoshiki.messages.values import REMOVAL, NewEnvelope, NewOutgoing
from furoshiki.messages.withheld import Withheld

log = logging.getLogger(__name__)

STRANGER_LINE = later("Hello! I'm someone's personal companion and only talk with them. Have a nice day.")
WRONG_CODE_LINE = later("That pairing code isn't valid (anymore). Get a fresh one where Furoshiki runs.")

UNPAIRED_LINE = later(
    "Hello! I don't belong to anyone yet. If I am yours: type furoshiki pair on the machine I "
    "run on; it shows a link and a code. Open the link, or send me /start and the code."
)

GROUP_HEARD = later(
    "I'm now in the group “{group}”. There I only answer what is meant for me, with @{me} before "
    "it or as a reply to me, and only people who are paired with me. There I only use what was "
    "said to me there, and nothing you told me in private. If I am removed from it, I hear "
    "nothing more."
)
GROUP_SILENT = later(
    "I was added to the group “{group}”. I stay silent there and keep nothing, because answering "
    "in groups is switched off. You can switch it on in my pages (/dashboard), under Settings, "
    "Telegram; then I answer what is meant for me, with @{me} before it or as a reply to what I "
    "wrote, and only people who are paired with me."
)

KEY_WITHIN = later("Your message contains a key. I save the message without it; please delete it from this chat.")

# kinds of envelope without words: no greeting and no typing follow them
_WORDLESS = frozenset({"reaction", "callback", "blocked", "unblocked", "stop"})


@dataclass(frozen=True)
class AccessList:
    """Access rules: `owner_id` needs no code; `groups` allows paired people to talk in groups."""

    owner_id: int | None = None
    groups: bool = False


@dataclass
class Received:
    """The result of a batch, and the actions that follow it."""

    ids: list[int] = field(default_factory=list)  # new rows of the inbox
    spoke: list[str] = field(default_factory=list)  # private conversations with new messages
    # lines for strangers: chat and words, sent once and unrecorded
    say: list[tuple[int, str]] = field(default_factory=list)
    callbacks: list[str] = field(default_factory=list)  # callback ids of pressed buttons to answer
    # chats and drafts whose stream was stopped
    stopped: list[tuple[int, int]] = field(default_factory=list)
    paired: list[int] = field(default_factory=list)  # newly paired accounts


def take(
    db: sqlite3.Connection,
    batch: Sequence[Mapping[str, Any]],
    me: Me,
    allowed: AccessList,
    now: datetime,
    held: Withheld,
    expect: Callable[[str], None] = lambda _text: None,
) -> Received:
    """Store the permitted updates of a batch in order; the next getUpdates acknowledges it. A model
    key is never stored but `held`, and a message with little else is deleted from the chat.
    `expect` gets the words of a single message shortly before they are on disk."""
    taken = Received()
    envelopes: list[NewEnvelope] = []
    for update in sorted(batch, key=number_of):
        incoming = read(update, me)
        if incoming is None:
            continue
        if incoming.callback_id is not None:
            taken.callbacks.append(incoming.callback_id)
        let_in = _let_in(db, incoming, allowed, now, taken)
        if not incoming.private and incoming.addressed and (incoming.joined or not allowed.groups):
            _tell_of_group(db, incoming, allowed, me, now)
        if not let_in:
            continue
        if incoming.stopped is not None:
            taken.stopped.append(incoming.stopped)
        envelope = incoming.envelope
        if envelope is None:
            continue
        if incoming.user_id in taken.paired:
            envelope = dataclasses.replace(envelope, event=dataclasses.replace(envelope.event, paired_now=True))
        if envelope.kind in ("blocked", "unblocked"):
            accounts.set_blocked(db, CHANNEL, str(incoming.chat_id), envelope.kind == "blocked", now)
        elif incoming.private and envelope.kind not in _WORDLESS:
            taken.spoke.append(str(envelope.event.chat_id))
        envelopes.append(envelope)
    keyed = [_withhold(db, envelope, now, held) for envelope in envelopes]
    if keyed == [False] and envelopes[0].kind == "text" and isinstance(envelopes[0].event, Message):
        expect(envelopes[0].event.text)
    taken.ids = inbox.store(db, envelopes, now)
    if len(taken.ids) < len(envelopes):
        log.warning("%d updates came again and were left alone", len(envelopes) - len(taken.ids))
    made = [number_of(update) for update in batch]
    if made != sorted(made):
        log.warning("%d updates came in another order than they were made", len(made))
    return taken


def _withhold(db: sqlite3.Connection, envelope: NewEnvelope, now: datetime, held: Withheld) -> bool:
    """Hold the key in a message, and delete the message from the chat unless it contains more.
    False for a message without a key."""
    event = envelope.event
    key = withheld.find_secret(db, event, now)
    if key is None or not isinstance(event, Message):
        return False
    held.keep(envelope.external_id, key, now)
    if not event.private:
        return True
    chat, message = str(event.chat_id), str(event.message_id)
    if event.holds == "text" and keys.is_covered(keys.cover(event.text, key)):
        out = NewOutgoing(CHANNEL, chat, "", REMOVAL, reply_to=message)
    else:
        with speaking(event.language):
            out = NewOutgoing(CHANNEL, chat, say(KEY_WITHIN), entities=(), reply_to=message)
    outbox.put(db, [out], now, None, f"withheld-{envelope.external_id}")
    return True


def _let_in(db: sqlite3.Connection, who: Incoming, allowed: AccessList, now: datetime, taken: Received) -> bool:
    """Return whether an update is permitted; pairs new accounts, and notes lines for strangers."""
    if accounts.find_account(db, CHANNEL, str(who.user_id)) is None and not _pair(db, who, allowed, now, taken):
        if who.private and who.envelope is not None and who.envelope.kind not in _WORDLESS:
            _turn_away(db, who, allowed, now, taken)
        return False
    return who.private or (allowed.groups and who.addressed)


def _pair(db: sqlite3.Connection, who: Incoming, allowed: AccessList, now: datetime, taken: Received) -> bool:
    if not who.private:
        return False
    if who.user_id == allowed.owner_id:
        role: accounts.Role | None = "owner"
    elif who.start_code is not None:
        role = accounts.redeem_code(db, who.start_code, str(who.user_id), now)
    else:
        role = None
    if role is None:
        return False
    accounts.pair(db, CHANNEL, str(who.user_id), str(who.chat_id), role, now, who.name, who.language)
    taken.paired.append(who.user_id)
    return True


def _tell_of_group(db: sqlite3.Connection, who: Incoming, allowed: AccessList, me: Me, now: datetime) -> None:
    """Tell the owner, once per group, how it works there; nothing is said in the group."""
    owner, key = accounts.owner(db, CHANNEL), f"group-{who.chat_id}"
    if owner is None or not who.group or outbox.of_turn(db, key):
        return
    by, known = str(who.user_id), accounts.find_account(db, CHANNEL, str(who.user_id)) is not None
    if not known and not (who.joined and accounts.stranger_may_hear(db, CHANNEL, by, now)):
        return
    with speaking(owner.language):
        words = say(GROUP_HEARD if allowed.groups else GROUP_SILENT, group=who.group, me=me.username)
    outbox.put(db, [NewOutgoing(CHANNEL, owner.chat_id, words, entities=())], now, None, key)


def _turn_away(db: sqlite3.Connection, who: Incoming, allowed: AccessList, now: datetime, taken: Received) -> None:
    nobodys = allowed.owner_id is None and not accounts.anybody(db, CHANNEL)
    if who.start_code is not None and accounts.open_code(db, now) is not None:
        line = WRONG_CODE_LINE
    elif accounts.stranger_may_hear(db, CHANNEL, str(who.user_id), now):
        line = UNPAIRED_LINE if nobodys else STRANGER_LINE
    else:
        return
    with speaking(who.language):
        taken.say.append((who.chat_id, say(line)))
