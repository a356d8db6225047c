"""JSON answers of foreign tools as readable text."""

from collections.abc import Mapping

MOST_VALUES = 40


def in_words(value: object) -> str:
    """List the values of a JSON value with their names, at most MOST_VALUES."""
    said: list[str] = []
    _say(value, "", said)
    return "; ".join(said[:MOST_VALUES])


def is_form(value: object) -> bool:
    """Return whether a value is an object or list that a person would not write so."""
    if isinstance(value, list):
        return any(isinstance(each, str) or is_form(each) for each in value)
    return isinstance(value, Mapping) and bool(value)


def _say(value: object, name: str, said: list[str]) -> None:
    if len(said) >= MOST_VALUES:
        return
    if isinstance(value, Mapping):
        for key, each in value.items():
            _say(each, " ".join(part for part in (name, str(key).replace("_", " ")) if part), said)
    elif isinstance(value, list):
        if all(not isinstance(each, (Mapping, list)) for each in value):
            plain = ", ".join(map(_plain, value))
            said.append(f"{name}: {plain}" if name else plain)
        else:
            for each in value:
                _say(each, name, said)
    else:
        said.append(f"{name}: {_plain(value)}" if name else _plain(value))


def _plain(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else "nothing" if value is None else str(value)
