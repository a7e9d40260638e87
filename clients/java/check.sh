#!/usr/bin/env bash
# Checks everything of the Java client: format, lint, the jars, and the tests with what is published, with the oldest and the newest libraries.
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

step "format, Error Prone, javac, javadoc, jars"
maven clean package -DskipTests
for libraries in oldest newest; do
	step "tests with the $libraries libraries"
	maven -P "$libraries" surefire:test
done
