#!/usr/bin/env bash
# Writes the lock files anew, with hashes. It needs uv (https://docs.astral.sh/uv); nothing else does.
set -euo pipefail
cd "$(dirname "$0")"
compile() { uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command clients/python/lock.sh "$@"; }
compile pyproject.toml --extra local --group dev -o requirements.lock
# The oldest of what the client needs.
compile pyproject.toml --extra local --group test --resolution lowest-direct -o oldest.lock
compile generate.in -o generate.lock
