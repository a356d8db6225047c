"""Encrypted backups: only their keys open them, and what is written is proven to open before it counts."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyrage
import pytest

from furoshiki.core import recipients
from furoshiki.core.errors import BadSetting, StorageUnavailable
from furoshiki.core.settings import load
from furoshiki.maintenance import encryption
from furoshiki.maintenance.archive import BackupUnusable
from furoshiki.maintenance.encryption import NoKey
from tests.support.age_passphrase import sealed

NOW = datetime(2026, 3, 24, 1, 0, tzinfo=UTC)

SSH_RECIPIENT = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGsiZhJIPZcteBslqdjyxalQ69BaHL/L65MKxHAB0QkQ test"
SSH_KEY = """-----BEGIN {} PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACBrImYSSD2XLXgbJanY8sWpUOvQWhy/y+uTCsRwAdEJEAAAAIjZ77eL2e+3
iwAAAAtzc2gtZWQyNTUxOQAAACBrImYSSD2XLXgbJanY8sWpUOvQWhy/y+uTCsRwAdEJEA
AAAEAaaOJxUxpN9Acc39GNG70oN1K6g2bUDYkQRNXMhwbjOmsiZhJIPZcteBslqdjyxalQ
69BaHL/L65MKxHAB0QkQAAAABHRlc3QB
-----END {} PRIVATE KEY-----
""".format("OPENSSH", "OPENSSH")
"""Made for this test, and used nowhere."""


def never(_prompt: str) -> str:
    raise AssertionError("nothing needs a passphrase here")


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A file of several pieces of age (64 KiB each), the last one short."""
    path = tmp_path / "draft.tar.gz"
    path.write_bytes(bytes(range(256)) * 600)
    return path


@pytest.fixture
def key(tmp_path: Path) -> tuple[Path, str]:
    """The file with a secret key, and its recipient."""
    secret, recipient = encryption.new_key()
    path = tmp_path / "key.txt"
    path.write_text(f"# made for a test\n{secret}\n")
    return path, recipient


def written(plain: Path, *keys: str) -> Path:
    target = plain.with_suffix(".gz.age")
    encryption.encrypt(plain, target, keys)
    return target


def opened(path: Path, identity: Path | None, ask: Callable[[str], str] = never) -> bytes:
    target = path.parent / "opened"
    target.unlink(missing_ok=True)
    encryption.opener(identity, path, ask)(path, target)
    assert target.stat().st_mode & 0o777 == 0o600
    return target.read_bytes()


def test_only_the_key_opens_it(plain: Path, key: tuple[Path, str], tmp_path: Path) -> None:
    identity, recipient = key
    path = written(plain, recipient)
    assert plain.read_bytes()[:600] not in path.read_bytes()
    assert opened(path, identity) == plain.read_bytes()
    other = tmp_path / "other.txt"
    other.write_text(encryption.new_key()[0])
    with pytest.raises(BackupUnusable, match="cannot be opened with this key: it was encrypted for 2 age key"):
        opened(path, other)
    with pytest.raises(NoKey, match="--identity KEYFILE"):
        opened(path, None)


def test_each_of_several_keys_opens_it(plain: Path, key: tuple[Path, str], tmp_path: Path) -> None:
    secret, second = encryption.new_key()
    path = written(plain, key[1], second)
    (tmp_path / "second.txt").write_text(secret)
    assert opened(path, tmp_path / "second.txt") == opened(path, key[0]) == plain.read_bytes()


def test_an_ssh_key_opens_it(plain: Path, tmp_path: Path, key: tuple[Path, str]) -> None:
    (tmp_path / "id_ed25519").write_text(SSH_KEY)
    path = written(plain, SSH_RECIPIENT, key[1])
    assert encryption.header(path).for_whom == "2 age key(s) and 1 SSH key(s)"
    assert opened(path, tmp_path / "id_ed25519") == opened(path, key[0]) == plain.read_bytes()


@pytest.mark.parametrize("left", [0, 10, 60, 150, 70_000, -65_552, -1])
def test_a_file_that_is_cut_short_is_told_from_a_wrong_key(plain: Path, key: tuple[Path, str], left: int) -> None:
    path = written(plain, key[1])
    whole = path.read_bytes()
    path.write_bytes(whole[:left])
    with pytest.raises(BackupUnusable, match="cut short or damaged"):
        opened(path, key[0])


