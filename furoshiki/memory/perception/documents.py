"""Extract a document's text in a limited subprocess: a file of 1 KB can take gigabytes.

    python -P -m furoshiki.memory.perception.documents ENDING CHARACTERS < file

If the parser fails or hangs, only this document is lost.
"""

import io
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping

from furoshiki.core.catalogue import later, say

PAGES = 50  # pages of a PDF that are read
SECONDS = 15  # CPU seconds; a book of 500 pages takes five on a small machine

# Bytes of address space, including the interpreter. Ordinary documents need less than 150 MB.
MEMORY_BYTES = 400_000_000

_PATIENCE_SECONDS = 30.0
_TOO_MUCH = later("it takes more memory or time than a document should")
_UNREADABLE = 3  # the subprocess's exit status for an invalid document


def text_of(name: str, data: bytes, characters: int) -> str:
    """Return the first `characters` of a document's text. Raises ValueError if unreadable."""
    ending = get_ending(name)
    command = [sys.executable, "-P", "-m", "furoshiki.memory.perception.documents", ending, str(characters)]
    try:
        finished = subprocess.run(
            command,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # the parser may print the document's text there
            timeout=_PATIENCE_SECONDS,
            check=False,
            preexec_fn=_within_limits,
        )
    except subprocess.TimeoutExpired:
        raise ValueError(say(_TOO_MUCH)) from None
    if finished.returncode == _UNREADABLE:
        raise ValueError(say(UNREAD[ending]))
    if finished.returncode:
        raise ValueError(say(_TOO_MUCH))
    return finished.stdout.decode("utf-8", "replace")


def get_ending(name: str) -> str:
    """Return a file name's extension in lower case, with the dot, or ""."""
    stem, dot, ending = name.lower().rpartition(".")
    return f"{dot}{ending}" if stem else ""


def _within_limits() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(ending: str, data: bytes, characters: int) -> str:
    """Extract the text in this process. Raises ValueError if invalid, and MemoryError."""
    texts: list[str] = []
    left = characters
    try:
        for piece in READERS[ending](data):
            texts.append(piece[:left])
            left -= len(texts[-1]) + 1
            if left <= 0:
                break
    except MemoryError:
        raise
    except Exception as error:  # broken files from anybody make parsers raise undocumented exceptions
        raise ValueError(f"not a readable {ending}") from error
    return "\n".join(texts)


def _pdf(data: bytes) -> Iterator[str]:
    from pypdf import PdfReader

    for page in PdfReader(io.BytesIO(data)).pages[:PAGES]:
        yield page.extract_text()


def _workbook(data: bytes) -> Iterator[str]:
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    for name in book.sheet_names:
        yield f"[{name}]"
        for row in book.get_sheet_by_name(name).to_python():
            cells = [str(int(cell) if isinstance(cell, float) and cell.is_integer() else cell) for cell in row]
            if any(cells):
                yield "\t".join(cells).rstrip("\t")


def _web_page(data: bytes) -> Iterator[str]:
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser(data)
    page.strip_tags(["script", "style", "noscript", "template", "head"])
    text = "" if page.body is None else page.body.text(separator="\n")
    yield from filter(None, (" ".join(line.split()) for line in text.splitlines()))


def _book(data: bytes) -> Iterator[str]:
    """Yield the chapters of an EPUB in reading order."""
    from posixpath import dirname, join, normpath
    from urllib.parse import unquote
    from xml.etree import ElementTree
    from zipfile import ZipFile

    with ZipFile(io.BytesIO(data)) as book:
        container = ElementTree.fromstring(book.read("META-INF/container.xml"))
        package = next(one.attrib["full-path"] for one in container.iter() if one.tag.endswith("rootfile"))
        parts = list(ElementTree.fromstring(book.read(package)).iter())
        files = {part.attrib["id"]: part.attrib["href"] for part in parts if part.tag.endswith("}item")}
        for chapter in (part.attrib["idref"] for part in parts if part.tag.endswith("}itemref")):
            yield from _web_page(book.read(normpath(join(dirname(package), unquote(files[chapter])))))


def _paragraphs(file: str, ends: tuple[str, ...], blanks: Mapping[str, str]) -> Callable[[bytes], Iterator[str]]:
    """Return a reader of XML in a ZIP, for its text file, paragraph and blank elements."""

    def read_it(data: bytes) -> Iterator[str]:
        from xml.etree import ElementTree
        from zipfile import ZipFile

        with ZipFile(io.BytesIO(data)) as document:
            for element in ElementTree.fromstring(document.read(file)).iter():
                if element.tag.endswith(ends):
                    pieces = [
                        (blanks.get(part.tag.rpartition("}")[2], "") + (part.text or "")) for part in element.iter()
                    ]
                    tails = [part.tail or "" for part in element.iter()]
                    yield "".join(map("".join, zip(pieces, tails, strict=True))).strip()

    return read_it


# Readers by file extension. Of spreadsheets the values are read, not the formulas.
READERS: Mapping[str, Callable[[bytes], Iterator[str]]] = {
    ".pdf": _pdf,
    ".docx": _paragraphs("word/document.xml", ("}p",), {"tab": "\t", "br": "\n"}),
    ".odt": _paragraphs("content.xml", ("}p", "}h"), {"tab": "\t", "line-break": "\n", "s": " "}),
    ".epub": _book,
    ".xlsx": _workbook,
    ".xls": _workbook,
    ".ods": _workbook,
    ".html": _web_page,
    ".htm": _web_page,
}

# the message for a file that does not match its extension
UNREAD = {
    ".pdf": later("not a readable PDF"),
    ".docx": later("not a readable Word document"),
    ".odt": later("not a readable text document"),
    ".epub": later("not a readable book"),
    **dict.fromkeys((".html", ".htm"), later("not a readable page")),
    **dict.fromkeys((".xlsx", ".xls", ".ods"), later("not a readable spreadsheet")),
}


def main(ending: str, characters: int) -> int:
    """Read standard input and write the text; the caller sets the limits."""
    try:
        text = read(ending, sys.stdin.buffer.read(), characters)
    except MemoryError:
        return 1
    except ValueError:
        return _UNREADABLE
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
