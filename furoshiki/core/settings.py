"""All settings: name, type, default, range, tier; config/settings.toml has a sentence of help for each.

`.env.template` and docs/settings.md are generated from this model. Precedence: environment, systemd
credential, `.env` (data directory before checkout), operator_settings.json, default.
"""

import difflib
import functools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast
from zoneinfo import ZoneInfo, available_timezones

from furoshiki.core import recipients, setting_rows
from furoshiki.core.catalogue import Sentence, join_sentences, later
from furoshiki.core.errors import BadSetting
from furoshiki.core.json_values import pick
from furoshiki.core.network import credentials, providers, proxies
from furoshiki.core.network.addresses import place, secrets_in, without_secrets
from furoshiki.core.paths import (
    ROOT,
    data_dir,
    database_path,
    host_of,
    is_zone,
    machine_zone,
    read_env_file,
    read_toml_file,
    without_others,
)
from furoshiki.core.setting_rows import Misfits, Record, Row, SecretStr

# names with the settings' prefix that other code reads (crash points of tests, the installer,
# run.sh)
OTHER_PREFIXES = (
    *("FUROSHIKI_CRASH_AT", "FUROSHIKI_HANG_AT", "FUROSHIKI_PYTHON", "FUROSHIKI_VENV"),
    "FUROSHIKI_COMMAND",
)


# settings that locate the data directory and the homes
WHERE = ("furoshiki_data", "furoshiki_homes")

# purposes of models; each has a setting with the models to use
TIERS = ("chat", "deep", "reflect", "fast", "micro")

# purposes of models paid by the piece; each has a setting with the model to use
BY_PIECE = ("pictures", "hearing")

# settings that people paste; surrounding blanks, quotes and the like are removed
PASTED = (
    *("telegram_bot_token", "telegram_api_url", "furoshiki_chroma_url", "furoshiki_chroma_token"),
    *(name.lower() for name in providers.list_setting_names()),
    *("furoshiki_proxy", "furoshiki_no_proxy", "furoshiki_dashboard_url"),
    *(f"furoshiki_model_{one}" for one in (*TIERS, *BY_PIECE)),
)

# examples of valid addresses
_LIKE = {
    "telegram_api_url": "https://api.telegram.org",
    "furoshiki_chroma_url": "http://localhost:8000",
    **{spec.address_setting.lower(): spec.address or "http://localhost:8000/v1" for spec in providers.over_the_net()},
}

# checks of values by field, with the message for an invalid one
_FITTING: dict[str, tuple[Callable[[str], bool], str]] = {
    "furoshiki_database_url": (
        lambda text: text.startswith("sqlite:///"),
        "only sqlite:///path works: full-text search and the index are built on SQLite",
    ),
    "telegram_bot_token": (setting_rows.is_token, setting_rows.TOKEN),
    "furoshiki_dashboard_url": (setting_rows.is_origin, setting_rows.ORIGIN),
    **{name: (setting_rows.is_address, Sentence(setting_rows.ADDRESS, like=like)) for name, like in _LIKE.items()},
}

WORDS = ROOT / "config" / "settings.toml"  # what each setting is for, by what they are about

# secrets that are addresses: only their user and password are hidden
_IN_PART = ("furoshiki_proxy",)


# who may change a setting: the operator of the machine (in a home of a host not its owner); the
# owner, in a file or by confirming in Telegram; or anyone signed in to the pages
Whose = Literal["operator", "owner", "page"]


_CLOCK = r"^([01]\d|2[0-3]):[0-5]\d$"


def _row(
    whose: Whose, default: Any, *, tier: int, restart: str = "", secret: bool = False, carries: str = "", **limits: Any
) -> Any:
    """Define a setting. `restart` names the processes to restart after a change, or "".
    `carries` is the credential sent to the configured address: the field of a secret, or words."""
    return Row(default, whose, tier, restart, secret, carries, limits)


_SERVICES = "the host's services, by `furoshiki service install --host`"

_operators = functools.partial(_row, "operator", tier=2)
_owners = functools.partial(_row, "owner", tier=2)
_pages = functools.partial(_row, "page", tier=1)


