package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The proof of a drain, SPEC.md D4: each container of the drain pod is given a token and hands it back when it is done.

const tokenVariable = "SETPLAN_DRAIN_TOKEN"

func token(mark, claims string) string {
	sum := sha256.Sum256([]byte(mark + "\n" + claims))
	return hex.EncodeToString(sum[:16])
}

// hasDrained reports whether a drain pod has succeeded and counts as proof.
func (v *Verifier) hasDrained(pod *setplanv1.Pod) bool {
	if pod.GetPhase() != setplanv1.PodPhase_POD_PHASE_SUCCEEDED {
		return false
	}
	if !v.policy().proves {
		return !pod.GetDisrupted()
	}
	wanted := token(v.note(pod.GetAnnotationSetIndex(), noteDrainSet), v.note(pod.GetAnnotationSetIndex(), noteDrainClaims))
	return len(pod.GetTerminationMessages()) > 0 && !slices.ContainsFunc(pod.GetTerminationMessages(), func(message string) bool {
		return strings.TrimSpace(message) != wanted
	})
}

// lists reports whether a drain pod says that it drains a claim.
func (v *Verifier) lists(pod *setplanv1.Pod, claim *setplanv1.Claim) bool {
	for uid := range strings.SplitSeq(v.note(pod.GetAnnotationSetIndex(), noteDrainClaims), ",") {
		if uid == claim.GetUid() {
			return true
		}
	}
	return false
}

// drainSpec is what a drain pod of a template has: it does not restart, and has its token where the policy asks for proof.
func (s *subject) drainSpec(template *node) *node {
	if template.object() == nil {
		return nil
	}
	spec := &node{kind: '{', members: maps.Clone(template.members)}
	if spec.get("restartPolicy") == nil {
		spec.members["restartPolicy"] = nodeOf("OnFailure")
	}
	if !s.policy().proves {
		return spec
	}
	given := nodeOf(map[string]string{"name": tokenVariable, "value": token(s.mark(), s.load().get("metadata", "annotations", noteDrainClaims).string())})
	for _, list := range containerLists {
		containers := slices.Clone(template.get(list).list())
		for i, c := range containers {
			env := slices.DeleteFunc(slices.Clone(c.get("env").list()), func(v *node) bool { return v.get("name").is(tokenVariable) })
			if c = c.without("env"); c.object() != nil {
				c.members["env"], containers[i] = &node{kind: '[', items: append(env, given)}, c
			}
		}
		if containers != nil {
			spec.members[list] = &node{kind: '[', items: containers}
		}
	}
	return spec
}
