"""Messages for invalid values of settings, and checks of their forms."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from furoshiki.core.catalogue import later
from furoshiki.core.network import credentials

TOKEN = later("is not a bot token (123456:letters…): copy it again from @BotFather")
ADDRESS = later("is not an address: write it like {like}")
ORIGIN = later("must be an address without path or password, like https://furo.example.net or http://192.168.1.5:8330")
PRIVATE_ORIGIN = later(
    "must be an https address without path or password, like https://encoder.example:8443 (http only to 127.0.0.1)"
)

INVALID = later("is not valid. It is: {help}")
BOOLEAN = later("must be true or false")
WHOLE = later("must be a whole number")
NUMBER = later("must be a number")
TEXT = later("must be a text")
PATH = later("must be the path of a file or folder")
ONE_OF = later("must be one of {expected}")
BEYOND: Mapping[str, str] = later(
    {
        "gt": "must be more than {gt:g}",
        "ge": "must be at least {ge:g}",
        "lt": "must be less than {lt:g}",
        "le": "must be at most {le:g}",
        "min_length": "must not be empty",
        "max_length": "must have at most {max_length} characters",
    }
)
"""Messages for values beyond a limit, by its name."""


def is_token(text: str) -> bool:
    """Return whether a text has the form of a bot token: digits, a colon, and a word."""
    number, colon, rest = text.partition(":")
    return bool(colon and rest) and number.isascii() and number.isdigit() and credentials.unfit("", rest) is None


def is_address(text: str) -> bool:
    """Return whether a text is an http(s) URL with a host and a valid port."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(map(str.isspace, text))


def is_private_origin(text: str) -> bool:
    """Return whether a text is an https origin, or an origin on this machine."""
    if not is_origin(text):
        return False
    parts = urlsplit(text)
    return parts.scheme == "https" or parts.hostname in ("127.0.0.1", "::1", "localhost")


def is_origin(text: str) -> bool:
    """Return whether a text is an http(s) origin: a host, an optional port, and no path."""
    if not is_address(text):
        return False
    parts = urlsplit(text)
    return parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
