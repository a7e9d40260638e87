#!/usr/bin/env bash
# Writes engine/testdata/corpus anew: see README.md. It downloads k8s.io/api of
# every version, and then takes a minute or two.
set -euo pipefail
cd "$(dirname "$0")"
go=${GO:-go}
versions="v0.24.0 v0.25.0 v0.26.0 v0.27.0 v0.28.0 v0.29.0 v0.30.0 v0.31.0 v0.32.0 v0.33.0 v0.34.0 v0.35.0 v0.36.0 v0.37.0"
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# Oldest first: each version also writes how it serves what earlier ones stored.
for version in $versions; do
	echo "--> k8s.io/api $version"
	mkdir "$temp/$version"
	cp -R era/. "$temp/$version"
	(
		cd "$temp/$version"
		"$go" mod init era
		"$go" mod edit -go=1.26.0 -require="k8s.io/api@$version" -require="k8s.io/apimachinery@$version"
		"$go" mod tidy
	) >"$temp/log" 2>&1 || { cat "$temp/log" >&2; exit 1; }
	"$go" build -C "$temp/$version" -o "$temp/era" .
	"$temp/era" "$temp/corpus" "$version"
done

rm -rf ../../engine/testdata/corpus
mv "$temp/corpus" ../../engine/testdata/corpus
