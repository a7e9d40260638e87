package why_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestStranger: nobody is told to delete a pod that a set of the same name and another kind would make again.
func TestStranger(t *testing.T) {
	for name, row := range map[string]struct {
		owner   metav1.OwnerReference
		deletes bool
	}{
		"nobody's":            {metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "web", UID: "c"}, true},
		"a ReplicaSet's":      {metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-5d", UID: "r", Controller: new(true)}, true},
		"an earlier set's":    {metav1.OwnerReference{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "e", Controller: new(true)}, true},
		"another kind's":      {metav1.OwnerReference{APIVersion: "apps.setplan.io/v1beta1", Kind: "StatefulSet", Name: "web", UID: "n", Controller: new(true)}, false},
		"a kind's of its own": {metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "Database", Name: "web", UID: "n", Controller: new(true)}, false},
	} {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NAME_TAKEN)
		s.pod.OwnerReferences = []metav1.OwnerReference{row.owner}
		r := s.explain().Reasons[0]
		if deletes := strings.Contains(strings.Join(r.Commands, " "), "delete pod web-0"); deletes != row.deletes {
			t.Errorf("%s: %v", name, r.Commands)
		}
		if row.owner.Controller != nil && !strings.Contains(r.Cause, row.owner.Kind+" "+row.owner.Name+" of "+row.owner.APIVersion) {
			t.Errorf("%s: %s", name, r.Cause)
		}
	}
}
