"""How the exit gate learns from what became of its decisions.

Something dropped that was needed after all costs more than something kept for nothing: what was kept can be mended. So
one weighs as much as ten of the other, and a single night moves the gate only a little.
"""

LEAST_MATURITY, MOST_MATURITY = 0.0, 0.9
"""How far outcomes may open and tighten the gate; it never closes to chance altogether."""

NEEDED_OPENS = 0.02
UNUSED_TIGHTENS = 0.002
"""What one thing dropped and needed, and one kept and never used, move."""

MOST_A_NIGHT = 0.05


def adjust_maturity(maturity: float, needed: int, unused: int) -> float:
    """The gate's maturity after so many things dropped but needed and kept but never used, within its bounds."""
    step = UNUSED_TIGHTENS * unused - NEEDED_OPENS * needed
    step = min(max(step, -MOST_A_NIGHT), MOST_A_NIGHT)
    return min(max(maturity + step, LEAST_MATURITY), MOST_MATURITY) if step else maturity