def _of_providers() -> dict[str, tuple[Any, Row]]:
    """Return the settings of all providers: a key and a custom address each."""
    rows: dict[str, tuple[Any, Row]] = {}
    for spec in providers.over_the_net():
        key = spec.key_setting.lower()
        rows[key] = (SecretStr | None, _owners(None, secret=True, tier=1 if spec.keys_at else 2))
        address = _owners(None, carries=key, tier=2 if spec.door == "anthropic" else 1)
        rows[spec.address_setting.lower()] = (str | None, address)
    return rows


@dataclass(frozen=True)
class Subject:
    """What some settings are about: its title, what it is about, and each setting's help."""

    title: str
    about: str
    helps: Mapping[str, str]


@functools.cache
def load_subjects() -> dict[str, Subject]:
    """Return the subjects in display order. They are read when first shown, not by each process."""
    tables: dict[str, dict[str, str]] = read_toml_file(WORDS)
    for spec in providers.over_the_net():
        of_its_own = f", or for whatever {spec.address_setting} names" if spec.keys_at else ""
        instead = f" instead of {spec.address}" if spec.address else ""
        interface = "Anthropic" if spec.door == "anthropic" else "OpenAI"
        where = f"Where {spec.title} answers{instead}; it must speak {interface}'s interface."
        key = f"Key for {spec.title}{of_its_own}."
        tables["keys"] |= {spec.key_setting.lower(): key, spec.address_setting.lower(): where}
    return {name: Subject(rows.pop("title"), rows.pop("about"), rows) for name, rows in tables.items()}


def _existing_zone(value: str) -> str:
    if is_zone(value):
        return value
    near = difflib.get_close_matches(value, available_timezones(), 1, 0.4)
    asked = later("no such time zone; did you mean {name}?")
    raise ValueError(Sentence(asked, name=near[0]) if near else Sentence("no such time zone"))


def _valid_place(value: str) -> str:
    place(value)
    return value


def _valid_proxy(value: SecretStr) -> SecretStr:
    if value.get_secret_value().lower() not in proxies.DIRECT:
        proxies.parse_proxy(value.get_secret_value())
    return value


def _valid_recipients(value: str) -> str:
    for part in recipients.split(value):
        if (fault := recipients.fault(part)) is not None:
            raise ValueError(fault)
    return value


def _absolute(value: Path) -> Path:
    return value.expanduser().absolute()


# further checks by field: each returns the value to hold, or raises ValueError
_JUDGES: dict[str, Callable[[Any], Any]] = {
    "furoshiki_timezone": _existing_zone,
    "furoshiki_host_health": _valid_place,
    "furoshiki_proxy": _valid_proxy,
    "furoshiki_dashboard_url": lambda value: value.rstrip("/").lower(),
    "furoshiki_backup_recipients": _valid_recipients,
    **dict.fromkeys(WHERE, _absolute),
}


