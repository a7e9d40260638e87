#!/usr/bin/env bash
# Asks for every vector with what npm pack would publish, the newest libraries, and the oldest and the newest Node that are supported.
set -euo pipefail
cd "$(dirname "$0")"
room=.newest
if ! cmp -s newest/package-lock.json $room/installed; then
	rm -rf $room && mkdir $room
	cp newest/package.json newest/package-lock.json $room/
	npm --prefix $room ci --ignore-scripts --no-audit --no-fund --loglevel=error
	cp newest/package-lock.json $room/installed
fi
# The tests know the package by its own name.
rm -rf $room/dist $room/tests
cp -r dist package.json .build/tests $room/
for age in oldest newest; do
	node=$room/node_modules/node-$age/bin/node
	[ -x $node ] || { echo "the $age Node comes as a package for Linux on x64 only" >&2; exit 1; }
	echo "--> typescript: node --test, with Node $($node --version) and the newest libraries"
	log=.build/$age.log
	$node --test --test-reporter=tap $room/tests/vectors.test.js >"$log" || { cat "$log" >&2; exit 1; }
	grep -E '^# (tests|pass|fail|skipped) ' "$log"
done
