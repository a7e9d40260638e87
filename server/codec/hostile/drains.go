package hostile

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const drainSet = setName + "/" + setUID

// drained is a set with a policy that drains everything at once.
func drained() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Set.Replicas = proto.Int32(0)
	r.Snapshot.Policy = &setplanv1.Policy{Drain: &setplanv1.Drain{MaxParallel: "100000", Leftovers: "true",
		PodTemplate: []byte(`{"metadata":{"labels":{"job":"drain"}},"spec":{"containers":[{"name":"c"}]}}`)}}
	return r
}

// addClaims adds the first claim template's claim for each of n ordinals.
func addClaims(s *setplanv1.Snapshot, n int) {
	for i := range n {
		s.Claims = append(s.Claims, &setplanv1.Claim{Name: "d0-web-" + strconv.Itoa(i), Uid: "c" + strconv.Itoa(i), DrainSet: drainSet})
	}
}

func drainPlaces() *setplanv1.PlanRequest {
	r := drained()
	r.Snapshot.Policy.Drain.MaxParallel = "1"
	addClaimTemplates(r.Snapshot, 12_000)
	addClaims(r.Snapshot, 20_000)
	return r
}

func drainMissing() *setplanv1.PlanRequest {
	r := drained()
	addClaimTemplates(r.Snapshot, 1000)
	addClaims(r.Snapshot, 1000)
	return r
}

func drainClaims() *setplanv1.PlanRequest {
	const n = 20_000
	r := drained()
	addClaimTemplates(r.Snapshot, n)
	pod := &setplanv1.Pod{Name: "web-0", Uid: "p", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING, DrainSet: drainSet}
	for i := range n {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: fmt.Sprintf("d%d-web-0", i), Uid: "c" + strconv.Itoa(i),
			DrainSet: drainSet, DrainAttempts: 1})
		pod.DrainClaims = append(pod.DrainClaims, "c"+strconv.Itoa(n-1-i))
	}
	r.Snapshot.Pods = append(r.Snapshot.Pods, pod)
	return r
}

func drainTemplate() *setplanv1.PlanRequest {
	r := drained()
	r.Snapshot.Policy.Drain.PodTemplate = []byte(`{"metadata":{"labels":{"job":"drain"}},"spec":{"containers":[{"name":"c"}],"x":"` +
		strings.Repeat("y", 500_000) + `"}}`)
	addClaimTemplates(r.Snapshot, 1)
	addClaims(r.Snapshot, 1000)
	return r
}
