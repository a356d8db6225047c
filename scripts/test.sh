#!/usr/bin/env bash
# Install the test extras and run everything CI runs.
#
#   scripts/test.sh              formatting, lint, types, import contracts, every test
#   scripts/test.sh nightly      the rest: long lives, races, every point of death, by the hundred (an hour on two cores)
#   scripts/test.sh quick        in a minute: rules and everything else that needs no database, no network, no process
#   scripts/test.sh tests/brain  anything else goes to pytest as it is
set -eu
here=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
# shellcheck source=scripts/venv.sh
. "$here/scripts/venv.sh"
ensure_venv requirements/test.txt --multilingual
cd "$here"
PATH="$venv/bin:$PATH"
mild="not slow and not e2e and not faults and not nightly"
slow="slow or e2e or faults or nightly"
# What was compiled once, the tests above all, is not compiled again by the next process.
unset PYTHONDONTWRITEBYTECODE

case ${1-} in
nightly) shift; FUROSHIKI_TESTS=nightly exec python -m pytest -n 4 --dist worksteal --timeout 1800 -m "$slow or hypothesis" "$@" ;;
quick) shift; exec python -m pytest -n 2 --hypothesis-profile=quick -m "$mild and not database" "$@" ;;
?*) exec python -m pytest "$@" ;;
esac

failed=""
step() {
    local name=$1 began=$SECONDS
    shift
    echo "── $name"
    "$@" || failed="$failed, $name"
    echo "   $((SECONDS - began)) s"
}
# Beside the types, which keep one core busy: the tests are compiled, once for all who run them.
python -m pytest --collect-only -m "not nightly" >/dev/null 2>&1 &
step "format" ruff format --check .
step "lint" ruff check .
step "types" mypy
step "import contracts" lint-imports --no-cache
# Tests with processes of their own mostly wait, and the mild ones, which only count, have the cores meanwhile.
mild_said=$(mktemp)
python -m pytest -n 2 --timeout 300 -m "$mild" >"$mild_said" 2>&1 &
mild_tests=$!
step "slow tests, processes and faults" python -m pytest -n 4 --dist worksteal --timeout 600 -m "($slow) and not nightly"
show_mild() {
    local passed=0
    wait "$mild_tests" || passed=1
    cat "$mild_said"
    rm -f "$mild_said"
    return "$passed"
}
step "mild tests, begun beside the slow ones" show_mild
if [ -n "$failed" ]; then
    echo "failed: ${failed#, }" >&2
    exit 1
fi
