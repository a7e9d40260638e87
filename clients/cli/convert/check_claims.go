package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// leftClaims returns the claims that refer to the set although none of its pods uses them: their ordinals were scaled away. Controllers
// look at claims by pod, and the built-in one never removes these references.
func (c *Case) leftClaims() (names []string) {
	used := map[string]bool{}
	for _, pod := range c.ownPods() {
		for _, volume := range pod.Spec.Volumes {
			if claim := volume.PersistentVolumeClaim; claim != nil {
				used[claim.ClaimName] = true
			}
		}
	}
	for i := range c.Claims {
		if claim := &c.Claims[i]; c.refers(claim) && !used[claim.Name] {
			names = append(names, claim.Name)
		}
	}
	slices.Sort(names)
	return names
}

// leftover: no controller gives such a claim an owner until its ordinal has a pod again.
func leftover(c *Case) (found []Finding) {
	for _, name := range c.leftClaims() {
		found = append(found, Finding{Severity: Note, Code: "LEFT_CLAIM", Subject: "PersistentVolumeClaim/" + name,
			Message: "No pod uses it. It would be deleted with the old set. It is not deleted with the new one, until its ordinal has a pod again."})
	}
	return found
}

// claimed: a claim that somebody else owns is deleted with that owner, and gets no reference to the new set.
func claimed(c *Case) (found []Finding) {
	for i := range c.Claims {
		claim := &c.Claims[i]
		if !c.named(claim) {
			continue
		}
		for _, owner := range claim.OwnerReferences {
			if owner.UID == c.Set.GetUID() || owner.Kind == "Pod" {
				continue
			}
			found = append(found, Finding{Severity: Act, Code: "CLAIMED", Subject: "PersistentVolumeClaim/" + claim.Name,
				Message: fmt.Sprintf("It is deleted with %s %s of %s, which owns it, whatever the set's policy says.", owner.Kind, owner.Name, owner.APIVersion),
				Remedy:  "If that is a set that is gone or does not run these pods, remove the reference first."})
		}
	}
	return found
}

// named reports whether a claim has a name that the set gives to claims.
func (c *Case) named(claim *corev1.PersistentVolumeClaim) bool {
	at := strings.LastIndexByte(claim.Name, '-')
	if at < 0 {
		return false
	}
	if _, err := strconv.ParseUint(claim.Name[at+1:], 10, 31); err != nil {
		return false
	}
	template, ofSet := strings.CutSuffix(claim.Name[:at], "-"+c.name())
	return ofSet && (slices.Contains(c.claimTemplates(), template) || slices.Contains(c.addedTemplates(), template))
}
