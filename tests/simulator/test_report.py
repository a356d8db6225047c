"""The report: one page, nothing from outside, everything in it that happened."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from xml.etree import ElementTree

from furoshiki.inner_life.feelings_picture import Picture
from furoshiki.pictures.charts import line_chart
from furoshiki.pictures.values import Series
from furoshiki.simulator import charts, personas
from furoshiki.simulator.report import page
from furoshiki.simulator.simulate import Lived, Wanted
from furoshiki.simulator.store import Reason
from furoshiki.simulator.story import Heard, Said, Story, Violation

BEGINS = datetime(2026, 2, 1, tzinfo=UTC)


def lived(days: int = 2, **more: object) -> Lived:
    story = Story("sociable", "Europe/Lisbon", BEGINS, 7)
    at = BEGINS + timedelta(hours=9)
    story.heard.append(Heard(at, 1, "text", "Hello."))
    story.said.append(Said(at, 1, 1, "inbox:1", "reply", "text", "Hi."))
    story.said.append(Said(at + timedelta(hours=8), 2, 2, "outreach:1", "unprompted", "text", "<b>How</b> are you?"))
    story.violations.append(Violation("daily cap", at, "“How are you?” was number 5"))
    calls = [
        {"day": "2026-02-01", "purpose": "inner_monologue.morning", "calls": 3, "usd": 0.01, "tokens": 900, "failed": 0}
    ]
    decisions = [{"verdict": "held", "gate": "quiet", "kind": "need", "things": 1, "passes": 12}]
    joy = [Series("joy", [(BEGINS, 0.2), (at, 0.5)])]
    felt = Picture(line_chart(joy, start=BEGINS, end=at, zone=UTC, title="How I felt"), "Mostly content.")
    reasons = {2: Reason(1, "need", 4, "needs:connection", "every gate was open", False)}
    return Lived(Wanted(personas.read("sociable"), days, 7), story, days, calls, decisions, felt, reasons)


class Tags(HTMLParser):
    """What a page fetches, and whether its tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "i"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "i":
            assert self.open.pop() == tag


def test_the_page_asks_nobody_for_anything_and_every_tag_is_closed() -> None:
    told = page(lived())
    tags = Tags()
    tags.feed(told)
    assert (tags.fetched, tags.open) == ([], [])
    assert "url(" not in told and "@import" not in told and "<script" not in told


def test_it_tells_what_was_said_why_and_what_was_broken() -> None:
    told = page(lived())
    assert "&lt;b&gt;How&lt;/b&gt; are you?" in told
    assert "1 February, 17:00 · need, priority 4 · from needs:connection" in told
    assert "daily cap: “How are you?” was number 5" in told
    assert "<title>9: 1 they wrote</title>" in told
    assert "<title>1 Feb: 3 inner monologue</title>" in told
    assert ">quiet<" in told
    assert "<title>joy</title>" in told and "Mostly content." in told


def test_an_empty_life_has_a_page() -> None:
    empty = Lived(Wanted(personas.read("busy"), 0, 7), Story("busy", "UTC", BEGINS, 7), 0, [], [], None, {})
    assert "it only answered" in page(empty)


def test_every_picture_is_whole_and_stays_in_its_frame() -> None:
    days = [str(number) for number in range(90)]
    drawn = (
        charts.stacked(days, {"a": [1.0] * 90, "b": [2.0] * 90}, "bars"),
        charts.bars([("quiet & still", 3.0), ("cap", 1.0)], "held"),
    )
    for svg in drawn:
        picture = ElementTree.fromstring(svg)
        _, _, wide, high = map(float, picture.attrib["viewBox"].split())
        for rect in picture.iter("rect"):
            x, y, width, height = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
            assert x >= 0 and x + width <= wide + 0.5 and y >= 0 and y + height <= high
