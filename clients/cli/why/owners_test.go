package why_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestOtherOwners: the garbage collector deletes a claim once its last owner is gone, so all of them are named.
func TestOtherOwners(t *testing.T) {
	rmq, nightly := metav1.OwnerReference{Kind: "RabbitmqCluster", Name: "rmq", UID: "u1"}, metav1.OwnerReference{Kind: "Backup", Name: "nightly", UID: "u2"}
	for name, test := range map[string]struct {
		owners    []metav1.OwnerReference
		cause     string
		removed   string // the paths that the commands remove, in order
		remaining string
	}{
		"one":              {[]metav1.OwnerReference{rmq}, "RabbitmqCluster rmq owns the claim.", "0", "this reference"},
		"two":              {[]metav1.OwnerReference{rmq, nightly}, "RabbitmqCluster rmq, Backup nightly own the claim. It is deleted once all of them are gone.", "1 0", "all of these"},
		"beside our pod":   {[]metav1.OwnerReference{{Kind: "Pod", Name: "web-0", UID: "p"}, nightly}, "Backup nightly owns the claim.", "1", "this reference"},
		"a strange pod":    {[]metav1.OwnerReference{{Kind: "Pod", Name: "debug", UID: "u3"}}, "Pod debug owns the claim.", "0", "this reference"},
		"one controls it":  {[]metav1.OwnerReference{rmq, {Kind: "Backup", Name: "nightly", UID: "u2", Controller: new(true)}}, "Backup nightly controls the claim.", "1", "this reference"},
		"nobody but a pod": {[]metav1.OwnerReference{{Kind: "Pod", Name: "web-0", UID: "p"}}, "", "", "Planner helps."},
	} {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_CLAIM_FOREIGN_CONTROLLER)
		s.plan.Blocks[0].Subject = &setplanv1.Target{Kind: "PersistentVolumeClaim", Name: "www-web-0"}
		s.claim("std")
		s.world.Claims.Items[0].OwnerReferences = test.owners
		r := s.explain().Reasons[0]
		var removed []string
		for _, command := range r.Commands {
			_, path, _ := strings.Cut(command, `"remove","path":"/metadata/ownerReferences/`)
			removed = append(removed, strings.TrimSuffix(path, `"}]'`))
		}
		if r.Cause != test.cause || strings.Join(removed, " ") != test.removed || !strings.Contains(r.Remedy, test.remaining) {
			t.Errorf("%s: %s %s %v", name, r.Cause, r.Remedy, r.Commands)
		}
	}
}

// TestGoingClaims: where the planner says the same of more claims, there is a command for the volume of each.
func TestGoingClaims(t *testing.T) {
	for more, want := range map[string]int{"": 1, " The same applies to 11 more claims.": 10} {
		s := newScene(setplanv1.BlockCode_BLOCK_CODE_CLAIM_STALE)
		s.plan.Blocks[0].Subject, s.plan.Blocks[0].Severity = &setplanv1.Target{Kind: "PersistentVolumeClaim", Name: "www-web-0"}, setplanv1.Severity_SEVERITY_ATTENTION
		s.plan.Blocks[0].Message += more
		for i := range 12 {
			s.claim("std")
			claim := s.world.Claims.Items[i]
			claim.Name, claim.Spec.VolumeName = fmt.Sprint("www-web-", i), fmt.Sprint("pv-", i)
			claim.OwnerReferences = []metav1.OwnerReference{{Kind: "Pod", Name: fmt.Sprint("web-", i), UID: "p"}}
		}
		s.world.Claims.Items[3].OwnerReferences[0].UID = "other"
		for i, status := range []corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionFalse} {
			s.world.Claims.Items[i].Status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: "Unused", Status: status, LastTransitionTime: metav1.NewTime(now.Add(-time.Hour))}}
		}
		r := s.explain().Reasons[0]
		all := strings.Join(r.Commands, "\n")
		if seen := strings.Join(r.Evidence, "\n"); !strings.Contains(seen, "claim www-web-0: no pod has used it since "+now.Add(-time.Hour).UTC().Format(time.RFC3339)) || strings.Contains(seen, "www-web-1: no pod") {
			t.Errorf("evidence:\n%s", seen)
		}
		if len(r.Commands) != want || !strings.Contains(r.Commands[0], "pv-0 ") || strings.Contains(all, "pv-3 ") || strings.Contains(r.Remedy, "the first 10 of 11 claims") != (more != "") {
			t.Errorf("%q: %s\n%s", more, r.Remedy, all)
		}
	}
}
