"""What is read of feeds. For these the packages of requirements.txt have to be importable."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("feedparser", reason="the packages of the plugin are not installed here")
import entries

SAMPLES = Path(__file__).resolve().parent / "samples"


def read(name: str) -> list[entries.Entry]:
    return entries.entries((SAMPLES / name).read_bytes(), {}, "https://botany.example/feed")


def test_an_rss_feed_is_read_as_plain_text() -> None:
    frost, board = read("rss.xml")
    assert (frost.feed, frost.title) == ("Botany News", "A late frost & what it does to roots")
    assert frost.text == "For gardeners : cover them. Call @nobody" and frost.link == "https://botany.example/frost"
    assert frost.at == 1795413600.0
    assert board.link == "" and board.key != frost.key


def test_an_atom_feed_is_read_the_same_way() -> None:
    (bach,) = read("atom.xml")
    assert (bach.feed, bach.title, bach.text) == (
        "Choir & Concert",
        "Singing Bach in winter",
        "Cantatas for small choirs.",
    )
    assert bach.at == 1795415400.0


@pytest.mark.parametrize("body", [b"", b"<html><body>Log in</body></html>", b"\x00\xff"])
def test_what_is_no_feed_is_said_so(body: bytes) -> None:
    with pytest.raises(ValueError, match="botany.example gave no feed"):
        entries.entries(body, {"content-type": "text/html"}, "https://botany.example/")


def test_entities_do_not_grow_without_end() -> None:
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE r [<!ENTITY a0 "boo">{levels}]><rss version="2.0"><channel><title>&a9;</title></channel></rss>'
    try:
        found = entries.entries(bomb.encode(), {}, "https://botany.example/feed")
    except ValueError:
        return
    assert found == []
