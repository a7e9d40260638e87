package vectors

import (
	"bytes"
	"os"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const folder = "../testdata/vectors"

func readAll(t *testing.T) []*Vector {
	t.Helper()
	all, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestEveryNameIsShown walks the contract as it is now and wants each message, each field with a value in it, each enum value and
// each reason of an error in some vector. It asks for a vector when the contract grows.
func TestEveryNameIsShown(t *testing.T) {
	shown := Names{}
	for _, v := range readAll(t) {
		add(t, shown, v)
	}
	for _, name := range missingIn(shown) {
		t.Errorf("no vector shows %s: give test/vectors one that does, then 'make rewrite WHAT=vectors'", name)
	}
}

func add(t *testing.T, shown Names, v *Vector) {
	t.Helper()
	if v.Request != nil {
		request, err := v.PlanRequest()
		if err != nil {
			t.Fatal(err)
		}
		shown.Add(request)
	}
	if v.Error != nil {
		shown.AddReason(v.Error)
		return
	}
	plan, err := v.WantedPlan()
	if err != nil {
		t.Fatal(err)
	}
	shown.Add(&setplanv1.PlanResponse{Plan: plan})
}

func missingIn(shown Names) (missing []protoreflect.FullName) {
	for _, name := range Contract() {
		if !shown[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

// TestWalkBites: the walk misses neither a field, nor an enum value, nor a reason that no vector shows.
func TestWalkBites(t *testing.T) {
	shown := Names{}
	shown.Add(&setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{
		Pods: []*setplanv1.Pod{{Name: "web-0", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING}},
		Set:  &setplanv1.StatefulSet{Replicas: proto.Int32(0)},
	}})
	shown.AddReason(&Error{Reason: "DRAINING"})
	missing := map[protoreflect.FullName]bool{}
	for _, name := range missingIn(shown) {
		missing[name] = true
	}
	for name, want := range map[protoreflect.FullName]bool{
		"setplan.v1.Pod":                            false,
		"setplan.v1.Pod.name":                       false,
		"setplan.v1.StatefulSet.replicas":           false, // a zero that is written
		"setplan.v1.POD_PHASE_RUNNING":              false,
		"setplan.v1.ERROR_REASON_DRAINING":          false,
		"setplan.v1.POD_PHASE_UNSPECIFIED":          false, // what an unset field means
		"setplan.v1.GetServerInfoResponse.max_pods": false, // no matter of vectors
		"setplan.v1.Pod.uid":                        true,
		"setplan.v1.POD_PHASE_FAILED":               true,
		"setplan.v1.Claim":                          true,
		"setplan.v1.ERROR_REASON_OVERLOADED":        true,
		"setplan.v1.IntOrPercent.percent":           true,
		"setplan.v1.PlanResponse":                   true,
	} {
		if missing[name] != want {
			t.Errorf("%s is missing: %v, want %v", name, missing[name], want)
		}
	}
}

// TestFilesHaveOneForm: reading and writing a vector gives the same bytes, so that a file changes only where its vector does.
func TestFilesHaveOneForm(t *testing.T) {
	for _, v := range readAll(t) {
		text, err := v.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if stored, err := os.ReadFile(v.Path(folder)); err != nil || !bytes.Equal(stored, text) {
			t.Errorf("%s has other blanks, or keys in another order, than 'make rewrite WHAT=vectors' writes (%v)", v.Name, err)
		}
	}
}

// TestVectorsAreWhole: each has a question, but for those of a server's state, and one answer.
func TestVectorsAreWhole(t *testing.T) {
	for _, v := range readAll(t) {
		asks := v.Request != nil || v.RequestBytes != nil
		answered := (v.Plan != nil) != (v.Error != nil)
		if v.About == "" || !answered || asks == (v.Error != nil && v.Error.Status != nil) || v.Request != nil && v.RequestBytes != nil {
			t.Errorf("%s: it says nothing, or has no question, or not one answer", v.Name)
		}
	}
}
