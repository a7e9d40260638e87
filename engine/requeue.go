package engine

import "github.com/setplan/setplan/engine/model"

// requeue asks for another look when the next pod becomes available, which no watch event announces. Where the time of
// readiness is not known, after minReadySeconds (syncStatefulSet upstream).
func requeue(v *view, st *model.Status, out *draft) {
	if v.minReady <= 0 || st.ReadyReplicas == st.AvailableReplicas {
		return
	}
	soonest := v.minReady
	first, waits := true, false
	for _, m := range v.members {
		waits = waits || m.pod.Ready && !v.available(m.pod)
		at, known := m.pod.AvailableAt(v.minReady)
		if !m.pod.Ready || !known || !at.After(v.now) {
			continue
		}
		if wait := at.Sub(v.now); first || wait < soonest {
			soonest, first = wait, false
		}
	}
	if waits { // else it is no matter of time: what a pod runs is not known yet
		out.lookAgainIn(soonest)
	}
}
