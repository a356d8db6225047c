"""Readable messages for invalid values of settings, in place of the validator's."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.network import credentials

TOKEN = later("is not a bot token (123456:letters…): copy it again from @BotFather")
ADDRESS = later("is not an address: write it like {like}")
ORIGIN = later("must be an address without path or password, like https://furo.example.net or http://192.168.1.5:8330")
PRIVATE_ORIGIN = later(
    "must be an https address without path or password, like https://encoder.example:8443 (http only to 127.0.0.1)"
)

_SAID: Mapping[str, str] = later(
    {
        "bool_parsing": "must be true or false",
        "bool_type": "must be true or false",
        "int_parsing": "must be a whole number",
        "int_type": "must be a whole number",
        "int_from_float": "must be a whole number",
        "float_parsing": "must be a number",
        "float_type": "must be a number",
        "finite_number": "must be a number",
        "greater_than": "must be more than {gt:g}",
        "greater_than_equal": "must be at least {ge:g}",
        "less_than": "must be less than {lt:g}",
        "less_than_equal": "must be at most {le:g}",
        "literal_error": "must be one of {expected}",
        "string_too_short": "must not be empty",
        "string_too_long": "must have at most {max_length} characters",
        "string_type": "must be a text",
        "path_type": "must be the path of a file or folder",
    }
)
"""Messages by the validator's error type, filled with the error's context."""


def describe_error(kind: str, about: Mapping[str, object], help_: str) -> str:
    """Return the message for a value: a custom error's text, else its type's, else `help_`."""
    if isinstance(error := about.get("error"), ValueError):
        return str(error.args[0]) if not isinstance(error.args[0], Sentence) else error.args[0]
    if kind in _SAID:
        facts = {**about, "expected": str(about.get("expected", "")).replace("'", "")}
        return Sentence(_SAID[kind], **facts)
    return Sentence("is not valid. It is: {help}", help=help_)


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
