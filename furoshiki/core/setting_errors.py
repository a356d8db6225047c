"""What is wrong with the value of a setting, in our words: what the model of settings says of it is for programmers."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.network import credentials

TOKEN = later("is not a bot token (123456:letters…): copy it again from @BotFather")
ADDRESS = later("is not an address: write it like {like}")
ORIGIN = later("must be an address without path or password, as https://furo.example.net or http://192.168.1.5:8330")
PRIVATE_ORIGIN = later(
    "must be an https address without path or password, as https://encoder.example:8443 (http only to 127.0.0.1)"
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
"""By the kind of mistake, with what the model knows about it."""


def describe_error(kind: str, about: Mapping[str, object], help_: str) -> str:
    """What to tell the person who set the value: the validator's own words, or else what the setting is (`help_`)."""
    if isinstance(error := about.get("error"), ValueError):
        return str(error.args[0]) if not isinstance(error.args[0], Sentence) else error.args[0]
    if kind in _SAID:
        facts = {**about, "expected": str(about.get("expected", "")).replace("'", "")}
        return Sentence(_SAID[kind], **facts)
    return Sentence("does not fit. It is: {help}", help=help_)


def is_token(text: str) -> bool:
    """Whether a text may be a bot's token: digits, a colon, and a word."""
    number, colon, rest = text.partition(":")
    return bool(colon and rest) and number.isascii() and number.isdigit() and credentials.unfit("", rest) is None


def is_address(text: str) -> bool:
    """Whether a text is an http address with a host, and a port there can be."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(map(str.isspace, text))


def is_private_origin(text: str) -> bool:
    """Whether a text is an origin by TLS, or one of this machine."""
    if not is_origin(text):
        return False
    parts = urlsplit(text)
    return parts.scheme == "https" or parts.hostname in ("127.0.0.1", "::1", "localhost")


def is_origin(text: str) -> bool:
    """Whether a text is an http address that names a host, perhaps with a port, and nothing below it."""
    if not is_address(text):
        return False
    parts = urlsplit(text)
    return parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
