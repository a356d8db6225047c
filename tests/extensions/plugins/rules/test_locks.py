"""What may stand in the lock of a plugin's packages."""

from __future__ import annotations

import pytest

from furoshiki.extensions.plugins.rules import locks

ONE, TWO = "a" * 64, "b" * 64
WRITTEN = f"""# made by uv
icalendar==7.3.0 \\
    --hash=sha256:{ONE} \\
    --hash=sha256:{TWO}
    # via
    #   -r requirements.in
typing-extensions==4.16.0 ; python_full_version < '3.13' \\
    --hash=sha256:{ONE}  # via icalendar
"""


def test_a_lock_is_read_as_packages_with_their_hashes() -> None:
    first, second = locks.read(WRITTEN)
    assert first == locks.Package("icalendar", "7.3.0", "", (f"sha256:{ONE}", f"sha256:{TWO}"))
    assert second.line == f"typing-extensions==4.16.0 ; python_full_version < '3.13' --hash=sha256:{ONE}"
    assert locks.read("\n# nothing\n") == ()


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://evil.example/simple",
        "--extra-index-url=https://evil.example/simple",
        "--find-links /home/somebody",
        "-r ../../secrets.txt",
        "-e .",
        "git+https://evil.example/a.git",
        f"a @ https://evil.example/a.whl --hash=sha256:{ONE}",
        f"a>=1 --hash=sha256:{ONE}",
        "a==1",
        "a==1 --hash=md5:00",
        f"a==1 --hash=sha256:{ONE} --no-binary=a",
        f"a==1 ; `id` --hash=sha256:{ONE}",
        f"a==1 --config-settings=x=y --hash=sha256:{ONE}",
    ],
)
def test_nothing_else_reaches_pip(line: str) -> None:
    with pytest.raises(locks.BadLock, match=r"requirements.txt line 2: .*uv pip compile"):
        locks.read(f"# a lock\n{line}\n")


def test_a_plugin_brings_no_more_packages_than_one_may() -> None:
    with pytest.raises(locks.BadLock, match="a plugin may bring 40"):
        locks.read("".join(f"p{n}==1 --hash=sha256:{ONE}\n" for n in range(41)))


def test_what_the_manifest_requires_is_held_at_that_very_version() -> None:
    held = locks.read(WRITTEN)
    assert locks.list_missing(["iCalendar==7.3.0", "typing_extensions==4.16.0"], held) == ()
    assert locks.list_missing(["icalendar==7.2.0", "feedparser==6.0.14"], held) == (
        "icalendar==7.2.0",
        "feedparser==6.0.14",
    )
