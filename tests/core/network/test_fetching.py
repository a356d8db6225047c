"""A file comes whole, resumed, and as the one that was asked for; or it is said why not."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.core.network import fetching
from furoshiki.core.network.fetching import NotFetched, Remote, fetch
from tests.emulators.mirror import CHUNK, Mirror
from tests.emulators.proxy import ProxyEmulator

CONTENT = random.Random(7).randbytes(4 * CHUNK)


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    monkeypatch.setattr(fetching, "PAUSE_S", 0.01)
    with Mirror() as made:
        made.files["/model"] = CONTENT
        yield made


def wanted(mirror: Mirror, content: bytes = CONTENT) -> Remote:
    return Remote(f"{mirror.url}/model", len(content), hashlib.sha256(content).hexdigest())


async def test_it_is_there_whole_and_tells_how_far_it_is(mirror: Mirror, tmp_path: Path) -> None:
    told: list[int] = []
    await fetch(wanted(mirror), tmp_path / "models" / "a", told.append)
    assert (tmp_path / "models" / "a").read_bytes() == CONTENT
    assert told[-1] == len(CONTENT) and told == sorted(told)
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["a"]


async def test_a_connection_that_breaks_off_is_made_again_and_goes_on(mirror: Mirror, tmp_path: Path) -> None:
    mirror.cut_after = CHUNK
    await fetch(wanted(mirror), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert [asked for _, asked in mirror.asked] == ["", f"bytes={CHUNK}-"]


async def test_a_server_that_does_not_go_on_sends_it_again(mirror: Mirror, tmp_path: Path) -> None:
    (tmp_path / "a.part").write_bytes(b"something that had arrived")
    mirror.resumes = False
    await fetch(wanted(mirror), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT


async def test_what_had_arrived_stays_for_the_next_time(mirror: Mirror, tmp_path: Path) -> None:
    (tmp_path / "a.part").write_bytes(CONTENT[:CHUNK])
    mirror.status = 503
    with pytest.raises(NotFetched, match="127.0.0.1 answers “503”: try again later"):
        await fetch(wanted(mirror), tmp_path / "a")
    mirror.offline()
    with pytest.raises(NotFetched, match="127.0.0.1 cannot be reached"):
        await fetch(wanted(mirror), tmp_path / "a")
    assert (tmp_path / "a.part").read_bytes() == CONTENT[:CHUNK] and not (tmp_path / "a").exists()


@pytest.mark.parametrize("other", [CONTENT[:-1] + b"?", CONTENT + b"more"])
async def test_another_file_than_the_one_that_was_asked_for_is_not_kept(
    mirror: Mirror, tmp_path: Path, other: bytes
) -> None:
    mirror.files["/model"] = other
    with pytest.raises(NotFetched, match="sent a different file than the one requested"):
        await fetch(wanted(mirror), tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_that_cannot_be_written_is_said(mirror: Mirror, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotFetched, match="it cannot be saved here"):
        await fetch(wanted(mirror), tmp_path / "file" / "a")
    assert mirror.asked == []


async def test_where_a_server_sends_on_to_is_followed_and_goes_on_there(mirror: Mirror, tmp_path: Path) -> None:
    mirror.moved["/model"] = "/elsewhere"
    mirror.files["/elsewhere"] = CONTENT
    (tmp_path / "a.part").write_bytes(CONTENT[:CHUNK])
    await fetch(wanted(mirror), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert mirror.asked == [("/model", f"bytes={CHUNK}-"), ("/elsewhere", f"bytes={CHUNK}-")]


@pytest.mark.parametrize("there", ["/model", "ftp://models.example/a"])
async def test_a_server_that_sends_round_or_away_is_told(mirror: Mirror, tmp_path: Path, there: str) -> None:
    mirror.moved["/model"] = there
    with pytest.raises(NotFetched, match="answers “302”"):
        await fetch(wanted(mirror), tmp_path / "a")


async def test_it_goes_by_the_one_road_to_each_host(
    mirror: Mirror, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = mirror.url.rpartition(":")[2]
    mirror.moved["/model"] = f"http://large.example:{port}/elsewhere"
    mirror.files["/elsewhere"] = CONTENT
    far = Remote(f"http://models.example:{port}/model", len(CONTENT), wanted(mirror).sha256)
    with ProxyEmulator() as proxy:
        monkeypatch.setenv("FUROSHIKI_PROXY", proxy.url("http"))
        await fetch(far, tmp_path / "a")
        assert proxy.hosts() == {"models.example", "large.example"}
    with pytest.raises(NotFetched, match=r"models\.example cannot be reached"):
        await fetch(far, tmp_path / "b")
    monkeypatch.setenv("FUROSHIKI_PROXY", "nonsense://")
    with pytest.raises(NotFetched, match="FUROSHIKI_PROXY must be like"):
        await fetch(far, tmp_path / "c")
