"""Makes docs/images/first-talk.png: `python -m tests.docs.phone` shows the first minutes in Telegram of
docs/first-evening.md as a telephone does."""

from __future__ import annotations

import hashlib
import html
import io
import re
from collections.abc import Iterator

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.docs.evenings import PAGE
from tests.docs.screenshots import COLOURS, IMAGES, PLAIN
from tests.support.browser import CHROMIUM, FLAGS

COLUMNS, WIDTH, HEIGHT = 4, 390, 800
"""Telephones side by side, and what one of them shows, in pixels."""

SHOWS = "shows"
"""The field of the file with the digest of what it shows."""

STYLE = """
body { margin: 0; background: #fff; font: 15px/1.35 "DejaVu Sans", sans-serif; }
main { columns: %d; column-gap: 16px; width: %dpx; height: %dpx; column-fill: auto; padding: 12px; }
p { margin: 0 0 6px; padding: 8px 12px; border-radius: 14px; white-space: pre-wrap; width: fit-content; max-width: 84%%;
    break-inside: avoid; background: #eef1f4; }
p.you { margin-left: auto; background: #d5ebff; }
div { display: flex; gap: 4px; margin: 0 0 4px; max-width: 90%%; break-inside: avoid; break-before: avoid; }
div span { flex: 1; text-align: center; padding: 7px 6px; border-radius: 8px; background: #dfe6ee; font-size: 13px; }
div span.tapped { background: #2f7cc0; color: #fff; }
"""


def shown(lines: list[str]) -> Iterator[str]:
    """Each message and each row of buttons as HTML; a button that is tapped next is marked."""
    taps = iter([line.removeprefix("tap   ") for line in lines if line.startswith("tap   ")])
    tapped = next(taps, None)
    messages: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith("tap   "):
            tapped = next(taps, None)
        elif line.startswith(("you   ", "Furo  ")):
            messages.append(("you" if line.startswith("you") else "it", line[6:]))
        elif line.startswith("      [ "):
            messages.append(("buttons", line))
        elif messages:
            who, before = messages.pop()
            joint = "\n" if not line.strip() or line.lstrip().startswith(("•", "- ")) or before.endswith("\n") else " "
            messages.append((who, f"{before}{joint}{line.strip()}"))
        if messages and messages[-1][0] == "buttons":
            names = re.findall(r"\[ (.*?) \]", messages.pop()[1])
            marks = (f"<span{' class=tapped' if one == tapped else ''}>{html.escape(one)}</span>" for one in names)
            messages.append(("row", f"<div>{''.join(marks)}</div>"))
    for who, text in messages:
        yield text if who == "row" else f'<p class="{who}">{html.escape(text)}</p>'


def body() -> str:
    """The messages of the page that the picture shows, as HTML."""
    page = PAGE.read_text(encoding="utf-8")
    block = page.partition("<!-- played: telegram -->\n```\n")[2].partition("```")[0].splitlines()
    begins = next(number for number, line in enumerate(block) if "/start 482913" in line) + 1
    ends = next(number for number, line in enumerate(block) if line.startswith("… 13 hours"))
    return "".join(shown([line for line in block[begins:ends] if not line.startswith("…")]))


def digest() -> str:
    """What the picture says of its own text, so that a test sees when the page has changed."""
    return hashlib.sha256(body().encode()).hexdigest()


def main() -> None:
    """Write the picture."""
    from playwright.sync_api import sync_playwright

    width = COLUMNS * WIDTH + (COLUMNS - 1) * 16
    style = STYLE % (COLUMNS, width, HEIGHT)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        tab = browser.new_page(viewport={"width": width + 24, "height": HEIGHT + 24})
        tab.set_content(f"<style>{style}</style><main>{body()}</main>")
        tab.evaluate(PLAIN)
        image = Image.open(io.BytesIO(tab.screenshot()))
        browser.close()
    said = PngInfo()
    said.add_text(SHOWS, digest())
    image.convert("RGB").quantize(COLOURS).save(IMAGES / "first-talk.png", "PNG", optimize=True, pnginfo=said)


if __name__ == "__main__":
    main()
