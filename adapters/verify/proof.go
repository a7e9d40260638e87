package verify

import (
	"crypto/sha256"
	"encoding/hex"
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

// containersDiffer compares the containers of a drain pod with those of its template, which have no token.
func (s *subject) containersDiffer(list string) bool {
	made, template := s.load().get("spec", list), s.template().get("spec", list)
	if made == nil || template == nil || made.kind != '[' || template.kind != '[' {
		return !equal(made, template)
	}
	wanted := token(s.mark(), s.load().get("metadata", "annotations", noteDrainClaims).string())
	return !slices.EqualFunc(made.items, template.items, func(made, template *node) bool {
		return differing(made, template, map[string]bool{"env": true}) == "" && hasToken(made.get("env"), template.get("env"), wanted)
	})
}

// hasToken reports whether an environment is the template's with the token at its end.
func hasToken(made, template *node, wanted string) bool {
	if made == nil || made.kind != '[' || len(made.items) == 0 {
		return false
	}
	rest, last := made.items[:len(made.items)-1], made.items[len(made.items)-1]
	if len(last.object()) != 2 || !last.get("name").is(tokenVariable) || !last.get("value").is(wanted) {
		return false
	}
	var kept []*node
	if template != nil {
		kept = slices.DeleteFunc(slices.Clone(template.items), func(v *node) bool { return v.get("name").is(tokenVariable) })
	}
	return slices.EqualFunc(rest, kept, equal)
}
