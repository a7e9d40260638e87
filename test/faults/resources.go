package faults

import "github.com/setplan/setplan/test/sim"

// resourceKinds are what comes in such a life about resources.
var resourceKinds = []kind{
	{"resources", 4, func(t *teller) []Step { return steps("edit " + t.set() + t.resources()) }},
	{"autoscaler", 2, func(t *teller) []Step {
		return steps("pod " + t.existing(sim.KindPod, t.set()+"-0") + " resize requests.cpu=" + t.pick("1500m", "5"))
	}},
	{"resource story", 3, (*teller).resourceStory},
}

// resources are what a template may ask for.
func (t *teller) resources() string {
	return t.pick(" cpu=1", " cpu=2", " cpu=3", " cpu=3", " cpu=1000m", " cpu=none", " cpu=2 memoryLimit=1Gi", " memoryLimit=none", " cpu=2 image=v2", " resizePolicy=RestartContainer")
}

// resourceStory updates the resources of a set that is in order, and back, while nodes have no room, the adapter dies after a write or sees what was
// before, and an autoscaler writes to its pods.
func (t *teller) resourceStory() []Step {
	const kind = "resource story"
	set := t.set()
	if !t.putInOrder(kind, set) {
		return t.newSet(set)
	}
	t.say(kind, "edit "+set+" strategy=RollingUpdate cpu=1 replicas="+t.pick("2", "3")+" maxUnavailable="+t.pick("1", "2"))
	t.rounds(kind, set)
	t.say(kind, "annotate "+set+" "+inPlace+"="+t.pick("InPlaceIfPossible", "InPlaceOnly")+" setplan.io/resize-deferred="+t.pick("", "Wait", "Keep", "Recreate", "40s", "odd")+
		" setplan.io/resize-infeasible="+t.pick("", "Wait", "Keep", "Recreate", "40s"))
	for range 4 {
		pod := set + "-" + t.pick("0", "1", "2")
		t.say(kind, "pod "+pod+" room refuses="+t.pick("", "Deferred", "Infeasible", "Error"))
		t.say(kind, "edit "+set+t.resources())
		for range 3 + t.IntN(6) {
			t.say(kind, t.pick("reconcile "+set, "reconcile "+set, "crash after 1", "adapter rewind "+t.pick("1", "2", "4"), "fault any lost x1", "fault resize_pod quota x1"))
			t.say(kind, "reconcile "+set)
			t.say(kind, t.pick("kubelet", "kubelet", "kubelet x2", "thaw", "pod "+t.existing(sim.KindPod, set+"-0")+" resize requests.cpu=4", "clock +40s"))
		}
		t.say(kind, "thaw")
		t.say(kind, "pod "+pod+" room")
	}
	return nil
}
