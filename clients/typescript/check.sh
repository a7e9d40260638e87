#!/usr/bin/env bash
# Checks everything of the TypeScript client: generated code, format, lint, types, and tests with what is published.
# SETPLAN_SERVER and SETPLAN_WASM name the planner; without them, bin/setplan-server and bin/setplan.wasm.
set -euo pipefail
cd "$(dirname "$0")"
command -v openssl >/dev/null || { echo "the tests of clients/typescript need openssl, which is not installed" >&2; exit 1; }
step() { echo "--> typescript: $*"; }
step generated code
./generate.sh verify
export PATH="$PWD/node_modules/.bin:$PATH"
step prettier
prettier --check --log-level warn .
step tsc
rm -rf .build && npm run --silent build && tsc -p .
step eslint
eslint --max-warnings 0 .
step tests, with what npm pack would publish
npm pack --ignore-scripts --silent >/dev/null
node --test --test-reporter=tap .build/{tests,examples}/*.test.js >.build/tests.log || { cat .build/tests.log >&2; exit 1; }
grep -E '^# (tests|pass|fail|skipped) ' .build/tests.log
