"""Every setting, once: its name, type, default, range, tier, and one sentence of help.

`.env.template` and docs/settings.md are printed from this model. Precedence: environment, systemd credential, `.env`
(the data directory's before the checkout's), operator_settings.json, default.
"""

from __future__ import annotations

import difflib
import functools
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, Field, SecretStr, ValidationError, ValidationInfo, field_validator

from furoshiki.core import recipients, setting_errors
from furoshiki.core.addresses import place, secrets_in, without_secrets
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import (
    ROOT,
    data_dir,
    database_path,
    host_of,
    is_zone,
    machine_zone,
    read_env_file,
    without_others,
    without_the_hosts,
)

OTHER_PREFIXES = ("FUROSHIKI_CRASH_AT", "FUROSHIKI_HANG_AT", "FUROSHIKI_PYTHON", "FUROSHIKI_VENV")
"""Names that begin like ours and are read elsewhere (points where tests crash or hang it, the installer)."""


WHERE = ("furoshiki_data", "furoshiki_homes")
"""Settings that say where the others lie."""

_LIKE = {
    "telegram_api_url": "https://api.telegram.org",
    "anthropic_base_url": "https://api.anthropic.com",
    "openai_base_url": "http://localhost:11434/v1",
    "furoshiki_chroma_url": "http://localhost:8000",
}
"""What an address looks like that fits."""


SUBJECTS = {
    "telegram": "Telegram",
    "models": "Models and costs",
    "companion": "The companion",
    "thinking": "Thinking",
    "memory": "Memory",
    "plugins": "Plugins",
    "repairs": "Repairs",
    "dashboard": "Dashboard",
    "machine": "This machine",
}
"""What settings are about, in the order in which they are shown."""


def _setting(
    default: Any,
    help_: str,
    *,
    subject: str = "machine",
    tier: int = 1,
    restart: Literal[False] | str = "listener and brain",
    secret: bool = False,
    **limits: Any,
) -> Any:
    extra: dict[str, Any] = {"subject": subject, "tier": tier, "restart": bool(restart), "secret": secret}
    extra["restarts"] = restart or ""
    return Field(default, description=help_, json_schema_extra=extra, **limits)


