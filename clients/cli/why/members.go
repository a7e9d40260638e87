package why

import (
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/verify"
)

const revisionLabel = appsv1.ControllerRevisionHashLabelKey

// podThatStays says what holds a pod that is being deleted.
func (c *Case) podThatStays(r *Reason, name string) {
	pod := c.World.Pod(c.key(name))
	if pod == nil || pod.DeletionTimestamp == nil {
		return
	}
	r.saw("pod %s: %s", name, c.deletion(pod))
	c.disrupted(r, pod)
	if c.lostNode(r, pod) {
		return
	}
	if !c.stopping(pod) {
		c.finalizers(r, "pod", pod)
	}
	if r.Cause == "" && pod.Spec.NodeName != "" && c.now().After(pod.DeletionTimestamp.Time) {
		r.Cause = "Its grace period is over, and its node has not reported that it has stopped."
		c.sawEvents(r, "Pod", pod)
	}
}

// stopping reports whether a pod's containers have time left to stop in. What keeps it then is no finalizer.
func (c *Case) stopping(pod *corev1.Pod) bool {
	runs := func(s corev1.ContainerStatus) bool { return s.State.Running != nil }
	return !c.now().After(pod.DeletionTimestamp.Time) && slices.ContainsFunc(pod.Status.ContainerStatuses, runs)
}

// deletion says when a pod's deletion was asked for, and until when its containers may run. The API server writes the second, and how long that is. What was asked for is not to come, whatever that server's clock says.
func (c *Case) deletion(pod *corev1.Pod) string {
	until := pod.DeletionTimestamp.Time
	if pod.DeletionGracePeriodSeconds == nil {
		return "to be deleted by " + at(until)
	}
	grace := time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second
	if until.Add(-grace).After(c.now()) {
		return fmt.Sprintf("being deleted, grace period %s, until %s by the API server's clock", grace, at(until))
	}
	return fmt.Sprintf("deleted at %s, grace period %s, until %s", at(until.Add(-grace)), grace, at(until))
}

// stranger says whose pod has the name of one of ours.
func (c *Case) stranger(r *Reason, name string) {
	pod := c.World.Pod(c.key(name))
	if pod == nil {
		return
	}
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner != nil {
		r.Cause = fmt.Sprintf("%s %s of %s with uid %s controls the pod.", owner.Kind, owner.Name, owner.APIVersion, owner.UID)
	} else {
		r.Cause = "The pod has no controller, and the set may not adopt it."
	}
	r.saw("pod %s: uid %s, created at %s, labels %s", name, pod.UID, at(pod.CreationTimestamp.Time), metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: pod.Labels}))
	if owner == nil || !c.namesake(owner) {
		c.deleteIt(r, name)
	}
}

// namesake reports whether an owner is an object of the set's name and of another kind. It would make a pod anew that is deleted.
func (c *Case) namesake(owner *metav1.OwnerReference) bool {
	kind := c.World.Kind
	return owner.Name == c.Key.Name && (owner.Kind != kind.Kind || owner.APIVersion != kind.APIVersion())
}

// deleteIt is the command for the planner's remedy.
func (c *Case) deleteIt(r *Reason, name string) {
	r.Commands = []string{c.kubectl("delete pod %s", name)}
}

// deleteMember is deleteIt for a pod of the set. While another one is not ready, the deletion would take the next one.
func (c *Case) deleteMember(r *Reason, name string) {
	down := slices.ContainsFunc(c.wanted(), func(other string) bool {
		pod := c.World.Pod(c.key(other))
		return other != name && (pod == nil || pod.DeletionTimestamp != nil || !isReady(pod))
	})
	if !down {
		c.deleteIt(r, name)
		return
	}
	r.helps("Wait until every other pod is ready. " + strings.TrimSuffix(strings.TrimSuffix(r.Remedy, ":"), ".") + ".")
}

// partition is the command for the planner's remedy.
func (c *Case) partition(r *Reason, _ string) {
	r.Commands = []string{c.setPartition(0)}
}

func (c *Case) setPartition(to int32) string {
	return c.kubectl("patch %s %s --type=merge -p %s", c.sets(), c.Key.Name, fmt.Sprintf(`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, to))
}

// deletedSet says what holds a set that is being deleted.
func (c *Case) deletedSet(r *Reason, _ string) {
	if set := c.World.Set(c.Key); set != nil {
		r.saw("set %s: finalizers %s", c.Key.Name, strings.Join(set.GetFinalizers(), ", "))
	}
}

// updateRevision is the revision that new pods are made from: the one that the plan writes into the status, or the one that is
// there.
func (c *Case) updateRevision() string {
	for action := range actions(c.Plan) {
		if status := action.GetUpdateStatus().GetStatus(); status.GetUpdateRevision() != "" {
			return status.GetUpdateRevision()
		}
	}
	return c.Snapshot.GetSet().GetStatus().GetUpdateRevision()
}

// currentRevision is the revision of pods that a rollout has not reached, from the same places.
func (c *Case) currentRevision() string {
	for action := range actions(c.Plan) {
		if status := action.GetUpdateStatus().GetStatus(); status.GetCurrentRevision() != "" {
			return status.GetCurrentRevision()
		}
	}
	return c.Snapshot.GetSet().GetStatus().GetCurrentRevision()
}

// waitingFor names the ordinals that OrderedReady does not create before the subject is in the desired state.
func (c *Case) waitingFor(subject string) []string {
	set := c.Snapshot.GetSet()
	if set.GetPodManagementPolicy() == string(appsv1.ParallelPodManagement) {
		return nil
	}
	exists := map[string]bool{subject: true}
	for _, pod := range c.Snapshot.GetPods() {
		exists[pod.GetName()] = true
	}
	return slices.DeleteFunc(c.wanted(), func(name string) bool { return exists[name] })
}

// wanted lists the names of the pods that the set shall have.
func (c *Case) wanted() (names []string) {
	for _, span := range verify.Against(c.Snapshot).Range() {
		for ordinal := span.From; ordinal <= span.To; ordinal++ {
			names = append(names, fmt.Sprintf("%s-%d", c.Snapshot.GetSet().GetName(), ordinal))
		}
	}
	return names
}

func isReady(pod *corev1.Pod) bool {
	ready := podCondition(pod, corev1.PodReady)
	return ready != nil && ready.Status == corev1.ConditionTrue
}
