#!/usr/bin/env bash
# Start Furoshiki: install what is missing (the first time, or after an update), then run it.
#
#   scripts/run.sh                     with keys: listener and brain; without: a chat in this terminal
#   scripts/run.sh chat --once "hello" any furoshiki command
#   scripts/run.sh doctor              what is wrong, also when nothing else works: needs Python alone
#
# FUROSHIKI_VENV says where the virtual environment goes (default: .venv beside this folder), FUROSHIKI_PYTHON
# which Python makes it (default: the first of python3, 3.13, 3.12, 3.11 that fits).
set -eu
export FUROSHIKI_COMMAND="$0" # what hints in the terminal tell to type
here=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
# shellcheck source=scripts/venv.sh
. "$here/scripts/venv.sh"
if [ "${1-}" = doctor ]; then # it looks after this very environment, and does without it
    shift
    python=$(_find_python)
    exec "$python" -I -S "$here/scripts/doctor.py" "$@"
fi
ensure_venv requirements.txt
exec "$venv/bin/python" -P -m furoshiki "$@"
