"""Trial run of a draft before its review: each entry point once, on a copy, without permissions.

Requests beyond its own folder are refused, so that the draft reaches nothing; a script that ends
with such a refusal counts as working.
"""

from typing import Any

from furoshiki.core.process import scratch
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins import running
from furoshiki.extensions.plugins.authoring.checking import Checked
from furoshiki.extensions.plugins.rules import samples
from furoshiki.extensions.plugins.values import EntryPoint, Installed, Manifest
from furoshiki.world import World

_REFUSED = "Refused"
"""The name of the SDK's exception for a refused request."""


async def try_out(world: World, checked: Checked) -> tuple[str, ...]:
    """Run every entry point of a checked draft; returns the problems in words for its author.

    Without a sandbox the draft is not tried: the plugin would not run there either.
    """
    manifest = checked.manifest
    assert manifest is not None
    problems = []
    with scratch.folder(world.settings.data, "draft", world.now) as copy:
        for file, text in checked.files.items():
            path = copy / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        # no plugin has such a name: it has no record and no permissions
        plugin = Installed(f"{manifest.name}?", copy, manifest, "enabled", "proposal")
        for entry in manifest.entry_points:
            run = await running.run(world, plugin, entry, _build_input(world, manifest, entry))
            if run.status == "no_sandbox":
                return ()
            if not run.ok and not (run.status == "failed" and _REFUSED in run.error):
                problems.append(f"{entry.script}, tried at its hook {entry.hook}: {run.status}: {run.error}")
    return tuple(problems)


def _build_input(world: World, manifest: Manifest, entry: EntryPoint) -> dict[str, Any]:
    """Return a trial's input, without private data."""
    return {
        "hook": entry.hook,
        "target": entry.targets[0] if entry.targets else None,
        "args": samples.arguments(entry.args_schema) if entry.hook == "callable" else {},
        "settings": {setting.name: setting.default for setting in manifest.settings},
        "state": {
            "needs": {},
            "user_needs": {},
            "mood": "calm",
            "is_dnd": False,
            "emotional_weight_today": 0.0,
            "health_score": 1.0,
            "locale": "en",
            "now": stamp(world.now),
        },
        "event": dict(samples.EVENTS.get(entry.hook, {})),
    }
