#!/usr/bin/env bash
# Checks everything of the Rust client: generated code, format, lint, tests, what is published, and the documentation.
# SETPLAN_SERVER names the planner; without it, bin/setplan-server.
set -euo pipefail
cd "$(dirname "$0")"
./tools.sh
for tool in cargo-fmt cargo-clippy openssl; do
	command -v $tool >/dev/null || { echo "the checks of clients/rust need $tool, which is not installed" >&2; exit 1; }
done
step() { echo "--> rust: $*"; }
step generated code
./generate.sh verify
step cargo fmt
cargo fmt --all --check
step cargo clippy
cargo clippy --quiet --locked --lib -- -D warnings
cargo clippy --quiet --locked --workspace --all-targets --features kube -- -D warnings
step cargo package
cargo package --quiet --locked --allow-dirty -p setplan
step cargo test
cargo test --quiet --locked --features kube
step cargo doc
# k8s-openapi leaves the version of Kubernetes to programs, and a library's documentation needs one, too.
K8S_OPENAPI_ENABLED_VERSION=1.36 RUSTDOCFLAGS='-D warnings' cargo doc --quiet --locked --no-deps --features kube -p setplan
