#!/usr/bin/env bash
# Writes the plain manifests: they are the chart's output, for those who have no Helm, which is the command HELM here. With
# "verify" it writes to a temporary folder instead and fails where the checkout differs.
set -euo pipefail
cd "$(dirname "$0")/../.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
to=$fresh

# header FILE writes the comment on standard input at the beginning of a manifest.
header() {
	{ echo '# Generated from deploy/chart by "make rewrite WHAT=manifests". Do not edit.' && sed 's/^\(.\)/# \1/; s/^$/#/'; } >"$to/$1"
}

# show FILE TEMPLATE [FLAGS] appends what a template gives.
show() {
	local file=$1 template=$2
	shift 2
	$HELM template setplan deploy/chart --namespace setplan-system --show-only "templates/$template" \
		--set adapter.own='{apps/v1}' --set planner.place=beside --set priorityClassName=system-cluster-critical "$@" \
		2>"$to/.log" | sed -e '/^# Source: /d' >"$to/.shown" || { cat "$to/.log" >&2; exit 1; }
	# One separator between documents, none at the beginning.
	awk -v first="$([ "$(grep -cv '^#' "$to/$file")" = 0 ] && echo 1)" '
		/^---$/ { pending = 1; next }
		/^$/ { next }
		{ if (pending && !first) print "---"; pending = 0; first = 0; print }
	' "$to/.shown" >>"$to/$file"
	rm "$to/.log" "$to/.shown"
}

both='adapter.own={apps/v1,apps.setplan.io/v1beta1}'

header rbac.yaml <<'TEXT'
What the adapter may do. For --mode observe leave the roles and bindings named "write", "drain" and "lease" out; where
--metrics-address is off or on loopback, leave "review" out. The chart gives what a choice needs, and no more.

Two roles are bound to nobody here: "drain", which drain-namespace.yaml binds in one namespace, and
setplan-metrics-reader, for whoever reads /metrics and /plans.
TEXT
cat >>"$to/rbac.yaml" <<'TEXT'
apiVersion: v1
kind: Namespace
metadata:
  name: setplan-system
TEXT
for template in account rbac rbac-drain rbac-lease; do
	show rbac.yaml $template.yaml --set "$both"
done

header own-kind.yaml <<'TEXT'
What the adapter may do beside rbac.yaml where it runs sets of apps.setplan.io/v1beta1; see docs/managed.md. Without apps/v1 among the
kinds of --own, all rules for statefulsets of the group apps may be left out of rbac.yaml.
TEXT
show own-kind.yaml rbac-own-kind.yaml --set "$both"

header drain-namespace.yaml <<'TEXT'
Lets the adapter carry out drain policies in one namespace, and nowhere else: kubectl apply -n NAMESPACE -f this file.
Where it is not applied, the drain pods that a policy asks for run, and their claims stay. Name the namespaces in
--drain-namespace too: then no drain begins elsewhere.
TEXT
show drain-namespace.yaml rbac-drain-namespaces.yaml --set 'adapter.drainNamespaces={here}'
sed -i '/^  namespace: here$/d' "$to/drain-namespace.yaml"

header deployment.yaml <<'TEXT'
The adapter with the planner beside it in the same pod.

Apply rbac.yaml first, and drain-namespace.yaml in each namespace that drains.

Switch the built-in controller off before you apply this (docs/takeover.md): kube-controller-manager
--controllers=*,-statefulset-controller.
To look first, replace "--mode=reconcile" by "--mode=observe".

/metrics and /plans of the adapter are for callers with the role setplan-metrics-reader, over TLS with a certificate that
the adapter makes; give it --metrics-cert-file and --metrics-key-file to have one that callers can check.

/healthz fails where an adapter has lost its lease and is still there 20 seconds later.

Memory: the adapter took 98 MB of heap for 5,000 sets and 50,000 pods (test/SPEED.md), and the server bounds what a request
takes. GOMEMLIMIT is three quarters of the limit; the rest is for what Go does not count, and for what comes between two
collections. Change both together.

Priority: while this Deployment is down nothing brings back a pod of any set, as with the built-in controller, which it takes the
place of. Leave the line out where a quota keeps that class for kube-system.
TEXT
show deployment.yaml adapter.yaml
show deployment.yaml pdb.yaml

case "${1:-write}" in
write) cp "$fresh"/*.yaml deploy/manifests/ ;;
verify)
	if ! diff -ru --exclude=generate.sh deploy/manifests "$fresh"; then
		echo "The manifests do not fit the chart: run 'make rewrite WHAT=manifests'." >&2
		exit 1
	fi
	;;
*)
	echo "usage: generate.sh [write|verify]" >&2
	exit 2
	;;
esac
