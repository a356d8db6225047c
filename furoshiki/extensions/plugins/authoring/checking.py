"""Checks of a draft before its review: manifest, names, and static findings in its code."""

from collections.abc import Mapping
from dataclasses import dataclass

from furoshiki.core.paths import version
from furoshiki.extensions.plugins.authoring.drafts import Draft, NotTaken
from furoshiki.extensions.plugins.authoring.rules import static_review
from furoshiki.extensions.plugins.authoring.rules.static_review import Finding
from furoshiki.extensions.plugins.manifest import list_missing_scripts
from furoshiki.extensions.plugins.rules import manifest as manifests
from furoshiki.extensions.plugins.values import Manifest


@dataclass(frozen=True)
class Checked:
    """A draft's content, and its problems in words for the author; none when it may be reviewed."""

    files: Mapping[str, str]
    manifest: Manifest | None
    findings: tuple[Finding, ...]
    problems: tuple[str, ...]


def check(draft: Draft) -> Checked:
    """Read and check a draft, without running it."""
    try:
        files = draft.files()
    except NotTaken as error:
        return Checked({}, None, (), (str(error),))
    if "PLUGIN.md" not in files:
        return Checked(files, None, (), ("there is no PLUGIN.md; write it",))
    manifest, wrong = manifests.judge(files["PLUGIN.md"].encode("utf-8"), version())
    problems = [f"PLUGIN.md line {line}: {words}" for line, words in wrong]
    if manifest is not None:
        if manifest.name != draft.name:
            problems.append(f"PLUGIN.md: the name is {manifest.name!r}; write `name: {draft.name}`")
        problems += list_missing_scripts(manifest, lambda script: script in files)
    findings = static_review.review(files, manifest)
    problems += map(str, static_review.list_blocking(findings))
    return Checked(files, manifest, findings, tuple(dict.fromkeys(problems)))
