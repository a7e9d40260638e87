package codec

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestCoverage: an object counts as absent only if the caller says that it has listed that kind. No kind may stand in for
// another.
func TestCoverage(t *testing.T) {
	for _, test := range []struct {
		in   *setplanv1.Coverage
		want model.Coverage
	}{
		{nil, model.Coverage{}},
		{&setplanv1.Coverage{Pods: true}, model.Coverage{Pods: true}},
		{&setplanv1.Coverage{Claims: true}, model.Coverage{Claims: true}},
		{&setplanv1.Coverage{Revisions: true}, model.Coverage{Revisions: true}},
	} {
		in := request()
		in.Snapshot.Coverage = test.in
		out, err := Decode(in, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if out.Coverage != test.want {
			t.Errorf("%v becomes %+v, want %+v", test.in, out.Coverage, test.want)
		}
	}
}
