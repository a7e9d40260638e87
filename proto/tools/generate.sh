#!/usr/bin/env bash
# Generates Go from the .proto files. With "verify" it writes to a temporary
# folder instead and fails where the checkout differs.
set -euo pipefail
cd "$(dirname "$0")/../.."
go=${GO:-go}
buf() { "$go" tool -modfile=proto/tools/go.mod buf "$@"; }
# A planner that is a wasm module has no network, and needs less code more than speed: it gets the messages alone.
without_wasm() {
	for file in "$1"/proto/setplan/v1/*_grpc.pb.go "$1"/proto/setplan/v1/*_vtproto.pb.go; do
		{ printf '//go:build !wasip1\n\n' && cat "$file"; } >"$file.tagged" && mv "$file.tagged" "$file"
	done
}
generated() { (cd "$1" && find proto -name '*.pb.go' | sort); }

case "${1:-write}" in
write)
	buf generate --template proto/buf.gen.yaml
	without_wasm .
	;;
verify)
	temp=$(mktemp -d)
	trap 'rm -rf "$temp"' EXIT
	mkdir "$temp/checkout" "$temp/fresh"
	generated . | tar -cf - -T - | tar -xf - -C "$temp/checkout"
	buf generate --template proto/buf.gen.yaml -o "$temp/fresh"
	without_wasm "$temp/fresh"
	if ! (cd "$temp" && diff -ru checkout fresh); then
		echo "The generated Go does not fit the .proto files: run 'make generate', and delete what it no longer writes." >&2
		exit 1
	fi
	;;
*)
	echo "usage: generate.sh [write|verify]" >&2
	exit 2
	;;
esac
