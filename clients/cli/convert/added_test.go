package convert

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/setplan/setplan/engine/policy"
)

const (
	wal       = `{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"5Gi"}}}}`
	walBigger = `{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"8Gi"}}}}`
)

// TestAddedClaims: a set whose revision has a claim template that was added. The new set finds the revision by its name only while the annotation says
// what it said then, and the built-in controller cannot make such pods.
func TestAddedClaims(t *testing.T) {
	for name, tt := range map[string]struct {
		file, said, annotation string
		codes                  []string
		deletedFirst           bool
	}{
		"the same":                   {"plain", `{"wal":` + wal + `}`, `{"wal":` + wal + `}`, nil, false},
		"the same in YAML":           {"plain", `{"wal":` + wal + `}`, "wal: " + wal, nil, false},
		"beside a patch":             {"plain", `{"wal":` + wal + `}`, `{"wal":` + wal + `,"data":{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}}`, nil, false},
		"a removal beside it":        {"plain", `{"data":null,"wal":` + wal + `}`, `{"data":null,"wal":` + wal + `}`, nil, false},
		"only a removal":             {"plain", `{"data":null}`, `{"data":null}`, nil, false},
		"it has grown":               {"plain", `{"wal":` + wal + `}`, `{"wal":` + walBigger + `}`, []string{"note CLAIMS_CHANGED"}, true},
		"it has gone":                {"plain", `{"wal":` + wal + `}`, ``, []string{"note CLAIMS_CHANGED"}, true},
		"it cannot be read":          {"plain", `{"wal":` + wal + `}`, `{"wal":`, []string{"note CLAIMS_CHANGED"}, true},
		"to the built-in controller": {"back", `{"wal":` + wal + `}`, `{"wal":` + wal + `}`, []string{"stop ADDED_CLAIMS"}, false},
		"it has none":                {"back", `{}`, `{"wal":` + wal + `}`, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			client, set := cluster(t, tt.file)
			annotations := set.GetAnnotations()
			if annotations == nil {
				annotations = map[string]string{}
			}
			annotations[policy.ClaimTemplates] = tt.annotation
			set.SetAnnotations(annotations)
			update, _, _ := unstructured.NestedString(set.Object, "status", "updateRevision")
			c := &Case{Set: set, Program: "setplan"}
			var err error
			if c.From, err = KindOf(set.GroupVersionKind()); err != nil {
				t.Fatal(err)
			}
			if c.To, err = Target(c.From, ""); err != nil {
				t.Fatal(err)
			}
			if err := Read(t.Context(), client, c); err != nil {
				t.Fatal(err)
			}
			for i := range c.Revisions {
				if r := &c.Revisions[i]; r.Name == update {
					r.Data.Raw = []byte(`{"setplan.io/claim-templates":` + tt.said + `,` + strings.TrimPrefix(string(r.Data.Raw), "{"))
				}
			}
			var codes []string
			for _, f := range Make(c).Findings {
				if f.Code == "CLAIMS_CHANGED" || f.Code == "ADDED_CLAIMS" {
					codes = append(codes, string(f.Severity)+" "+f.Code)
				}
			}
			if !slices.Equal(codes, tt.codes) || c.deletedFirst() != tt.deletedFirst {
				t.Errorf("%v, the old set is deleted first: %v", codes, c.deletedFirst())
			}
		})
	}
}