class Settings(Record, also=_of_providers()):
    """All settings. A field's name in capitals is its environment variable."""

    furoshiki_data: Path = _operators(Path("~/.furoshiki"), restart="listener and brain")
    furoshiki_homes: Path = _operators(Path("~/.furoshiki-homes"), restart="listener and brain")
    furoshiki_host_memory_mb: int = _operators(2000, ge=256, le=1_000_000, restart=_SERVICES)
    furoshiki_host_cpu_percent: int | None = _operators(None, ge=10, le=100_000, restart=_SERVICES)
    furoshiki_host_tasks: int = _operators(1024, ge=64, le=100_000, restart=_SERVICES)
    furoshiki_host_health: str | None = _operators(None, restart="the host")
    telegram_bot_token: SecretStr | None = _owners(None, tier=1, secret=True, restart="the listener")
    furoshiki_proxy: SecretStr | None = _operators(None, secret=True, restart="listener and brain")
    furoshiki_no_proxy: str | None = _operators(None, restart="listener and brain")
    telegram_api_url: str = _owners(
        "https://api.telegram.org", carries="telegram_bot_token", restart="listener and brain"
    )
    telegram_owner_id: int | None = _owners(None, tier=1, gt=0, restart="the listener")
    furoshiki_model_chat: str | None = _pages(None)
    furoshiki_model_deep: str | None = _pages(None)
    furoshiki_model_reflect: str | None = _pages(None)
    furoshiki_model_fast: str | None = _pages(None)
    furoshiki_model_micro: str | None = _pages(None)
    furoshiki_model_pictures: str | None = _pages(None)
    furoshiki_pictures_a_day: int = _pages(10, ge=0, le=200)
    furoshiki_pictures_budget_usd: float = _pages(0.5, ge=0, le=1000)
    furoshiki_model_hearing: str | None = _pages(None)
    furoshiki_batch: Literal["off", "on"] = _pages("off", restart="listener and brain")
    furoshiki_embedder: str = _operators("best", tier=1, restart="listener and brain")
    furoshiki_database_url: str | None = _owners(None, restart="listener and brain")
    furoshiki_chroma_from: int = _operators(20_000, ge=0, restart="memoryd")
    furoshiki_chroma_url: str | None = _operators(
        None, carries="furoshiki_chroma_token", restart="listener, brain and memoryd"
    )
    furoshiki_chroma_token: SecretStr | None = _operators(None, secret=True, restart="memoryd")
    furoshiki_log_level: Literal["debug", "info", "warning", "error"] = _pages("info")
    furoshiki_stalled_seconds: float = _owners(60.0, gt=0, restart="the listener")
    furoshiki_turn_minutes: float = _owners(15.0, gt=0, restart="the listener")
    furoshiki_brain_tick_seconds: float = _owners(5.0, restart="the brain", ge=0.2, le=60)
    furoshiki_seed: int | None = _owners(None, restart="listener and brain")
    furoshiki_backup_recipients: str | None = _owners(None)

    furoshiki_companion_name: str = _pages("Furo", min_length=1, max_length=40)
    furoshiki_timezone: str | None = _pages(None)
    furoshiki_language: str | None = _pages(
        None, restart="listener and brain", pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z]{2,4})?$"
    )
    furoshiki_dnd_start: str | None = _pages(None, pattern=_CLOCK)
    furoshiki_dnd_end: str | None = _pages(None, pattern=_CLOCK)
    furoshiki_outreach_per_day: int | None = _pages(None, ge=0, le=50)
    furoshiki_continuity: bool | None = _pages(None)
    furoshiki_needs_amber: float | None = _pages(None, ge=0, le=1)
    furoshiki_needs_rose: float | None = _pages(None, ge=0, le=1)
    furoshiki_soft_budget_usd: float = _pages(0.5, ge=0, le=1000)
    furoshiki_hard_budget_usd: float = _pages(1.0, ge=0, le=1000)
    furoshiki_host_daily_budget_usd: float = _operators(0.0, ge=0, le=100_000)
    furoshiki_host_calls_at_once: int = _operators(0, ge=0, le=256)
    furoshiki_host_free_gb: float = _operators(0.0, ge=0, le=100_000)
    furoshiki_bubbles: bool = _pages(False)
    furoshiki_reactions: bool = _pages(True)
    furoshiki_wandering: bool = _pages(True)
    furoshiki_boundaries: bool = _pages(True)
    furoshiki_groups: bool = _pages(False, restart="the listener")
    furoshiki_voice_model: Path | None = _owners(None, tier=1)
    furoshiki_speech_voice: Path | None = _owners(None, tier=1)
    furoshiki_context_tokens: int = _owners(4800, ge=1500, le=200_000)
    furoshiki_memory_tokens: int = _owners(2000, ge=100, le=20_000)
    furoshiki_memoryd_idle_minutes: float = _owners(30.0, ge=0.05, le=10_000, restart="memoryd")
    furoshiki_gate_maturity: float = _owners(0.2, ge=0, le=1)
    furoshiki_safety_stages: str = _owners("ABC", pattern=r"^([ABC]{1,3}|none)$")

    furoshiki_router_hints: bool = _owners(True)
    furoshiki_user_path: Literal["unified", "router"] = _owners("unified")
    furoshiki_attention: bool = _owners(True)
    furoshiki_second_thoughts: bool = _owners(True)

    furoshiki_trust_level: int = _owners(1, ge=1, le=3)

    furoshiki_soul_engine: Literal["whole", "rules"] = _owners("whole", tier=3)
    furoshiki_curiosity_triage: Literal["model", "rules"] = _owners("model", tier=3)
    furoshiki_contemplation: bool = _owners(True, tier=3)

    furoshiki_repair_apply: bool = _owners(True)
    furoshiki_repair_command: str | None = _operators(None)
    furoshiki_repair_job_usd: float = _owners(0.25, ge=0, le=100)
    furoshiki_repair_day_usd: float = _owners(0.5, ge=0, le=100)

    furoshiki_plugin_wishes: Literal["owner", "own", "off"] = _owners("owner")
    furoshiki_plugin_create_usd: float = _owners(3.0, ge=0, le=100)
    furoshiki_plugin_review_usd: float = _owners(1.0, ge=0, le=100)
    furoshiki_plugin_sandbox: Literal["auto", "bubblewrap", "landlock"] = _operators("auto")
    furoshiki_plugin_memory_mb: int = _owners(256, ge=64, le=8192)
    furoshiki_plugin_data_mb: int = _owners(50, ge=1, le=10_000)
    furoshiki_plugin_day_usd: float = _owners(0.1, ge=0, le=100)
    furoshiki_plugin_local_hosts: str | None = _operators(
        None, max_length=1000, pattern=r"^\s*[^\s,]+(\s*,\s*[^\s,]+)*\s*$"
    )

    furoshiki_host_operator: int | None = _operators(None, ge=1)
    furoshiki_dashboard: bool = _operators(False, tier=1, restart="listener and brain")
    furoshiki_dashboard_host: str = _operators(
        "127.0.0.1", carries="links that sign in", tier=1, restart="the dashboard", min_length=1, max_length=253
    )
    furoshiki_dashboard_port: int = _operators(
        8330, carries="links that sign in", tier=1, ge=1, le=65535, restart="the dashboard and the listener"
    )
    furoshiki_dashboard_url: str | None = _operators(
        None, carries="links that sign in", tier=1, restart="the dashboard and the listener"
    )

    def clean(self, name: str, value: Any) -> Any:
        """Return a given value without what surrounds a pasted one."""
        return credentials.clean(value) if name in PASTED and isinstance(value, str) else value

    def explain(self, name: str) -> str:
        return str(describe(name)["help"])

    def judge(self, name: str, value: Any) -> Any:
        """Return a value as it is to be held. Raises ValueError for one of a wrong form."""
        if name in _FITTING:
            fits, what = _FITTING[name]
            if not fits(value.get_secret_value() if isinstance(value, SecretStr) else value):
                raise ValueError(what)
        return _JUDGES[name](value) if name in _JUDGES else value

    @property
    def data(self) -> Path:
        """The data directory, absolute."""
        return self.furoshiki_data

    @property
    def database(self) -> Path:
        return database_path(self.furoshiki_data, self.furoshiki_database_url)

    @property
    def zone(self) -> ZoneInfo:
        """The user's time zone."""
        return ZoneInfo(self.furoshiki_timezone or machine_zone())

    @property
    def backup_recipients(self) -> tuple[str, ...]:
        """Return the recipients backups are encrypted for; empty when they are not encrypted."""
        return recipients.split(self.furoshiki_backup_recipients or "")

    @property
    def safety_stages(self) -> frozenset[str]:
        """The enforced stages of safety ceilings."""
        return frozenset(self.furoshiki_safety_stages) & frozenset("ABC")

    def secrets(self) -> tuple[str, ...]:
        """Return all secret values, also passwords in addresses, for removal from logs."""
        held = {name: getattr(self, name) for name in Settings.model_fields}
        secret = {name: one.get_secret_value() for name, one in held.items() if isinstance(one, SecretStr)}
        addresses = [*(secret.get(name, "") for name in _IN_PART), *(held[name] or "" for name in _LIKE)]
        return (
            *(value for name, value in secret.items() if name not in _IN_PART),
            *(part for address in addresses for part in secrets_in(address)),
            *(part for name in proxies.NAMES for part in secrets_in(os.environ.get(name, ""))),
            *of_others(self.data, PLUGIN_PREFIX, TOOL_PREFIX).values(),
        )

    def model_values(self) -> dict[str, str | None]:
        """Return the settings that select models, by the names of their variables."""
        used = (*TIERS, *BY_PIECE)
        names = (*providers.list_setting_names(), *(f"FUROSHIKI_MODEL_{one.upper()}" for one in used))
        held = {name: getattr(self, name.lower()) for name in names}
        return {name: one.get_secret_value() if isinstance(one, SecretStr) else one for name, one in held.items()}


