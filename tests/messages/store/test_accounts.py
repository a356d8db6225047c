"""Who may talk to it: by a code that wears out; strangers hear one line a day."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from furoshiki.messages.store import accounts
from tests.support.laws import NOON

DB = sqlite3.Connection
MINUTE = timedelta(minutes=1)


def test_a_code_pairs_once(db: DB) -> None:
    accounts.offer_code(db, "123456", "owner", NOON)
    assert accounts.open_code(db, NOON) == "123456"
    assert accounts.redeem_code(db, "123456", "42", NOON + 9 * MINUTE) == "owner"
    assert accounts.redeem_code(db, "123456", "42", NOON + 9 * MINUTE) is None
    assert accounts.open_code(db, NOON) is None


def test_a_code_is_good_for_ten_minutes(db: DB) -> None:
    accounts.offer_code(db, "123456", "member", NOON)
    assert accounts.open_code(db, NOON + 10 * MINUTE) is None
    assert accounts.redeem_code(db, "123456", "42", NOON + 10 * MINUTE) is None


def test_somebody_has_five_guesses(db: DB) -> None:
    accounts.offer_code(db, "123456", "member", NOON)
    for guess in ("000000", "", "123456 ", "ünïcode", "\ud800"):
        assert accounts.redeem_code(db, guess, "42", NOON) is None
    assert accounts.redeem_code(db, "123456", "42", NOON) is None
    assert accounts.redeem_code(db, "123456", "42", NOON + 9 * MINUTE) is None


def test_a_stranger_cannot_wear_the_code_out(db: DB) -> None:
    accounts.offer_code(db, "123456", "owner", NOON)
    for number in range(100):
        assert accounts.redeem_code(db, f"{number:06d}", "stranger", NOON) is None
    assert accounts.open_code(db, NOON) == "123456"
    assert accounts.redeem_code(db, "123456", "42", NOON) == "owner"


@pytest.mark.slow
def test_many_strangers_together_are_slowed_down_and_the_code_outlives_them(db: DB) -> None:
    accounts.offer_code(db, "123456", "owner", NOON)
    for minute in range(9):
        for number in range(200):
            accounts.redeem_code(db, "000000", f"stranger-{minute}-{number}", NOON + minute * MINUTE)
        assert accounts.redeem_code(db, "123456", "42", NOON + minute * MINUTE) is None
    [kept] = db.execute("SELECT json_array_length(value, '$.wrong') FROM kv WHERE key='pairing'").fetchone()
    assert kept == 9 * accounts.GUESSES_A_MINUTE
    assert accounts.redeem_code(db, "123456", "42", NOON + 9.5 * MINUTE) == "owner"


def test_a_new_code_takes_the_place_of_the_old_one(db: DB) -> None:
    accounts.offer_code(db, "111111", "owner", NOON)
    accounts.offer_code(db, "222222", "member", NOON)
    assert accounts.redeem_code(db, "111111", "42", NOON) is None
    assert accounts.redeem_code(db, "222222", "42", NOON) == "member"


def test_nobody_can_guess_when_no_code_is_open(db: DB) -> None:
    assert accounts.redeem_code(db, "123456", "42", NOON) is None


def test_who_is_paired_is_known_and_who_is_not_is_a_stranger(db: DB) -> None:
    accounts.pair(db, "telegram", "7", "70", "owner", NOON, "Noor", "pt")
    accounts.pair(db, "telegram", "8", "80", "member", NOON)
    found = accounts.find_account(db, "telegram", "7")
    assert found == accounts.owner(db, "telegram") == accounts.everyone(db)[0]
    assert found is not None
    assert (found.role, found.name, found.language, found.chat_id, found.blocked) == (
        "owner",
        "Noor",
        "pt",
        "70",
        False,
    )
    assert accounts.find_account(db, "telegram", "9") is accounts.owner(db, "console") is None
    assert [one.external_id for one in accounts.everyone(db)] == ["7", "8"]


def test_pairing_again_refreshes_and_forgets_no_name(db: DB) -> None:
    accounts.pair(db, "telegram", "7", "70", "owner", NOON, "Noor", "pt")
    accounts.pair(db, "telegram", "7", "71", "member", NOON)
    [found] = accounts.everyone(db)
    assert (found.chat_id, found.role, found.name, found.language) == ("71", "owner", "Noor", "pt")


def test_a_member_becomes_an_owner_by_an_owners_code(db: DB) -> None:
    accounts.pair(db, "telegram", "7", "70", "member", NOON)
    accounts.pair(db, "telegram", "7", "70", "owner", NOON)
    assert accounts.owner(db, "telegram") == accounts.find_account(db, "telegram", "7")


def test_who_is_sent_away_is_a_stranger_again(db: DB) -> None:
    accounts.pair(db, "telegram", "7", "70", "owner", NOON)
    assert accounts.unpair(db, "telegram", "7") is True
    assert accounts.unpair(db, "telegram", "7") is False
    assert accounts.find_account(db, "telegram", "7") is None


def test_who_blocks_the_bot_is_noted_until_they_let_it_in(db: DB) -> None:
    accounts.pair(db, "telegram", "7", "70", "owner", NOON)
    for blocked in (True, False):
        accounts.set_blocked(db, "telegram", "70", blocked, NOON)
        assert accounts.everyone(db)[0].blocked is blocked


def test_a_role_nobody_knows_is_refused(db: DB) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        accounts.pair(db, "telegram", "7", "70", "king", NOON)  # type: ignore[arg-type]


def test_a_stranger_hears_one_line_a_day(db: DB) -> None:
    heard = [accounts.stranger_may_hear(db, "telegram", "9", NOON + timedelta(hours=h)) for h in (0, 1, 23, 24, 25, 48)]
    assert heard == [True, False, False, True, False, True]
    assert accounts.stranger_may_hear(db, "telegram", "10", NOON) is True
