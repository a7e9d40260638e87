package why_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestUnschedulable: for a pod that no node takes the text says why, according to the message of Kubernetes 1.36's or an earlier
// scheduler. It asks to make room only if room is missing.
func TestUnschedulable(t *testing.T) {
	const preemption = " no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
	tests := map[string]struct {
		message, cause string
		help           []string
		room           bool
	}{
		"selector": {"0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector." + preemption,
			"its node selector or node affinity (3 nodes)", []string{"Change nodeSelector or nodeAffinity in the set's template", "--show-labels", "nodeSelector disk=ssd"}, false},
		"taint": {"0/3 nodes are available: 3 node(s) had untolerated taint(s)." + preemption,
			"a taint that the pod does not tolerate (3 nodes)", []string{"Tolerate the taint", "{.spec.taints}"}, false},
		"taint, earlier": {"0/1 nodes are available: 1 node(s) had untolerated taint {dedicated: db}.",
			"a taint that the pod does not tolerate (1 node)", []string{"Tolerate the taint"}, false},
		"topology": {"0/3 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label), 2 node(s) didn't match pod topology spread constraints.",
			"its topology spread constraints (3 nodes)", []string{"Change topologySpreadConstraints"}, false},
		"affinity":      {"0/3 nodes are available: 3 node(s) didn't match pod affinity rules.", "its pod affinity (3 nodes)", []string{"Change podAffinity"}, false},
		"anti-affinity": {"0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.", "pod anti-affinity (3 nodes)", []string{"Change podAntiAffinity"}, false},
		"others' rules": {"0/3 nodes are available: 3 node(s) didn't satisfy existing pods anti-affinity rules.", "pod anti-affinity (3 nodes)", nil, false},
		"cordoned":      {"0/1 nodes are available: 1 node(s) were unschedulable.", "a cordon (1 node)", []string{"kubectl uncordon NODE"}, false},
		"volume": {"0/3 nodes are available: 3 node(s) didn't match PersistentVolume's node affinity.", "where its volume is (3 nodes)",
			[]string{"get persistentvolumes -o wide"}, false},
		"volume is gone": {"0/3 nodes are available: 3 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s).",
			"a claim whose volume does not exist (3 nodes)", []string{"describe pvc"}, false},
		"one pod only": {"0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod.",
			"a claim that another pod uses, and that only one pod may use (2 nodes)", []string{"describe pvc"}, false},
		"storage": {"0/2 nodes are available: 2 node(s) did not have enough free storage.", "not enough storage for a new volume (2 nodes)",
			[]string{"ask for less storage"}, false},
		"volumes": {"0/3 nodes are available: 3 node(s) exceed max volume count.", "the number of volumes that a node can attach (3 nodes)", nil, false},
		"ports":   {"0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports.", "host ports that are taken (3 nodes)", []string{"Change hostPort"}, false},
		"preemption says it again": {"0/4 nodes are available: 4 node(s) didn't match pod affinity rules. preemption: 0/4 nodes are available: 1 Insufficient cpu, 3 Preemption is not helpful for scheduling.",
			"its pod affinity (4 nodes)", []string{"Change podAffinity"}, false},
		"room": {"0/3 nodes are available: 3 Insufficient cpu, 3 Insufficient memory.", "not enough room (3 nodes)", []string{"Make room"}, true},
		"pods": {"0/3 nodes are available: 3 Too many pods.", "not enough room (3 nodes)", []string{"Make room"}, true},
		"several": {"0/5 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 3 node(s) didn't match Pod's node affinity/selector." + preemption,
			"its node selector or node affinity (3 nodes), a taint that the pod does not tolerate (1 node), not enough room (1 node)", []string{"Change nodeSelector", "Tolerate the taint", "Make room"}, true},
	}
	for name, test := range tests {
		r := unscheduled(test.message)
		if want := "No node fits the pod: " + test.cause + "."; r.cause != want {
			t.Errorf("%s: the cause is %q, want %q", name, r.cause, want)
		}
		for _, want := range append(test.help, "Setplan replaces the pod once the template is changed.", "edit statefulset web") {
			if !strings.Contains(r.text, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, r.text)
			}
		}
		if strings.Contains(r.text, "Make room") != test.room {
			t.Errorf("%s: room is what is missing: %v, and it says\n%s", name, test.room, r.text)
		}
	}
	strange := unscheduled("0/3 nodes are available: 3 node(s) have the wrong colour.")
	if strange.cause != "No node fits the pod. The scheduler says: 0/3 nodes are available: 3 node(s) have the wrong colour." || !strings.Contains(strange.text, "Change what the scheduler objects to") || strings.Contains(strange.text, "Make room") {
		t.Errorf("a message that nobody knows: %+v", strange)
	}
}

type explained struct{ cause, text string }

func unscheduled(message string) explained {
	s := newScene(setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY)
	s.pod.Spec.NodeName, s.pod.Status.Phase = "", corev1.PodPending
	s.pod.Spec.NodeSelector = map[string]string{"disk": "ssd"}
	s.pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: message}}
	r := s.explain().Reasons[0]
	return explained{r.Cause, strings.Join(append(append(r.Evidence, r.Remedy), r.Commands...), "\n")}
}
