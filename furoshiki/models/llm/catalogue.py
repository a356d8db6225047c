"""Facts on models: the providers' rows and config/models.toml (defaults, prices, patience)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from furoshiki.core.config_table import ConfigTable, overlaid
from furoshiki.core.errors import BadSetting
from furoshiki.core.network import providers
from furoshiki.core.paths import read_toml_file
from furoshiki.models.llm.provider import ModelOptions
from furoshiki.models.llm.values import TIERS, Tier

SHIPPED = Path(__file__).resolve().parents[3] / "config" / "models.toml"


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens; caching for an hour costs 1.6 times `cache_written`."""

    input: float
    output: float
    cached: float
    cache_written: float


# a cautious price for unknown models: that of the most expensive common chat models
UNKNOWN = Price(input=5.0, output=25.0, cached=5.0, cache_written=5.0)


@dataclass(frozen=True)
class Patience:
    """Timeouts (seconds) and tries for a provider.
    `at_home` multiplies the timeouts for models on the owner's own machines."""

    tries: int = 3
    stall_s: float = 45.0
    first_sign_s: Mapping[str, float] = field(default_factory=dict)
    longest_retry_after_s: float = 15.0
    at_home: float = 2.0

    def of(self, tier: Tier) -> float:
        """Return the timeout until the first sign of an answer, in seconds."""
        return self.first_sign_s.get(tier, 30.0)


@dataclass(frozen=True)
class _ManneredModels:
    pattern: str
    tiers: tuple[str, ...]
    manner: ModelOptions


@dataclass(frozen=True)
class Catalogue:
    """Known facts about models. `by_piece`: the owner's prices in US dollars for a picture, or a
    minute of speech, by "provider:model"."""

    defaults: Mapping[str, Mapping[Tier, str]] = field(default_factory=dict)
    patience: Patience = Patience()
    prices: Mapping[str, Price] = field(default_factory=dict)
    unknown: Price = UNKNOWN
    manners: tuple[_ManneredModels, ...] = ()
    by_piece: Mapping[str, float] = field(default_factory=dict)

    def manner(self, ref: str, tier: Tier) -> ModelOptions:
        """Return how `ref` ("provider:model") is called in `tier`."""
        for entry in self.manners:
            if fnmatchcase(ref, entry.pattern) and (not entry.tiers or tier in entry.tiers):
                return entry.manner
        return ModelOptions()


def load(*paths: Path) -> Catalogue:
    """Load the shipped catalogue, overridden by the given files; missing files and unknown names
    are skipped.

    Raises BadSetting, naming the file, for an invalid value.
    """
    tables = _of_providers()
    where = SHIPPED
    for path in (SHIPPED, *paths):
        if path is not SHIPPED and not path.exists():
            continue
        where = path
        fresh = read_toml_file(path)
        # the owner's manners come first, as the first match applies
        manners = [*fresh.get("manners", []), *tables.get("manners", [])]
        tables = {**overlaid(tables, fresh), "manners": manners}
    try:
        return _catalogue(tables)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise BadSetting(f"{where}: a value is missing or of the wrong kind ({error})") from error


def _of_providers() -> dict[str, Any]:
    """Return the providers' rows in the file's format."""
    every = providers.PROVIDERS
    return {
        "defaults": {spec.name: dict(spec.models) for spec in every if spec.models},
        "manners": [
            {**asdict(asked), "models": f"{spec.name}:{asked.models}"} for spec in every for asked in spec.asked
        ],
    }


def unknown(fresh: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each unknown name. Raises ValueError where a table is expected."""
    strange: list[str] = []
    table = ConfigTable(fresh, strange=strange)
    table.only(("defaults", "patience", "prices", "by_piece", "unknown_price", "manners"))
    below = {name: table.table_or_empty(name) for name in ("defaults", "patience", "prices", "unknown_price")}
    below["patience"].only(one.name for one in fields(Patience))
    below["patience"].table_or_empty("first_sign_s").only(TIERS)
    for provider in below["defaults"]:
        below["defaults"].table(provider).only(TIERS)
    for price in (below["unknown_price"], *(below["prices"].table(ref) for ref in below["prices"])):
        price.only(one.name for one in fields(Price))
    for manner in table.tables("manners"):
        manner.only(("models", "tiers", "send", "room"))
    return strange


def _catalogue(tables: Mapping[str, Any]) -> Catalogue:
    patience = tables.get("patience", {})
    return Catalogue(
        defaults={
            provider: {tier: str(models[tier]) for tier in TIERS if tier in models}
            for provider, models in tables.get("defaults", {}).items()
        },
        patience=Patience(
            tries=max(1, int(patience.get("tries", Patience.tries))),
            stall_s=float(patience.get("stall_s", Patience.stall_s)),
            first_sign_s={tier: float(value) for tier, value in patience.get("first_sign_s", {}).items()},
            longest_retry_after_s=float(patience.get("longest_retry_after_s", Patience.longest_retry_after_s)),
            at_home=float(patience.get("at_home", Patience.at_home)),
        ),
        prices={ref: _price(row) for ref, row in tables.get("prices", {}).items()},
        by_piece={ref: float(usd) for ref, usd in tables.get("by_piece", {}).items()},
        unknown=_price(tables["unknown_price"]) if "unknown_price" in tables else UNKNOWN,
        manners=tuple(
            _ManneredModels(
                str(row["models"]),
                tuple(str(tier) for tier in row.get("tiers", ())),
                ModelOptions(dict(row.get("send", {})), int(row.get("room", 0))),
            )
            for row in tables.get("manners", ())
        ),
    )


def _price(row: Mapping[str, Any]) -> Price:
    fresh = float(row["input"])
    return Price(
        input=fresh,
        output=float(row["output"]),
        cached=float(row.get("cached", fresh)),
        cache_written=float(row.get("cache_written", fresh)),
    )
