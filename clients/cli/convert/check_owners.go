package convert

import (
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// owned: a controller that owns the set creates it again once it is gone, and then two sets run the same pods.
func owned(c *Case) (found []Finding) {
	for _, owner := range c.Set.GetOwnerReferences() {
		finding := Finding{Severity: Act, Code: "OWNED", Subject: owner.Kind + "/" + owner.Name,
			Message: "The set is deleted with this owner. The new set has none.", Remedy: "Give the new set the same owner reference, if it is wanted."}
		if owner.Controller != nil && *owner.Controller {
			finding.Severity, finding.Message = Stop, "Another controller owns the set and recreates it once it is deleted."
			finding.Remedy = "Configure that operator for the other kind, or stop it. Do not move the set while it runs."
		}
		found = append(found, finding)
	}
	return found
}

// deliveries lists the labels and annotations by which tools mark what they deploy from a source.
var deliveries = []struct {
	key, value, tool string
	// kept: the new set keeps the mark. Helm takes over what has its marks, and prunes by its own record. The others prune what has
	// their mark and is not in the source.
	kept bool
}{
	{key: "argocd.argoproj.io/tracking-id", tool: "Argo CD"},
	{key: "argocd.argoproj.io/instance", tool: "Argo CD"},
	{key: "kustomize.toolkit.fluxcd.io/name", tool: "Flux"},
	{key: "kustomize.toolkit.fluxcd.io/namespace", tool: "Flux"},
	{key: "helm.toolkit.fluxcd.io/name", tool: "Flux"},
	{key: "helm.toolkit.fluxcd.io/namespace", tool: "Flux"},
	{key: "meta.helm.sh/release-name", tool: "Helm", kept: true},
	{key: "app.kubernetes.io/managed-by", value: "Helm", tool: "Helm", kept: true},
	{key: "objectset.rio.cattle.io/hash", tool: "Fleet"},
	{key: "objectset.rio.cattle.io/id", tool: "Fleet"},
	{key: "configmanagement.gke.io/managed", value: "enabled", tool: "Config Sync"},
	{key: "kapp.k14s.io/app", tool: "kapp"},
	{key: "olm.owner", tool: "Operator Lifecycle Manager"},
	{key: "addonmanager.kubernetes.io/mode", tool: "the addon manager"},
	{key: "applyset.kubernetes.io/part-of", tool: "kubectl apply --prune"},
}

// unmarked removes the marks of the tools that would prune the new set.
func unmarked(marks map[string]string) map[string]string {
	rest := maps.Clone(marks)
	for _, d := range deliveries {
		if !d.kept {
			delete(rest, d.key)
		}
	}
	return rest
}

// synced: a tool creates again what its source still has, and prunes what the source no longer has, with its pods.
func synced(c *Case) (found []Finding) {
	var tools []string
	for _, d := range deliveries {
		value, there := c.Set.GetAnnotations()[d.key]
		if !there {
			value, there = c.Set.GetLabels()[d.key]
		}
		if !there || d.value != "" && value != d.value || slices.Contains(tools, d.tool) {
			continue
		}
		tools = append(tools, d.tool)
		found = append(found, Finding{Severity: Stop, Code: "DELIVERED", Subject: d.tool,
			Message: fmt.Sprintf("%s manages the set (%s). It recreates the old set, or prunes it, and pruning deletes the pods too.", d.tool, d.key),
			Remedy:  "Suspend it for this set before the first command. Put the new manifest into its source after the last one, and only then resume it; it must not prune the old set itself. The new manifest does not have the marks that tools use for pruning.",
		})
	}
	return found
}

func beingDeleted(c *Case) []Finding {
	if c.Set.GetDeletionTimestamp() == nil {
		return nil
	}
	return []Finding{{Severity: Stop, Code: "DELETED", Message: "The set is being deleted.", Remedy: "Wait until it is gone, or create the new set by hand."}}
}

// exists: an earlier run of the commands, or somebody else, has made a set of the other kind.
func exists(c *Case) []Finding {
	if c.There == nil {
		return nil
	}
	return []Finding{{Severity: Stop, Code: "EXISTS", Subject: c.To.argument(c.name()),
		Message: "The set of the other kind exists already.",
		Remedy:  "If these commands created it, continue with the first one that has not run. If not, find out who created it.",
	}}
}

func unserved(c *Case) []Finding {
	if c.Served {
		return nil
	}
	return []Finding{{Severity: Stop, Code: "NOT_SERVED", Subject: c.To.APIVersion(), Message: "The API server does not serve this kind.",
		Remedy: "Install its CustomResourceDefinition, and an adapter that runs it."}}
}

// refused: from a template that the API server refuses under apps/v1, no kind can make pods. The new kind may refuse what the old one
// accepts, such as an environment variable that is listed twice.
func refused(c *Case) []Finding {
	const remedy = "Correct the set first, and wait until it is at rest."
	if c.Refused != "" {
		return []Finding{{Severity: Stop, Code: "REFUSED", Message: "The API server refuses the spec: " + c.Refused, Remedy: remedy}}
	}
	if c.Rejected != "" {
		return []Finding{{Severity: Stop, Code: "REFUSED", Subject: c.To.argument(c.name()), Message: "The API server refuses the new set: " + c.Rejected, Remedy: remedy}}
	}
	return nil
}

// finalized: somebody else's finalizer keeps the old set after its objects are orphaned.
func finalized(c *Case) (found []Finding) {
	for _, name := range c.Set.GetFinalizers() {
		if name == drainFinalizer || name == metav1.FinalizerOrphanDependents || name == metav1.FinalizerDeleteDependents {
			continue
		}
		found = append(found, Finding{Severity: Act, Code: "FINALIZER", Subject: name, Message: "A finalizer keeps the old set until its owner has removed it. The new set does not get it."})
	}
	return found
}
