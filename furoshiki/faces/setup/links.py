"""Shows a link for a phone: as text, and as a QR code in a terminal."""

import io
import sys

from furoshiki.core.terminal import style
from furoshiki.faces.terminal.markdown import colourful, columns

# white for light modules (drawn as full blocks) on black: readable in all colour schemes
_DARK_ON_LIGHT = "\x1b[97;40m"

_RESET = "\x1b[0m"


def show(link: str) -> None:
    """Print the link, and its QR code if the terminal is wide enough and uses UTF."""
    print(f"\n  {link}\n")
    if sys.stdout.isatty() and "utf" in (sys.stdout.encoding or "").lower():
        lines = draw_qr(link)
        if max(map(len, lines)) <= columns():
            to = style(sys.stdout)
            for line in lines:
                print(f"  {_DARK_ON_LIGHT}{line}{_RESET}" if colourful() else f"  {line}", file=to)
            print()


def draw_qr(link: str) -> list[str]:
    """Return the lines of a QR code, two rows of modules in each."""
    import segno

    out = io.StringIO()
    segno.make(link, micro=False, error="l", boost_error=False).terminal(out=out, compact=True, border=2)
    return out.getvalue().rstrip("\n").split("\n")