# prefixes of the settings of plugins and tool servers in the data directory's `.env`
PLUGIN_PREFIX, TOOL_PREFIX = "PLUGIN_", "TOOL_"


def of_others(data: Path, *prefixes: str) -> dict[str, str]:
    """Return plugin or tool server settings by their names in `.env`. Raises BadSetting."""
    held = read_env_file(data / ".env")
    return {name: value for name, value in held.items() if name.startswith(prefixes)}


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Load all settings. Raises BadSetting that names all unknown or invalid ones, with hints."""
    return build_settings(effective(environ))


def build_settings(given: Mapping[str, tuple[Any, str]]) -> Settings:
    """Build the settings from the result of `effective`. Raises BadSetting."""
    try:
        return Settings(**{name: value for name, (value, _source) in given.items()})
    except Misfits as error:
        raise BadSetting(_explain(error, given)) from None


def reload(held: Settings) -> Settings:
    """Load the settings again, keeping those that need a restart. Raises BadSetting."""
    found = build_settings(effective(data=held.data))
    return found.model_copy(update={name: getattr(held, name) for name in Settings.model_fields if needs_restart(name)})


def needs_restart(name: str) -> bool:
    return bool(Settings.model_fields[name].restarts)


Found = dict[str, tuple[Any, str]]  # the configured settings by field: value and source

# the file with changes made on the pages; it may only hold settings of the pages
PAGES = "memory/operator_settings.json"

_OF_THE_DATA = (PAGES, ".env of the data directory")
_NOT_THERE = (
    "{name} (in {source}) does not hold there: it is the owner's word where keys and orders go. "
    "`furoshiki config set {name} VALUE` sets it where it holds, `furoshiki config unset {name}` "
    "takes it out"
)
_NOT_SENT = (
    "{secret} ({secret_source}) is not sent to {name} ({source}): a secret goes only to an "
    "address that was set where it was, or above. Set {secret} there as well, or take {name} out"
)


def effective(environ: Mapping[str, str] | None = None, data: Path | None = None) -> Found:
    """Return each configured setting with its source. Unknown FUROSHIKI_* names raise BadSetting.

    `data` overrides the data directory named by the environment. A secret that would be sent to an
    address from a less trusted source is left out.
    """
    return _gather(environ, data)[0]


def list_held_back(data: Path) -> list[str]:
    """Return a sentence with cause and fix for each setting ignored because of its source."""
    return _gather(None, data)[1]


def _gather(environ: Mapping[str, str] | None, data: Path | None) -> tuple[Found, list[str]]:
    env: Mapping[str, str] = os.environ if environ is None else environ
    if data is not None:
        env = {**env, "FUROSHIKI_DATA": str(data)}
    data = data_dir(env)
    host = host_of(data)
    layers: list[tuple[str, Mapping[str, Any]]] = [
        (PAGES, _operator_settings(data / PAGES)),
        (".env of the checkout", without_others(read_env_file(ROOT / ".env"), data)),
        (".env of the host", {} if host is None else without_others(read_env_file(host / ".env"), data)),
        (".env of the data directory", read_env_file(data / ".env")),
        ("systemd credential", without_others(_credentials(env.get("CREDENTIALS_DIRECTORY")), data)),
        ("environment", without_others(env, data)),
    ]
    found: Found = {}
    too_low: dict[str, str] = {}
    notes: list[str] = []
    for source, layer in layers:
        for name, value in layer.items():
            field = name.lower()
            if field in Settings.model_fields:
                if value == "":
                    continue
                if source == PAGES and (fault := _misfit(field, value)) is not None:
                    notes.append(fault)
                    continue
                if field in WHERE and source != "environment":
                    raise BadSetting(f"{name} (in {source}) can be set by environment only: it says where to look")
                if _may_stand(whose(field), source, host is not None):
                    found[field] = (value, source)
                    too_low.pop(field, None)
                elif host is None or whose(field) == "owner":
                    too_low[field] = source
            elif source == PAGES:  # written by the pages of another release: keep it
                notes.append(f"{name.upper()} (in {PAGES}) is not a setting here, and does nothing{_nearest(name)}")
            elif source != "systemd credential" and _looks_like_ours(name, source):
                check_known(name, source)
    found["furoshiki_data"] = (str(data), "environment" if env.get("FUROSHIKI_DATA") else "default")
    notes += [_NOT_THERE.format(name=name.upper(), source=source) for name, source in too_low.items()]
    return found, notes + _withhold(found, too_low, host is not None)


def whose(name: str) -> Whose:
    """Return who may change a setting."""
    return cast("Whose", Settings.model_fields[name].whose)


def _may_stand(decides: Whose, source: str, hosted: bool) -> bool:
    """Return whether a source may hold a setting; an operator's cannot be in a hosted home."""
    if decides == "page":
        return True
    return source != PAGES if decides == "owner" or not hosted else source not in _OF_THE_DATA


