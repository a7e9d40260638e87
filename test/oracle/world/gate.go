package world

import (
	"sync"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"
)

// Since137 reports which upstream this is: the module file that it is built with says so. Kubernetes 1.37 brought the gate of Recreate.
var _, Since137 = utilfeature.DefaultMutableFeatureGate.GetAll()[recreate]

const recreate = "StatefulSetRecreateStrategy"

// SetRecreate turns that gate on or off, where there is one. It is on but for tests of what happens without: no other strategy asks for it.
func SetRecreate(on bool) {
	if !Since137 {
		return
	}
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{recreate: on}); err != nil {
		panic(err)
	}
}

func init() { SetRecreate(true) }

var gate struct {
	sync.Mutex
	known, on bool
}

// SetGate turns this process's feature gate MaxUnavailableStatefulSet on or off. All worlds that are generated or run at the
// same time must have the same setting.
func SetGate(on bool) {
	gate.Lock()
	defer gate.Unlock()
	if gate.known && gate.on == on {
		return
	}
	err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{string(features.MaxUnavailableStatefulSet): on})
	if err != nil {
		panic(err) // upstream has removed the gate: the oracle must change
	}
	gate.known, gate.on = true, on
}
