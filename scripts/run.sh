#!/usr/bin/env bash
# Start Furoshiki: install what is missing (the first time, or after an update), then run it.
#
#   scripts/run.sh                     with keys: listener and brain; without: a chat in this terminal
#   scripts/run.sh chat --once "hello" any furoshiki command
#
# FUROSHIKI_VENV says where the virtual environment goes (default: .venv beside this folder), FUROSHIKI_PYTHON
# which Python makes it (default: the first of python3, 3.13, 3.12, 3.11 that fits).
set -eu
here=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
# shellcheck source=scripts/venv.sh
. "$here/scripts/venv.sh"
ensure_venv requirements.txt
exec "$venv/bin/python" -P -m furoshiki "$@"
