package codec

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestObjectsAreBounded: a snapshot that is made of objects has the bounds of one that is sent, in each of its parts and far behind in a
// list. The error names the object.
func TestObjectsAreBounded(t *testing.T) {
	for _, last := range []struct{ apiVersion, kind, names string }{
		{"apps/v1", "StatefulSet", "web"},
		{"v1", "Pod", "web-%d"},
		{"v1", "PersistentVolumeClaim", "data-web-%d"},
		{"apps/v1", "ControllerRevision", "web-%d"},
	} {
		for _, length := range []int{maxName, maxName + 1} {
			var documents [][]byte
			add := func(apiVersion, kind, name string, version int) {
				documents = append(documents, fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":{"name":%q,"namespace":"shop","uid":"u-%s","resourceVersion":%q,
					"ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"u-web","controller":true}]},
					"spec":{"template":{},"volumeClaimTemplates":[{"metadata":{"name":"data"}}]},"revision":1}`, apiVersion, kind, name, name, strings.Repeat("1", version)))
			}
			name := last.names
			if last.kind != "StatefulSet" {
				add("apps/v1", "StatefulSet", "web", 1)
				for i := range 2 * madeAtOnce {
					add(last.apiVersion, last.kind, fmt.Sprintf(last.names, i), 1)
				}
				name = fmt.Sprintf(last.names, 2*madeAtOnce)
			}
			add(last.apiVersion, last.kind, name, length)
			_, err := Decode(&setplanv1.PlanRequest{Objects: &setplanv1.Objects{Name: "web", ObservedAt: timestamppb.New(noon), Documents: documents}}, plenty)
			var refused *InvalidError
			want := fmt.Sprintf("objects.documents[%d].metadata.resourceVersion", len(documents)-1)
			if errors.As(err, &refused) != (length > maxName) || refused != nil && refused.Violations[0].Field != want {
				t.Errorf("%s with a version of %d bytes: %v, want %s", last.kind, length, err, want)
			}
		}
	}
}
