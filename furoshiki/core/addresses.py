"""Addresses of servers, as they may be shown: without the password in them."""

from __future__ import annotations

import re

MASK = "••••••"

_USER = re.compile(r"(?<=://)[^\s/?#@]{1,512}+@(?:[^\s/?#@]{0,512}+@)*+")
_KEYED = re.compile(
    r"(?<=[?&;])([\w.-]{0,40}?(?:key|token|secret|sig|signature|password|passwd|pwd|auth)[\w.-]{0,40})=[^\s&;#]+",
    re.IGNORECASE,
)


def without_secrets(text: str) -> str:
    """The same text with user and password of every address in it masked, and the values of keys in its query."""
    if "://" not in text:
        return text
    return _KEYED.sub(rf"\1={MASK}", _USER.sub(f"{MASK}@", text))


def secrets_in(address: str) -> tuple[str, ...]:
    """What an address holds that must not be shown: user and password as written, the password alone too."""
    found = [one.removesuffix("@") for one in _USER.findall(address)]
    found += [one.partition(":")[2] for one in found if ":" in one]
    found += [match.group().partition("=")[2] for match in _KEYED.finditer(address)]
    return tuple(one for one in found if one)
