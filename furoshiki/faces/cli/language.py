"""In which language a shell is answered: the one that is set, else the one of the locale."""

from __future__ import annotations

from furoshiki.core.catalogue import ENGLISH
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import environ

LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where a locale ("de_AT.UTF-8") stands; the first that is set counts."""

UNATTENDED = ("listen", "brain", "run", "dashboard", "host")
"""Commands whose lines are read in logs, or by programs: they speak English."""


def find_language() -> str:
    """FUROSHIKI_LANGUAGE wherever it is set, else the language of the locale, else English."""
    from furoshiki.core import settings  # which --help does without

    try:
        chosen, _where = settings.effective().get("furoshiki_language", (None, ""))
    except BadSetting:  # which the command itself tells of
        chosen = None
    return chosen or next((value.partition(".")[0] for name in LOCALE if (value := environ().get(name))), ENGLISH)
