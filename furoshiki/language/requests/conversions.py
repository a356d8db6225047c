"""Convert a quantity between units: "5 miles to km", "72f in celsius", "how many seconds in a day"."""

from __future__ import annotations

import re

_UNITS = """
length 1 m meter meters metre metres
length 1000 km kilometer kilometers kilometre kilometres kms
length 0.01 cm centimeter centimeters centimetre centimetres
length 0.001 mm millimeter millimeters millimetre millimetres
length 1609.344 mile miles mi
length 0.9144 yard yards yd yds
length 0.3048 foot feet ft
length 0.0254 inch inches
weight 1 g gram grams gramme grammes
weight 1000 kg kilo kilos kilogram kilograms kgs
weight 28.349523125 oz ounce ounces
weight 453.59237 lb lbs pound pounds
weight 6350.29318 stone stones
volume 1 l liter liters litre litres
volume 0.001 ml milliliter milliliters millilitre millilitres
volume 0.01 cl centilitre centilitres
volume 0.2365882365 cup cups
volume 0.01478676478125 tbsp tablespoon tablespoons
volume 0.00492892159375 tsp teaspoon teaspoons
time 1 second seconds sec secs
time 60 minute minutes min mins
time 3600 hour hours hr hrs
time 86400 day days
time 604800 week weeks
speed 1 km/h kmh kph
speed 1.609344 mph
"""
"""The dimension, how many of its base unit one is, and the names."""

_FACTORS: dict[str, tuple[str, float]] = {}
for _kind, _factor, *_named in map(str.split, _UNITS.strip().splitlines()):
    _FACTORS |= dict.fromkeys(_named, (_kind, float(_factor)))
_WORDS = {"a": 1.0, "an": 1.0, "one": 1.0, "half": 0.5}
_DEGREES = {"f": "f", "fahrenheit": "f", "c": "c", "celsius": "c", "centigrade": "c"}
_NAMES = "|".join(sorted(map(re.escape, (*_FACTORS, *_DEGREES)), key=len, reverse=True))
_AMOUNT = r"(?P<amount>-?\d{1,9}(?:[.,]\d{1,4})?|an?|one|half an?)"
_TO = re.compile(
    rf"(?:what(?:'s| is) |how much is |convert |please |and )*{_AMOUNT} ?°?(?:degrees? )?(?P<unit>{_NAMES})"
    rf" (?:to|in|into|as) (?:degrees? |°)?(?P<other>{_NAMES})"
)
_HOW_MANY = re.compile(
    rf"(?:and )?how many (?P<other>{_NAMES}) (?:are |is |are there |there are )?(?:in|make(?: up)?) {_AMOUNT} ?"
    rf"(?P<unit>{_NAMES})"
)


def convert(plain: str) -> str | None:
    """Return the answer to a conversion, None for anything else. `plain` is in lower case, without
    final punctuation."""
    found = _TO.fullmatch(plain) or _HOW_MANY.fullmatch(plain)
    if found is None:
        return None
    said = found["amount"]
    amount = _WORDS.get(said.removesuffix(" an").removesuffix(" a")) or float(said.replace(",", "."))
    if found["unit"] in _DEGREES and found["other"] in _DEGREES:
        return f"{_turn(amount, _DEGREES[found['unit']], _DEGREES[found['other']]):,.1f} °{found['other'][0].upper()}."
    if found["unit"] not in _FACTORS or found["other"] not in _FACTORS:
        return None
    (kind, factor), (same, other) = _FACTORS[found["unit"]], _FACTORS[found["other"]]
    if kind != same:
        return None
    return f"{amount * factor / other:,.5g} {found['other']}."


def _turn(degrees: float, unit: str, other: str) -> float:
    if unit == other:
        return degrees
    if unit == "f":
        return (degrees - 32) / 1.8
    return degrees * 1.8 + 32
