#!/usr/bin/env bash
# Generates the Rust of the contract, src/v1/messages.rs, or with "verify" fails where that differs. It needs no protoc.
set -euo pipefail
cd "$(dirname "$0")"
command -v cargo >/dev/null || { echo "clients/rust needs Rust with cargo, which is not installed" >&2; exit 1; }
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cargo run --quiet --locked -p generate -- "$temp"
case "${1:-write}" in
write) cp "$temp/messages.rs" src/v1/ ;;
verify) diff -u src/v1/messages.rs "$temp/messages.rs" || { echo "The generated Rust does not fit the .proto files: run 'make generate'." >&2; exit 1; } ;;
*) echo "usage: generate.sh [write|verify]" >&2; exit 2 ;;
esac