def _level(source: str, hosted: bool) -> int:
    """Return a source's trust level: 0 the pages, 1 a home's owner, 2 the operator."""
    if source == PAGES:
        return 0
    return 1 if hosted and source in _OF_THE_DATA else 2


def _withhold(found: Found, too_low: Mapping[str, str], hosted: bool) -> list[str]:
    """Remove secrets whose address has a less trusted source; returns the reasons in words."""
    notes = []
    for name, row in Settings.model_fields.items():
        secret = row.carries
        source = too_low.get(name) or found.get(name, ("", ""))[1]
        if not source or secret not in found or _level(found[secret][1], hosted) <= _level(source, hosted):
            continue
        (_, where) = found.pop(secret)
        notes.append(_NOT_SENT.format(secret=secret.upper(), secret_source=where, name=name.upper(), source=source))
    return notes


def validate(name: str, text: str, source: str, given: Mapping[str, tuple[Any, str]]) -> str | int | float | bool:
    """Return a setting's JSON value, next to the `given` settings. Raises BadSetting."""
    beside = {**given, name: (text, source)}
    try:
        found = getattr(Settings(**{key: value for key, (value, _source) in beside.items()}), name)
    except Misfits as error:
        raise BadSetting(_explain(error, given)) from None
    return found if isinstance(found, str | int | float | bool) else str(found)


