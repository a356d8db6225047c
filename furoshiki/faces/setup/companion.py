"""The fourth step: the companion's name, your language and zone, quiet hours, daily budget."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from furoshiki.core import catalogue
from furoshiki.core.catalogue import later, say
from furoshiki.core.database import kv
from furoshiki.core.paths import ROOT, machine_zone, read_toml_file
from furoshiki.faces.setup import rules
from furoshiki.faces.setup.rules import Reader
from furoshiki.faces.setup.session import Result, Session, understood
from furoshiki.messages.store import accounts
from furoshiki.owner.agenda import travel
from furoshiki.owner.agenda.store import quiet
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval import other_languages

NAME = "companion"

DEFAULT_NAME = "Furo"

_NAMES = {language.code: language.name for language in other_languages.load_languages().each}
# the languages of the companion's own texts: names by code
LANGUAGES = {code: _NAMES.get(code, "English") for code in sorted(catalogue.languages())}


@dataclass(frozen=True)
class Question:
    """One question: `held` returns the present value (None: never set), `default` the proposal,
    `keep` saves an answer (None: back to the default)."""

    name: str
    asked: str
    reader: Reader[Any]
    held: Callable[[Session], str | None]
    default: Callable[[Session], str]
    keep: Callable[[Session, Any], None]
    variable: str | None = None


def run(session: Session) -> Result:
    """Ask what is not known; keep, change or reset the rest."""
    notes: dict[str, str | None] = {}

    def settle(question: Question) -> None:
        with session.speaking():
            notes[question.name] = _settle_question(session, question)

    session.ask_in_order(QUESTIONS, settle)
    with session.speaking():
        known = {question.name: question.held(session) or question.default(session) for question in QUESTIONS}
        words = say(
            "{name}, language {language}, time zone {zone}, quiet hours {quiet}, up to ${budget} a day.",
            **known | {"language": say(LANGUAGES.get(known["language"], known["language"]))},
        )
    return Result("done", words, " ".join(filter(None, notes.values())) or None, known)


def _settle_question(session: Session, question: Question) -> str | None:
    """Settle one question; return a sentence if it cannot be changed here."""
    fixed = None if question.variable is None else session.fixed(question.variable)
    if fixed is not None:
        return fixed
    given = getattr(session.given, question.name)
    held = question.held(session)
    fate = session.fate(
        question.name, None if held is None else f"  {say(question.asked)}: {held}", given=given is not None
    )
    if fate == "reset":
        question.keep(session, None)
    elif fate == "change" and given is not None:
        question.keep(session, understood(given, question.reader, f"--{question.name}"))
    elif fate == "change" and session.asking is not None:
        value = session.asking.value(f"  {say(question.asked)}", question.reader, held or question.default(session))
        question.keep(session, value)
    if session.asking is not None:
        session.finished(question.name)
    return None


def _of_setting(
    name: str, asked: str, reader: Reader[Any], default: Callable[[Session], str], variable: str
) -> Question:
    """Return the question for a setting that `.env` holds."""

    def keep(session: Session, value: Any) -> None:
        session.save({variable: None if value is None else _as_text(value)})

    return Question(name, asked, reader, lambda session: _read_set(session, variable), default, keep, variable)


def _read_set(session: Session, variable: str) -> str | None:
    """Return a setting's value; None if it is not set."""
    name = variable.lower()
    return _as_text(getattr(session.settings(), name)) if name in session.set_names() else None


def _as_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _language(session: Session) -> str:
    """Return the owner's language in Telegram if it is supported, else the current one."""
    with session.database.read() as db:
        told = (accounts.owners_language(db) or "").lower().partition("-")[0]
    return told if told in LANGUAGES else catalogue.get_language()


def _zone(session: Session) -> str | None:
    """Return the time zone agreed on in the chat, or the setting."""
    with session.database.read() as db:
        chosen = kv.get(db, user.ZONE_KEY)
    return str(chosen) if chosen else _read_set(session, "FUROSHIKI_TIMEZONE")


def _keep_zone(session: Session, zone: str | None) -> None:
    """Save the zone, and move recurring times of the former zone to it."""
    before = _zone(session) or machine_zone()
    session.save({"FUROSHIKI_TIMEZONE": zone})
    with session.database.write() as db:
        travel.follow(db, ZoneInfo(before), ZoneInfo(zone or machine_zone()), session.now())
        kv.drop(db, user.ZONE_KEY)


def _quiet(session: Session) -> str | None:
    with session.database.read() as db:
        hours = quiet.hours(db)
    return None if hours is None else rules.describe_quiet(*hours)


def _read_quiet_hours(session: Session) -> str:
    own = session.data / "config" / "outreach.toml"
    hours = dict(read_toml_file(ROOT / "config" / "outreach.toml")["quiet_hours"])
    hours |= read_toml_file(own).get("quiet_hours", {}) if own.is_file() else {}
    return rules.describe_quiet(time.fromisoformat(hours["from"]), time.fromisoformat(hours["to"]))


def _keep_quiet(session: Session, hours: tuple[time, time] | None) -> None:
    with session.database.write() as db:
        if hours is None:
            quiet.end_hours(db)
        else:
            quiet.keep_hours(db, *hours, session.now())


def _budget(session: Session) -> str:
    return _as_text(session.settings().furoshiki_hard_budget_usd)


# the questions in the order in which they are asked
QUESTIONS = (
    _of_setting("name", later("Its name"), rules.name, lambda _session: DEFAULT_NAME, "FUROSHIKI_COMPANION_NAME"),
    _of_setting(
        "language", later("The language you write in"), rules.language(LANGUAGES), _language, "FUROSHIKI_LANGUAGE"
    ),
    Question(
        "zone",
        later("Your time zone"),
        rules.zone(available_timezones()),
        _zone,
        lambda _session: machine_zone(),
        _keep_zone,
        "FUROSHIKI_TIMEZONE",
    ),
    Question(
        "quiet",
        later("Quiet hours, when it doesn't write first"),
        rules.quiet_hours,
        _quiet,
        _read_quiet_hours,
        _keep_quiet,
    ),
    _of_setting("budget", later("Maximum dollars per day"), rules.budget, _budget, "FUROSHIKI_HARD_BUDGET_USD"),
)
