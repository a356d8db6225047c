"""Every fault of the long run has a line of the doctor's log that explains it, and no other does."""

from __future__ import annotations

import json
from itertools import product

import pytest

from tests.faults.explanations import EXPLAINED, explanation

SAYS = {
    "listener killed": "note: listener: the listener before this one ended without being stopped",
    "memoryd killed": "note: memoryd: the memoryd before this one ended without being stopped (2 times)",
    "brain killed": "wrong: the brain ended 5 minutes ago without being stopped, and nobody started it again",
    "job killed": "note: job: soul_engine was ended: interrupted",
    "state spoiled": "note: listener: heartbeat-state.json was damaged and is set aside: it is made",
    "index spoiled": "note: memoryd: the index was set aside as chroma.<number>: memoryd crashed <number> times",
    "clock ahead and back": "note: the clock was set forward by 24.7 hours since the last look",
    "disk full": "wrong: only 0 MB (0.0%) of the disk of /data were free",
    "model: 429": "note: model: a call failed: limited: <number> rate limited: Rate limit reached for requests",
    "model: 500": "note: model: a call failed: overloaded: <number> server_error: The server had an error",
    "model: reset": "note: model: a call failed: network: the connection broke (ReadError)",
    "model: garbage": "note: model: a call failed: garbage: the stream cannot be read (UnicodeDecodeError)",
    "model: empty": "note: model: a call failed: empty: an empty answer",
    "Telegram: 409": "note: listener: telegram.conflict: another program is receiving this bot's messages",
    "Telegram: 429": "note: listener: Telegram wants nothing more to be sent for <number> s",
    "Telegram: 500": "note: listener: nobody knows whether message <number> arrived: <number>: Internal Server Error",
    "Telegram: 502": "note: listener: nobody knows whether message <number> arrived: HTTP <number> with an",
    "Telegram: answer cut": "note: listener: nobody knows whether message <number> arrived: ServerDisconnectedError",
    "Telegram: twice": "note: listener: <number> updates came again and were left alone",
    "Telegram: any order": "note: listener: <number> updates came in another order than they were made",
    "Telegram away": "note: listener: Telegram does not answer: the connection to Telegram broke before there was an",
}
"""As the doctor has written them."""

SAME = {"model: 502": "model: 500", "model: 529": "model: 500", "Telegram: refused": "Telegram: answer cut"}
"""What looks alike from here."""


@pytest.mark.parametrize(("fault", "said"), product(EXPLAINED, SAYS))
def test_it_explains_this_fault_and_no_other(fault: str, said: str) -> None:
    line = json.dumps({"at": "2027-03-01T08:00:00+00:00", "level": "info", "message": SAYS[said]})
    found = explanation(fault, ["not a record", line])
    assert set(EXPLAINED) == set(SAYS) | set(SAME)
    assert found == (SAYS[said] if SAME.get(fault, fault) == said else None)
