"""How long a text is for a model, near enough to keep a budget: no tokenizer is asked."""

BYTES_PER_TOKEN = 4.0
"""English prose runs at about 4 bytes a token with the vocabularies of today; other scripts come out too dear, which
errs on the side of the budget."""


def estimate(text: str) -> int:
    """Tokens of a text, rounded up; 0 for an empty one."""
    return -int(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def cut(text: str, budget: int) -> str:
    """The text within a budget of tokens, ending in "…" when something was left out."""
    if estimate(text) <= budget:
        return text
    keep = int(budget * BYTES_PER_TOKEN) - 3
    return text.encode("utf-8", "replace")[: max(keep, 0)].decode("utf-8", "ignore").rstrip() + "…"
