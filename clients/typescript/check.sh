#!/usr/bin/env bash
# Checks everything of the TypeScript client: generated code, format, lint, types, and tests with what is published.
# SETPLAN_SERVER names the planner; without it, bin/setplan-server.
set -euo pipefail
cd "$(dirname "$0")"
command -v openssl >/dev/null || { echo "the tests of clients/typescript need openssl, which is not installed" >&2; exit 1; }
step() { echo "--> typescript: $*"; }
step install
./tools.sh
export PATH="$PWD/node_modules/.bin:$PATH"
step generated code
./generate.sh verify
step prettier
prettier --check --log-level warn .
step tsc
rm -rf .build && npm run --silent build && tsc -p .
step eslint
eslint --max-warnings 0 .
step npm pack
npm pack --ignore-scripts --silent >/dev/null
step node --test
node --test --test-reporter=tap .build/tests/*.test.js >.build/tests.log || { cat .build/tests.log >&2; exit 1; }
grep -E '^# (tests|pass|fail|skipped) ' .build/tests.log
