"""Estimate the length of a text in model tokens, without a tokenizer, for a budget."""

from collections.abc import Iterable

# English prose has about 4 bytes a token in current vocabularies. Other scripts are overestimated,
# which errs on the safe side of the budget.
BYTES_PER_TOKEN = 4.0


def estimate(text: str) -> int:
    """Estimate the tokens of a text, rounded up; 0 for an empty one."""
    return -int(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def take_fitting(texts: Iterable[str], budget: int, apart: int = 0) -> list[str]:
    """Return the first texts that together fit a budget of tokens; each costs `apart` more."""
    fitting: list[str] = []
    for text in texts:
        budget -= estimate(text) + apart
        if budget < 0:
            break
        fitting.append(text)
    return fitting


def cut(text: str, budget: int) -> str:
    """Cut a text to a budget of tokens; it ends in "…" when something was left out."""
    if estimate(text) <= budget:
        return text
    keep = int(budget * BYTES_PER_TOKEN) - 3
    return text.encode("utf-8", "replace")[: max(keep, 0)].decode("utf-8", "ignore").rstrip() + "…"
