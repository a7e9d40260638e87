#!/usr/bin/env bash
# Checks everything of the Rust client: generated code, format, lint, tests, and what is published.
# SETPLAN_SERVER names the planner; without it, bin/setplan-server.
set -euo pipefail
cd "$(dirname "$0")"
for tool in cargo cargo-fmt cargo-clippy openssl; do
	command -v $tool >/dev/null || { echo "the checks of clients/rust need $tool, which is not installed" >&2; exit 1; }
done
step() { echo "--> rust: $*"; }
step generated code
./generate.sh verify
step cargo fmt
cargo fmt --all --check
step cargo clippy
cargo clippy --quiet --locked --workspace --all-targets -- -D warnings
step cargo test
cargo test --quiet --locked
step cargo package
cargo package --quiet --locked --allow-dirty --no-verify -p setplan
