"""Encryption of backups in the age format (age-encryption.org/v1), streamed.

The secret key is not on this machine. So each file is also encrypted for a temporary key, read back
with it for verification, and the key is discarded: the recipients can decrypt the verified bytes.
"""

import base64
import contextlib
import hashlib
import hmac
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from furoshiki.core import recipients
from furoshiki.core.errors import FuroshikiError, StorageUnavailable
from furoshiki.core.process.crash_points import point
from furoshiki.maintenance.archive import BackupUnusable

# Decrypts the first file into the second. Raises BackupUnusable.
Opener = Callable[[Path, Path], None]

SUFFIX = ".age"

_BEGINS = b"age-encryption.org/v1\n"
_ARMOURED = b"-----BEGIN AGE ENCRYPTED FILE-----"
_MOST_HEADER_BYTES = 64 * 1024
_NONCE, _PIECE, _TAG = 16, 64 * 1024, 16

NO_KEY = "is encrypted: give --identity KEYFILE, the file with the secret key that was kept elsewhere"
_WRONG_KEY = "cannot be opened with this key: it was encrypted for {for_whom}"
_CUT = "is cut short or damaged: take another copy"


class NoKey(FuroshikiError):
    """The file with the secret key cannot be used: the message says why."""


@dataclass(frozen=True)
class Header:
    """The readable header of an encrypted file: kinds of recipients in order ("X25519",
    "ssh-ed25519", "scrypt" for a passphrase), and the tags of its SSH keys."""

    kinds: tuple[str, ...]
    ssh: frozenset[str]

    @property
    def by_passphrase(self) -> bool:
        """Whether a passphrase opens the file."""
        return "scrypt" in self.kinds

    @property
    def for_whom(self) -> str:
        """The recipients in words."""
        if self.by_passphrase:
            return "anyone who knows the passphrase"
        counts = {"age key(s)": self.kinds.count("X25519"), "SSH key(s)": self.kinds.count("ssh-ed25519")}
        return " and ".join(f"{count} {name}" for name, count in counts.items() if count)


def is_encrypted(path: Path) -> bool:
    """Return whether a file is an age file, whatever its name. Raises OSError."""
    with path.open("rb") as file:
        begins = file.read(len(_ARMOURED))
    return begins.startswith(_BEGINS) or begins == _ARMOURED


def new_key() -> tuple[str, str]:
    """Return a new secret key and its recipient."""
    from pyrage import x25519

    key = x25519.Identity.generate()
    return str(key), str(key.to_public())


def encrypt(source: Path, target: Path, keys: Sequence[str]) -> None:
    """Encrypt `source` for these recipients with fsync, and verify that the result can be
    decrypted. Raises StorageUnavailable."""
    import pyrage

    once = pyrage.x25519.Identity.generate()
    for_whom = [recipients.read(key) for key in keys]
    with source.open("rb") as plain, target.open("wb") as file:
        target.chmod(0o600)
        pyrage.encrypt_io(plain, file, [*for_whom, once.to_public()])
        file.flush()
        os.fsync(file.fileno())
    point("backup.encrypted")
    _prove(source, target, keys, once)


def header(path: Path) -> Header:
    """Return a file's header after checking the length. Raises BackupUnusable if truncated."""
    with path.open("rb") as file:
        begins = file.read(_MOST_HEADER_BYTES)
    armoured = begins.startswith(_ARMOURED)
    if armoured:
        begins = _decode_armour(begins)
    end = begins.find(b"\n--- ")
    line_end = begins.find(b"\n", end + 1)
    if not begins.startswith(_BEGINS) or end < 0 or line_end < 0:
        raise BackupUnusable(f"{path} {_CUT}")
    stanzas = [line[3:].split(" ") for line in begins[:end].decode("ascii", "replace").split("\n") if line[:3] == "-> "]
    payload = path.stat().st_size - line_end - 1 - _NONCE
    last = payload % (_PIECE + _TAG)
    if not armoured and (payload < _TAG or 0 < last < _TAG):
        raise BackupUnusable(f"{path} {_CUT}")
    ssh = frozenset(one[1] for one in stanzas if one[0] == "ssh-ed25519" and len(one) > 1)
    return Header(tuple(one[0] for one in stanzas if not one[0].endswith("-grease")), ssh)


def _decode_armour(begins: bytes) -> bytes:
    """Return the first bytes of an ASCII-armoured file."""
    lines = begins.split(b"\n")[1:-1]
    with contextlib.suppress(ValueError):
        return base64.b64decode(b"".join(line.strip() for line in lines if not line.startswith(b"-----")))
    return b""


