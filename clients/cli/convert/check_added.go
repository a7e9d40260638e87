package convert

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/adapters/snapshot"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/proto/yamljson"
)

// addedTemplates returns the names of the claim templates that the set's annotation adds, or a revision of the set.
func (c *Case) addedTemplates() []string {
	var revisions []*appsv1.ControllerRevision
	for i := range c.Revisions {
		if c.refers(&c.Revisions[i]) {
			revisions = append(revisions, &c.Revisions[i])
		}
	}
	own := c.claimTemplates()
	return snapshot.ClaimTemplates(nil, snapshot.AddedBy(c.Set.GetAnnotations(), own), snapshot.AddedIn(revisions, own))
}

// added returns the claim templates that pods of a revision have beside the set's own, by name.
func (c *Case) added(revision string) map[string]any {
	var data struct {
		Said map[string]any `json:"setplan.io/claim-templates"`
	}
	if stored := c.revision(revision); stored == nil || json.Unmarshal(stored.Data.Raw, &data) != nil {
		return nil
	}
	maps.DeleteFunc(data.Said, func(_ string, template any) bool { return template == nil }) // it is removed
	return data.Said
}

// addsOtherwise reports whether the annotation says something else today of an added claim template than the set's revision does, a bigger size for
// one. That makes no new revision; but a controller that does not find the revision would store one of another name.
func (c *Case) addsOtherwise() bool {
	said := c.added(c.status.UpdateRevision)
	if len(said) == 0 {
		return false
	}
	text := []byte(c.Set.GetAnnotations()[policy.ClaimTemplates])
	if converted, err := yamljson.Template(text, nil); !json.Valid(text) && err == nil {
		text = converted
	}
	var asked map[string]any
	if json.Unmarshal(text, &asked) != nil {
		return true
	}
	for name, template := range said {
		if !reflect.DeepEqual(tree(template), tree(asked[name])) {
			return true
		}
	}
	return false
}

// grown: see addsOtherwise.
func grown(c *Case) []Finding {
	if !c.addsOtherwise() {
		return nil
	}
	return []Finding{{Severity: Note, Code: "CLAIMS_CHANGED", Subject: "ControllerRevision/" + c.status.UpdateRevision,
		Message: "The annotation " + policy.ClaimTemplates + " now adds other claim templates than the revision does. The new set recognizes the revision only if it has no owner, so the old set is deleted before the new one is created. In between, nothing replaces a lost pod."}}
}

// lacking: the built-in controller cannot make the pods that have claims of added templates.
func lacking(c *Case) []Finding {
	if c.To.Group != BuiltIn.Group {
		return nil
	}
	had := map[string]any{}
	for _, revision := range []string{c.status.CurrentRevision, c.status.UpdateRevision} {
		maps.Copy(had, c.added(revision))
	}
	if len(had) == 0 {
		return nil
	}
	names := strings.Join(slices.Sorted(maps.Keys(had)), ", ")
	return []Finding{{Severity: Stop, Code: "ADDED_CLAIMS", Subject: names,
		Message: fmt.Sprintf("The built-in controller does not support added claim templates. A pod that it creates does not get its claims, but waits for claims named like the templates (%s).", names),
		Remedy:  "Remove the volumes from the pod template and the claim templates from the annotation, and wait until the pods are updated."}}
}
