#!/usr/bin/env bash
# Generates the Rust of the contract into src/v1, or with "verify" fails where that differs. It needs no protoc.
set -euo pipefail
cd "$(dirname "$0")"
./tools.sh
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cargo run --quiet --locked -p generate -- "$temp"
for file in messages.rs known.rs; do
	case "${1:-write}" in
	write) cp "$temp/$file" src/v1/ ;;
	verify) diff -u "src/v1/$file" "$temp/$file" || { echo "The generated Rust does not fit the .proto files: run 'make generate'." >&2; exit 1; } ;;
	*) echo "usage: generate.sh [write|verify]" >&2; exit 2 ;;
	esac
done
