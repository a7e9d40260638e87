package setstatus

import (
	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// Requeue asks for another look when the next pod becomes available, which no watch event announces. Where the time of
// readiness is not known, after minReadySeconds (syncStatefulSet upstream).
func Requeue(v *claims.Claims, st *model.Status, out *state.Draft) {
	if v.MinReady <= 0 || st.ReadyReplicas == st.AvailableReplicas {
		return
	}
	soonest := v.MinReady
	first, waits := true, false
	for _, m := range v.Members {
		at, known := v.AvailableAt(m.Pod)
		if !m.Pod.Ready || known && !at.After(v.Now) {
			continue // no matter of time
		}
		waits = true
		if wait := at.Sub(v.Now); known && (first || wait < soonest) {
			soonest, first = wait, false
		}
	}
	if waits {
		out.LookAgainIn(soonest)
	}
}
