"""Markdown on a page: what it means is shown, what it could do is not done."""

from __future__ import annotations

import pytest

from furoshiki.faces.dashboard import rendering
from furoshiki.faces.overview.rules.markdown import LONGEST, parse


def html(text: str) -> str:
    made = rendering.environment().from_string('{% import "_chat.html.j2" as chat %}{{ chat.words(nodes) }}')
    return made.render(nodes=parse(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Hello** *you*,\nthere", "<p><strong>Hello</strong> <em>you</em>,<br>there</p>"),
        ("3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        ("# Big\n\n> said", '<p class="heading">Big</p><blockquote><p>said</p></blockquote>'),
        ("`<b>` and\n\n```py\nif a < b:\n    pass\n```", None),
        ("|a|b|\n|-|-|\n|1|2|", None),
        ("~~gone~~\n\n---", "<p><s>gone</s></p><hr>"),
        ("", ""),
    ],
)
def test_it_means_what_it_says(text: str, shown: str | None) -> None:
    found = html(text)
    if shown is None:
        assert ("<code>&lt;b&gt;</code>" in found and "if a &lt; b:\n    pass</pre>" in found) or "<td>1</td>" in found
    else:
        assert found == shown


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[click](javascript:alert(1))",
        "![x](http://evil.example/pixel.png)",
        "[here](http://evil.example/?q=secret 'title')",
        "<http://evil.example>",
        "a\x00b {{ 7 * 7 }} {% raw %}",
    ],
)
def test_hostile_words_stay_words(text: str) -> None:
    found = html(text)
    assert not any(mark in found for mark in ("<script", "<img", "<a ", "49"))


def test_an_address_is_shown_and_leads_nowhere() -> None:
    assert html("[the page](https://example.org/a)") == "<p>the page (https://example.org/a)</p>"
    assert html("<https://example.org/a>") == "<p>https://example.org/a</p>"


def test_what_is_very_long_is_shown_as_it_stands() -> None:
    assert html("*" * (LONGEST + 1)) == f"<p>{'*' * (LONGEST + 1)}</p>"
