"""How plugins, their scripts, hosts, settings and packages may be called: allow-lists, matched in full."""

import re

PLUGIN = re.compile(r"[a-z][a-z0-9-]{1,30}")
SCRIPT = re.compile(r"scripts/(?:[a-z0-9_][a-z0-9_-]{0,63}/){0,2}[a-z0-9_][a-z0-9_-]{0,63}\.py")
TOOL = re.compile(r"[a-z][a-z0-9_]{1,40}")
SETTING = re.compile(r"[a-zA-Z][a-zA-Z0-9_]{0,40}")
VERSION = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,5}){0,3}(?:[a-z.+-][a-z0-9.+-]{0,20})?")
REQUIREMENT = re.compile(
    r"(?<![A-Za-z0-9._-])[A-Za-z0-9][A-Za-z0-9._-]{0,80}(?:\[[A-Za-z0-9._,-]{1,80}\])?==[0-9][A-Za-z0-9.+!-]{0,40}"
)
FILE = re.compile(
    r"(?:PLUGIN\.md|README\.md|LICEN[CS]E(?:\.md|\.txt)?|CHANGELOG\.md|requirements\.(?:txt|lock)"
    r"|(?:scripts|tests|docs)/(?:[a-zA-Z0-9_][a-zA-Z0-9_-]{0,63}/){0,4}"
    r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,63}\.(?:py|md|txt|json|jsonl|toml|yaml|csv|tsv|ini|html|xml|ics|svg|j2))"
)
"""The files a plugin may bring."""

LEFT_OUT = re.compile(r"data|packages|__pycache__|\..*")
"""What lies in the folder of one and is not brought along: what it wrote, what is installed again, what is hidden."""

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*|\*\.{_LABEL}(?:\.{_LABEL})+|setting:[a-zA-Z][a-zA-Z0-9_]{{0,40}}")
"""A name, "*.name" for all below a name of at least two parts, or the host in the value of a setting."""

_RELEASE = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def env_name(plugin: str, setting: str) -> str:
    """What a setting of a plugin is called in `.env`."""
    return f"PLUGIN_{plugin.upper().replace('-', '_')}_{setting.upper()}"


def job_name(plugin: str, number: str) -> str:
    """What the job of a plugin's entry point (from 1) is called in the schedule."""
    return f"plugin_{plugin.replace('-', '_')}_{number}"


def release(version: str) -> tuple[int, ...]:
    """The numbers of a version, to be compared: (1, 2) is 1.2 and 1.2.0."""
    found = _RELEASE.match(version)
    numbers = [int(one) for one in found[0].split(".")] if found else [0]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
