# Thin names over the scripts and tools; `make check` is what CI runs.
VENV ?= .venv

.PHONY: dev fix check quick test lives docs lock

dev:            ## make the virtual environment with everything a developer needs
	scripts/test.sh --version

fix:            ## format, and mend what the linter can mend
	$(VENV)/bin/ruff format . && $(VENV)/bin/ruff check --fix .

check: ; scripts/test.sh

quick: ; scripts/test.sh quick

test: ; $(VENV)/bin/python -m pytest

lives:          ## live 90 simulated days with each persona (20 minutes), whatever breaks
	for one in $$($(VENV)/bin/python -m bench.simulate --list); do \
	    $(VENV)/bin/python -m bench.simulate --days 90 --persona $$one --keep-going; done

docs:           ## write the generated pages, then the site of all pages into build/site; links are checked
	$(VENV)/bin/python -m tests.docs.generate
	$(VENV)/bin/python -m pip install --quiet -r requirements/docs.txt
	$(VENV)/bin/zensical build --clean --strict

lock:           ## pin every package with its hashes (needs uv: $(VENV)/bin/pip install uv); UPGRADE=-U for newer ones
	$(VENV)/bin/python scripts/lock.py $(UPGRADE)
