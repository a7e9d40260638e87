#!/usr/bin/env bash
# Fails where a tool is missing, and names it.
set -euo pipefail
cd "$(dirname "$0")"
oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
for tool in cargo rustc; do
	command -v $tool >/dev/null || { echo "clients/rust needs Rust, $oldest or later, with cargo: $tool is not installed" >&2; exit 1; }
done
version=$(rustc --version | cut -d' ' -f2)
[ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ] ||
	{ echo "clients/rust needs Rust, $oldest or later; this is $version" >&2; exit 1; }