def opener(identity: Path | None, encrypted: Path, ask: Callable[[str], str]) -> Opener:
    """Return the function that decrypts a file: with the key file `identity`, or a passphrase from
    `ask`. A passphrase needs memory of three times the file's size, a key hardly any. Raises NoKey
    and BackupUnusable."""
    if header(encrypted).by_passphrase:
        return _by_passphrase(ask(f"Passphrase of {encrypted.name}: "))
    if identity is None:
        raise NoKey(f"{encrypted} {NO_KEY}")
    return _by_key(_keys(identity, ask))


def _by_key(keys: Sequence[Any]) -> Opener:
    import pyrage

    def opened(source: Path, target: Path) -> None:
        try:
            with source.open("rb") as file, _fresh(target) as plain:
                pyrage.decrypt_io(file, plain, keys)
        except pyrage.DecryptError as error:
            raise _make_error(source, error) from error
        except OSError as error:
            if error.errno is not None:  # an error of the disk, not of the content
                raise
            raise BackupUnusable(f"{source} {_CUT}") from error

    return opened


def _by_passphrase(words: str) -> Opener:
    from pyrage import DecryptError, passphrase

    def opened(source: Path, target: Path) -> None:
        try:
            with _fresh(target) as plain:
                plain.write(passphrase.decrypt(source.read_bytes(), words))
        except DecryptError as error:
            header(source)
            raise BackupUnusable(f"{source} cannot be opened with this passphrase") from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise BackupUnusable(f"{source} {_CUT}") from error

    return opened


def _make_error(source: Path, error: Exception) -> BackupUnusable:
    if "matching keys" in str(error):
        return BackupUnusable(f"{source} {_WRONG_KEY.format(for_whom=header(source).for_whom or 'others')}")
    return BackupUnusable(f"{source} {_CUT} ({error})")


def _keys(path: Path, ask: Callable[[str], str]) -> list[Any]:
    """Return a file's secret keys: age keys, or one SSH key, perhaps with a passphrase."""
    import pyrage

    try:
        content = path.read_bytes()
    except OSError as error:
        raise NoKey(f"{path} cannot be read ({error.strerror}): name the file with the secret key") from error
    try:
        if content.startswith((_BEGINS, _ARMOURED)):
            content = pyrage.passphrase.decrypt(content, ask(f"Passphrase of {path.name}: "))
        if content.startswith(b"-----BEGIN"):
            return [pyrage.ssh.Identity.from_buffer(content)]
        lines = [line.strip() for line in content.decode("utf-8", "replace").splitlines()]
        keys = [pyrage.x25519.Identity.from_str(line) for line in lines if line and not line.startswith("#")]
    except pyrage.DecryptError as error:
        raise NoKey(f"{path} cannot be opened with this passphrase") from error
    except pyrage.IdentityError as error:
        how = ": take its passphrase off a copy of it first (ssh-keygen -p)" if "decrypted first" in str(error) else ""
        raise NoKey(f"{path} holds no secret key that age knows ({error}){how}") from error
    if not keys:
        raise NoKey(f"{path} holds no secret key: it has a line AGE-SECRET-KEY-1…")
    return keys


def _prove(source: Path, target: Path, keys: Sequence[str], once: Any) -> None:
    """Verify that a written file has these recipients and decrypts to the source."""
    import pyrage

    says = header(target)
    age = sum(key.startswith("age1") for key in keys)
    ssh = {_mark(key) for key in keys if not key.startswith("age1")}
    digest = _Digest()
    try:
        with target.open("rb") as file:
            pyrage.decrypt_io(file, digest, [once])
    except (pyrage.DecryptError, OSError) as error:
        raise StorageUnavailable(f"{target} could not be read back, so it is no backup: {error}") from error
    if says.kinds.count("X25519") != age + 1 or says.ssh != ssh or not digest.is_of(source):
        raise StorageUnavailable(f"{target} is not what was to be written, so it is no backup: check the disk")


def _mark(recipient: str) -> str:
    """Return the tag of an SSH key in a file's header."""
    wire = base64.b64decode(recipient.split()[1])
    return base64.b64encode(hashlib.sha256(wire).digest()[:4]).decode().rstrip("=")


class _Digest:
    """A write-only file that computes the SHA-256 of its content."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self._hash.update(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: there is no buffer."""

    def is_of(self, path: Path) -> bool:
        """Return whether a file has the same content."""
        with path.open("rb") as file:
            return hmac.compare_digest(hashlib.file_digest(file, "sha256").digest(), self._hash.digest())


def _fresh(target: Path) -> IO[bytes]:
    """Create a new file that only its user can read."""
    return os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb")
