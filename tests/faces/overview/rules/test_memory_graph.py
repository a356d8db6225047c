"""The picture of links: nothing lies on anything else, at any width, whatever the words."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.pictures.rules.text_width import width as words_width
from furoshiki.faces.overview.rules.memory_graph import SIZE, Box, Node, laid_out, wrap_words

CENTRE = Node("m1", "centre", "You live in Lyon, near the river, since the spring of 2024.", "", "")
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=120)


def nodes(linked: int, concepts: int, beside: int, words: str) -> list[Node]:
    return [
        *(Node(f"l{i}", "memory", words, "concluded from", f"/memory/{i}") for i in range(linked)),
        *(Node(f"c{i}", "concept", words, "", f"/memory?concept={i}") for i in range(concepts)),
        *(
            Node(f"b{i}", "memory", words, "also it", "/memory/9", f"c{i % concepts}")
            for i in range(beside * (concepts > 0))
        ),
    ]


def overlap(one: Box, other: Box) -> bool:
    apart = one.x + one.width <= other.x or other.x + other.width <= one.x
    return not (apart or one.y + one.height <= other.y or other.y + other.height <= one.y)


@given(st.sampled_from([330.0, 560.0, 940.0]), st.integers(0, 14), st.integers(0, 10), st.integers(0, 14), WORDS)
def test_boxes_never_overlap_and_stay_in_the_picture(
    width: float, linked: int, concepts: int, beside: int, words: str
) -> None:
    others = nodes(linked, concepts, beside, words)
    found = laid_out(CENTRE, others, width)
    assert not [pair for pair in combinations(found.boxes, 2) if overlap(*pair)]
    assert all(box.x >= -0.2 and box.x + box.width <= width + 0.2 for box in found.boxes)
    assert all(box.y >= 0 and box.y + box.height <= found.height + 0.2 for box in found.boxes)
    assert len(found.boxes) == 1 + len(others) == 1 + len(found.edges)
    assert found.boxes[0].node is CENTRE


@given(WORDS, st.floats(30, 300), st.integers(1, 6))
def test_words_stay_in_their_box(words: str, width: float, most: int) -> None:
    lines = wrap_words(words, width, most)
    assert 1 <= len(lines) <= most
    assert all(words_width(line, SIZE) <= width + SIZE for line in lines)


def test_what_is_cut_says_so() -> None:
    assert wrap_words("You live in Lyon", 200, 2) == ("You live in Lyon",)
    assert wrap_words("You live in Lyon near the river", 70, 2)[-1].endswith("…")
