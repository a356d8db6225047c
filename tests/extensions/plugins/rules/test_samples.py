"""What a plugin is tried with is what its author says, where that is said."""

from __future__ import annotations

from furoshiki.extensions.plugins.rules import samples


def test_an_example_is_taken_before_all_else() -> None:
    said = {"type": "string", "examples": ["3d6+2"], "default": "d20", "enum": ["d20", "d6"]}
    assert samples.arguments({"type": "object", "properties": {"dice": said}}) == {"dice": "3d6+2"}
    del said["examples"]
    assert samples.arguments({"type": "object", "properties": {"dice": said}}) == {"dice": "d20"}
