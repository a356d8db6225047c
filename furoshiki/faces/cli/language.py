"""The language of the command line's answers: the setting, else the locale."""

from furoshiki.core.catalogue import ENGLISH
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import environ

# the variables with a locale ("de_AT.UTF-8"); the first one that is set counts
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")

# commands whose output is read in logs or by programs: always English
UNATTENDED = ("listen", "brain", "run", "dashboard", "host")


def find_language() -> str:
    """Return FUROSHIKI_LANGUAGE if set, else the language of the locale, else English."""
    from furoshiki.core import settings  # --help must not load them

    try:
        chosen, _where = settings.effective().get("furoshiki_language", (None, ""))
    except BadSetting:  # the command itself reports it
        chosen = None
    return chosen or next((value.partition(".")[0] for name in LOCALE if (value := environ().get(name))), ENGLISH)
