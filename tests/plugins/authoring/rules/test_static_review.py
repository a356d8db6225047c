"""Drafts that do what they should not: each is seen, with file and line, before anybody is asked to review it."""

from __future__ import annotations

import pytest

from furoshiki.core.paths import version
from furoshiki.plugins.authoring.rules import static_review
from furoshiki.plugins.rules import manifest as manifests
from tests.plugins.authoring.conftest import FILES, MANIFEST, SCRIPT

DRAFTS = {
    "starts a shell": ("import os\nos.system('id')\n", "uses os.system"),
    "starts a process": ("import subprocess\n", "imports subprocess"),
    "opens a socket": ("import socket\n", "imports socket"),
    "runs what it fetched": ("eval(found)\n", "uses eval"),
    "gives eval another name": ("run = exec\n", "uses exec"),
    "looks for builtins": ("print(().__class__.__base__.__subclasses__())\n", "reaches for __subclasses__"),
    "computes a name": ("import json\ngetattr(json, 'lo' + 'ads')('1')\n", "uses getattr with a name"),
    "reads hidden names by format": ("print('{0.__globals__}'.format(answer))\n", "hidden names in a format string"),
    "unpickles": ("import pickle\n", "what it reads can run code"),
    "loads a module by name": ("import importlib\n", "it loads code"),
    "calls C": ("from ctypes import CDLL\n", "reaches below the language"),
    "writes elsewhere": ("open('/home/pi/.bashrc', 'a').write('x')\n", "a place outside its folder"),
    "climbs out": ("open('../../config/SELF.md', 'w')\n", "a place outside its folder"),
    "reads our secrets": ("open('.env').read()\n", "names what is secret"),
    "carries a key": ("KEY = 'sk-ant-abcdefghijklmnopqrstuvwx'\n", "looks like a key"),
    "asks another host": ("fetch('https://evil.example.net/?q=1')\n", "evil.example.net, which is not among"),
    "hides a host in a suffix": ("fetch('https://trams.example.org.evil.net/')\n", "trams.example.org.evil.net"),
    "hides a host behind a name": ("fetch('https://trams.example.org@evil.net/')\n", "evil.net"),
    "reads the database unasked": (
        "from furoshiki_plugin import read_db\n",
        "reads the database, without the permission",
    ),
    "queues thoughts unasked": ("answer(mind_queue=[{'summary': 'buy'}])\n", "the permission write_mind_queue"),
    "thinks at our cost": ("import furoshiki_plugin as f\nf.think('hi')\n", "the permission llm"),
    "takes everything": ("from furoshiki_plugin import *\n", "imports everything"),
    "goes behind the module": ("from furoshiki_plugin import _call\n", "uses _call"),
    "hides characters": ("ok = 'a\u202eb'\n", "characters that cannot be seen"),
    "hides in length": (f"x = '{'a' * 500}'\n", "longer than 400"),
    "is no Python": ("def (:\n", "is no Python"),
    "makes links": ("data_dir().joinpath('a').symlink_to('b')\n", "uses symlink_to"),
    "reads environments": ("import os\nos.environ\n", "uses os.environ"),
}


def blocking(more: str, manifest_text: str = MANIFEST, script: str = SCRIPT) -> list[str]:
    files = {**FILES, "PLUGIN.md": manifest_text, "scripts/tram.py": script + more}
    manifest, _ = manifests.judge(manifest_text.encode(), version())
    return [str(one) for one in static_review.blocking(static_review.review(files, manifest))]


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