def parse_assignments(pairs: Sequence[str], source: str) -> dict[str, Any]:
    """Parse settings written as NAME=VALUE in `source`. Raises BadSetting."""
    given: dict[str, tuple[Any, str]] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadSetting(f"{source} {pair}: write it as NAME=VALUE, as in FUROSHIKI_WANDERING=off")
        check_known(name.upper(), source)
        given[name.lower()] = (value, source)
    return {name: validate(name, value, source, given) for name, (value, source) in given.items()}


def describe(name: str) -> dict[str, Any]:
    """Return a setting's subject, default, tier, restart, type, range and help."""
    row, kind = Settings.model_fields[name], Settings.kinds[name]
    subject, words = next((key, of.helps[name]) for key, of in load_subjects().items() if name in of.helps)
    limits = {said: row.limits[key] for key, said in _LIMITS.items() if key in row.limits}
    return {
        "default": None if row.default is None else str(row.default),
        "subject": subject,
        "restart": bool(row.restarts),
        **pick(row, "tier", "restarts", "secret", "whose", "carries"),
        "type": kind.name,
        "range": limits | ({"one_of": list(kind.choices)} if kind.choices else {}),
        "help": words,
    }


_LIMITS = {
    "le": "to", "ge": "from", "gt": "above", "max_length": "longest", "min_length": "shortest", "pattern": "pattern",
}  # fmt: skip


def check_known(name: str, where: str) -> None:
    """Raise BadSetting with the nearest match for an unknown name; `where` it was found."""
    if name.lower() not in Settings.model_fields:
        raise BadSetting(f"{name.upper()} (in {where}) is not a setting{_nearest(name)} See `furoshiki config docs`.")


def show_all(held: Settings) -> list[dict[str, Any]]:
    """Return all settings for display, secrets masked."""
    given = effective()
    return [show(name, held, given) for name in Settings.model_fields]


def show(name: str, held: Settings, given: Mapping[str, tuple[Any, str]]) -> dict[str, Any]:
    """Return one setting for display: name, value (masked for secrets), and source."""
    value = getattr(held, name)
    secret = Settings.model_fields[name].secret
    text = None if value is None else "••••••" if secret else without_secrets(str(value))
    return {"name": name.upper(), "value": text, "source": given[name][1] if name in given else "default"}