class Settings(BaseModel):
    """What an operator may turn. Field names in capitals are the environment names."""

    model_config = {"frozen": True, "extra": "forbid", "validate_default": True}

    furoshiki_data: Path = _setting(
        Path("~/.furoshiki"),
        "Where everything the companion knows is kept, outside the checkout.",
        tier=2,
        subject="machine",
    )
    furoshiki_homes: Path = _setting(
        Path("~/.furoshiki-homes"),
        "Where the homes lie that `furoshiki host` looks after, one data directory each.",
        tier=2,
    )
    furoshiki_host_memory_mb: int = _setting(
        2000,
        "Megabytes that listener, brain and memoryd of a host may use together, as services of systemd.",
        tier=2,
        ge=256,
        le=1_000_000,
        restart="the host's services, by `furoshiki service install --host`",
    )
    furoshiki_host_cpu_percent: int | None = _setting(
        None,
        "Percent of one core that they may use together; 150 is a core and a half.",
        tier=2,
        ge=10,
        le=100_000,
        restart="the host's services, by `furoshiki service install --host`",
    )
    furoshiki_host_tasks: int = _setting(
        1024,
        "Processes and threads that they may have together.",
        tier=2,
        ge=64,
        le=100_000,
        restart="the host's services, by `furoshiki service install --host`",
    )
    furoshiki_host_health: str | None = _setting(
        None,
        "Where the host answers /healthz, /readyz and /metrics, in figures, as 127.0.0.1:8790. Whoever reaches an "
        "address beyond this machine (0.0.0.0:8790) can read them.",
        tier=2,
        restart="the host",
    )
    furoshiki_host_database: SecretStr | None = _setting(
        None,
        "A PostgreSQL database, as postgresql://user:password@host:5432/name, that says which of several machines has "
        "which home. Without it one machine has them all. Only a host reads it.",
        tier=2,
        secret=True,
        restart="the host",
    )
    furoshiki_host_lease_seconds: float = _setting(
        30.0,
        "After how long another machine may take the homes of one that is gone. Only a host reads it.",
        tier=2,
        ge=2,
        le=600,
        restart="the host",
    )
    telegram_bot_token: SecretStr | None = _setting(
        None,
        "The token @BotFather gave you. Without it the companion chats in the terminal only.",
        secret=True,
        subject="telegram",
        restart="the listener",
    )
    telegram_api_url: str = _setting(
        "https://api.telegram.org",
        "The Bot API server; change it only to use a server of your own.",
        tier=2,
        subject="telegram",
    )
    telegram_owner_id: int | None = _setting(
        None,
        "Your numeric Telegram id: pairs you as the owner without a code.",
        gt=0,
        subject="telegram",
        restart="the listener",
    )
    anthropic_api_key: SecretStr | None = _setting(
        None, "Key for Anthropic's models.", secret=True, restart=False, subject="models"
    )
    anthropic_base_url: str | None = _setting(
        None, "Another address that speaks Anthropic's interface.", tier=2, restart=False, subject="models"
    )
    openai_api_key: SecretStr | None = _setting(
        None,
        "Key for OpenAI's models, or for whatever OPENAI_BASE_URL names.",
        secret=True,
        restart=False,
        subject="models",
    )
    openai_base_url: str | None = _setting(
        None,
        "Another address that speaks OpenAI's interface (Ollama, OpenRouter, vLLM, …).",
        restart=False,
        subject="models",
    )
    furoshiki_model_chat: str | None = _setting(
        None,
        "The voice. `provider:model`, several separated by commas are tried in order.",
        restart=False,
        subject="models",
    )
    furoshiki_model_deep: str | None = _setting(
        None, "Slow thought and first drafts of unprompted messages.", restart=False, subject="models"
    )
    furoshiki_model_reflect: str | None = _setting(None, "Journals and profiles.", restart=False, subject="models")
    furoshiki_model_fast: str | None = _setting(
        None, "Reading conversations for facts.", restart=False, subject="models"
    )
    furoshiki_model_micro: str | None = _setting(None, "Small judgements.", restart=False, subject="models")
    furoshiki_batch: Literal["off", "on"] = _setting(
        "off",
        "Nightly work in batches of Anthropic or OpenAI, at half the price: its scripts then wait for minutes, and "
        "what is not there in time is asked as ever.",
        subject="models",
    )
    furoshiki_embedder: str = _setting(
        "best",
        "Encoder: best, colbert-small, minilm-int8, minilm-fp32, a folder, or a sentence-transformers name.",
        subject="memory",
    )
    furoshiki_database_url: str | None = _setting(
        None,
        "Another place for the database, as sqlite:///path. Default: memory/longmemory.sqlite.",
        tier=2,
        subject="machine",
    )
    furoshiki_chroma_url: str | None = _setting(
        None,
        "A Chroma server to use in place of the built-in index, as http://host:port. Vectors leave the machine, words "
        "do not. For the homes of a host it stands in the host's .env, and each has a tenant of its own there.",
        tier=2,
        subject="machine",
        restart="listener, brain and memoryd",
    )
    furoshiki_chroma_token: SecretStr | None = _setting(
        None,
        "What lets this machine in at that server, or at a proxy before it. User and password go into the address.",
        tier=2,
        secret=True,
        subject="machine",
        restart="memoryd",
    )
    furoshiki_log_level: Literal["debug", "info", "warning", "error"] = _setting(
        "info", "How much is written to logs/.", restart=False, subject="machine"
    )
    furoshiki_stalled_seconds: float = _setting(
        60.0,
        "Seconds without progress after which the process that answers is ended and started again; the message it "
        "was reading is set aside the third time.",
        tier=2,
        gt=0,
        subject="machine",
        restart="the listener",
    )
    furoshiki_turn_minutes: float = _setting(
        15.0,
        "Minutes one message may take from being read to its answer; after that it is tried again.",
        tier=2,
        gt=0,
        subject="machine",
        restart="the listener",
    )
    furoshiki_brain_tick_seconds: float = _setting(
        5.0,
        "Seconds after which the brain looks at schedules and the clock again while nothing is due.",
        tier=2,
        restart="the brain",
        ge=0.2,
        le=60,
    )
    furoshiki_seed: int | None = _setting(None, "Makes all chance repeatable.", tier=2, subject="machine")
    furoshiki_backup_recipients: str | None = _setting(
        None,
        "Public keys (age1… or ssh-ed25519 …, separated by commas) that backups are encrypted for; any one of the "
        "secret keys opens them. `furoshiki backup key` makes one.",
        tier=2,
        restart=False,
        subject="machine",
    )

    furoshiki_companion_name: Annotated[str, Field(min_length=1, max_length=40)] = _setting(
        "Furo", "What the companion is called.", restart=False, subject="companion"
    )
    furoshiki_timezone: str | None = _setting(
        None, "Your time zone, as Europe/Lisbon. Default: the machine's.", restart=False, subject="companion"
    )
    furoshiki_language: Annotated[str | None, Field(pattern=r"^[A-Za-z]{2}([-_][A-Za-z]{2,4})?$")] = _setting(
        None,
        "The language you write in besides English, for reading feelings: de, es, tr or ru. Default: what your "
        "Telegram is set to.",
        subject="companion",
    )
    furoshiki_soft_budget_usd: float = _setting(
        0.5,
        "Dollars a day after which background work moves to the cheapest model.",
        ge=0,
        le=1000,
        restart=False,
        subject="models",
    )
    furoshiki_hard_budget_usd: float = _setting(
        1.0,
        "Dollars a day after which only your own messages are still answered by a paid model; a plugin that is being "
        "written goes on within its own budget.",
        ge=0,
        le=1000,
        restart=False,
        subject="models",
    )
    furoshiki_host_daily_budget_usd: float = _setting(
        0.0,
        "Dollars a day (UTC) that all homes of a host may spend on models together; when they are spent, each answers "
        "with what costs nothing. 0: no limit. Holds in the host's .env, not in a home's.",
        tier=2,
        ge=0,
        le=100_000,
        restart=False,
        subject="models",
    )
    furoshiki_host_calls_at_once: int = _setting(
        0,
        "Models that all homes of a host may ask at the same moment; a quarter is kept for conversations. 0: no limit. "
        "Holds in the host's .env, not in a home's.",
        tier=2,
        ge=0,
        le=256,
        restart=False,
        subject="models",
    )
    furoshiki_host_free_gb: float = _setting(
        0.0,
        "Gigabytes that are to stay free on the disk of a host; below, no home takes in documents, imports or exports. "
        "0: none. Holds in the host's .env, not in a home's.",
        tier=2,
        ge=0,
        le=100_000,
        restart=False,
        subject="machine",
    )
    furoshiki_bubbles: bool = _setting(
        False, "Send a reply of several thoughts as two or three messages.", restart=False, subject="companion"
    )
    furoshiki_reactions: bool = _setting(
        True, "Let the companion answer with a reaction where words add nothing.", restart=False, subject="companion"
    )
    furoshiki_wandering: bool = _setting(
        True,
        "Let its mind wander when nobody speaks: a few passing thoughts after a conversation.",
        restart=False,
        subject="thinking",
    )
    furoshiki_boundaries: bool = _setting(
        True,
        "Notice where a conversation turns to another subject: what was said before is folded away, what is known is "
        "told anew, and a subject that comes back is known again.",
        restart=False,
        subject="thinking",
    )
    furoshiki_groups: bool = _setting(
        False,
        "Answer in groups the owner added the bot to, when mentioned or replied to.",
        subject="telegram",
        restart="the listener",
    )
    furoshiki_voice_model: Path | None = _setting(
        None,
        "A folder with a Whisper model (CTranslate2), to understand voice messages; needs the voice extra.",
        restart=False,
        subject="companion",
    )
    furoshiki_speech_voice: Path | None = _setting(
        None,
        "A Piper voice (NAME.onnx) or a folder of them, one for each language, to answer voice notes with; needs the "
        "speech extra, whose own voice speaks without it.",
        restart=False,
        subject="companion",
    )
    furoshiki_context_tokens: int = _setting(
        6000,
        "Tokens of prompt a message may use, the answer aside.",
        ge=1500,
        le=200_000,
        tier=2,
        restart=False,
        subject="thinking",
    )
    furoshiki_memory_tokens: int = _setting(
        2000,
        "Tokens of memories that may be put before the mind for one message.",
        ge=100,
        le=20_000,
        tier=2,
        restart=False,
        subject="memory",
    )
    furoshiki_memoryd_idle_minutes: float = _setting(
        30.0,
        "Minutes without work after which memoryd gives its memory back.",
        ge=0.05,
        le=10_000,
        tier=2,
        subject="memory",
        restart="memoryd",
    )
    furoshiki_memoryd_url: str | None = _setting(
        None,
        "The encoder on a stronger machine (`furoshiki encoder serve` there), as https://host:8443; texts are sent "
        "there. Without it memoryd has one of its own.",
        tier=2,
        subject="memory",
        restart="memoryd",
    )
    furoshiki_memoryd_token: SecretStr | None = _setting(
        None,
        "The token for it, which `furoshiki encoder token NAME` makes there.",
        tier=2,
        secret=True,
        subject="memory",
        restart="memoryd",
    )
    furoshiki_memoryd_ca: Path | None = _setting(
        None,
        "The certificates to judge it by, where it made its own: a copy of its certificate.pem. Default: the system's.",
        tier=2,
        subject="memory",
        restart="memoryd",
    )
    furoshiki_gate_maturity: float = _setting(
        0.2,
        "How strictly what was said is sifted before it is a memory: 0 keeps much, 1 little.",
        ge=0,
        le=1,
        tier=2,
        restart=False,
        subject="memory",
    )
    furoshiki_safety_stages: Annotated[str, Field(pattern=r"^([ABC]{1,3}|none)$")] = _setting(
        "A",
        "Safety ceilings on memory weights that are enforced: A, AB, ABC or none; the others only log.",
        tier=2,
        restart=False,
        subject="memory",
    )

    furoshiki_router_hints: bool = _setting(
        True,
        "Tell the mind in one line where a message seems to want something done, asked back or only acknowledged.",
        tier=2,
        restart=False,
        subject="thinking",
    )
    furoshiki_user_path: Literal["unified", "router"] = _setting(
        "unified",
        "Who decides how your messages are answered: the model that answers, with all it can do (`unified`), or the "
        "mode router before it, which picks the prompt and the skills (`router`).",
        tier=2,
        restart=False,
        subject="thinking",
    )
    furoshiki_attention: bool = _setting(
        True,
        "Weigh all that asks for attention: what draws most is the first thing on its mind, and told beside a message "
        "that draws less.",
        tier=2,
        restart=False,
        subject="thinking",
    )
    furoshiki_second_thoughts: bool = _setting(
        True,
        "Think an answer over where much hangs on it or it is unsure, and learn from what was wrong in it.",
        tier=2,
        restart=False,
        subject="thinking",
    )

    furoshiki_trust_level: int = _setting(
        1,
        "How far you trust the companion: below 3 it asks you before it holds a memory as all but certain.",
        ge=1,
        le=3,
        tier=2,
        restart=False,
        subject="memory",
    )

    furoshiki_soul_engine: Literal["whole", "rules"] = _setting(
        "whole",
        "What a look at itself every quarter of an hour does: look into what it is curious about and ask a model who "
        "can answer it (`whole`), or move feelings and needs by rule alone (`rules`).",
        subject="thinking",
        tier=3,
        restart=False,
    )
    furoshiki_curiosity_triage: Literal["model", "rules"] = _setting(
        "model",
        "Who sorts what it is curious about that rules cannot: a small model, or nobody, and the night looks into it "
        "(`rules`).",
        subject="thinking",
        tier=3,
        restart=False,
    )
    furoshiki_contemplation: bool = _setting(
        True,
        "Think a short thought now and then by day, at most four in 24 hours.",
        subject="thinking",
        tier=3,
        restart=False,
    )

    furoshiki_repair_apply: bool = _setting(
        True,
        "Let a small, clear defect of a plugin's script be mended by itself, when the plugin's tests then pass.",
        tier=2,
        restart=False,
        subject="repairs",
    )
    furoshiki_repair_command: str | None = _setting(
        None,
        "A command that is asked for repairs in place of a model: it reads the evidence and prints a unified diff.",
        tier=2,
        restart=False,
        subject="repairs",
    )
    furoshiki_repair_job_usd: float = _setting(
        0.25,
        "Dollars a model may cost for one error that came back; 0 asks none.",
        tier=2,
        ge=0,
        le=100,
        restart=False,
        subject="repairs",
    )
    furoshiki_repair_day_usd: float = _setting(
        0.5, "Dollars a day for all of them.", tier=2, ge=0, le=100, restart=False, subject="repairs"
    )

    furoshiki_plugin_wishes: Literal["owner", "own", "off"] = _setting(
        "owner",
        "Whose wishes for plugins the companion writes, for you to read and apply: yours alone (`owner`), at most one "
        "a week of its own besides (`own`), or nobody's (`off`).",
        tier=2,
        restart=False,
        subject="plugins",
    )
    furoshiki_plugin_create_usd: float = _setting(
        3.0,
        "Dollars a model may cost for writing one plugin; 0 writes none.",
        tier=2,
        ge=0,
        le=100,
        restart=False,
        subject="plugins",
    )
    furoshiki_plugin_review_usd: float = _setting(
        1.0,
        "Dollars for reviewing it before you get to see it.",
        tier=2,
        ge=0,
        le=100,
        restart=False,
        subject="plugins",
    )
    furoshiki_plugin_sandbox: Literal["auto", "bubblewrap", "landlock"] = _setting(
        "auto",
        "What holds plugins: auto takes bubblewrap, else Landlock; plugins do not run where neither works.",
        tier=2,
        restart=False,
        subject="plugins",
    )
    furoshiki_plugin_memory_mb: int = _setting(
        256, "Megabytes of memory one plugin may use.", tier=2, ge=64, le=8192, restart=False, subject="plugins"
    )
    furoshiki_plugin_data_mb: int = _setting(
        50, "Megabytes of files one plugin may keep.", tier=2, ge=1, le=10_000, restart=False, subject="plugins"
    )
    furoshiki_plugin_day_usd: float = _setting(
        0.1,
        "Dollars a day that all plugins together may spend on models.",
        tier=2,
        ge=0,
        le=100,
        restart=False,
        subject="plugins",
    )
    furoshiki_plugin_local_hosts: Annotated[
        str | None, Field(pattern=r"^\s*[^\s,]+(\s*,\s*[^\s,]+)*\s*$", max_length=1000)
    ] = _setting(
        None,
        "Hosts of your own network that plugins may speak to when their manifest names them, separated by commas, as "
        "homeassistant.local:8123. All others inside it are closed to them.",
        tier=2,
        restart=False,
        subject="plugins",
    )

    furoshiki_host_operator: int | None = _setting(
        None,
        "The Telegram id of whoever keeps a host: its doctor tells them what it finds, by the bot of all homes. Holds "
        "in the host's .env, not in a home's.",
        tier=2,
        ge=1,
        restart=False,
        subject="machine",
    )
    furoshiki_dashboard: bool = _setting(
        False, "Serve the pages and the API beside the listener (`furoshiki up`, the services).", subject="dashboard"
    )
    furoshiki_dashboard_host: Annotated[str, Field(min_length=1, max_length=253)] = _setting(
        "127.0.0.1",
        "The address the dashboard listens at. Beyond this machine only with a password or an https address.",
        subject="dashboard",
        restart="the dashboard",
    )
    furoshiki_dashboard_port: int = _setting(
        8330,
        "The port the dashboard listens at.",
        ge=1,
        le=65535,
        subject="dashboard",
        restart="the dashboard and the listener",
    )
    furoshiki_dashboard_url: str | None = _setting(
        None,
        "The address under which your browser reaches the dashboard where that is not this machine itself, as "
        "https://furo.example.net: a reverse proxy, or Tailscale. With https it opens inside Telegram, too.",
        subject="dashboard",
        restart="the dashboard and the listener",
    )

    @field_validator("furoshiki_timezone")
    @classmethod
    def _zone_exists(cls, value: str | None) -> str | None:
        if value is not None and not is_zone(value):
            near = difflib.get_close_matches(value, available_timezones(), 1, 0.4)
            raise ValueError(f"no such time zone{f'; did you mean {near[0]}?' if near else ''}")
        return value

    @field_validator("furoshiki_database_url")
    @classmethod
    def _only_sqlite(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith("sqlite:///"):
            raise ValueError("only sqlite:///path works: full-text search and the index are built on SQLite")
        return value

    @field_validator("furoshiki_host_health")
    @classmethod
    def _a_place(cls, value: str | None) -> str | None:
        if value is not None:
            place(value)
        return value

    @field_validator("telegram_bot_token")
    @classmethod
    def _a_token(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not setting_errors.is_token(value.get_secret_value()):
            raise ValueError(setting_errors.TOKEN)
        return value

    @field_validator("furoshiki_host_database")
    @classmethod
    def _only_postgresql(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(("postgresql://", "postgres://")):
            raise ValueError("must be an address of PostgreSQL: postgresql://user:password@host:5432/database")
        return value

    @field_validator("telegram_api_url", "anthropic_base_url", "openai_base_url", "furoshiki_chroma_url")
    @classmethod
    def _an_address(cls, value: str | None, field: ValidationInfo) -> str | None:
        if value is not None and not setting_errors.is_address(value):
            raise ValueError(setting_errors.ADDRESS.format(like=_LIKE[str(field.field_name)]))
        return value

    @field_validator("furoshiki_memoryd_url")
    @classmethod
    def _over_tls(cls, value: str | None) -> str | None:
        if value is not None and not setting_errors.is_private_origin(value):
            raise ValueError(setting_errors.PRIVATE_ORIGIN)
        return value

    @field_validator("furoshiki_dashboard_url")
    @classmethod
    def _an_origin(cls, value: str | None) -> str | None:
        if value is not None and not setting_errors.is_origin(value):
            raise ValueError(setting_errors.ORIGIN)
        return None if value is None else value.rstrip("/").lower()

    @field_validator("furoshiki_memoryd_ca")
    @classmethod
    def _from_home(cls, value: Path | None) -> Path | None:
        return None if value is None else value.expanduser().absolute()

    @field_validator("furoshiki_backup_recipients")
    @classmethod
    def _recipients(cls, value: str | None) -> str | None:
        for one in recipients.split(value or ""):
            if (fault := recipients.fault(one)) is not None:
                raise ValueError(fault)
        return value

    @field_validator(*WHERE)
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @property
    def data(self) -> Path:
        """The data directory, absolute."""
        return self.furoshiki_data

    @property
    def database(self) -> Path:
        """The database file."""
        return database_path(self.furoshiki_data, self.furoshiki_database_url)

    @property
    def zone(self) -> ZoneInfo:
        """The user's time zone."""
        return ZoneInfo(self.furoshiki_timezone or machine_zone())

    @property
    def backup_recipients(self) -> tuple[str, ...]:
        """For whom backups are encrypted; nobody when they are not."""
        return recipients.split(self.furoshiki_backup_recipients or "")

    @property
    def safety_stages(self) -> frozenset[str]:
        """The stages of safety ceilings that are enforced."""
        return frozenset(self.furoshiki_safety_stages) & frozenset("ABC")

    @property
    def encoder_elsewhere(self) -> tuple[str, str | None, Path | None] | None:
        """Address, token and certificates of the encoder on another machine; None where memoryd has its own."""
        if self.furoshiki_memoryd_url is None:
            return None
        token = self.furoshiki_memoryd_token
        return (
            self.furoshiki_memoryd_url,
            None if token is None else token.get_secret_value(),
            self.furoshiki_memoryd_ca,
        )

    def secrets(self) -> tuple[str, ...]:
        """Every secret value that is set, passwords in addresses too, for the filter that keeps them out of logs."""
        ours = (self.telegram_bot_token, self.furoshiki_chroma_token, self.furoshiki_memoryd_token)
        keys = (*ours, self.anthropic_api_key, self.openai_api_key)
        addresses = (self.openai_base_url, self.anthropic_base_url, self.furoshiki_chroma_url, self.telegram_api_url)
        return (
            *(key.get_secret_value() for key in keys if key is not None),
            *(secret for address in addresses if address for secret in secrets_in(address)),
            *(secrets_in(self.furoshiki_host_database.get_secret_value()) if self.furoshiki_host_database else ()),
            *of_others(self.data, PLUGIN_PREFIX, TOOL_PREFIX).values(),
        )


PLUGIN_PREFIX, TOOL_PREFIX = "PLUGIN_", "TOOL_"
"""What the names of the settings of plugins and of tool servers begin with, in the `.env` of the data directory."""


def of_others(data: Path, *prefixes: str) -> dict[str, str]:
    """The settings of plugins or tool servers, by their names in `.env`. Raises BadSetting."""
    held = read_env_file(data / ".env")
    return {name: value for name, value in held.items() if name.startswith(prefixes)}


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """All settings. Raises BadSetting naming every unknown or invalid one with its nearest match."""
    return made(effective(environ))


def made(given: Mapping[str, tuple[Any, str]]) -> Settings:
    """Settings of what `effective` found. Raises BadSetting."""
    try:
        return Settings(**{name: value for name, (value, _source) in given.items()})
    except ValidationError as error:
        raise BadSetting(_explain(error, given)) from None


def reload(held: Settings, environ: Mapping[str, str] | None = None) -> Settings:
    """The settings as they stand now, of which those that need a restart stay as they are held. Raises BadSetting."""
    found = made(effective(environ, held.data))
    return found.model_copy(update={name: getattr(held, name) for name in Settings.model_fields if needs_restart(name)})


def needs_restart(name: str) -> bool:
    """Whether a running program goes on with the setting as it was."""
    extra = Settings.model_fields[name].json_schema_extra
    return isinstance(extra, dict) and bool(extra["restart"])


def effective(environ: Mapping[str, str] | None = None, data: Path | None = None) -> dict[str, tuple[Any, str]]:
    """Each setting that is set anywhere, with the place it comes from. Unknown FUROSHIKI_* names raise BadSetting.

    `data` is the data directory of somebody who holds one already; else the environment names it.
    """
    env: Mapping[str, str] = os.environ if environ is None else environ
    if data is not None:
        env = {**env, "FUROSHIKI_DATA": str(data)}
    data = data_dir(env)
    host = host_of(data)
    layers: list[tuple[str, Mapping[str, Any]]] = [
        (
            "memory/operator_settings.json",
            without_the_hosts(_operator_settings(data / "memory" / "operator_settings.json"), data),
        ),
        (".env of the checkout", without_others(read_env_file(ROOT / ".env"), data)),
        (".env of the host", {} if host is None else without_others(read_env_file(host / ".env"), data)),
        (".env of the data directory", without_the_hosts(read_env_file(data / ".env"), data)),
        ("systemd credential", without_others(_credentials(env.get("CREDENTIALS_DIRECTORY")), data)),
        ("environment", without_others(env, data)),
    ]
    found: dict[str, tuple[Any, str]] = {}
    for source, layer in layers:
        for name, value in layer.items():
            field = name.lower()
            if field in Settings.model_fields:
                if value == "":
                    continue
                if field in WHERE and source != "environment":
                    raise BadSetting(f"{name} (in {source}) can be set by environment only: it says where to look")
                found[field] = (value, source)
            elif source != "systemd credential" and _looks_like_ours(name, source):
                known(name, source)
    found["furoshiki_data"] = (str(data), "environment" if env.get("FUROSHIKI_DATA") else "default")
    return found


def validated(name: str, text: str, source: str, given: Mapping[str, tuple[Any, str]]) -> str | int | float | bool:
    """What a setting would hold as a JSON value, beside those that are `given`. Raises BadSetting if it cannot."""
    beside = {**given, name: (text, source)}
    try:
        found = getattr(Settings(**{key: value for key, (value, _source) in beside.items()}), name)
    except ValidationError as error:
        raise BadSetting(_explain(error, given)) from None
    return found if isinstance(found, str | int | float | bool) else str(found)


def assigned(pairs: Sequence[str], source: str) -> dict[str, Any]:
    """The values of settings that were written as NAME=VALUE in `source`. Raises BadSetting."""
    given: dict[str, tuple[Any, str]] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadSetting(f"{source} {pair}: write it as NAME=VALUE, as in FUROSHIKI_WANDERING=off")
        known(name.upper(), source)
        given[name.lower()] = (value, source)
    return {name: validated(name, value, source, given) for name, (value, source) in given.items()}


def described(name: str) -> dict[str, Any]:
    """What is known of a setting besides its value: what it is about, default, tier, whether a change needs a restart
    and of what, type, range, help."""
    field, shape = Settings.model_fields[name], _shapes()[name]
    extra = field.json_schema_extra
    assert isinstance(extra, dict)
    forms = [form for form in shape.get("anyOf", [shape]) if form.get("type") != "null"]
    limits = {_LIMITS[key]: value for form in (*forms, shape) for key, value in form.items() if key in _LIMITS}
    return {
        "default": None if field.default is None else str(field.default),
        "subject": extra["subject"],
        "tier": extra["tier"],
        "restart": extra["restart"],
        "restarts": extra["restarts"],
        "secret": extra["secret"],
        "type": forms[0].get("type", "string"),
        "range": limits,
        "help": field.description,
    }


@functools.cache
def _shapes() -> dict[str, Any]:
    """Each setting as JSON Schema has it."""
    found: dict[str, Any] = Settings.model_json_schema()["properties"]
    return found


_LIMITS = {
    "minimum": "from", "exclusiveMinimum": "above", "maximum": "to", "enum": "one_of", "pattern": "pattern",
    "minLength": "shortest", "maxLength": "longest",
}  # fmt: skip


def known(name: str, where: str) -> None:
    """Raises BadSetting, with the nearest match, when there is no such setting. `where` it was named."""
    if name.lower() not in Settings.model_fields:
        raise BadSetting(f"{name.upper()} (in {where}) is not a setting{_nearest(name)} See `furoshiki config docs`.")


def shown(held: Settings) -> list[dict[str, Any]]:
    """Every setting as it may be shown."""
    given = effective()
    return [shown_one(name, held, given) for name in Settings.model_fields]


def shown_one(name: str, held: Settings, given: Mapping[str, tuple[Any, str]]) -> dict[str, Any]:
    """One setting as it may be shown: name, value (of a secret that there is one), and where it comes from."""
    extra, value = Settings.model_fields[name].json_schema_extra, getattr(held, name)
    secret = isinstance(extra, dict) and extra["secret"]
    text = None if value is None else "••••••" if secret else without_secrets(str(value))
    return {"name": name.upper(), "value": text, "source": given[name][1] if name in given else "default"}


def docs() -> str:
    """The text of docs/settings.md."""
    lines = [
        "# Settings",
        "",
        "Made from `furoshiki/core/settings.py` by `make docs`. Set by environment, systemd credential, `.env`, or",
        "(tier 1) `memory/operator_settings.json`, in this order of precedence.",
        "",
        "What needs no restart holds from the next message on (for a script from its next run) once the file is saved;",
        "a file that cannot be read as settings changes nothing, and the log says why. What the environment or a",
        "systemd credential says holds until the program is started again. The rest needs `furoshiki up`, or the",
        "service, started again; memoryd takes its settings up when it is next started.",
    ]
    every = {name: described(name) for name in Settings.model_fields}
    for subject, label in SUBJECTS.items():
        rows = {name: row for name, row in every.items() if row["subject"] == subject}
        lines += ["", f"## {label}", "", "| name | default | tier | restart | what it does |", "|---|---|---|---|---|"]
        for name, row in rows.items():
            default = "—" if row["default"] is None else f"`{row['default']}`"
            lines.append(
                f"| `{name.upper()}` | {default} | {row['tier']} | {row['restarts'] or 'no'} | {row['help']} |"
            )
    return "\n".join(lines) + "\n"


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
    for name in found:
        field = Settings.model_fields.get(name.lower())
        if field is not None and isinstance(field.json_schema_extra, dict) and field.json_schema_extra["tier"] != 1:
            raise BadSetting(f"{name} (in {path}) can be set by environment only")
    return found


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


def _explain(error: ValidationError, given: Mapping[str, tuple[Any, str]]) -> str:
    """One clause for each wrong setting: its name, what it must be, and where it stands unless in the environment."""
    clauses = []
    for problem in error.errors(include_input=False, include_url=False):
        name = str(problem["loc"][0]) if problem["loc"] else "settings"
        field, source = Settings.model_fields.get(name), given.get(name, ("", "environment"))[1]
        own_words = problem["msg"].removeprefix("Value error, ")
        words = setting_errors.said(
            problem["type"], problem.get("ctx", {}), own_words, str(field.description if field else "")
        )
        where = "" if source == "environment" else f" (it is set in {source})"
        clauses.append(f"{name.upper()}: {words}{where}")
    return "; ".join(clauses)
