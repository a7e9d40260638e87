package convert

import (
	"bytes"
	"encoding/json"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/clients/cli/rollout"
	"github.com/setplan/setplan/engine/policy"
)

const lastApplied = corev1.LastAppliedConfigAnnotation

// manifest returns the new set. It is paused until one of the last commands resumes it, so somebody who applies it too early gets a second
// set that does nothing.
func (c *Case) manifest() map[string]any {
	spec, _ := c.newSpec()
	set := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	set.SetAPIVersion(c.To.APIVersion())
	set.SetKind(c.To.Kind)
	set.SetName(c.name())
	set.SetNamespace(c.Set.GetNamespace())
	set.SetLabels(unmarked(c.Set.GetLabels()))
	annotations := unmarked(c.annotations())
	annotations[policy.Pause] = "All"
	if c.keepsUntilTheEnd() {
		annotations[AnnotationRetention] = c.policyText()
		spec["persistentVolumeClaimRetentionPolicy"] = map[string]any{"whenDeleted": string(retain), "whenScaled": string(retain)}
	}
	set.SetAnnotations(annotations)
	return set.Object
}

// deletedFirst reports whether the old set has to be deleted before the new one is created, because the new set's controller would
// otherwise store a second revision. It finds an owned revision only by its name, which depends on the encoding and on the count of
// collisions, and a new set's count is 0. It finds a revision without an owner by its data.
func (c *Case) deletedFirst() bool {
	return c.foundOnlyAsOrphan() || c.addsOtherwise() || c.collisions() > 0
}

// foundOnlyAsOrphan reports whether the set's revision holds the template in another form than a controller would store today. A
// controller that does not find it would store a second revision, and take the pods for outdated.
func (c *Case) foundOnlyAsOrphan() bool {
	stored := c.revision(c.status.UpdateRevision)
	now := c.Template
	if stored == nil || now == nil {
		return false // then the wait for the revision's name fails, before anything is deleted
	}
	template, err := rollout.Template(stored)
	return err == nil && !reflect.DeepEqual(tree(template), tree(now))
}

// tree returns a value as decoded JSON.
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
