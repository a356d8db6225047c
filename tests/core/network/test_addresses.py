"""An address is shown without the password in it."""

from __future__ import annotations

import pytest

from furoshiki.core.network.addresses import secrets_in, without_secrets

TABLE = [
    ("http://user:pw@host:11434/v1", "http://••••••@host:11434/v1"),
    ("http://token@host/v1", "http://••••••@host/v1"),
    ("https://user:p@ss@host", "https://••••••@host"),
    ("401 at http://user:pw@host/v1: no", "401 at http://••••••@host/v1: no"),
    ("https://host/v1?api-version=3&api_key=abc123#x", "https://host/v1?api-version=3&api_key=••••••#x"),
    ("https://host/v1?access_token=abc", "https://host/v1?access_token=••••••"),
    ("https://host/path@2/x", "https://host/path@2/x"),
    ("noor@example.org", "noor@example.org"),
    ("http://localhost:8000", "http://localhost:8000"),
    ("", ""),
]


@pytest.mark.parametrize(("address", "shown"), TABLE)
def test_an_address_is_shown_without_its_secrets(address: str, shown: str) -> None:
    assert without_secrets(address) == shown


def test_what_is_secret_in_an_address_is_known_to_the_logs() -> None:
    assert secrets_in("http://user:password@host/v1?key=abc") == ("user:password", "password", "abc")
    assert secrets_in("http://host/v1") == ()
