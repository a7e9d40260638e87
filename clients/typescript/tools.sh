#!/usr/bin/env bash
# Installs what package-lock.json says, once for each content of it. A missing toolchain is named.
set -euo pipefail
cd "$(dirname "$0")"
for tool in node npm; do
	command -v $tool >/dev/null || { echo "clients/typescript needs node, 20.12 or later, with npm: $tool is not installed" >&2; exit 1; }
done
node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 12) ? 0 : 1)' ||
	{ echo "clients/typescript needs node, 20.12 or later; this is $(node --version)" >&2; exit 1; }
cmp -s package-lock.json node_modules/.installed && exit
npm ci --engine-strict --ignore-scripts --no-audit --no-fund --loglevel=error
cp package-lock.json node_modules/.installed
