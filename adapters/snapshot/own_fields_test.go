package snapshot

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestOwnFields: of a set of another kind the snapshot has the fields that apps/v1 lacks, and no others.
func TestOwnFields(t *testing.T) {
	for reason, test := range map[string]struct{ apiVersion, spec, want string }{
		"nothing":                {"apps.setplan.io/v1beta1", `{"replicas":1,"ordinals":{"start":1},"template":{"pause":1},"selector":{"x":1}}`, ""},
		"policies":               {"apps.setplan.io/v1beta1", `{"replicas":1,"pause":"All","ordinals":{"start":1,"reserved":["1",4]}}`, `{"ordinals":{"reserved":["1",4]},"pause":"All"}`},
		"of another day":         {"example.com/v1", `{"updateStrategy":{"type":"A","rollingUpdate":{"rate":{"b":1}}}}`, `{"updateStrategy":{"rollingUpdate":{"rate":{"b":1}}}}`},
		"null":                   {"example.com/v1", `{"ordinals":null,"updateStrategy":null}`, ""},
		"a field of apps/v1":     {"apps/v1", `{"replicas":1,"tomorrow":true}`, ""},
		"no object where a part": {"example.com/v1", `{"persistentVolumeClaimRetentionPolicy":{}}`, ""},
	} {
		set := &Set{TypeMeta: metav1.TypeMeta{APIVersion: test.apiVersion, Kind: "StatefulSet"}, Spec: json.RawMessage(test.spec)}
		message, err := set.Message()
		if err != nil {
			t.Fatalf("%s: %v", reason, err)
		}
		if got := string(message.GetOwnFields()); got != test.want {
			t.Errorf("%s: %s, want %s", reason, got, test.want)
		}
		if got := string(set.MessageLike(message).GetOwnFields()); got != test.want {
			t.Errorf("%s: the next version has %s, want %s", reason, got, test.want)
		}
	}
}
