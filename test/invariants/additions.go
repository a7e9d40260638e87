package invariants

import (
	"encoding/json"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/test/sim"
)

// addedIn lists, sorted, the claim templates that a document has beside a set's own: a revision's data, or, at its top, the set's annotation.
func (r *reading) addedIn(document json.RawMessage) (added []string) {
	var templates map[string]map[string]json.RawMessage
	if json.Unmarshal(document, &templates) != nil {
		return nil
	}
	for template, of := range templates {
		if of != nil && !slices.Contains(r.spec.ClaimTemplateNames(), template) {
			added = append(added, template)
		}
	}
	slices.Sort(added)
	return added
}

// addedBy lists the claim templates that the pods of a revision have beside the set's own.
func (r *reading) addedBy(revision *appsv1.ControllerRevision) []string {
	var data map[string]json.RawMessage
	if revision == nil || json.Unmarshal(revision.Data.Raw, &data) != nil {
		return nil
	}
	return r.addedIn(data[claimTemplates])
}

// asksToAdd lists the claim templates that the set's annotation adds.
func (r *reading) asksToAdd() []string {
	return r.addedIn(json.RawMessage(r.set.Annotations[claimTemplates]))
}

// addsHalf: what the annotation adds is no whole claim template, such as the patch of one that the set does not have.
func (r *reading) addsHalf() bool {
	templates := map[string]corev1.PersistentVolumeClaim{}
	_ = json.Unmarshal([]byte(r.set.Annotations[claimTemplates]), &templates) // what cannot be read has no members
	return slices.ContainsFunc(r.asksToAdd(), func(template string) bool {
		of := templates[template].Spec
		return len(of.AccessModes) == 0 || of.Resources.Requests.Storage().IsZero()
	})
}

// templateNames lists the claim templates that pods of the set may have: its own, and after them those that it adds and its pod template asks for, and those
// of a revision.
func (r *reading) templateNames() []string {
	placed := r.placed()
	added := slices.DeleteFunc(r.asksToAdd(), func(template string) bool { return !placed[template] })
	for _, name := range r.revisions() {
		added = append(added, r.addedBy(r.state.Revision(name))...)
	}
	slices.Sort(added)
	return append(r.spec.ClaimTemplateNames(), slices.Compact(added)...)
}

// addsTheSame reports whether the pods of a revision have, beside the set's own, the claim templates that the pod template asks for. What the annotation
// says counts where it can be read.
func (r *reading) addsTheSame(revision *appsv1.ControllerRevision) bool {
	placed, readable := r.placed(), !r.templatesAreOdd()
	asked := r.asksToAdd()
	added := slices.DeleteFunc(r.templateNames()[len(r.spec.ClaimTemplateNames()):], func(template string) bool {
		stored := slices.ContainsFunc(r.revisions(), func(name string) bool {
			return slices.Contains(r.addedBy(r.state.Revision(name)), template)
		})
		return !placed[template] || !stored && !(readable && slices.Contains(asked, template))
	})
	return slices.Equal(added, r.addedBy(revision))
}

// addedThatGo counts the claim templates beside the set's own of which a claim has an owner.
func (r *reading) addedThatGo() (n int) {
	for _, template := range r.templateNames()[len(r.spec.ClaimTemplateNames()):] {
		if slices.ContainsFunc(r.state.Names(sim.KindClaim), func(name string) bool {
			_, ok := ordinalOf(name, template+"-"+r.set.Name)
			return ok && len(r.state.Claim(name).OwnerReferences) > 0
		}) {
			n++
		}
	}
	return n
}

// without reports whether the pods of a revision are without a claim template.
func (r *reading) without(revision *appsv1.ControllerRevision, template string) bool {
	if slices.Contains(r.spec.ClaimTemplateNames(), template) {
		return slices.Contains(removedBy(revision), template)
	}
	return !slices.Contains(r.addedBy(revision), template)
}

// placed lists the volumes of the pod template that are bound to a claim of their own name: for added claim templates.
func (r *reading) placed() map[string]bool {
	var template corev1.PodTemplateSpec
	if json.Unmarshal(r.spec.Template, &template) != nil {
		return nil
	}
	placed := map[string]bool{}
	for _, volume := range template.Spec.Volumes {
		if claim := volume.PersistentVolumeClaim; claim != nil && claim.ClaimName == volume.Name && !claim.ReadOnly {
			placed[volume.Name] = true
		}
	}
	return placed
}
