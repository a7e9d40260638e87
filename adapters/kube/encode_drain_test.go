package kube

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"google.golang.org/protobuf/testing/protocmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestDrainTraces: what a drain has left on pods and claims is in the snapshot, and what it means is the planner's to say.
func TestDrainTraces(t *testing.T) {
	pod := &corev1.Pod{}
	pod.Annotations = map[string]string{adapters.AnnotationDrainSet: "web/set", adapters.AnnotationDrainClaims: "c1,c2",
		adapters.AnnotationDrainRequest: "r1", adapters.AnnotationDrainAnswer: "r0", "other": "x"}
	gotPod := &setplanv1.Pod{}
	encodePodDrain(pod, gotPod)
	wantPod := &setplanv1.Pod{DrainSet: "web/set", DrainClaims: []string{"c1", "c2"}, DrainRequest: "r1", DrainAnswer: "r0"}
	if diff := cmp.Diff(wantPod, gotPod, protocmp.Transform()); diff != "" {
		t.Errorf("pod:\n%s", diff)
	}
	for reason, test := range map[string]struct {
		annotations map[string]string
		want        *setplanv1.Claim
	}{
		"nothing":                        {nil, &setplanv1.Claim{}},
		"a mark":                         {map[string]string{adapters.AnnotationDrainSet: "web/set"}, &setplanv1.Claim{DrainSet: "web/set"}},
		"an attempt":                     {map[string]string{adapters.AnnotationDrainAttempts: "3"}, &setplanv1.Claim{DrainAttempts: 3}},
		"no number: a drain was begun":   {map[string]string{adapters.AnnotationDrainAttempts: "many"}, &setplanv1.Claim{DrainAttempts: 1}},
		"none: a drain was begun":        {map[string]string{adapters.AnnotationDrainAttempts: "0"}, &setplanv1.Claim{DrainAttempts: 1}},
		"less: a drain was begun":        {map[string]string{adapters.AnnotationDrainAttempts: "-7"}, &setplanv1.Claim{DrainAttempts: 1}},
		"too many: a drain was begun":    {map[string]string{adapters.AnnotationDrainAttempts: "9999999999"}, &setplanv1.Claim{DrainAttempts: 1}},
		"when":                           {map[string]string{adapters.AnnotationDrainBegun: "2023-11-14T22:13:20Z"}, &setplanv1.Claim{DrainBegunUnixMs: 1_700_000_000_000}},
		"no time: it is not known when":  {map[string]string{adapters.AnnotationDrainBegun: "yesterday"}, &setplanv1.Claim{}},
		"what others wrote is not taken": {map[string]string{"other": "x"}, &setplanv1.Claim{}},
	} {
		claim, got := &corev1.PersistentVolumeClaim{}, &setplanv1.Claim{}
		claim.Annotations = test.annotations
		encodeClaimDrain(claim, got)
		if diff := cmp.Diff(test.want, got, protocmp.Transform()); diff != "" {
			t.Errorf("claim, %s:\n%s", reason, diff)
		}
	}
}

// TestFinalizersInSnapshot: a drain before the deletion of a set is one, and the planner takes it away again.
func TestFinalizersInSnapshot(t *testing.T) {
	set := webSet(t, "set")
	set.SetFinalizers([]string{"a", drainFinalizer})
	snapshot, err := NewSource(StatefulSets(), filledCaches(t, set), nil, time.Now).Snapshot(context.Background(), webKey)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", drainFinalizer}, snapshot.GetSet().GetFinalizers()); diff != "" {
		t.Error(diff)
	}
}
