package snapshot

import (
	"bytes"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/setplan/setplan/proto/yamljson"
)

// noteClaimTemplates is the annotation in which a set adds claim templates, and where the data of a revision has them.
const noteClaimTemplates = annotationPrefix + "claim-templates"

// maxAdded is how many claim templates a set may add. The planner follows no annotation that has more, and claims are looked up for each.
const maxAdded = 100

// AddedBy lists, sorted, the names of the claim templates that a set's annotation has beside its own. Whether they can be used is the planner's
// business: this is about the claims that it has to see.
func AddedBy(annotations map[string]string, own []string) []string {
	text := []byte(annotations[noteClaimTemplates])
	if len(text) == 0 {
		return nil
	}
	said := map[string]any{}
	if utiljson.Unmarshal(text, &said) != nil {
		converted, err := yamljson.Template(text, nil)
		if err != nil || utiljson.Unmarshal(converted, &said) != nil {
			return nil
		}
	}
	if names := namesIn(said, own); len(names) <= maxAdded {
		return names
	}
	return nil
}

// AddedIn is AddedBy for the data of revisions: a pod of an older one keeps its claims.
func AddedIn(revisions []*appsv1.ControllerRevision, own []string) []string {
	var names []string
	for _, revision := range revisions {
		if bytes.HasPrefix(revision.Data.Raw, []byte(`{"spec":`)) {
			continue // as nearly always: it says nothing of claim templates
		}
		var data struct {
			Said map[string]any `json:"setplan.io/claim-templates"`
		}
		if utiljson.Unmarshal(revision.Data.Raw, &data) == nil {
			names = append(names, namesIn(data.Said, own)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// namesIn lists the members that are no patch of an own template and not null.
func namesIn(said map[string]any, own []string) []string {
	var names []string
	for name, value := range said {
		if value != nil && !slices.Contains(own, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ClaimTemplates lists the names of all claim templates that a set may have: its own, in their order, and after them what its annotation adds, and
// revisions.
func ClaimTemplates(own, annotation, revisions []string) []string {
	if len(annotation) == 0 && len(revisions) == 0 {
		return own
	}
	added := slices.Concat(annotation, revisions)
	slices.Sort(added)
	return slices.Concat(own, slices.Compact(added))
}
