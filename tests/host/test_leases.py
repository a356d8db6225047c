"""Leases in a real PostgreSQL: one node has a home, another gets it when that is over, an older copy never does."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.wiring import SystemClock
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import BadSetting, NotConfigured
from furoshiki.host import homes
from furoshiki.host.leases import fence, node, store
from furoshiki.host.leases.keeper import Keeper
from furoshiki.host.leases.seen import Seen, State
from furoshiki.host.leases.store import Leases
from furoshiki.host.leases.values import Claim, LeaseLost, LeasesAway, Node, Wish
from tests.support.postgres import PASSWORD, Postgres, _server, postgres

__all__ = ["_server", "postgres"]
pytestmark = pytest.mark.slow

A, B = Node("a" * 16, "attic"), Node("b" * 16, "basement")
ANNA = Claim("home:1", "anna")
SECONDS = 1.2
NOW = SystemClock().now


def until(met: Callable[[], Any], seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)


@pytest.fixture
def leases(postgres: Postgres) -> Iterator[Leases]:
    made = Leases(postgres.url)
    yield made
    made.close()


def expire(server: Postgres) -> None:
    server.execute("UPDATE furoshiki_leases SET until = clock_timestamp()")


def test_one_node_has_it_until_it_ends_and_the_next_gets_a_higher_fence(leases: Leases, postgres: Postgres) -> None:
    assert leases.take(A, [ANNA], 60) == {"home:1": 1}
    assert leases.take(A, [ANNA], 60) == {"home:1": 1}, "renewed, and no other fence"
    assert leases.take(B, [ANNA], 60) == {}
    assert leases.about(["home:1"])["home:1"].place == "attic"
    expire(postgres)
    assert leases.take(B, [ANNA], 60) == {"home:1": 2}
    assert leases.take(A, [ANNA], 60) == {}
    leases.release(B, ["home:1"])
    assert leases.take(A, [ANNA], 60) == {"home:1": 3}
    leases.release(B, ["home:1"])
    assert leases.take(B, [ANNA], 60) == {}, "nobody releases what is another's"


def test_an_older_copy_gets_no_lease_before_somebody_says_so(leases: Leases, postgres: Postgres) -> None:
    assert leases.take(A, [Claim("home:1", "anna", known=7)], 60) == {"home:1": 8}
    assert leases.opened(A, {"home:1": 8}) == {"home:1"}
    leases.release(A, ["home:1"])
    assert leases.take(B, [Claim("home:1", "anna", known=7)], 60) == {}
    assert leases.take(B, [Claim("home:1", "anna", known=8)], 60) == {"home:1": 9}
    assert not leases.claim("home:1", 7), "not while somebody has it"
    expire(postgres)
    assert leases.claim("home:1", 7)
    assert leases.take(A, [Claim("home:1", "anna", known=7)], 60) == {"home:1": 10}


def test_of_many_nodes_that_ask_at_once_each_home_goes_to_one(postgres: Postgres) -> None:
    claims = [Claim(f"home:{number}", f"home-{number}") for number in range(50)]
    nodes = [Node(str(number) * 16, str(number)) for number in range(8)]
    together = threading.Barrier(len(nodes))

    def ask(own: Node) -> list[set[str]]:
        asking = Leases(postgres.url)
        together.wait()
        shuffled = claims[int(own.place) * 5 :] + claims[: int(own.place) * 5]
        found = [set(asking.take(own, shuffled, 60)) for _ in range(5)]
        asking.close()
        return found

    with ThreadPoolExecutor(len(nodes)) as pool:
        found = list(pool.map(ask, nodes))
    held = [one[-1] for one in found]
    assert sum(map(len, held)) == 50 and set.union(*held) == {claim.subject for claim in claims}


def test_errors_say_what_to_do_and_never_the_password(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadSetting, match="write it like postgresql://") as wrong:
        store.check(f"postgresql://furo:{PASSWORD}@127.0.0.1:port/x")
    with pytest.raises(LeasesAway, match="start it, or correct FUROSHIKI_HOST_DATABASE") as away:
        Leases(f"postgresql://furo:{PASSWORD}@127.0.0.1:1/x").take(A, [ANNA], 1)
    with pytest.raises(LeasesAway, match="authentication failed") as refused:
        Leases(postgres.url.replace(PASSWORD, f"{PASSWORD}x")).take(A, [ANNA], 1)
    assert PASSWORD not in f"{wrong.value} {away.value} {refused.value}"
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(NotConfigured, match="pip install -r requirements/hosting.txt"):
        store.check(postgres.url)


# -- nodes with homes --


@pytest.fixture
def keepers(postgres: Postgres) -> Iterator[Callable[..., Keeper]]:
    made: list[Keeper] = []

    def keeper(root: Path, wish: Wish | None = None, seconds: float = SECONDS) -> Keeper:
        there = {home.name: (home.data, None) for home in homes.every(root)}
        found = Keeper(root, node.here(root), Leases(postgres.url), seconds, NOW)
        found.want(wish or Wish(homes=there))
        found.start(lambda: None)
        made.append(found)
        return found

    yield keeper
    for one in made:
        one.stop()


@pytest.fixture
def two(root: Path) -> tuple[Path, Path]:
    """A folder of homes and a copy of it, whose homes have been awake before."""
    for name in ("anna", "ben"):
        fence.of(homes.add(root, name, NOW()).data, NOW())
    other = root.with_name("copy")
    shutil.copytree(root, other)
    return root, other


def state(root: Path) -> State:
    return Seen(root).state()


def test_a_copy_waits_for_the_node_that_has_it_and_learns_that_it_is_older(
    two: tuple[Path, Path], keepers: Callable[..., Keeper], postgres: Postgres
) -> None:
    here, there = two
    first = keepers(here)
    until(lambda: first.holds("anna") and first.holds("ben"))
    until(lambda: set(Seen(here).homes()) == {"anna", "ben"})
    second = keepers(there)
    until(lambda: len(state(there).refused) == 2)
    assert not second.holds("anna")
    first.stop()
    assert not first.still_holds("anna", 1) and not Seen(here).homes()
    until(lambda: "older than the one" in state(there).refused.get("anna", ""))
    assert "furoshiki host claim anna" in state(there).refused["anna"]
    assert "another node" in (second.trouble() or "")
    assert not second.holds("anna")


def test_one_volume_that_two_nodes_mount_goes_from_one_to_the_other_and_back(
    two: tuple[Path, Path], keepers: Callable[..., Keeper]
) -> None:
    here, there = two
    shutil.rmtree(there / "anna" / "memory")
    (there / "anna" / "memory").symlink_to(here / "anna" / "memory")
    first, second = (keepers(root, Wish(homes={"anna": (root / "anna", None)})) for root in two)
    until(lambda: first.holds("anna") or second.holds("anna"))
    for fence_ in (2, 3):
        holder, other = (first, second) if first.holds("anna") else (second, first)
        assert not other.still_holds("anna", fence_ - 1)
        holder.want(Wish())
        until(functools.partial(other.holds, "anna"))
        assert other.fence_of("anna") == fence_
        holder.want(Wish(homes={"anna": ((here if holder is first else there) / "anna", None)}))


def test_while_the_server_is_away_a_lease_ends_here_and_comes_back_with_it(
    two: tuple[Path, Path], keepers: Callable[..., Keeper], postgres: Postgres
) -> None:
    keeper = keepers(two[0])
    until(lambda: keeper.holds("anna"))
    postgres.stop()
    until(lambda: state(two[0]).away)
    assert PASSWORD not in str(state(two[0]))
    until(lambda: not keeper.holds("anna"))
    until(lambda: not keeper.still_holds("anna", 1))
    assert not Seen(two[0]).homes()
    postgres.start()
    until(lambda: keeper.holds("anna") and keeper.trouble() is None)


def test_a_home_comes_only_where_its_bot_is_and_goes_back_when_it_is_not_wanted(
    two: tuple[Path, Path], keepers: Callable[..., Keeper], postgres: Postgres
) -> None:
    here, there = two
    talking = {name: (here / name, 7) for name in ("anna", "ben")}
    first = keepers(here, Wish(homes=talking, bots={7: "all"}))
    until(lambda: first.holds("anna") and first.holds("ben") and first.holds_bot(7))
    second = keepers(there, Wish(homes={"anna": (there / "anna", 7)}, bots={7: "all"}))
    until(lambda: state(there).refused.get("anna"))
    first.want(Wish(homes={"ben": talking["ben"]}, bots={7: "all"}))
    until(lambda: not first.still_holds("anna", 1))
    assert first.holds("ben") and first.seconds_of(7) > 0 and not second.holds("anna")


def test_two_copies_in_one_folder_never_both_run(root: Path, keepers: Callable[..., Keeper]) -> None:
    fence.of(homes.add(root, "anna", NOW()).data, NOW())
    shutil.copytree(root / "anna", root / "twin")
    keeper = keepers(root)
    until(lambda: "copy of anna" in state(root).refused.get("twin", ""))
    assert keeper.holds("anna") and not keeper.holds("twin")


def test_who_has_a_lower_fence_writes_nothing_more(two: tuple[Path, Path]) -> None:
    data = two[0] / "anna"
    fence.mark(data, 3, NOW())
    held = True
    database = Database(data / "memory" / "longmemory.sqlite")
    database.guard = fence.guard(3, lambda: held)
    with database.write() as db:
        db.execute("DELETE FROM kv WHERE key='x'")
    held = False
    with pytest.raises(LeaseLost, match="has ended"), database.write():
        pass
    held = True
    fence.mark(data, 4, NOW())
    with pytest.raises(LeaseLost, match="another node"), database.write():
        pass
    with pytest.raises(LeaseLost):
        fence.mark(data, 3, NOW())
    database.close()


def test_status_shows_who_has_a_home_and_claim_lets_an_older_copy_go_on(
    two: tuple[Path, Path], keepers: Callable[..., Keeper], postgres: Postgres, command: Any, monkeypatch: Any
) -> None:
    here, there = two
    first = keepers(here)
    until(lambda: first.holds("anna") and first.holds("ben"))
    monkeypatch.setenv("FUROSHIKI_HOST_DATABASE", postgres.url)
    assert [row["node"] for row in command("host", "status", "--json").json] == ["here", "here"]
    monkeypatch.setenv("FUROSHIKI_HOMES", str(there))
    assert command("host", "claim", "anna").status == 1
    first.stop()
    assert "nobody" in command("host", "status").out
    assert command("host", "claim", "anna").status == 0
    second = keepers(there)
    until(lambda: second.holds("anna"))
    postgres.stop()
    shown = command("host", "status")
    assert shown.status == 4 and "start it, or correct FUROSHIKI_HOST_DATABASE" in shown.out + shown.err
    assert PASSWORD not in shown.out + shown.err
    monkeypatch.setenv("FUROSHIKI_HOST_DATABASE", "mysql://root:secret@x/y")
    wrong = command("host", "status")
    assert wrong.status == 3 and "must be an address of PostgreSQL" in wrong.err and "secret" not in wrong.err


def test_a_copied_folder_is_another_node(two: tuple[Path, Path], tmp_path: Path) -> None:
    first = node.here(two[0])
    assert node.here(two[0]) == first
    shutil.copytree(two[0] / ".host", tmp_path / "x" / ".host")
    assert node.here(tmp_path / "x").id != first.id


def test_where_one_machine_has_all_homes_nothing_of_it_is_loaded() -> None:
    code = (
        "import sys, furoshiki.faces.cli.services.host, furoshiki.host.listener, furoshiki.host.brain, "
        "furoshiki.host.job_worker\n"
        "print([name for name in sys.modules if name.startswith(('furoshiki.host.leases', 'psycopg'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
