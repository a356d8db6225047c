"""Logs hold no secrets, whichever way they got in."""

from __future__ import annotations

import logging

import pytest

from furoshiki.core.logs import HIDDEN, Redacting

TOKEN = "987654321:AAE-fYq_dD3x9Zk7Lw2pQrStUvWxYz012345"


@pytest.mark.parametrize(
    ("message", "args"),
    [
        (f"GET https://api.telegram.org/bot{TOKEN}/getMe", ()),
        ("url %s", (f"https://api.telegram.org/file/bot{TOKEN}/x.jpg",)),
        ("key %s", ("sk-" + "abcdefghijklmnop" * 2,)),
        ("header Authorization: Bearer %s", ("abcdefghijklmnopqrstuvwxyz",)),
        ("the password is hunter2-hunter2", ()),
    ],
)
def test_a_secret_in_a_message_is_struck_out(message: str, args: tuple[object, ...]) -> None:
    record = logging.LogRecord("x", logging.INFO, "f", 1, message, args, None)
    text = Redacting(["hunter2-hunter2"]).format(record)
    assert HIDDEN in text
    for secret in (TOKEN, "abcdefghijklmnop", "hunter2"):
        assert secret not in text


def test_a_secret_in_a_traceback_is_struck_out() -> None:
    try:
        raise ValueError(f"cannot open https://x/bot{TOKEN}/")
    except ValueError as error:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "oh", (), (type(error), error, error.__traceback__))
    text = Redacting([]).format(record)
    assert "Traceback" in text
    assert TOKEN not in text


def test_ordinary_words_stay() -> None:
    record = logging.LogRecord("x", logging.INFO, "f", 1, "12:30 task 123456 sk-ip it", (), None)
    assert Redacting(["short"]).format(record).endswith("12:30 task 123456 sk-ip it")
