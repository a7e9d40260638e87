package hostile

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What follows is as large as the limits let it be.

func mostValues() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":[[0]`+strings.Repeat(",[0]", 124_000)+`]`)
	addRevision(r.Snapshot, "web-1", " ")
	r.Snapshot.Policy = &setplanv1.Policy{Drain: &setplanv1.Drain{PodTemplate: r.Snapshot.Set.PodTemplate}}
	return r
}

func mostCollisions() *setplanv1.PlanRequest {
	r := collide()
	r.Snapshot.Revisions = r.Snapshot.Revisions[:9_999]
	return r
}

func mostClaims() *setplanv1.PlanRequest {
	r := base()
	addClaimTemplates(r.Snapshot, 5)
	addPods(r.Snapshot, 20_000, func(_ int, p *setplanv1.Pod) { p.Phase = setplanv1.PodPhase_POD_PHASE_PENDING })
	for i := range 100_000 {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Uid: "c", OwnerSet: 1, DrainSet: drainSet,
			Name: "d" + strconv.Itoa(i%5) + "-web-" + strconv.Itoa(i/5)})
	}
	r.Snapshot.Set.ClaimRetention = &setplanv1.ClaimRetention{WhenDeleted: "Delete", WhenScaled: "Delete"}
	return r
}

func mostElements() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Tables.OwnerSets[0] = owners(390_000)
	addPods(r.Snapshot, 1000, nil)
	return r
}

func mostBytes() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":"`+strings.Repeat("y", 3_000_000)+`"`)
	data := patch(r.Snapshot.Set.PodTemplate)
	for i := range 20 {
		other := append([]byte(nil), data...)
		other[len(other)-8] = byte('a' + i)
		r.Snapshot.Revisions = append(r.Snapshot.Revisions, &setplanv1.Revision{Name: "web-" + strconv.Itoa(i), Uid: "r", OwnerSet: 1,
			Number: int64(i), Labels: map[string]string{"app": "w"}, Data: other})
	}
	r.Snapshot.Set.Replicas = proto.Int32(1000)
	return r
}
