package snapshot

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"google.golang.org/protobuf/testing/protocmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestStrategies: absent fields stay absent.
func TestStrategies(t *testing.T) {
	tests := []struct {
		name   string
		reason string
		spec   string
		want   *setplanv1.UpdateStrategy
	}{
		{"none", "the planner's default, not ours", `{}`, nil},
		{"nil rollingUpdate", "not the same as partition 0", `{"updateStrategy":{"type":"RollingUpdate"}}`, &setplanv1.UpdateStrategy{Type: "RollingUpdate"}},
		{"empty rollingUpdate", "is there, with partition 0", `{"updateStrategy":{"rollingUpdate":{}}}`, &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{}}},
		{"count", "a number of pods", `{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}`, &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{
			MaxUnavailable: &setplanv1.IntOrPercent{Value: &setplanv1.IntOrPercent_Count{Count: 2}},
		}}},
		{"unknown type", "the planner answers with a block", `{"updateStrategy":{"type":"Sideways"}}`, &setplanv1.UpdateStrategy{Type: "Sideways"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			message, err := (&Set{Spec: json.RawMessage(test.spec)}).Message()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, message.GetUpdateStrategy(), protocmp.Transform()); diff != "" {
				t.Errorf("%s:\n%s", test.reason, diff)
			}
		})
	}
}

// awkward is JSON that reading and writing would change: white space, escapes, numbers that are not in their shortest form or
// not exact in floating point, unknown fields, unsorted keys, and one of them twice.
const awkward = `{ "spec":{"z":1.0,"a":12345678901234567890,"b":1e2,"c":"\u003c\/é","z":2},"metadata":null, "later":[ ]}`

// TestTextsStay: templates are sent unchanged, so that the bytes and the name of a revision do not change.
func TestTextsStay(t *testing.T) {
	set := &Set{}
	if err := json.Unmarshal([]byte(`{"metadata":{"name":"web"},"spec":{"template":`+awkward+`,"volumeClaimTemplates":[ `+awkward+`,{"metadata":{"name":"a"}} ],"replicas":2}}`), set); err != nil {
		t.Fatal(err)
	}
	message, err := set.Message()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(message.GetPodTemplate()); got != awkward {
		t.Errorf("the pod template is\n%s\nwant\n%s", got, awkward)
	}
	if got := message.GetClaimTemplates(); len(got) != 2 || string(got[0]) != awkward {
		t.Errorf("the claim templates are %q", got)
	}
	if message.GetReplicas() != 2 || message.GetName() != "web" {
		t.Errorf("besides the templates there is %v", message)
	}
}

// TestFieldsHaveOneName: as in the API server, a field in another letter case is another field.
func TestFieldsHaveOneName(t *testing.T) {
	set := &Set{Spec: json.RawMessage(`{"Replicas":5,"TEMPLATE":{},"VolumeClaimTemplates":[{"metadata":{"name":"a"}}]}`)}
	message, err := set.Message()
	if err != nil || message.Replicas != nil || message.PodTemplate != nil || message.ClaimTemplates != nil || set.ClaimTemplates() != nil {
		t.Errorf("%v, %v", message, err)
	}
}

// TestClaimTemplates: each name once, without empty ones, also for a set that does not fit the contract.
func TestClaimTemplates(t *testing.T) {
	set := &Set{Spec: json.RawMessage(`{"replicas":"three","volumeClaimTemplates":[{"metadata":{"name":"b"}},{"metadata":{"name":"a"}},{},
		{"metadata":{"name":"b"}},{"metadata":"none"},{"metadata":{"name":""}}]}`)}
	if _, err := set.Message(); err == nil {
		t.Error("the set can be read")
	}
	if diff := cmp.Diff([]string{"b", "a"}, set.ClaimTemplates()); diff != "" {
		t.Error(diff)
	}
}
