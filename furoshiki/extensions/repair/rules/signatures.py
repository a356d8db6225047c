"""Identity of errors: script, exception type, and message with variable parts masked.

Standard library only: the doctor, which may not import the package, loads this file.
"""

import hashlib
import re
from dataclasses import dataclass

LONGEST_MESSAGE = 1_000  # characters of a masked message that count
MOST_READ = 10_000  # characters of a message that are read
LENGTH = 16  # hexadecimal digits of a signature

# Masks, applied in this order. Ids may be all digits, so all ids are masked alike.
_MASKS = tuple(
    (re.compile(pattern), mask)
    for pattern, mask in (
        (r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s'\"`]+", "<url>"),
        (r"(?<!\w)'[^'\n]{0,400}'(?!\w)", "<text>"),
        (r"(?<!\w)\"[^\"\n]{0,400}\"(?!\w)", "<text>"),
        (r"`[^`\n]{0,400}`|“[^“”\n]{0,400}”|‘[^‘’\n]{0,400}’|«[^«»\n]{0,400}»", "<text>"),
        (r"(?<![\w.+-])[\w.+-]{1,64}@[\w.-]+", "<address>"),
        (r"(?<![\w./~-])[\w.~-]{0,255}(?:/[\w.@%+:~=-]{1,255})+/?", "<path>"),
        (r"\b0[xX][0-9a-fA-F]+", "<number>"),
        (r"(?<![\w-])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![\w-])", "<number>"),
        (r"(?<![\w:])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:])", "<address>"),
        (r"(?<!\w)(?=[a-zA-Z_-]{0,64}\d)[\w-]{16,}", "<number>"),
        (r"(?<!\w)(?=[a-fA-F]{0,32}\d)[0-9a-fA-F]{8,}(?!\w)", "<number>"),
        (r"\d+(?:[.,:]\d+)*", "<number>"),
    )
)

_LAST_LINE = re.compile(r"^([A-Za-z_][\w.]{0,200})(?:: ?(.*))?$")
_FRAME = re.compile(r'^ {2}File "([^"\n]{1,1000})", line \d{1,9}(?:, in .{1,200})?', re.MULTILINE)
_TRACEBACK = "Traceback (most recent call last):"
_SUMMARY = re.compile(
    r"^([A-Z]\w{0,80}(?:Error|Exception|Warning|Interrupt|Exit|Expired|Iteration)): ?(.*)$", re.DOTALL
)


@dataclass(frozen=True)
class Raised:
    """An error: its type without the module, its message, and the files of its frames as the
    interpreter names them, innermost last."""

    kind: str
    message: str
    files: tuple[str, ...] = ()


def signature(script: str, kind: str, message: str) -> str:
    """Return the signature (16 hexadecimal digits), equal for the same error of a script."""
    text = "\n".join((script, kind.rpartition(".")[2], mask_message(message)))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:LENGTH]


def mask_message(message: str) -> str:
    """Return a message on one line with URLs, quoted texts, paths, numbers and ids masked."""
    text = " ".join(message[:MOST_READ].split())
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return text[:LONGEST_MESSAGE]


def of_traceback(text: str) -> Raised | None:
    """Return the error at the end of a text's last traceback, or None."""
    _, found, rest = text.rpartition(_TRACEBACK)
    if not found:
        return None
    lines = rest.splitlines()
    for number, line in enumerate(lines):
        last = _LAST_LINE.match(line)
        if last is not None:
            message = "\n".join([last[2] or "", *lines[number + 1 :]]).strip()
            files = tuple(_FRAME.findall("\n".join(lines[:number])))
            return Raised(last[1].rpartition(".")[2], message, files)
    return None


def of_summary(exit_code: int, summary: str) -> Raised:
    """Return the error in a run's summary; without an exception type, the exit code is its type."""
    match = _SUMMARY.match(summary.strip())
    return Raised(match[1], match[2].strip()) if match else Raised(f"exit {exit_code}", summary.strip())
