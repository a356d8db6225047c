"""The metrics of a host and its homes for Prometheus: figures only, no words of anybody."""

from collections.abc import Callable, Iterator

from furoshiki.core.process.prometheus import Family, one
from furoshiki.host.figures import HomeFigures, HostFigures

OF_A_HOME: tuple[tuple[str, str, Callable[[HomeFigures], float]], ...] = (
    ("messages_today", "Messages of this day (UTC).", lambda home: home.messages_today),
    ("messages_30_days", "Messages of thirty days.", lambda home: home.messages_30_days),
    ("cost_today_usd", "What models have cost on this day (UTC).", lambda home: home.cost_today),
    ("cost_30_days_usd", "What models have cost in thirty days.", lambda home: home.cost_30_days),
    ("disk_bytes", "What it takes on the disk.", lambda home: home.megabytes * 1e6),
    ("messages_waiting", "Messages that wait for their answer.", lambda home: home.waiting),
    ("messages_outside", "Messages that wait outside because it cannot take them.", lambda home: home.outside),
    ("job_failures_today", "Jobs that failed on this day (UTC).", lambda home: sum(home.failed_jobs.values())),
    ("trouble", "Whether the doctor has found something that needs a person.", lambda home: home.trouble is not None),
    ("paused", "Whether it rests.", lambda home: home.paused_since is not None),
    ("awake", "Whether it is open.", lambda home: home.state == "awake"),
)


def families(host: HostFigures) -> Iterator[Family]:
    """Yield all metrics, by home."""
    yield Family("furoshiki_host_homes", "gauge", "Homes there are.", [one(len(host.homes))])
    for name, about, of in OF_A_HOME:
        samples = [one(float(of(home)), home=home.name) for home in host.homes]
        yield Family(f"furoshiki_host_home_{name}", "gauge", about, samples)
    limited = [(home.name, name, used, most) for home in host.homes for name, (used, most) in home.limits.items()]
    yield Family(
        "furoshiki_host_home_limit", "gauge", "What a home may use, of what is limited.",
        [one(float(most), home=home, limit=name) for home, name, _, most in limited],
    )  # fmt: skip
    yield Family(
        "furoshiki_host_home_limit_used", "gauge", "What a home has used of what is limited, where it is counted.",
        [one(float(used), home=home, limit=name) for home, name, used, _ in limited if used is not None],
    )  # fmt: skip
    alive = [one(float(size is not None), process=name) for name, size in host.processes.items()]
    yield Family("furoshiki_host_process_up", "gauge", "Whether a process of the host lives.", alive)
    sizes = [one(size * 1e6, process=name) for name, size in host.processes.items() if size is not None]
    yield Family("furoshiki_host_process_memory_bytes", "gauge", "What it holds in memory.", sizes)
    yield Family("furoshiki_host_disk_free_bytes", "gauge", "Room on the homes' disk.", [one(host.disk_free_gb * 1e9)])
    yield Family("furoshiki_host_memory_free_bytes", "gauge", "Memory that is free.", [one(host.memory_free_mb * 1e6)])
    yield Family("furoshiki_host_bots_refused", "gauge", "Bots that have trouble.", [one(float(len(host.bots)))])
