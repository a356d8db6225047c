"""Addresses: masking of secrets in URLs, and parsing of places to listen at."""

import re

MASK = "••••••"

_USER = re.compile(r"(?<=://)[^\s/?#@]{1,512}@(?:[^\s/?#@]{0,512}@)*")
_KEYED = re.compile(
    r"(?<=[?&;])([\w.-]{0,40}?(?:key|token|secret|sig|signature|password|passwd|pwd|auth)[\w.-]{0,40})=[^\s&;#]+",
    re.IGNORECASE,
)


def without_secrets(text: str) -> str:
    """Mask users, passwords and secret query values of all URLs in a text."""
    if "://" not in text:
        return text
    return _KEYED.sub(rf"\1={MASK}", _USER.sub(f"{MASK}@", text))


def secrets_in(address: str) -> tuple[str, ...]:
    """Return the secrets of a URL: "user:password", the password alone, and secret query values."""
    found = [one.removesuffix("@") for one in _USER.findall(address)]
    found += [one.partition(":")[2] for one in found if ":" in one]
    found += [match.group().partition("=")[2] for match in _KEYED.finditer(address)]
    return tuple(one for one in found if one)


LOOPBACK = "127.0.0.1"
PLACE = "is no place to listen at: write it as 8790 (this machine alone), 127.0.0.1:8790, [::1]:8790 or 0.0.0.0:8790"
_PLACE = re.compile(r"(?:(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z.-]{1,253})):)?([0-9]{1,5})", re.ASCII)


def place(text: str) -> tuple[str, int]:
    """Return host and port of a place to listen at; loopback for a bare port. Raises ValueError."""
    match = _PLACE.fullmatch(text.strip())
    port = int(match[3]) if match else 0
    if match is None or not 1 <= port <= 65535:
        raise ValueError(PLACE)
    return match[1] or match[2] or LOOPBACK, port
