package scenario

import "time"

// Versions that are installed: the same sources, built as two releases.
const (
	Older = "v0.2.0"
	Newer = "v0.3.0"
)

// hold keeps pods of the template Pending on simulated nodes, so that a rollout stays where it is until they are let go.
const hold = `kubectl patch ssts web --type merge -p '{"spec":{"template":{"metadata":{"annotations":{"setplan.io/test-hold":"demo"}}}}}'`

func letGo(pod string) string { return "kubectl annotate pod " + pod + " setplan.io/test-hold-" }

func waits(pod string) string {
	return "until kubectl get pod " + pod + ` -o jsonpath='{.metadata.annotations}' 2>/dev/null | grep -q test-hold; do sleep 0.2; done`
}

// OnInstall installs the chart, upgrades, downgrades and uninstalls it while a rollout is under way, and installs it again.
var OnInstall = Managed{
	Intro: `Starting a control plane as a provider has it: its StatefulSet controller is on. Everything else is installed by Helm. The containers of
its pods run as processes of this machine, from the released images: as the image's user, on a root file system that is read-only, with the
arguments, mounts and the service account's token of the pod, and with a network of their own.`,
	File: "nginx.yaml", Manifest: nginx,
	Steps: []ManagedStep{
		{Say: "Setplan is installed, and runs a set of apps.setplan.io.", Leads: Older, Within: time.Minute,
			Commands: []string{
				"helm install setplan setplan-0.2.0.tgz --namespace setplan-system --create-namespace",
				"until kubectl get ssts >/dev/null 2>&1; do sleep 0.2; done",
				"sed 's#^apiVersion: apps/v1$#apiVersion: apps.setplan.io/v1beta1#' nginx.yaml | kubectl apply -f -",
				status, "kubectl get ssts"}},
		{Say: "A rollout begins. The demo holds its first pod, so that the rollout stays in progress.",
			Commands: []string{hold, waits("web-2"), "kubectl get pods"}, Removed: []string{"web-2"}},
		{Say: "Setplan is upgraded meanwhile.", Leads: Newer,
			Commands: []string{"helm upgrade setplan setplan-0.3.0.tgz --namespace setplan-system"}},
		{Say: "The first pod is released; the new version continues with the second.",
			Commands: []string{letGo("web-2"), waits("web-1"), "kubectl get pods"}, Removed: []string{"web-1"}},
		{Say: "It is downgraded meanwhile.", Leads: Older,
			Commands: []string{"helm rollback setplan 1 --namespace setplan-system"}},
		{Say: "The old version continues with the third.",
			Commands: []string{letGo("web-1"), waits("web-0"), "kubectl get pods"}, Removed: []string{"web-0"}},
		{Say: "It is uninstalled meanwhile. The definition and the set stay, and nothing runs the set.", Gone: true,
			Commands: []string{"helm uninstall setplan --namespace setplan-system", "kubectl get crd statefulsets.apps.setplan.io", "kubectl get ssts,pods"}},
		{Say: "It is installed again, and finishes the rollout.", Leads: Newer,
			Commands: []string{"helm install setplan setplan-0.3.0.tgz --namespace setplan-system", letGo("web-0"), status, "kubectl get ssts,pods"}},
	},
}
