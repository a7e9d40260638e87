package verify

import (
	"encoding/json"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/yamljson"
)

// templateNotes are the annotations of a set that may hold a drain template, in the order of precedence.
var templateNotes = [...]string{
	"setplan.io/drain-pod-template",
	"statefulsets.kubernetes.io/drainer-pod-template",
	"statefulsets.kubernetes.io/scaledown-pod-template",
}

// policy is the drain policy: the caller's, or otherwise the one in the set's annotations. It is read here independently, and never
// taken from the plan.
type policy struct {
	template []byte // empty: nothing is drained
	onDelete bool
	proves   bool // also for an unknown value, with which nothing is drained

	leftovers bool
}

func (v *Verifier) policy() *policy {
	if v.asked == nil {
		v.asked = readPolicy(v.snapshot.GetPolicy().GetDrain(), v.set.GetAnnotations())
	}
	return v.asked
}

func readPolicy(typed *setplanv1.DrainPolicy, notes map[string]string) *policy {
	if typed == nil {
		typed = &setplanv1.DrainPolicy{}
	}
	p := &policy{
		template:  typed.PodTemplate,
		onDelete:  isTrue(typed.OnDelete, notes["setplan.io/drain-on-delete"]),
		leftovers: isTrue(typed.Leftovers, notes["setplan.io/drain-leftovers"]),
		proves:    typed.GetProof() > setplanv1.DrainProof_DRAIN_PROOF_SUCCESS, // an unknown value asks for more
	}
	if typed.GetProof() == setplanv1.DrainProof_DRAIN_PROOF_UNSPECIFIED {
		p.proves = notes["setplan.io/drain-proof"] != ""
	}
	if typed.PodTemplate != nil {
		return p
	}
	for _, name := range templateNotes {
		if text := strings.TrimSpace(notes[name]); text != "" {
			p.template = asJSON(text)
			break
		}
	}
	return p
}

func isTrue(typed *bool, note string) bool {
	if typed != nil {
		return *typed
	}
	return note == "true"
}

// asJSON converts a text that may be YAML, and leaves one that is neither as it is.
func asJSON(text string) []byte {
	if !json.Valid([]byte(text)) {
		if converted, err := yamljson.Template([]byte(text), nil); err == nil {
			return converted
		}
	}
	return []byte(text)
}

// draining reports whether the set has a drain template.
func (v *Verifier) draining() bool { return len(v.policy().template) > 0 }
