"""Pass a guest's message to their place, and the answer back to their chat.

Messages arrive in the owner's inbox and leave by the owner's outbox; the turn runs in the guest's
own world. Each step can be repeated after a crash: envelopes keep their ids, and messages are
handed over under unique names. Delivered text is deleted on the way.
"""

from collections.abc import Sequence
from dataclasses import replace

from furoshiki.conversation import turn
from furoshiki.core import refs
from furoshiki.core.errors import BadSetting, StorageUnavailable
from furoshiki.core.process.crash_points import point
from furoshiki.messages.store import inbox, outbox, turn_journal
from furoshiki.messages.values import Envelope, NewOutgoing, Outgoing
from furoshiki.mind.outreach import reminders
from furoshiki.owner.people import places
from furoshiki.owner.people.places import People
from furoshiki.world import World

_DELIVERED = ("sent", "failed")


async def answer(owner: World, guest: World, taken: list[Envelope]) -> turn.Afterwards | None:
    """Run a guest's turn. Messages that join it are added to `taken`."""
    hand_over(owner, guest)
    first = taken[0]
    afterwards = None
    with guest.database.write() as db:
        fresh = inbox.adopt(db, first, "processing", guest.now)
    if fresh:
        try:
            afterwards = await turn.run(replace(guest, arrivals=lambda: _bring(owner, guest, taken)), [first])
        except (StorageUnavailable, BadSetting):
            raise
        except Exception:  # on any failure the inbox counts the attempt and the place must start over; raised again
            with guest.database.write() as db:
                turn_journal.drop(db, refs.name("inbox", first.id))
            raise
    point("people.answered")
    hand_over(owner, guest)
    point("people.handed_over")
    _finish(owner, guest, taken)
    return afterwards


def remind(owner: World, people: People) -> bool:
    """Send due reminders of all guests and learn delivery results; return True for new messages."""
    said = False
    for guest in people.everybody(owner):
        with owner.database.read() as db:
            welcome = places.welcome(db, guest.who, owner.settings.furoshiki_groups)
        if welcome:
            reminders.speak_due(guest)
            said |= hand_over(owner, guest)
    return said


def hand_over(owner: World, guest: World) -> bool:
    """Move a guest's outgoing messages to the delivering outbox; return True when there were any.

    All of them go to this person's chat, whatever their target.
    """
    with guest.database.read() as db:
        waiting = outbox.in_state(db, "ready")
        under_way = outbox.in_state(db, "sending")
    _learn(owner, guest, under_way)
    if not waiting:
        return False
    with owner.database.write() as db:
        for one in waiting:
            if not outbox.of_turn(db, _name(guest, one)):
                outbox.put(db, [_readdress(guest, one)], owner.now, None, _name(guest, one))
    point("people.words_out")
    with guest.database.write() as db:
        for one in waiting:
            outbox.claim(db, one.id, guest.now)
    return True


def _learn(owner: World, guest: World, under_way: Sequence[Outgoing]) -> None:
    """Store delivery results in the guest's place, and delete the text from the owner's outbox."""
    if not under_way:
        return
    with owner.database.read() as db:
        sent = {one.id: outbox.of_turn(db, _name(guest, one)) for one in under_way}
    done = {number: parts for number, parts in sent.items() if all(part.state in _DELIVERED for part in parts)}
    if not done:
        return
    with guest.database.write() as db:
        for number, parts in done.items():
            arrived = [part for part in parts if part.state == "sent"]
            if arrived or not parts:  # deleted rows give no more information
                outbox.mark_sent(db, number, arrived[0].external_id if arrived else None, guest.now)
            else:
                outbox.mark_failed(db, number, "it could not be delivered", guest.now)
    with owner.database.write() as db:
        for one in under_way:
            if one.id in done:
                outbox.empty(db, _name(guest, one))


def _readdress(guest: World, one: Outgoing) -> NewOutgoing:
    who = guest.who
    return NewOutgoing(
        channel=who.channel,
        chat_id=who.chat_id,
        text=one.text,
        kind=one.kind,
        part=one.part,
        entities=one.entities,
        reply_to=one.reply_to,
        extra=one.extra,
        policy=one.policy,
    )


def _name(guest: World, one: Outgoing) -> str:
    return f"{guest.who.place}#{one.id}"


def _bring(owner: World, guest: World, taken: list[Envelope]) -> None:
    """Fetch newer messages of the same person and chat, which may join the turn."""
    last = taken[-1]
    with owner.database.read() as db:
        waiting = inbox.read_waiting(db, last.channel, last.chat_id, last.id)
    theirs = [one.id for one in waiting if one.sender == last.sender]
    if not theirs:
        return
    with owner.database.write() as db:
        found = [inbox.claim_id(db, one, owner.now) for one in theirs]
    more = [one for one in found if one is not None]
    taken += more
    with guest.database.write() as db:
        for one in more:
            inbox.adopt(db, one, "pending", guest.now)


def _finish(owner: World, guest: World, taken: Sequence[Envelope]) -> None:
    """Mark answered messages as done and delete their text; the others wait for another turn."""
    with guest.database.read() as db:
        left = [one.id for one in taken[1:] if inbox.outcome(db, one.id)[0] in ("pending", "processing")]
    done = [one.id for one in taken if one.id not in left]
    with owner.database.write() as db:
        inbox.release(db, left)
        inbox.finish(db, done, owner.now)
        for number in done:
            inbox.reword(db, number, "")
