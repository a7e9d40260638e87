#!/usr/bin/env bash
# Checks everything of the Python client: generated code, lint, format, types, and the tests with what is published, also with the
# oldest libraries that are supported. SETPLAN_SERVER and SETPLAN_WASM name the planners; without them, bin/setplan-server and
# bin/setplan.wasm.
set -euo pipefail
cd "$(dirname "$0")"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "clients/python needs python3, 3.11 or later, with venv and pip" >&2; exit 1; }
step() { echo "--> python: $*"; }

# room makes a virtual environment from a lock file, once for each content of the file.
room() {
	local room=.venv/$1 lock=$2
	cmp -s "$lock" "$room/installed" && return
	python3 -m venv --clear "$room"
	"$room/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$lock"
	cp "$lock" "$room/installed"
}

step generated code
./generate.sh verify
step install
room newest requirements.lock
room oldest oldest.lock
export PATH="$PWD/.venv/newest/bin:$PATH"
step ruff
ruff format --quiet --check .
ruff check --quiet .
step mypy
mypy
step wheel
rm -rf dist
pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .
for room in newest oldest; do
	".venv/$room/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/*.whl
done
step "pytest, with the wheel and the newest libraries"
pytest
step "pytest, with the wheel and the oldest libraries"
.venv/oldest/bin/pytest
