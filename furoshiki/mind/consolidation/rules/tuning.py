"""Tuning of the exit gate by the outcomes of its decisions.

Dropping a needed item costs more than keeping a useless one, which can be corrected. One of the
former therefore counts as ten of the latter, and a night changes the gate only a little.
"""

LEAST_MATURITY, MOST_MATURITY = 0.0, 0.9
"""The bounds of the gate's maturity; some chance of passing always remains."""

NEEDED_OPENS = 0.02
UNUSED_TIGHTENS = 0.002
"""The change per dropped but needed item, and per kept but unused item."""

MOST_A_NIGHT = 0.05


def adjust_maturity(maturity: float, needed: int, unused: int) -> float:
    """Return the gate's maturity after these outcomes, within its bounds."""
    step = UNUSED_TIGHTENS * unused - NEEDED_OPENS * needed
    step = min(max(step, -MOST_A_NIGHT), MOST_A_NIGHT)
    return min(max(maturity + step, LEAST_MATURITY), MOST_MATURITY) if step else maturity
