package sim

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// slowStart is how long a pod of a slow image takes to get ready after its containers have started.
const slowStart = 30 * time.Second

// Kubelet lets every pod take one step: a terminating pod goes, a pending one is bound to a node and runs, a running
// one becomes ready. One whose images have changed takes two more, and is then not ready; one whose resources have changed takes as many, and is as
// ready as before where no container starts again. A pod whose image is named
// "...:bad" never starts, one with "...:crash" runs and never gets ready, one with "...:slow" gets ready late, one with
// "...:completes" or "...:fails" runs and then ends so; one that completes hands back the token of a drain. It reports
// whether anything happened.
func (w *World) Kubelet() bool {
	before := w.version
	w.growVolumes()
	for _, name := range w.state.Names(KindPod) {
		if !w.held[name] {
			w.step(w.state.Pod(name))
		}
	}
	return w.version != before
}

func (w *World) step(pod *corev1.Pod) {
	switch {
	case pod.DeletionTimestamp != nil:
		if len(pod.Finalizers) == 0 {
			w.commit("kubelet", "remove", pod, nil)
		}
	case HasEnded(pod):
	case pod.Status.Phase != corev1.PodRunning:
		if w.bindClaims(pod) {
			w.start(pod)
		}
	case w.unseen(pod), RunsOthers(pod), w.resizes(pod):
		w.restart(pod)
	case HasImage(pod, "completes"):
		mustSucceed(w.Complete(pod.Name))
	case HasImage(pod, "fails"):
		mustSucceed(w.End("kubelet", pod.Name, corev1.PodFailed, ""))
	case w.lacksPeers(pod):
		if IsReady(pod) {
			mustSucceed(w.SetReady("kubelet", pod.Name, false))
		}
	case !IsReady(pod) && !HasImage(pod, "crash") && !(HasImage(pod, "slow") && w.now.Before(StartedAt(pod).Add(slowStart))):
		mustSucceed(w.SetReady("kubelet", pod.Name, true))
	}
}

// lacksPeers reports whether a pod is one of a quorum of which no majority runs (Quorum). Running is enough: members become ready together.
func (w *World) lacksPeers(pod *corev1.Pod) bool {
	owner := metav1.GetControllerOf(pod)
	if owner == nil || !w.quorums[owner.Name] {
		return false
	}
	runs, all := 0, 0
	for _, name := range w.state.Names(KindPod) {
		peer := w.state.Pod(name)
		if of := metav1.GetControllerOf(peer); of == nil || of.UID != owner.UID {
			continue
		}
		if all++; peer.Status.Phase == corev1.PodRunning && peer.DeletionTimestamp == nil && !HasImage(peer, "crash") {
			runs++
		}
	}
	return 2*runs <= all
}

// Quorum says whether the pods of a set are ready only while a majority of them runs.
func (w *World) Quorum(set string, is bool) { w.quorums[set] = is }

// Blink makes every pod of a set unready at once, as members are that have lost their leader. They are ready again when their kubelets look.
func (w *World) Blink(set string) {
	for _, name := range w.state.Names(KindPod) {
		if owner := metav1.GetControllerOf(w.state.Pod(name)); owner != nil && owner.Name == set && IsReady(w.state.Pod(name)) {
			mustSucceed(w.SetReady("kubelet", name, false))
		}
	}
}

// start binds a pod to a node, and runs it if its image can be pulled. As a kubelet does, it says at once that the pod is
// not ready, and when it took the pod.
func (w *World) start(pod *corev1.Pod) {
	_, err := w.Update("kubelet", KindPod, pod.Name, Preconditions{}, func(o Object) {
		p := o.(*corev1.Pod)
		p.Spec.NodeName = "node-1"
		if p.Status.StartTime == nil {
			now := w.stamp()
			p.Status.StartTime = &now
			setReady(p, corev1.ConditionFalse, now)
		}
		w.run(p)
		p.Status.ObservedGeneration = w.observes(p)
		if !HasImage(p, "bad") {
			p.Status.Phase = corev1.PodRunning
		}
	})
	mustSucceed(err)
}

