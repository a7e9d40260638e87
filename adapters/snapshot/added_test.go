package snapshot

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestAddedTemplates: whose claims a planner has to see beside those of the set's own claim templates.
func TestAddedTemplates(t *testing.T) {
	tests := map[string]struct {
		annotation string
		revisions  []string
		want       string
	}{
		"nothing is added":         {"", []string{`{"spec":{"template":{}}}`}, "[www]"},
		"by JSON, sorted":          {`{"wal":{},"log":{}}`, nil, "[www log wal]"},
		"by YAML":                  {"wal: {spec: {}}\n", nil, "[www wal]"},
		"a patch adds nothing":     {`{"www":{"spec":{}}}`, nil, "[www]"},
		"nor does what is removed": {`{"www":null,"wal":null}`, nil, "[www]"},
		"nor what cannot be read":  {`{"wal":`, nil, "[www]"},
		"nor what is no object":    {`["wal"]`, nil, "[www]"},
		"what cannot be used counts: its claims may be there": {`{"wal":"5Gi"}`, nil, "[www wal]"},
		"by a revision":                         {"", []string{`{"setplan.io/claim-templates":{"www":null,"wal":{"spec":{}}},"spec":{"template":{}}}`}, "[www wal]"},
		"by both, each once":                    {`{"wal":{}}`, []string{`{"setplan.io/claim-templates":{"wal":{}}}`, `{"setplan.io/claim-templates":{"wal":{},"log":{}}}`}, "[www log wal]"},
		"not by a revision that cannot be read": {"", []string{`{"setplan.io/claim-templates":["wal"]}`, `x`}, "[www]"},
	}
	for name, tt := range tests {
		own := []string{"www"}
		var revisions []*appsv1.ControllerRevision
		for _, data := range tt.revisions {
			revisions = append(revisions, &appsv1.ControllerRevision{Data: runtime.RawExtension{Raw: []byte(data)}})
		}
		if got := fmt.Sprint(ClaimTemplates(own, AddedBy(map[string]string{noteClaimTemplates: tt.annotation}, own), AddedIn(revisions, own))); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
