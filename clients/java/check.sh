#!/usr/bin/env bash
# Checks everything of the Java client: format, lint, doc comments, the jar, and the tests with it.
# SETPLAN_SERVER names the planner; without it, bin/setplan-server.
set -euo pipefail
cd "$(dirname "$0")"
for tool in java mvn openssl; do
	command -v "$tool" >/dev/null || { echo "clients/java needs Java 17 or later, Maven 3.8.7 or later, and openssl: $tool is not installed" >&2; exit 1; }
done
step() { echo "--> java: $*"; }

# maven shows what it says only where it fails, and how many tests ran.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
maven() {
	mvn --batch-mode "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
	grep -E '^\[INFO\] Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+$' "$log" || true
}

step "format, Error Prone, javac, doc comments, jar, and the tests with it"
maven clean verify
step "tests with the newest protobuf and the oldest gRPC"
maven surefire:test@default-test -Dtest='!PageTest' -Dprotobuf.version=4.36.2 -Dgrpc.version=1.79.0
