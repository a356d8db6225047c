"""Construction of the gateway from settings. Loads no SDK and opens no connection."""

from collections.abc import Collection, Mapping
from pathlib import Path

from furoshiki.core.network import providers
from furoshiki.core.network.providers import ProviderSpec
from furoshiki.core.paths import host_of
from furoshiki.models.llm.anthropic import Anthropic
from furoshiki.models.llm.catalogue import load
from furoshiki.models.llm.gateway import Around, Gateway
from furoshiki.models.llm.local_gguf import LocalGguf
from furoshiki.models.llm.openai import OpenAI
from furoshiki.models.llm.plans import plans_from
from furoshiki.models.llm.prices import Prices
from furoshiki.models.llm.provider import Provider
from furoshiki.models.llm.rules.budget import BudgetLimits


def open_minds(
    values: Mapping[str, str | None],
    around: Around,
    *,
    data: Path,
    limits: BudgetLimits,
    paid: Collection[str] = (),
) -> Gateway:
    """Build the gateway from the settings' `values` (keys, base URLs, FUROSHIKI_MODEL_*).

    `data` has the owner's config/models.toml and models/*.gguf. Unusable settings are in
    `gateway.plans.notes`. Servers have named a cost for `paid` models. Raises BadSetting.
    """
    catalogue = load(data / "config" / "models.toml")
    servers = own_servers(values)
    opened = {spec.name: _open(spec, values, data) for spec in providers.PROVIDERS if spec.can_be_asked(values)}
    return Gateway(
        plans_from(values, catalogue),
        opened,
        around,
        limits=limits,
        catalogue=catalogue,
        prices=Prices(
            catalogue.prices, servers, catalogue.unknown, paid, _operator_prices(data, servers), catalogue.by_piece
        ),
    )


def own_servers(values: Mapping[str, str | None]) -> dict[str, str]:
    """Return the addresses that the owner set, by provider."""
    return {spec.name: own for spec in providers.over_the_net() if (own := values.get(spec.address_setting))}


def _open(spec: ProviderSpec, values: Mapping[str, str | None], data: Path) -> Provider:
    if spec.door == "file":
        return LocalGguf(data / "models")
    door = Anthropic if spec.door == "anthropic" else OpenAI
    return door(spec, values.get(spec.key_setting), values.get(spec.address_setting))


def _operator_prices(data: Path, servers: Mapping[str, str]) -> Prices | None:
    """Return the prices of a home's operator, from the host's file; None without a host."""
    host = host_of(data)
    if host is None:
        return None
    catalogue = load(host / "config" / "models.toml")
    return Prices(catalogue.prices, servers, catalogue.unknown, by_piece=catalogue.by_piece)
