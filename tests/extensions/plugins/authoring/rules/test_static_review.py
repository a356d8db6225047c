"""Drafts that do what they should not: each is seen, with file and line, before anybody is asked to review it."""

from __future__ import annotations

import pytest

from furoshiki.core.paths import version
from furoshiki.extensions.plugins.authoring.rules import static_review
from furoshiki.extensions.plugins.rules import manifest as manifests
from tests.extensions.plugins.authoring.conftest import DRAFTS, FILES, MANIFEST, SCRIPT


def blocking(more: str, manifest_text: str = MANIFEST, script: str = SCRIPT) -> list[str]:
    files = {**FILES, "PLUGIN.md": manifest_text, "scripts/tram.py": script + more}
    manifest, _ = manifests.judge(manifest_text.encode(), version())
    return [str(one) for one in static_review.list_blocking(static_review.review(files, manifest))]


@pytest.mark.parametrize("name", DRAFTS)
def test_what_should_not_be_is_seen(name: str) -> None:
    more, words = DRAFTS[name]
    found = blocking(more)
    assert any(words in one and one.startswith("scripts/tram.py:") for one in found), found


def test_a_plain_plugin_has_nothing_against_it() -> None:
    assert blocking("") == []
    assert blocking("if __name__ == '__main__':\n    print('%s/%s' % (1, 2), '/'.join('ab'))\n") == []


def test_permissions_that_are_not_used_and_packages_are_seen() -> None:
    wide = MANIFEST.replace("permissions:\n", "permissions:\n  read_db: true\n")
    assert blocking("", wide) == ["PLUGIN.md:1: asks for the permission read_db and is not seen to use it; take it out"]
    with_package = MANIFEST.replace("settings:\n", "requirements: [requests==2.32.3]\nsettings:\n")
    assert ["packages" in one for one in blocking("", with_package)] == [True]


def test_hosts_are_compared_whole() -> None:
    below = MANIFEST.replace("[trams.example.org]", '["*.example.org"]')
    assert blocking("", below) == []
    assert blocking("fetch('https://example.org.evil.net/')\n", below) != []


def test_an_address_put_together_is_noted() -> None:
    manifest, _ = manifests.judge(MANIFEST.encode(), version())
    files = {**FILES, "scripts/tram.py": SCRIPT.replace('"https://trams', 'host + "https://trams')}
    (note,) = static_review.review(files, manifest)
    assert (note.severity, note.line) == ("note", 6) and "put together at run time" in note.words
