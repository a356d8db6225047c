"""Every hostile plugin is held by every backend there is; and one that is not held is noticed."""

from __future__ import annotations

import struct
from typing import get_args

import pytest

from bench.hostile_plugins.attempts import ATTEMPTS
from bench.hostile_plugins.proving import prove
from furoshiki.extensions.plugins.sandbox import probing, seccomp
from furoshiki.extensions.plugins.sandbox.seccomp import Filter
from furoshiki.extensions.plugins.sandbox.values import Backend
from furoshiki.world import World

pytestmark = pytest.mark.slow

NEEDS_THE_FILTER: dict[Backend, tuple[str, ...]] = {
    "bubblewrap": ("fork", "make_pipe"),
    "landlock": ("fork", "send_datagram", "change_mode", "limit_other"),
}
"""What nothing but the filter of system calls holds, by who else would."""


@pytest.fixture(params=get_args(Backend))
def backend(request: pytest.FixtureRequest) -> Backend:
    if (why := probing.fault(request.param)) is not None:
        pytest.skip(f"{request.param} does not work here: {why}")
    return request.param  # type: ignore[no-any-return]


def test_nothing_gets_through(backend: Backend, world: World) -> None:
    through = [f"{one.attempt.words}: {one.happened}" for one in prove(backend, world) if one.verdict != "held"]
    assert not through
    assert len(ATTEMPTS) >= 100


def test_what_gets_through_is_noticed(backend: Backend, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = struct.pack("<HBBI", 6, 0, 0, 0x7FFF0000)
    monkeypatch.setattr(seccomp, "program", lambda _machine: Filter(everything, ()))
    names = NEEDS_THE_FILTER[backend]
    found = {
        one.attempt.name for one in prove(backend, world, [ATTEMPTS[name] for name in names]) if one.verdict != "held"
    }
    assert found == set(names)
