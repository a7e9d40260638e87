package compare

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/clients/cli/world"
)

// Deletion is when a pod was deleted, and by whom.
type Deletion struct {
	At time.Time
	By string
}

// Who deletes pods. A disruption is followed by the reason of the pod's condition.
const (
	ByController = "the controller"
	ByDisruption = "a disruption"
	BySomebody   = "somebody"
	ByUnknown    = "an unknown client"
)

// successfulDelete is the reason of the event that the built-in controller, and those that are made of its code, write for each pod that
// they delete.
const successfulDelete = "SuccessfulDelete"

// eventSlack is how far the clocks of whoever writes an event and of the API server may be apart.
const eventSlack = 2 * time.Second

// Who finds out who deleted a pod: from the events of its set, and from what the pod said last. Events that could not be read are no
// evidence that there are none.
func Who(pod string, trace Trace, seen time.Time, events []corev1.Event, read bool) Deletion {
	d := Deletion{At: trace.at}
	if d.At.IsZero() {
		d.At = seen
	}
	switch {
	case deletes(events, pod, d.At, trace.made):
		d.By = ByController
	case trace.reason != "":
		d.By = ByDisruption + " (" + trace.reason + ")"
	case !read:
		d.By = ByUnknown
	default:
		d.By = BySomebody
	}
	return d
}

// deletes reports whether an event tells of a deletion of a pod of this name that was not before a time. An event from before it was made
// is about another pod.
func deletes(events []corev1.Event, pod string, at, made time.Time) bool {
	for i := range events {
		names, last := strings.Contains(" "+events[i].Message+" ", " "+pod+" "), world.LastSeen(&events[i])
		if events[i].Reason == successfulDelete && names && !last.Before(at.Add(-eventSlack)) && !last.Before(made) {
			return true
		}
	}
	return false
}
