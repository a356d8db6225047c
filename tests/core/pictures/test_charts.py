"""Charts as files: what is in an SVG, and what a painted PNG shows where."""

from __future__ import annotations

import io
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from PIL import Image

from furoshiki.core.pictures import png
from furoshiki.core.pictures.charts import Chart, line_chart, small_plots
from furoshiki.core.pictures.rules import palette
from furoshiki.core.pictures.values import Group, Panel, Series, Span, Theme

START = datetime(2026, 11, 16, tzinfo=UTC)
DAY = timedelta(days=1)
SVG = "{http://www.w3.org/2000/svg}"


def chart(*values: float | None, title: str = "Joy & <worry>") -> Chart:
    points = [(START + index * DAY, value) for index, value in enumerate(values)]
    return line_chart(
        [Series("joy", points), Series("<b>", points[:1])],
        start=START,
        end=START + 4 * DAY,
        zone=UTC,
        title=title,
        low=0,
        high=1,
        form="{:.0%}".format,
    )


def test_an_svg_tells_what_it_shows_and_needs_no_style_in_a_page() -> None:
    written = chart(0.2, 0.8, 0.5).svg("light")
    root = ElementTree.fromstring(written)
    assert root.findtext(f"{SVG}title") == "Joy & <worry>"
    assert root.findtext(f"{SVG}desc") == "joy: between 20% and 80%, last 50%. <b>: 20%."
    names = [root.get("aria-labelledby", "").split()[index] for index in (0, 1)]
    assert [root.find(f"{SVG}{tag}").get("id") for tag in ("title", "desc")] == names  # type: ignore[union-attr]
    tags = {one.tag.removeprefix(SVG) for one in root.iter()}
    assert not tags & {"style", "script", "image", "foreignObject"}
    assert not any(key == "style" or key.startswith("on") for one in root.iter() for key in one.keys())  # noqa: SIM118
    [legend] = [one for one in root.iter(f"{SVG}text") if one.text == "<b>"]
    assert legend.get("class") == "fill-ink"


def test_a_file_of_its_own_follows_the_theme_of_who_shows_it() -> None:
    written = chart(0.2, 0.8).svg()
    assert "@media (prefers-color-scheme: dark)" in written and palette.css("dark") in written
    assert palette.colour("ground", "dark") not in chart(0.2).svg("light")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_png_shows_the_line_where_the_figures_are(theme: Theme) -> None:
    file = Image.open(io.BytesIO(chart(1.0, 1.0, None, 0.0, 0.0).png(theme)))
    assert file.format == "PNG" and file.size == (1440, 600)
    image = file.convert("RGB")
    blue, ground = (tuple(bytes.fromhex(palette.colour(one, theme)[1:])) for one in ("blue", "ground"))
    assert image.getpixel((1435, 595)) == ground
    where = {(x, y) for x in range(120, 1400) for y in range(120, 560) if image.getpixel((x, y)) == blue}
    high, low = {x for x, y in where if y < 200}, {x for x, y in where if y > 400}
    # on top in the first quarter of the width, at the bottom in the last, nothing between
    assert max(high) < 480 and min(low) > 1000


def test_painted_in_strips_or_at_once_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    in_strips = chart(0.1, 0.9, None, 0.2, 0.7).png()
    monkeypatch.setattr(png, "STRIP", 10_000)
    assert chart(0.1, 0.9, None, 0.2, 0.7).png() == in_strips


def test_a_picture_has_words_that_the_bundled_font_can_write() -> None:
    plain, accented = (chart(0.5, title=title).png() for title in ("Zoes Uberblick - 3", "Zoë’s Überblick – 3"))
    assert plain != accented  # the apostrophe
    assert chart(0.5, title="Zoe’s Uberblick - 3").png() == accented


def test_small_plots_stand_in_groups_under_a_ribbon() -> None:
    points = [(START, 0.2), (START + DAY, 0.4)]
    drawing = small_plots(
        [Group("Emotions", [Panel([Series(name, points)], name, 0, 1, "{:.0%}".format) for name in ("joy", "worry")])],
        start=START,
        end=START + DAY,
        zone=UTC,
        title="A day",
        description="Both rose.",
        ribbon=[
            Span(START, START + DAY / 2, "content", "green"),
            Span(START + DAY / 2, START + DAY, "curious", "teal"),
        ],
    ).drawing
    words = ElementTree.fromstring(Chart(drawing).svg()).itertext()
    assert [one for one in words if one in ("content", "curious", "Emotions", "joy", "worry", "40%")] == [
        *("content", "content", "curious", "curious", "Emotions", "joy", "40%", "joy", "worry", "40%", "worry")
    ]


def test_an_end_before_the_start_is_refused() -> None:
    with pytest.raises(ValueError, match="must lie after its start"):
        line_chart([], start=START, end=START, zone=UTC, title="")


def test_pillow_is_loaded_only_when_something_is_painted() -> None:
    code = "import sys, furoshiki.core.pictures.charts; print('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
