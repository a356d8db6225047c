"""Permissions of plugins in words, and their comparison."""

from furoshiki.core.catalogue import later, say, words
from furoshiki.extensions.plugins.values import Manifest, Permissions
from furoshiki.language.dates.recurrence_words import cron_often

_IN_WORDS = words("permissions")
NOTHING = later("nothing beyond its own folder")


def in_words(permissions: Permissions) -> list[str]:
    """Return the permissions in words, one part of a sentence each; empty for none."""
    found = [say(words) for name, words in _IN_WORDS.items() if getattr(permissions, name)]
    return list(dict.fromkeys([*found, *map(_host, permissions.network)]))


def beyond(permissions: Permissions, granted: Permissions) -> list[str]:
    """Return the requested permissions that are not granted, in words."""
    flags = {name: getattr(permissions, name) and not getattr(granted, name) for name in _IN_WORDS}
    return in_words(
        Permissions(**flags, network=tuple(one for one in permissions.network if one not in granted.network))
    )


def hooks(manifest: Manifest) -> list[str]:
    """Return when a plugin runs, in words."""
    found = []
    for entry in manifest.entry_points:
        match entry.hook:
            case "cron":
                found.append(say("on schedule ({when})", when=cron_often(entry.when)))
            case "pre_conversation":
                found.append(say("before conversations"))
            case "post_conversation":
                found.append(say("after conversations"))
            case "pre_reflection" | "post_reflection":
                before, after = later("before reflections ({which})"), later("after reflections ({which})")
                words = before if entry.hook == "pre_reflection" else after
                found.append(say(words, which=", ".join(entry.targets)))
            case "callable":
                found.append(say("when I ask for {tool}", tool=entry.tool))
    return list(dict.fromkeys(found))


def describe_plugin(about: Manifest) -> list[str]:
    """Describe a plugin's purpose, permissions and settings, in lines."""
    may = in_words(about.permissions)
    lines = [about.description, "", "It runs " + ", ".join(hooks(about)) + "."]
    lines += ["It may do " + NOTHING + "."] if not may else ["It may:", *(f"  - {one}" for one in may)]
    if about.requirements:
        lines.append(f"It brings {', '.join(about.requirements)}, installed into its own folder.")
    for setting in about.settings:
        marks = [word for word, holds in (("required", setting.required), ("secret", setting.secret)) if holds]
        default = f" (else {setting.default})" if setting.default else ""
        marked = f" ({', '.join(marks)})" if marks else ""
        lines.append(f"Setting {setting.name}{marked}: {setting.about}{default}")
    return lines


def _host(host: str) -> str:
    if host.startswith("setting:"):
        return say("connect to the host in its setting {setting}", setting=host.removeprefix("setting:"))
    if host.startswith("*."):
        return say("connect to any host under {host} on the internet", host=host[2:])
    return say("connect to {host} on the internet", host=host)