def test_a_changed_byte_anywhere_is_noticed(plain: Path, key: tuple[Path, str]) -> None:
    path = written(plain, key[1])
    whole = path.read_bytes()
    for at in (len(whole) - 1, len(whole) // 2, whole.index(b"\n--- ") + 6):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(BackupUnusable):
            opened(path, key[0])


def test_a_cut_is_seen_without_the_key_where_the_length_shows_it(plain: Path, key: tuple[Path, str]) -> None:
    path = written(plain, key[1])
    assert encryption.header(path).kinds == ("X25519", "X25519")
    whole = path.read_bytes()
    end = whole.index(b"\n--- ")
    payload = whole.index(b"\n", end + 1) + 1 + 16
    for cut in (whole[: payload + 65_552 + 7], whole[:payload], whole[: end + 3]):
        path.write_bytes(cut)
        with pytest.raises(BackupUnusable, match="cut short"):
            encryption.header(path)


@pytest.mark.parametrize("damage", ["flipped", "cut", "for others"])
def test_what_does_not_open_to_what_was_verified_is_no_backup(
    plain: Path, key: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """A disk that keeps something else, and a library that encrypts for somebody else, are found out at once."""
    honest = pyrage.encrypt_io

    def wrong(source: io.BufferedReader, target: io.BufferedWriter, keys: list[object]) -> None:
        if damage == "for others":
            honest(source, target, [*keys, pyrage.x25519.Identity.generate().to_public()])
            return
        held = io.BytesIO()
        honest(source, held, keys)
        found = held.getvalue()
        target.write(found[:-70] if damage == "cut" else found[:-70] + bytes(70))

    monkeypatch.setattr(pyrage, "encrypt_io", wrong)
    with pytest.raises(StorageUnavailable, match="no backup"):
        written(plain, key[1])


def armoured(content: bytes) -> bytes:
    """A file of age as text, as mails and password managers carry it."""
    lines = base64.encodebytes(content).replace(b"\n", b"")
    body = b"".join(lines[at : at + 64] + b"\n" for at in range(0, len(lines), 64))
    return b"-----BEGIN AGE ENCRYPTED FILE-----\n" + body + b"-----END AGE ENCRYPTED FILE-----\n"


@pytest.mark.parametrize("armored", [False, True])
def test_a_passphrase_opens_what_age_made_with_one(plain: Path, armored: bool) -> None:
    path = plain.with_suffix(".age")
    path.write_bytes(armoured(sealed(b"saved", "correct horse")) if armored else sealed(b"saved", "correct horse"))
    assert encryption.is_encrypted(path)
    assert encryption.header(path).by_passphrase
    assert opened(path, None, lambda _prompt: "correct horse") == b"saved"
    with pytest.raises(BackupUnusable, match="this passphrase"):
        opened(path, None, lambda _prompt: "wrong")


def test_a_key_may_lie_in_a_file_with_a_passphrase(plain: Path, key: tuple[Path, str]) -> None:
    identity, recipient = key
    identity.write_bytes(armoured(sealed(identity.read_bytes(), "x")))
    path = written(plain, recipient)
    assert opened(path, identity, lambda _prompt: "x") == plain.read_bytes()
    with pytest.raises(NoKey, match="this passphrase"):
        opened(path, identity, lambda _prompt: "y")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "holds no secret key"),
        ("# only a note\n", "holds no secret key"),
        ("age1notasecret", "no secret key that age knows"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nnonsense\n", "no secret key that age knows"),
    ],
)
def test_a_file_without_a_key_is_told(
    plain: Path, key: tuple[Path, str], tmp_path: Path, content: str, words: str
) -> None:
    path = written(plain, key[1])
    (tmp_path / "bad.txt").write_text(content)
    with pytest.raises(NoKey, match=words):
        opened(path, tmp_path / "bad.txt")
    with pytest.raises(NoKey, match="cannot be read"):
        opened(path, tmp_path / "nothing.txt")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("age1abc", "cannot be read"),
        ("ssh-ed25519 AAAA", "cannot be read"),
        ("ssh-rsa AAAA", "no recipient of age"),
        ("me@example.com", "no recipient of age"),
        ("AGE-SECRET-KEY-1QQQQ", "is a secret key"),
        ("age-secret-key-1qqqq", "is a secret key"),
    ],
)
def test_a_wrong_recipient_is_one_clear_line(given: str, words: str) -> None:
    with pytest.raises(BadSetting, match=words) as error:
        load({"FUROSHIKI_BACKUP_RECIPIENTS": given})
    assert "QQQQ" not in str(error.value) and "qqqq" not in str(error.value)


def test_recipients_are_read_apart() -> None:
    one, other = encryption.new_key()[1], encryption.new_key()[1]
    assert load({"FUROSHIKI_BACKUP_RECIPIENTS": f"{one} , {other},"}).backup_recipients == (one, other)
    assert load({}).backup_recipients == ()
    assert recipients.fault(one) is None
