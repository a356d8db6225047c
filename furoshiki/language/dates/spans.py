"""Rules for a duration from now: "in two and a half hours", "через неделю", "3 gün sonra"."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from furoshiki.language.dates import library
from furoshiki.language.dates.tokens import Token
from furoshiki.language.dates.values import MOST_COUNTED, Day, Doubt, Duration, Made, ParseContext, Rules, has, value_of

rule = Rules()


@rule(
    r"i(?:A?[hqQ]A?[uUj]|A?q[uU]A?|[An]b?[uUj](?:&?A?[hb])?(?:&?n[uUj])?|n&A?h[uUj]|nhU?[uUj]?|[uUj](?:&?A?h)?)"
    r"|(?:[An]b?[uUj](?:&?n[uUj])?|[hqQ][uUj]|nb[uUj]|[An]?[uUj]&?A?h)f"
)
def _while(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read a duration; days and longer units are counted on the calendar."""
    units = ["day" if token.kind == "j" else str(token.value) for token in tokens if token.kind in "uUj"]
    first = next(number for number, token in enumerate(tokens) if token.kind in "uUj")
    before = tokens[:first]
    count = next((float(token.value) for token in before if token.kind in "nA"), 1.0)
    if has(before, "h"):
        count = count + 0.5 if has(before, "n") else 0.5
    elif has(before, "qQ"):
        count = 0.75 if has(before, "Q") else 0.25
    count += 0.5 * has(before, "b")
    rest = tokens[first + 1 :]
    count += 0.5 * has(rest, "hb")
    more = (float(value_of(rest, "n")), units[1]) if len(units) > 1 and has(rest, "n") else None
    if max(count, more[0] if more else 0) > MOST_COUNTED or count <= 0:
        return Doubt("that is too far away" if count > 0 else "that is now")
    seconds = {"second": 1, "minute": 60, "hour": 3600}
    if units[0] in seconds:
        span = timedelta(seconds=count * seconds[units[0]])
        if more:
            if more[1] not in seconds:
                return Doubt("how long is that")
            span += timedelta(seconds=more[0] * seconds[more[1]])
        return Duration(span)
    if more or (count != int(count) and units[0] in ("day", "month")):
        return Doubt("how long is that")
    wall = library.add_units(datetime.combine(scene.today, time()), count, units[0])
    return Day(wall.date(), part="now")