// bindClaims gives the claims of a pod their volumes; false if one is missing, lost or on its way out, as the
// scheduler then leaves the pod alone.
func (w *World) bindClaims(pod *corev1.Pod) bool {
	for _, name := range ClaimsOf(pod) {
		claim := w.state.Claim(name)
		if claim == nil || claim.DeletionTimestamp != nil || claim.Status.Phase == corev1.ClaimLost {
			return false
		}
	}
	for _, name := range ClaimsOf(pod) {
		_, err := w.Update("kubelet", KindClaim, name, Preconditions{}, func(o Object) {
			claim := o.(*corev1.PersistentVolumeClaim)
			if claim.Status.Phase != corev1.ClaimBound && len(claim.Spec.Resources.Requests) > 0 {
				claim.Status.Capacity = claim.Spec.Resources.Requests
			}
			claim.Status.Phase = corev1.ClaimBound
			mountVolume(claim)
		})
		mustSucceed(err)
	}
	return true
}

// SetReady sets the condition Ready of a pod. One that no kubelet has taken has none, and is not made unready; one that does
// not run is not made ready.
func (w *World) SetReady(actor, name string, ready bool) error {
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	_, err := w.Update(actor, KindPod, name, Preconditions{}, func(o Object) {
		if pod := o.(*corev1.Pod); ready && pod.Status.Phase == corev1.PodRunning || !ready && ReadyCondition(pod) != nil {
			setReady(pod, status, w.stamp())
		}
	})
	return err
}

// setReady writes the condition Ready; its time changes only where its status does. A kubelet that is heard again corrects what LoseNode has left.
func setReady(pod *corev1.Pod, status corev1.ConditionStatus, now metav1.Time) {
	pod.Status.Conditions = slices.DeleteFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.ContainersReady })
	condition := ReadyCondition(pod)
	if condition == nil {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady})
		condition = &pod.Status.Conditions[len(pod.Status.Conditions)-1]
	}
	if condition.Status != status {
		condition.Status, condition.LastTransitionTime = status, now
	}
}

// LoseNode is what the node controller does when a node does not answer: the pod is not ready, although its containers are, and stays until
// somebody puts the node right (Hold).
func (w *World) LoseNode(name string) error {
	w.Hold(name, true)
	_, err := w.Update("node-controller", KindPod, name, Preconditions{}, func(o Object) {
		if pod := o.(*corev1.Pod); IsReady(pod) {
			setReady(pod, corev1.ConditionFalse, w.stamp())
			pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.ContainersReady, Status: corev1.ConditionTrue})
		}
	})
	return err
}

// Unclear takes the conditions of a pod away, as an odd kubelet may never write them.
func (w *World) Unclear(name string) error {
	_, err := w.Update("kubelet", KindPod, name, Preconditions{}, func(o Object) { o.(*corev1.Pod).Status.Conditions = nil })
	return err
}

// End puts a pod into a phase in which it stays.
func (w *World) End(actor, name string, phase corev1.PodPhase, reason string) error {
	_, err := w.Update(actor, KindPod, name, Preconditions{}, func(o Object) { w.end(o.(*corev1.Pod), phase, reason) })
	return err
}

func (w *World) end(pod *corev1.Pod, phase corev1.PodPhase, reason string) {
	pod.Status.Phase, pod.Status.Reason = phase, reason
	for _, c := range longRunning(pod) {
		if status := StatusOf(pod, c.Name); status != nil && status.State.Terminated == nil {
			status.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}
		}
	}
	if condition := ReadyCondition(pod); condition != nil {
		condition.Status, condition.LastTransitionTime = corev1.ConditionFalse, w.stamp()
	}
}

// HasImage reports whether a container of a pod runs an image with a tag.
func HasImage(pod *corev1.Pod, tag string) bool {
	return slices.ContainsFunc(longRunning(pod), func(c *corev1.Container) bool { return hasTag(c, tag) })
}

// mustSucceed is for writes of the cluster itself, which a validation error would make a bug of this package.
func mustSucceed(err error) {
	if err != nil {
		panic("sim: " + err.Error())
	}
}
