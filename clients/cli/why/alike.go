package why

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// maxCauses bounds the reasons that one block becomes.
const maxCauses = 5

// reasons are those of a block. A block of a Parallel set stands for all pods in one state: each cause of theirs becomes a reason, which names the
// pods that have it.
func (c *Case) reasons(block *setplanv1.Block) []*Reason {
	const sharing, deadline = " The same applies to ", " Its containers are killed "
	first := c.reason(block)
	list, others := []*Reason{first}, c.alike(block)
	message, _, shared := strings.Cut(first.Message, sharing)
	if !shared || len(others) == 0 {
		return list
	}
	first.Message = message
	same, hidden := map[string][]string{}, 0
	keys := []string{c.causeOf(first, block.GetSubject().GetName())}
	for _, pod := range others {
		b := proto.CloneOf(block)
		b.Subject.Name, b.Since, b.NotBefore = pod.Name, timestamppb.New(beganAt(pod)), nil
		b.Message, _, _ = strings.Cut(message, deadline)
		b.Remedy = strings.ReplaceAll(b.GetRemedy(), " "+block.GetSubject().GetName()+"`", " "+pod.Name+"`")
		if phase := strings.ToLower(string(pod.Status.Phase)); b.GetCode() == setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY {
			b.Message = "The pod is " + phase + " and not ready."
		}
		r := c.reason(b)
		r.Waiting = nil // the first one names them
		key := c.causeOf(r, pod.Name)
		switch {
		case slices.Contains(keys, key):
			same[key] = append(same[key], pod.Name)
		case len(keys) < maxCauses:
			keys, list = append(keys, key), append(list, r)
		default:
			hidden++
		}
	}
	for i, key := range keys {
		if names := same[key]; len(names) > 0 {
			list[i].Message += sharing + few(names) + "."
		}
	}
	if hidden > 0 {
		first.Message += " The causes of " + show.Count(hidden, "more pod") + " are not shown."
	}
	return list
}

// causeOf is what tells the cause of one pod from that of another.
func (c *Case) causeOf(r *Reason, name string) string {
	phase := ""
	if pod := c.World.Pod(c.key(name)); pod != nil {
		phase = string(pod.Status.Phase)
	}
	return phase + "\n" + strings.ReplaceAll(r.Cause, name, "\n")
}

// alike lists the other pods of the set in the state that a block is about, by ordinal.
func (c *Case) alike(block *setplanv1.Block) (pods []*corev1.Pod) {
	leaving := block.GetCode() == setplanv1.BlockCode_BLOCK_CODE_POD_TERMINATING
	if !leaving && block.GetCode() != setplanv1.BlockCode_BLOCK_CODE_POD_NOT_READY {
		return nil
	}
	for _, member := range c.Snapshot.GetPods() {
		pod := c.World.Pod(c.key(member.GetName()))
		if pod == nil || pod.Name == block.GetSubject().GetName() || pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			continue
		}
		owner := metav1.GetControllerOfNoCopy(pod)
		if owner != nil && owner.UID == c.World.Set(c.Key).GetUID() && leaving == (pod.DeletionTimestamp != nil) && (leaving || pod.Status.Phase != corev1.PodRunning || !isReady(pod)) {
			pods = append(pods, pod)
		}
	}
	slices.SortFunc(pods, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return pods
}

// beganAt is since when a pod is not ready, or is being deleted.
func beganAt(pod *corev1.Pod) time.Time {
	ready := podCondition(pod, corev1.PodReady)
	switch {
	case pod.DeletionTimestamp != nil && pod.DeletionGracePeriodSeconds != nil:
		return pod.DeletionTimestamp.Add(-time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second)
	case pod.DeletionTimestamp != nil:
		return pod.DeletionTimestamp.Time
	case ready != nil:
		return ready.LastTransitionTime.Time
	}
	return pod.CreationTimestamp.Time
}
