#!/usr/bin/env bash
# Installs what package-lock.json says, once for each content of it, and generates the TypeScript of the contract into src/gen, or with
# "verify" fails where that differs. The generator is that of the oldest runtime that package.json allows: code of a newer one may need
# what an older runtime lacks.
set -euo pipefail
cd "$(dirname "$0")"
for tool in node npm; do
	command -v $tool >/dev/null || { echo "clients/typescript needs node, 20.12 or later, with npm: $tool is not installed" >&2; exit 1; }
done
node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 12) ? 0 : 1)' ||
	{ echo "clients/typescript needs node, 20.12 or later; this is $(node --version)" >&2; exit 1; }
if ! cmp -s package-lock.json node_modules/.installed; then
	npm ci --engine-strict --ignore-scripts --no-audit --no-fund --loglevel=error
	cp package-lock.json node_modules/.installed
fi
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
(cd ../.. && "${GO:-go}" tool -modfile=proto/tools/go.mod buf generate --template clients/typescript/buf.gen.yaml -o "$temp")
new=$temp/clients/typescript/src/gen
case "${1:-write}" in
write) rm -rf src/gen && cp -r "$new" src/ ;;
verify) diff -ru src/gen "$new" || { echo "The generated TypeScript does not fit the .proto files: run 'make generate'." >&2; exit 1; } ;;
*) echo "usage: generate.sh [write|verify]" >&2; exit 2 ;;
esac
