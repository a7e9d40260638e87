package invariants

import (
	"encoding/json"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/test/sim"
)

// removedIn lists the claim templates that a document removes: a revision's data, or, at its top, the set's annotation. ok is false if it cannot be
// read.
func removedIn(document json.RawMessage) (removed []string, ok bool) {
	var templates map[string]json.RawMessage
	if len(document) > 0 && json.Unmarshal(document, &templates) != nil {
		return nil, false
	}
	for template, patch := range templates {
		if string(patch) == "null" {
			removed = append(removed, template)
		}
	}
	slices.Sort(removed)
	return removed, true
}

// removedBy lists the claim templates that the pods of a revision are without.
func removedBy(revision *appsv1.ControllerRevision) []string {
	var data map[string]json.RawMessage
	if revision == nil || json.Unmarshal(revision.Data.Raw, &data) != nil {
		return nil
	}
	removed, _ := removedIn(data[claimTemplates])
	return removed
}

// removesTheSame reports whether the pods of a revision are without the claim templates that the set removes, and have those that it adds. An annotation that cannot be
// read leaves that as the newest revision has it.
func (r *reading) removesTheSame(revision *appsv1.ControllerRevision) bool {
	asked, readable := removedIn(json.RawMessage(r.set.Annotations[claimTemplates]))
	if !readable || r.templatesAreOdd() {
		asked = removedBy(r.newestOfAll())
	}
	mounted := r.mounted()
	asked = slices.DeleteFunc(slices.Clone(asked), func(template string) bool {
		return mounted[template] || !slices.Contains(r.spec.ClaimTemplateNames(), template)
	})
	has := slices.DeleteFunc(removedBy(revision), func(template string) bool { return !slices.Contains(r.spec.ClaimTemplateNames(), template) })
	return slices.Equal(asked, has) && r.addsTheSame(revision)
}

// asksForLess: a patch asks for less than the templates do.
func (r *reading) asksForLess() bool {
	patches := map[string]corev1.PersistentVolumeClaim{}
	if json.Unmarshal([]byte(r.set.Annotations[claimTemplates]), &patches) != nil {
		return false
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(patches)), func(patch corev1.PersistentVolumeClaim) bool {
		asks := patch.Spec.Resources.Requests.Storage()
		return !asks.IsZero() && asks.Cmp(smallest) < 0
	})
}

// newestOfAll is the newest revision of the set, whatever template it has; nil if there is none.
func (r *reading) newestOfAll() *appsv1.ControllerRevision {
	var newest *appsv1.ControllerRevision
	for _, name := range r.revisions() {
		revision := r.state.Revision(name)
		if newest == nil || revision.Revision > newest.Revision || revision.Revision == newest.Revision && !revision.CreationTimestamp.Before(&newest.CreationTimestamp) {
			newest = revision
		}
	}
	return newest
}

// mounted lists the volumes that the pod template mounts and does not have itself.
func (r *reading) mounted() map[string]bool {
	var template corev1.PodTemplateSpec
	if json.Unmarshal(r.spec.Template, &template) != nil {
		return nil
	}
	mounted := map[string]bool{}
	for _, container := range slices.Concat(template.Spec.InitContainers, template.Spec.Containers) {
		for _, mount := range container.VolumeMounts {
			mounted[mount.Name] = true
		}
	}
	maps.DeleteFunc(mounted, func(name string, _ bool) bool {
		return slices.ContainsFunc(template.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == name })
	})
	return mounted
}

// withoutClaim lists the revisions whose pods are without each claim template.
func (r *reading) withoutClaim() map[string][]string {
	without := map[string][]string{}
	for _, template := range r.templateNames() {
		for _, name := range r.state.Names(sim.KindRevision) {
			if r.without(r.state.Revision(name), template) {
				without[template] = append(without[template], name)
			}
		}
	}
	return without
}
