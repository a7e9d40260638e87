package convert

import (
	"bytes"
	"encoding/json"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/clients/cli/rollout"
)

const lastApplied = corev1.LastAppliedConfigAnnotation

// manifest is the set of the other kind. It begins paused, and the last command ends that: whoever applies it at a wrong moment
// has two sets, of which one does nothing.
func (c *Case) manifest() map[string]any {
	spec, _ := c.newSpec()
	set := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	set.SetAPIVersion(c.To.APIVersion())
	set.SetKind(c.To.Kind)
	set.SetName(c.name())
	set.SetNamespace(c.Set.GetNamespace())
	set.SetLabels(unmarked(c.Set.GetLabels()))
	annotations := unmarked(c.annotations())
	annotations[pause] = "All"
	if c.keepsUntilTheEnd() {
		annotations[AnnotationRetention] = c.policyText()
		spec["persistentVolumeClaimRetentionPolicy"] = map[string]any{"whenDeleted": string(retain), "whenScaled": string(retain)}
	}
	set.SetAnnotations(annotations)
	return set.Object
}

// deletedFirst reports whether the new set would make a second revision beside the old set's: it finds that one by its data, which it may
// do only where nobody owns it. By its name it is found too, but that has the count of collisions in it, and a new set begins with none.
func (c *Case) deletedFirst() bool { return c.foundOnlyAsOrphan() || c.collisions() > 0 }

// foundOnlyAsOrphan reports whether the revision of the set holds its template in another form than a controller would store today. One
// that may not touch the revision would store a second one then, and take the pods to be outdated.
func (c *Case) foundOnlyAsOrphan() bool {
	stored := c.revision(c.status.UpdateRevision)
	now := c.Template
	if stored == nil || now == nil {
		return false // the wait for the revision's name shows it, before anything is deleted
	}
	template, err := rollout.Template(stored)
	return err == nil && !reflect.DeepEqual(tree(template), tree(now))
}

// tree is a value as JSON has it.
func tree(value any) any {
	data, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	_ = decoder.Decode(&tree) // just encoded
	return tree
}
