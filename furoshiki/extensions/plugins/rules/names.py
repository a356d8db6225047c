"""Allowed names of plugins, scripts, hosts, settings and packages, for full matches."""

import re

PLUGIN = re.compile(r"[a-z][a-z0-9-]{1,30}")
SCRIPT = re.compile(r"scripts/(?:[a-z0-9_][a-z0-9_-]{0,63}/){0,2}[a-z0-9_][a-z0-9_-]{0,63}\.py")
TOOL = re.compile(r"[a-z][a-z0-9_]{1,40}")
SETTING = re.compile(r"[a-zA-Z][a-zA-Z0-9_]{0,40}")
VERSION = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,5}){0,3}(?:[a-z.+-][a-z0-9.+-]{0,20})?")
REQUIREMENT = re.compile(
    r"(?<![A-Za-z0-9._-])[A-Za-z0-9][A-Za-z0-9._-]{0,80}(?:\[[A-Za-z0-9._,-]{1,80}\])?==[0-9][A-Za-z0-9.+!-]{0,40}"
)
# the files that a plugin may contain
FILE = re.compile(
    r"(?:PLUGIN\.md|README\.md|LICEN[CS]E(?:\.md|\.txt)?|CHANGELOG\.md|requirements\.(?:txt|lock)"
    r"|(?:scripts|tests|docs)/(?:[a-zA-Z0-9_][a-zA-Z0-9_-]{0,63}/){0,4}"
    r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,63}\.(?:py|md|txt|json|jsonl|toml|yaml|csv|tsv|ini|html|xml|ics|svg|j2))"
)

# names in a plugin's folder that are not installed: its data, its packages, hidden files
LEFT_OUT = re.compile(r"data|packages|__pycache__|\..*")

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# a name, "*.name" for all subdomains of a name of two or more parts, or a setting's host
HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*|\*\.{_LABEL}(?:\.{_LABEL})+|setting:[a-zA-Z][a-zA-Z0-9_]{{0,40}}")

_RELEASE = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def env_name(plugin: str, setting: str) -> str:
    """Return the name in `.env` of a plugin's setting."""
    return f"PLUGIN_{plugin.upper().replace('-', '_')}_{setting.upper()}"


def job_name(plugin: str, number: str) -> str:
    """Return the schedule's job name for a plugin's entry point (numbered from 1)."""
    return f"plugin_{plugin.replace('-', '_')}_{number}"


def release(version: str) -> tuple[int, ...]:
    """Return a version's numbers for comparison: (1, 2) for 1.2 and 1.2.0."""
    match = _RELEASE.match(version)
    numbers = list(map(int, match[0].split("."))) if match else [0]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
