"""What most processes of the program make ready at their first need, made ready now: words, languages,
patterns, prompts, prices, commands and migrations.

The process that others are forked from imports this (`fork_server.py`), so that none of them has to.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import genai_prices

from furoshiki.app import wiring
from furoshiki.app.jobs import JOBS, import_function
from furoshiki.conversation.commands import registry
from furoshiki.core.database import migrate
from furoshiki.core.paths import ROOT
from furoshiki.core.prompts import read_templates
from furoshiki.language.facts import patterns
from furoshiki.language.facts.patterns import Saying
from furoshiki.recall.retrieval.other_languages import load_languages
from tests.support.world import PROMPTS


def _sayings() -> Iterator[Saying]:
    for found in vars(patterns).values():
        for one in found if isinstance(found, tuple) else ():
            yield from one.sayings if isinstance(one, patterns.Pattern) else ()


for _job in JOBS.values():
    for _step in (*_job.steps, *_job.for_others):
        import_function(_step.use_case)
for _saying in _sayings():
    _ = _saying._expression
_templates = read_templates(PROMPTS.folder)
for _template in _templates.list_templates():
    _templates.get_template(_template)
for _name in ("httpcore2", "furoshiki.models.llm.http_client"):
    importlib.import_module(_name)
genai_prices.calc_price(genai_prices.Usage(input_tokens=1), "gpt-6-luna", provider_id="openai")
load_languages(ROOT / "config")
registry.commands()
wiring.lexicon()
wiring.load_care_words()
with TemporaryDirectory() as _folder:
    migrate.ensure(Path(_folder) / "longmemory.sqlite")
