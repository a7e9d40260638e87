package convert

import (
	"cmp"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/clients/cli/shell"
)

// AnnotationRetention keeps, on a set that is about to move, the retention policy that it had: the first command sets it to Retain, and
// whoever asks once more must get the manifest that was printed before.
const AnnotationRetention = "convert.setplan.io/retention-policy"

const retain = appsv1.RetainPersistentVolumeClaimRetentionPolicyType

// retention is the policy that the set has, or had before it began to move; nil where it says nothing.
func (c *Case) retention() *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
	if policy := c.former(); policy != nil {
		return policy
	}
	return c.spec.PersistentVolumeClaimRetentionPolicy
}

// former is the policy that the annotation keeps. Once the spec says anything else than the first command wrote, somebody has decided anew,
// and it counts no more; nor does what is no policy.
func (c *Case) former() *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
	now, former := c.spec.PersistentVolumeClaimRetentionPolicy, &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{}
	text, begun := c.Set.GetAnnotations()[AnnotationRetention]
	if !begun || now == nil || now.WhenDeleted != retain || now.WhenScaled != retain || json.Unmarshal([]byte(text), former) != nil ||
		!isPolicy(former.WhenDeleted) || !isPolicy(former.WhenScaled) {
		return nil
	}
	return former
}

func isPolicy(p appsv1.PersistentVolumeClaimRetentionPolicyType) bool {
	return p == "" || p == retain || p == appsv1.DeletePersistentVolumeClaimRetentionPolicyType
}

// remembered: the annotation may be of a move that was given up long ago.
func remembered(c *Case) []Finding {
	former := c.former()
	if former == nil || cmp.Or(former.WhenDeleted, retain) == retain && cmp.Or(former.WhenScaled, retain) == retain {
		return nil
	}
	return []Finding{{Severity: Act, Code: "REMEMBERED", Subject: AnnotationRetention,
		Message: fmt.Sprintf("A move that was begun has written that the set's claims were treated so: whenDeleted %s, whenScaled %s. The new set gets that.",
			cmp.Or(former.WhenDeleted, retain), cmp.Or(former.WhenScaled, retain)),
		Remedy: "Remove the annotation if the claims are to stay.", Commands: []string{c.kubectl("annotate %s %s", c.From.argument(c.name()), shell.Raw(AnnotationRetention+"-"))}}}
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

// keepsUntilTheEnd reports whether the new set keeps its claims until the move is done. The built-in controller knows no pause: a claim that
// it makes a reference in must not go with the set on the way back.
func (c *Case) keepsUntilTheEnd() bool {
	policy := c.retention()
	return c.To.Group == BuiltIn.Group && policy != nil && (cmp.Or(policy.WhenDeleted, retain) != retain || cmp.Or(policy.WhenScaled, retain) != retain)
}

// policyText is what the annotation keeps.
func (c *Case) policyText() string {
	policy := c.retention()
	if policy == nil {
		policy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: retain, WhenScaled: retain}
	}
	text, _ := json.Marshal(policy) // two strings
	return string(text)
}

// keepClaims is the patch that has the set keep them, and remembers what it did before.
func (c *Case) keepClaims() string {
	patch, _ := json.Marshal(map[string]any{ // texts only
		"metadata": map[string]any{"annotations": map[string]any{AnnotationRetention: c.policyText()}},
		"spec":     map[string]any{"persistentVolumeClaimRetentionPolicy": map[string]any{"whenDeleted": retain, "whenScaled": retain}},
	})
	return string(patch)
}
