"""Choice of the models that paint and transcribe, from the owner's settings."""

from collections.abc import Mapping

from furoshiki.core.network import providers
from furoshiki.core.network.providers import ByPiece, ProviderSpec
from furoshiki.models.llm.plans import VARIABLES as PLANS
from furoshiki.models.llm.plans import ModelRef, parse_plan
from furoshiki.models.media.values import Maker, Use

VARIABLES: Mapping[Use, str] = {"pictures": "FUROSHIKI_MODEL_PICTURES", "hearing": "FUROSHIKI_MODEL_HEARING"}

NONE = "none"  # the setting's value for "no painting"

Values = Mapping[str, str | None]


def choose_maker(use: Use, values: Values) -> Maker | None:
    """Return the first usable configured model.

    For pictures without configuration: the first chat provider that paints, at its own address.
    Transcription must be configured: recordings are private. Raises BadSetting for an unreadable
    name.
    """
    named = (values.get(VARIABLES[use]) or "").strip()
    if named:
        found = (_make(use, ref.spec, ref.model, values) for ref in named_models(use, values))
        return next((maker for maker in found if maker is not None), None)
    if use == "hearing":
        return None
    own = (spec for spec in _list_talking(values) if not values.get(spec.address_setting))
    made = (_make(use, spec, "", values) for spec in own)
    return next((maker for maker in made if maker is not None), None)


def _list_talking(values: Values) -> list[ProviderSpec]:
    """Return the chat providers, from the settings alone, as the gateway may not exist yet."""
    if any(values.get(name) for name in PLANS.values()):
        return [ref.spec for ref in parse_plan(values.get(PLANS["chat"]) or "")]
    return [spec for spec in providers.over_the_net() if spec.by_key and values.get(spec.key_setting)]


def named_models(use: Use, values: Values) -> tuple[ModelRef, ...]:
    """Return the configured models. Raises BadSetting."""
    named = (values.get(VARIABLES[use]) or "").strip()
    return () if named.lower() == NONE else parse_plan(named, VARIABLES[use])


def list_hearing(values: Values) -> list[Maker]:
    """List the providers that can transcribe with the present settings."""
    found = (_make("hearing", spec, "", values) for spec in providers.over_the_net())
    return [maker for maker in found if maker is not None]


def _make(use: Use, spec: ProviderSpec, model: str, values: Values) -> Maker | None:
    """Return how to call a provider's model; None if it has none or lacks settings."""
    known = spec.paints if use == "pictures" else spec.hears
    if known is None and model and spec.door == "openai":
        known = ByPiece()
    if known is None or not (model or known.model) or not spec.can_be_asked(values):
        return None
    price = known.usd if model in ("", known.model) else 0.0
    piece = ByPiece(model or known.model, price, known.send, known.in_chat)
    ref = ModelRef(spec.name, piece.model)
    return Maker(use, ref, piece, spec.answers_at(values), values.get(spec.key_setting))