def docs() -> str:
    """Return the text of docs/settings.md."""
    lines = [
        "# Settings",
        "",
        "Made from `furoshiki/core/settings.py` and `config/settings.toml` by `make docs`. Set by environment, systemd",
        "credential, `.env`, or (tier 1) `memory/operator_settings.json`, in this order of precedence.",
        "",
        "What needs no restart holds from the next message on (for a script from its next run) once the file is saved;",
        "a file that cannot be read as settings changes nothing, and the log says why. What the environment or a",
        "systemd credential says holds until the program is started again. The rest needs `furoshiki up`, or the",
        "service, started again; memoryd takes its settings up when it is next started.",
        "",
        "**Whose** a setting is says where it holds. What is the `operator`'s (who runs the machine) holds in no",
        "file of a home of a host; what is the `owner`'s holds in every `.env`, and is changed from a page with their",
        "yes in Telegram alone; what is a `page`'s is changed by an admin who is signed in. A secret goes only to",
        "an address that was set where the secret was, or above: `furoshiki config check` says which is held back.",
    ]
    every = {name: describe(name) for name in Settings.model_fields}
    for subject, words in load_subjects().items():
        rows = {name: row for name, row in every.items() if row["subject"] == subject}
        lines += [
            "",
            f"## {words.title}",
            "",
            "| name | default | whose | tier | restart | what it does |",
            "|---|---|---|---|---|---|",
        ]
        for name, row in rows.items():
            default = "—" if row["default"] is None else f"`{row['default']}`"
            lines.append(
                f"| `{name.upper()}` | {default} | {row['whose']} | {row['tier']} | {row['restarts'] or 'no'} "
                f"| {row['help']}{_travels(row['carries'])} |"
            )
    return "\n".join(lines) + "\n"


def _travels(carries: str) -> str:
    """Return the sentence in docs/settings.md about what is sent to an address."""
    what = f"`{carries.upper()}`" if carries in Settings.model_fields else carries.capitalize()
    return f" {what} will travel there." if carries else ""


def _operator_settings(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        found = json.loads(_text(path))
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise BadSetting(f"{path} is not valid JSON{where}: correct or remove it") from error
    if not isinstance(found, dict):
        raise BadSetting(f"{path} must hold one JSON object of names and values")
    return found


def _misfit(name: str, value: Any) -> str | None:
    """Return why a stored value is invalid and the default applies (another release's, or edited by
    hand); None when it is valid."""
    if Settings.model_fields[name].tier != 1:
        return f"{name.upper()} (in {PAGES}) does nothing there: it can be set by environment only"
    try:
        Settings(**{name: value})
    except Misfits as error:
        words = _explain(error, {name: (value, PAGES)})
        return f"{words}. Its default holds until it is set again, or `furoshiki config unset {name.upper()}` drops it"
    return None


def _credentials(folder: str | None) -> dict[str, str]:
    if not folder or not Path(folder).is_dir():
        return {}
    ours = [entry for entry in Path(folder).iterdir() if entry.name.lower() in Settings.model_fields]
    return {entry.name: _text(entry).strip() for entry in ours}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadSetting(f"{path} cannot be read ({error.strerror}): check who owns it") from error
    except UnicodeDecodeError as error:
        raise BadSetting(f"{path} cannot be read: it is not UTF-8 text; save it as UTF-8") from error


def _looks_like_ours(name: str, source: str) -> bool:
    if source == ".env of the data directory" and name.startswith((PLUGIN_PREFIX, TOOL_PREFIX)):
        return False
    if source != "environment":
        return True
    return name.startswith("FUROSHIKI_") and not name.startswith(OTHER_PREFIXES)


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name.upper(), [field.upper() for field in Settings.model_fields], 1, 0.6)
    return f"; did you mean {near[0]}?" if near else "."


def _explain(error: Misfits, given: Mapping[str, tuple[Any, str]]) -> str:
    """Return a clause for each wrong setting: name, requirement, source (if no variable)."""
    clauses = []
    for problem in error.problems:
        source = given.get(problem.name, ("", "environment"))[1]
        clause = (
            later("{name}: {words}") if source == "environment" else later("{name}: {words} (it is set in {source})")
        )
        clauses.append(Sentence(clause, name=problem.name.upper(), words=problem.words, source=source))
    return join_sentences(clauses)
