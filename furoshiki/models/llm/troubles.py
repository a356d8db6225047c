"""Messages for the owner about a model that does not answer: cause and fix."""

from collections.abc import Mapping

from furoshiki.core.catalogue import Sentence, later
from furoshiki.models.llm.failures import Failure, Kind
from furoshiki.models.llm.plans import ModelRef

SENTENCE = later("the model {model} isn't answering: {why}. {fix}")

_FIXES: Mapping[Kind, str] = later(
    {
        "key": "Until then the next model, or the built-in mind, answers",
        "credit": "Top it up, or choose another model in FUROSHIKI_MODEL_CHAT",
        "missing": "Check the model's name and address: {names}",
        "client": "Check what it names, and see docs/network.md",
        "network": "Check the network",
        "thinking": "It gets more room with your next message; a model that thinks less answers faster",
        "request": "If this continues, choose another model in FUROSHIKI_MODEL_CHAT",
    }
)
_WAITING = later("It will be tried again with your next message")

# failures that only the owner can repair: reported the first time
AT_ONCE: frozenset[Kind] = frozenset({"key", "credit", "missing", "client"})

HICCUPS = 2  # other failures may be temporary: reported after this many in a row

# failures of a single question, not of the model
_PASSED_OVER: frozenset[Kind] = frozenset({"empty", "too_big"})


def matters(failure: Failure) -> bool:
    """Return whether a failure concerns the model, so that the owner should see it."""
    return failure.kind not in _PASSED_OVER


def tell_after(failure: Failure) -> int:
    """Return how many failures in a row alert the owner."""
    return 1 if failure.kind in AT_ONCE else HICCUPS


def in_words(ref: ModelRef, failure: Failure, values: Mapping[str, str | None]) -> str:
    """Return the message; `values` are the settings, with the provider's address if any."""
    address, spec = values.get(ref.spec.address_setting), ref.spec
    if not spec.by_net:
        return Sentence("the model {model} isn't answering: {why}", model=ref.model, why=failure.message)
    names = f"FUROSHIKI_MODEL_CHAT, {spec.address_setting}" if address else "FUROSHIKI_MODEL_CHAT"
    fix = Sentence(_FIXES.get(failure.kind, _WAITING), names=names)
    if failure.kind == "network" and address:
        fix = Sentence("Check the network, and {setting}", setting=spec.address_setting)
    elif failure.kind == "network" and spec.here:
        fix = Sentence("Start {title}: it should be running at {address}", title=spec.title, address=spec.address)
    why = failure.message if isinstance(failure.message, Sentence) else failure.message.rstrip(".")
    return Sentence(SENTENCE, model=ref.model, why=why, fix=fix)
