"""A file of age for a passphrase, written by the book (C2SP's age.md) with little work to do.

The library makes opening one take a second of every processor there is, which a test need not wait for.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct

_WORK = 4
"""The logarithm of how much work it takes; what the library chooses is 18 or so."""


def sealed(plain: bytes, words: str) -> bytes:
    """`plain` (at most 64 KiB) for anyone who knows these words."""
    assert len(plain) <= 64 * 1024
    salt, nonce, file_key = b"s" * 16, b"n" * 16, b"k" * 16
    wrap = hashlib.scrypt(words.encode(), salt=b"age-encryption.org/v1/scrypt" + salt, n=2**_WORK, r=8, p=1, dklen=32)
    lines = [
        "age-encryption.org/v1",
        f"-> scrypt {_base64(salt)} {_WORK}",
        _base64(_box(wrap, bytes(12), file_key)),
        "---",
    ]
    head = "\n".join(lines).encode()
    mac = hmac.digest(_hkdf(file_key, b"", b"header"), head, "sha256")
    payload = _box(_hkdf(file_key, nonce, b"payload"), bytes(11) + b"\x01", plain)
    return head + b" " + _base64(mac).encode() + b"\n" + nonce + payload


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")


def _hkdf(key: bytes, salt: bytes, info: bytes) -> bytes:
    extracted = hmac.digest(salt or bytes(32), key, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")


def _box(key: bytes, nonce: bytes, plain: bytes) -> bytes:
    """ChaCha20-Poly1305 (RFC 8439)."""
    stream = b"".join(_block(key, number, nonce) for number in range(1, len(plain) // 64 + 2))
    cipher = bytes(one ^ other for one, other in zip(plain, stream, strict=False))
    return cipher + _tag(_block(key, 0, nonce)[:32], cipher)


def _tag(key: bytes, cipher: bytes) -> bytes:
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    text = cipher + bytes(-len(cipher) % 16) + struct.pack("<QQ", 0, len(cipher))
    total = 0
    for at in range(0, len(text), 16):
        total = (total + int.from_bytes(text[at : at + 16] + b"\x01", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def _block(key: bytes, number: int, nonce: bytes) -> bytes:
    start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), number]
    start += struct.unpack("<3I", nonce)
    state = list(start)
    for _ in range(10):
        for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)):
            _quarter(state, a, b, c, d)
        for a, b, c, d in ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            _quarter(state, a, b, c, d)
    return struct.pack("<16I", *((one + other) % 2**32 for one, other in zip(state, start, strict=True)))


def _quarter(state: list[int], a: int, b: int, c: int, d: int) -> None:
    for one, other, into, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[one] = (state[one] + state[other]) % 2**32
        mixed = state[into] ^ state[one]
        state[into] = ((mixed << turn) | (mixed >> (32 - turn))) % 2**32
