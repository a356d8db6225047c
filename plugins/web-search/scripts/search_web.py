"""The companion's tool that queries the configured search engine."""

from __future__ import annotations

import engines
from furoshiki_plugin import Refused, answer, fetch, given, setting


def main() -> tuple[str, list[dict[str, str]]]:
    """Return the words for the companion, and the results. Configuration errors are words, too."""
    query, language = str(given().args.get("query", "")).strip(), str(given().args.get("language") or "").lower()
    engine = setting("ENGINE").strip().lower()
    try:
        asked = engines.request(engine, setting("URL").strip(), setting("KEY").strip(), query, language)
        reply = fetch(asked.url, asked.method, asked.headers, asked.body, timeout=20)
        if reply.status != 200:
            return f"The search failed: {engines.refused(engine, reply.status)}.", []
        pages = engines.results(engine, reply.text if engine == "duckduckgo" else reply.json())
    except (Refused, ValueError) as error:
        return f"The search failed: {error}.", []
    return engines.shown(query, pages), pages


if __name__ == "__main__":
    words, found = main()
    answer(context=words, data={"results": found, "said": words})
