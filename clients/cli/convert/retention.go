package convert

import (
	"cmp"
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
)

// AnnotationRetention keeps, on a set that is about to move, the retention policy that it had: the first command sets it to Retain, and
// whoever asks once more must get the manifest that was printed before.
const AnnotationRetention = "convert.setplan.io/retention-policy"

const retain = appsv1.RetainPersistentVolumeClaimRetentionPolicyType

// retention is the policy that the set has, or had before it began to move; nil where it says nothing.
func (c *Case) retention() *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
	if text, begun := c.Set.GetAnnotations()[AnnotationRetention]; begun {
		policy := &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{}
		if json.Unmarshal([]byte(text), policy) == nil {
			return policy
		}
	}
	return c.spec.PersistentVolumeClaimRetentionPolicy
}

// retains reports whether the set keeps its claims as it is now, and none refers to it.
func (c *Case) retains() bool {
	if p := c.spec.PersistentVolumeClaimRetentionPolicy; p != nil && (cmp.Or(p.WhenDeleted, retain) != retain || cmp.Or(p.WhenScaled, retain) != retain) {
		return false
	}
	for i := range c.Claims {
		if c.refers(&c.Claims[i]) {
			return false
		}
	}
	return true
}

// formerPolicy is the patch that has the set do what it did before.
func (c *Case) formerPolicy() string {
	patch, _ := json.Marshal(map[string]any{ // texts only
		"metadata": map[string]any{"annotations": map[string]any{AnnotationRetention: nil}},
		"spec":     map[string]any{"persistentVolumeClaimRetentionPolicy": c.retention()},
	})
	return string(patch)
}

// keepClaims is the patch that has the set keep them, and remembers what it did before.
func (c *Case) keepClaims() string {
	policy := c.retention()
	if policy == nil {
		policy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: retain, WhenScaled: retain}
	}
	was, _ := json.Marshal(policy) // two strings
	patch, _ := json.Marshal(map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{AnnotationRetention: string(was)}},
		"spec":     map[string]any{"persistentVolumeClaimRetentionPolicy": map[string]any{"whenDeleted": retain, "whenScaled": retain}},
	})
	return string(patch)
}
