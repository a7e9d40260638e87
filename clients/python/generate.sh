#!/usr/bin/env bash
# Generates the Python of the contract into src/setplan/v1, or with "verify" fails where that differs.
#
# The generator is that of protobuf 4.25, the oldest runtime that we support: code of a newer generator fails at import under an older
# runtime. generate.lock pins it.
set -euo pipefail
cd "$(dirname "$0")"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "the Python of the contract is generated with python3, 3.11 or later, with venv and pip" >&2; exit 1; }
tools=.venv/generate
if ! cmp -s generate.lock "$tools/installed"; then
	python3 -m venv --clear "$tools"
	"$tools/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r generate.lock
	cp generate.lock "$tools/installed"
fi
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
"$tools/bin/python" -W ignore -m grpc_tools.protoc -I../../proto --python_out="$temp" --pyi_out="$temp" ../../proto/setplan/v1/*.proto
# The generator's stubs leave out what a strict type checker wants to know.
sed -i 's/_Mapping\]/_Mapping[str, object]]/g' "$temp"/setplan/v1/*.pyi
case "${1:-write}" in
write) cp "$temp"/setplan/v1/* src/setplan/v1/ ;;
verify)
	for file in "$temp"/setplan/v1/*; do
		cmp "$file" "src/setplan/v1/$(basename "$file")" || { echo "The generated Python does not fit the .proto files: run 'make generate'." >&2; exit 1; }
	done
	;;
*) echo "usage: generate.sh [write|verify]" >&2; exit 2 ;;
esac
