package convert

import (
	"cmp"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/clients/cli/shell"
)

// AnnotationRetention keeps the retention policy of a set while it moves. One of the first commands sets the policy to Retain; with the
// annotation a second run of convert still prints the same manifest.
const AnnotationRetention = "convert.setplan.io/retention-policy"

const retain = appsv1.RetainPersistentVolumeClaimRetentionPolicyType

// retention returns the policy that the set has, or had before it began to move; nil if it says nothing.
func (c *Case) retention() *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
	if policy := c.former(); policy != nil {
		return policy
	}
	return c.spec.PersistentVolumeClaimRetentionPolicy
}

// former returns the policy that the annotation keeps; nil if there is none, or it is invalid. It no longer counts once the spec differs
// from what the command wrote: then somebody has chosen another policy.
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

// remembered: the annotation may be left from a move that was given up long ago.
func remembered(c *Case) []Finding {
	former := c.former()
	if former == nil || cmp.Or(former.WhenDeleted, retain) == retain && cmp.Or(former.WhenScaled, retain) == retain {
		return nil
	}
	return []Finding{{Severity: Act, Code: "REMEMBERED", Subject: AnnotationRetention,
		Message: fmt.Sprintf("A move that was begun has noted the set's retention policy: whenDeleted %s, whenScaled %s. The new set gets that policy.",
			cmp.Or(former.WhenDeleted, retain), cmp.Or(former.WhenScaled, retain)),
		Remedy: "Remove the annotation if the claims are to stay.", Commands: []string{c.kubectl("annotate %s %s", c.From.argument(c.name()), shell.Raw(AnnotationRetention+"-"))}}}
}

// retains reports whether the set's policy, as it is now, keeps its claims, and no claim refers to the set.
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

// formerPolicy returns the patch that restores the set's policy.
func (c *Case) formerPolicy() string {
	patch, _ := json.Marshal(map[string]any{ // texts only
		"metadata": map[string]any{"annotations": map[string]any{AnnotationRetention: nil}},
		"spec":     map[string]any{"persistentVolumeClaimRetentionPolicy": c.retention()},
	})
	return string(patch)
}

// keepsUntilTheEnd reports whether the new set must keep its claims until the move is done. The built-in controller knows no pause: if it
// wrote references into claims, going back, which deletes the new set, would delete the claims.
func (c *Case) keepsUntilTheEnd() bool {
	policy := c.retention()
	return c.To.Group == BuiltIn.Group && policy != nil && (cmp.Or(policy.WhenDeleted, retain) != retain || cmp.Or(policy.WhenScaled, retain) != retain)
}

// policyText returns the annotation's value.
func (c *Case) policyText() string {
	policy := c.retention()
	if policy == nil {
		policy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: retain, WhenScaled: retain}
	}
	text, _ := json.Marshal(policy) // two strings
	return string(text)
}

// keepClaims returns the patch that makes the set keep its claims, and notes its policy.
func (c *Case) keepClaims() string {
	patch, _ := json.Marshal(map[string]any{ // texts only
		"metadata": map[string]any{"annotations": map[string]any{AnnotationRetention: c.policyText()}},
		"spec":     map[string]any{"persistentVolumeClaimRetentionPolicy": map[string]any{"whenDeleted": retain, "whenScaled": retain}},
	})
	return string(patch)
}
