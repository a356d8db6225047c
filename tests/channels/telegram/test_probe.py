"""The probe tells delivered from undelivered by edits that change nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from furoshiki.channels.telegram.outcomes import Delivered, Outcome, Refused, RetryAfter, Uncertain
from furoshiki.channels.telegram.probe import MOST_TRIES, CannotTell, Found, Later, NotArrived, probe

NOT_FOUND = Refused("Bad Request: message to edit not found", 400)
THEIRS = Refused("Bad Request: message can't be edited", 400)
SAME = Refused("Bad Request: message is not modified: specified new message content…", 400)


@dataclass
class Chat:
    """Answers edits as Telegram would."""

    ours: set[int] = field(default_factory=set)
    theirs: set[int] = field(default_factory=set)
    asked: list[int] = field(default_factory=list)

    async def edit(self, message_id: int) -> Outcome:
        self.asked.append(message_id)
        return SAME if message_id in self.ours else THEIRS if message_id in self.theirs else NOT_FOUND


async def test_the_next_id_is_ours() -> None:
    assert await probe(Chat(ours={11}).edit, 10, set()) == Found(11)


async def test_three_missing_ids_mean_it_never_came() -> None:
    chat = Chat()
    assert await probe(chat.edit, 10, set()) == NotArrived()
    assert chat.asked == [11, 12, 13]


async def test_messages_of_the_person_are_passed_over() -> None:
    chat = Chat(ours={15}, theirs={11, 12, 13, 14})
    assert await probe(chat.edit, 10, {11, 12}) == Found(15)
    assert chat.asked == [13, 14, 15]


async def test_gaps_below_a_known_id_prove_nothing() -> None:
    assert await probe(Chat(ours={17}, theirs={16}).edit, 10, {16}) == Found(17)


@given(st.sets(st.integers(11, 22)), st.sets(st.integers(11, 22)), st.integers(1, 3), st.booleans())
async def test_the_verdict_is_right_whatever_the_gaps(
    said: set[int], elsewhere: set[int], later: int, arrived: bool
) -> None:
    """The person's messages are stored; ids of other chats leave gaps, at most two after the last stored message."""
    place = max(said, default=10) + later
    chat = Chat(ours={place} if arrived else set(), theirs=said - elsewhere)
    assert await probe(chat.edit, 10, said - elsewhere | {max(said, default=10)}) == (
        Found(place) if arrived else NotArrived()
    )


async def test_an_edit_that_took_found_our_message_too() -> None:
    async def edit(_: int) -> Outcome:
        return Delivered({"message_id": 11})

    assert await probe(edit, 10, set()) == Found(11)


async def test_what_cannot_be_asked_now_is_asked_later() -> None:
    async def busy(_: int) -> Outcome:
        return RetryAfter(7)

    async def away(_: int) -> Outcome:
        return Uncertain("cut")

    assert await probe(busy, 10, set()) == Later(7, "too many calls")
    assert isinstance(await probe(away, 10, set()), Later)


async def test_some_questions_have_no_answer() -> None:
    async def odd(_: int) -> Outcome:
        return Refused("Bad Request: something new", 400)

    assert isinstance(await probe(odd, 10, set()), CannotTell)
    assert isinstance(await probe(odd, 0, set()), CannotTell)
    crowd = Chat(theirs=set(range(200)))
    assert isinstance(await probe(crowd.edit, 10, set()), CannotTell)
    assert len(crowd.asked) == MOST_TRIES


async def test_without_words_of_our_own_the_persons_first_is_the_start() -> None:
    chat = Chat(ours={103}, theirs={100, 101, 102})
    assert await probe(chat.edit, 0, {100, 101, 102}) == Found(103)
