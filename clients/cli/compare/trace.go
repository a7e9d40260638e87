package compare

import (
	"time"

	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Trace is what the versions of a pod say about its end. A snapshot may come too late for them.
type Trace struct {
	at     time.Time       // the deletion was asked for; zero: nobody has
	made   time.Time       // of a pod that is deleted
	reason string          // of the condition DisruptionTarget; empty without
	phase  corev1.PodPhase // in which it had ended before; empty if it had not
}

// With is the trace after another version of the pod; the zero Trace is that of a pod which does not end.
func (t Trace) With(pod *corev1.Pod) Trace {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.DisruptionTarget && condition.Status == corev1.ConditionTrue {
			t.reason = condition.Reason
		}
	}
	if pod.DeletionTimestamp == nil {
		if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			t.phase = pod.Status.Phase
		}
		return t
	}
	t.made = pod.CreationTimestamp.Time
	t.at = pod.DeletionTimestamp.Time // which is when it has to be gone
	if grace := pod.DeletionGracePeriodSeconds; grace != nil {
		t.at = t.at.Add(-time.Duration(*grace) * time.Second)
	}
	return t
}

// before is a pod as it was when it was deleted: in a snapshot before, it may not have ended yet.
func (t Trace) before(pod *setplanv1.Pod) *setplanv1.Pod {
	if t.phase == "" {
		return pod
	}
	pod = proto.CloneOf(pod)
	pod.Phase, pod.Ready = setplanv1.PodPhase_POD_PHASE_FAILED, false
	if t.phase == corev1.PodSucceeded {
		pod.Phase = setplanv1.PodPhase_POD_PHASE_SUCCEEDED
	}
	return pod
}
