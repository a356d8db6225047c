"""The settings that bundled plugins ask for in the chat, one by one, and which messages answer.

A single word is no answer: it may be a call for help, and is handled as conversation.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from furoshiki.core.catalogue import later
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.extensions.plugins.rules import mail
from furoshiki.language.dates import zones
from furoshiki.messages import withheld

Values = Mapping[str, str]  # the current settings by name


def _read_place(text: str) -> str | None:
    """Return a text that is a big city or coordinates; None for any other text."""
    bare = text.strip(" .!")
    return bare if zones.of_place(bare) is not None or _COORDINATES.fullmatch(bare) else None


def _read_urls(text: str) -> str | None:
    return " ".join(text.split()) if _URLS.fullmatch(text.strip()) else None


def _read_address(text: str) -> str | None:
    bare = text.strip(" .,<>")
    return bare if mail.ADDRESS.fullmatch(bare) else None


def _read_server(text: str) -> str | None:
    bare = text.strip().lower()
    return bare if _SERVER.fullmatch(bare) else None


def _read_user(text: str) -> str | None:
    bare = text.strip()
    return bare if _USER.fullmatch(bare) else None


_COORDINATES = re.compile(r"-?\d{1,2}(?:\.\d{1,6})?, ?-?\d{1,3}(?:\.\d{1,6})?")
_URLS = re.compile(r"https?://\S{4,500}(?:\s{1,9}https?://\S{4,500}){0,9}")
_SERVER = re.compile(r"[a-z0-9-]{1,63}(?:(?:\.[a-z0-9-]{1,63}){1,6}(?::\d{1,5})?|:\d{2,5})", re.ASCII)
_USER = re.compile(r"(?=[A-Za-z_+-]{0,100}[@.\d])[\w.@+-]{3,100}", re.ASCII)


@dataclass(frozen=True)
class Need:
    """How a setting is taken, given the other settings: which messages answer, by `reads`. Its
    question and its buttons are in config/plugin_setup.toml.

    `secret` is the kind of a secret taken from the chat; `guess` derives a value from other
    settings. `when`: whether it is needed. `refuses` returns why an answer is not
    accepted, and `brings` further settings that follow from it.
    """

    reads: Callable[[str], str | None] = lambda _text: None
    secret: str = ""
    guess: Callable[[Values], str] = lambda _values: ""
    when: Callable[[Values], bool] = lambda _values: True
    refuses: Callable[[str], str | None] = lambda _value: None
    brings: Callable[[str], Values] = lambda _value: {}


NO_PASSWORDS = later(
    "That provider does not let programs in with a password, so I can't read mail there. Another address, perhaps?"
)


@cache
def _mail() -> Mapping[str, Any]:
    return read_toml_file(ROOT / "config" / "mail_servers.toml")


def _refuse_address(address: str) -> str | None:
    return NO_PASSWORDS if address.rpartition("@")[2].lower() in _mail()["no_passwords"] else None


def _bring_servers(address: str) -> Values:
    """Return the servers of an address, if its provider is known."""
    domain = address.rpartition("@")[2].lower()
    for provider in _mail()["providers"]:
        if domain in provider["domains"]:
            return {"IMAP": provider["IMAP"], "SMTP": provider["SMTP"]}
    return {}


def _domain(values: Values) -> str:
    return values["ADDRESS"].rpartition("@")[2]


def _is_caldav(values: Values) -> bool:
    return values.get("KIND") == "caldav"


# by plugin and setting, in the order of the questions
NEEDS: Mapping[str, Mapping[str, Need]] = {
    "weather": {"PLACE": Need(_read_place)},
    "calendar": {
        "KIND": Need(when=lambda values: "URL" not in values),
        "URL": Need(secret=withheld.ADDRESS),
        "USER": Need(_read_user, when=_is_caldav),
        "PASSWORD": Need(secret=withheld.PASSWORD, when=_is_caldav),
    },
    "feeds": {"URLS": Need(_read_urls)},
    "mail": {
        "ADDRESS": Need(_read_address, refuses=_refuse_address, brings=_bring_servers),
        "IMAP": Need(_read_server, guess=lambda values: f"imap.{_domain(values)}:993"),
        "SMTP": Need(_read_server, guess=lambda values: f"smtp.{_domain(values)}:465"),
        "PASSWORD": Need(secret=withheld.PASSWORD),
    },
}


def find_next(plugin: str, values: Values) -> str | None:
    """Return the next setting to ask for, given the current ones, or None."""
    steps = NEEDS.get(plugin, {}).items()
    return next((name for name, need in steps if name not in values and need.when(values)), None)
