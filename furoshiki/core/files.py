"""What identifies a file: its content's hash, and its place on the disk."""

from pathlib import Path


def digest(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    import hashlib  # loads OpenSSL, 3 MB that a script with nothing to do can spare

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def identity(path: Path) -> tuple[int, int] | None:
    """Return device and inode of the file at a path, or None when there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
