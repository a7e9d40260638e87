#!/usr/bin/env bash
# Generates the TypeScript of the contract into src/gen, or with "verify" fails where that differs.
#
# The generator is that of the oldest runtime that package.json allows: code of a newer one may need what an older runtime lacks.
set -euo pipefail
cd "$(dirname "$0")"
./tools.sh
go=${GO:-go}
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
(cd ../.. && "$go" tool -modfile=proto/tools/go.mod buf generate --template clients/typescript/buf.gen.yaml -o "$temp")
case "${1:-write}" in
write)
	rm -rf src/gen
	cp -r "$temp/clients/typescript/src/gen" src/
	;;
verify)
	diff -ru src/gen "$temp/clients/typescript/src/gen" || { echo "The generated TypeScript does not fit the .proto files: run 'make generate'." >&2; exit 1; }
	;;
*) echo "usage: generate.sh [write|verify]" >&2; exit 2 ;;
esac
