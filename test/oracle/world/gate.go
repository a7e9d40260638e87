package world

import (
	"sync"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"
)

var gate struct {
	sync.Mutex
	known, on bool
}

// SetGate turns the feature gate MaxUnavailableStatefulSet of this process on or off. Worlds of one setting only may be
// generated or run at the same time.
func SetGate(on bool) {
	gate.Lock()
	defer gate.Unlock()
	if gate.known && gate.on == on {
		return
	}
	err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{string(features.MaxUnavailableStatefulSet): on})
	if err != nil {
		panic(err) // the gate has left upstream: the oracle must be told
	}
	gate.known, gate.on = true, on
}
