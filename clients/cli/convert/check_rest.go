package convert

import (
	"cmp"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/rollout"
	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/engine/policy"
)

const (
	adapterName = kube.Manager
	sortable    = time.RFC3339
)

// restless: a rollout or a scaling that is under way would begin under one controller and end under another.
func restless(c *Case) []Finding {
	want, st := *c.spec.Replicas, c.status
	message := ""
	switch {
	case st.ObservedGeneration < c.Set.GetGeneration():
		message = "No controller has observed its spec since it was changed."
	case st.Replicas != want || st.ReadyReplicas != want:
		message = fmt.Sprintf("Wanted pods: %d; existing: %d; ready: %d.", want, st.Replicas, st.ReadyReplicas)
	case c.leaving() != "":
		message = fmt.Sprintf("Pod %s is being deleted.", c.leaving())
	case c.spec.UpdateStrategy.Type != appsv1.OnDeleteStatefulSetStrategyType:
		text, done, err := rollout.Status(c.Set)
		switch {
		case err != nil:
			message = err.Error()
		case !done:
			message = text[:len(text)-1]
		}
	}
	if message == "" {
		return nil
	}
	return []Finding{{Severity: Stop, Code: "NOT_AT_REST", Message: message, Remedy: "Wait until the set is at rest, then convert again."}}
}

// heldBack: the commands wait until the controller has removed references from claims, which a pause holds back.
func heldBack(c *Case) []Finding {
	mode := c.annotations()[policy.Pause]
	if c.retains() || !c.byUs() || mode == "" || mode == "Updates" {
		return nil
	}
	return []Finding{{Severity: Stop, Code: "PAUSED", Subject: mode, Message: "The claims refer to the set. The commands wait until the controller has removed these references, and the pause holds that back.",
		Remedy: "Resume the set for the move, or pause Updates only."}}
}

// leaving returns the name of a pod of the set that is being deleted, or "".
func (c *Case) leaving() string {
	for i := range c.Pods {
		if pod := &c.Pods[i]; metav1.IsControlledBy(pod, c.Set) && pod.DeletionTimestamp != nil {
			return pod.Name
		}
	}
	return ""
}

// settling is how long a garbage collector may take to see a new object. Usually it takes less than a second. An object that it has not
// seen is not orphaned but deleted.
const settling = time.Minute

func young(c *Case) []Finding {
	newest, what := time.Time{}, ""
	see := func(kind string, object metav1.Object) {
		if made := object.GetCreationTimestamp().Time; c.refers(object) && made.After(newest) {
			newest, what = made, kind+"/"+object.GetName()
		}
	}
	for i := range c.Pods {
		see("Pod", &c.Pods[i])
	}
	for i := range c.Claims {
		see("PersistentVolumeClaim", &c.Claims[i])
	}
	for i := range c.Revisions {
		see("ControllerRevision", &c.Revisions[i])
	}
	age := c.Now.Sub(newest)
	if what == "" || age >= settling {
		return nil
	}
	return []Finding{{Severity: Stop, Code: "TOO_YOUNG", Subject: what,
		Message: fmt.Sprintf("It was created %s ago. A garbage collector that has not seen it yet would delete it with the set.", duration.HumanDuration(max(0, age))),
		Remedy:  "Wait a minute, then convert again."}}
}

// halfway: a set may be at rest with pods at two revisions, as with a partition.
func halfway(c *Case) []Finding {
	if !c.betweenRevisions() {
		return nil
	}
	found := Finding{Severity: Note, Code: "TWO_REVISIONS", Subject: c.status.CurrentRevision,
		Message: fmt.Sprintf("Some pods are at %s and some at %s. The commands write the current revision into the new status.", c.status.CurrentRevision, c.status.UpdateRevision)}
	if c.To.Group == BuiltIn.Group {
		found.Severity = Act
		found.Message += " Until then, a lost pod comes back at " + c.status.UpdateRevision + "."
	}
	return []Finding{found}
}

func (c *Case) betweenRevisions() bool {
	return c.status.CurrentRevision != "" && c.status.CurrentRevision != c.status.UpdateRevision
}

func collided(c *Case) []Finding {
	if c.collisions() == 0 {
		return nil
	}
	return []Finding{{Severity: Note, Code: "COLLISIONS", Message: fmt.Sprintf("Names of its revisions have collided (%s), and the new set would choose other names. So the old set is deleted before the new one is created, and the commands write the count into the new status. In between nobody replaces a lost pod.", show.Count(int(c.collisions()), "time"))}}
}

func (c *Case) collisions() int32 { return *cmp.Or(c.status.CollisionCount, new(int32(0))) }

// foreignEncoding: see foundOnlyAsOrphan.
func foreignEncoding(c *Case) []Finding {
	if !c.foundOnlyAsOrphan() {
		return nil
	}
	return []Finding{{Severity: Note, Code: "OLD_ENCODING", Subject: "ControllerRevision/" + c.status.UpdateRevision,
		Message: "An older API server stored the revision in another form. The new set recognizes it only if it has no owner, so the old set is deleted before the new one is created. In between, nothing replaces a lost pod."}}
}
