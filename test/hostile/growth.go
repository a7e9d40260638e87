package hostile

import (
	"fmt"
	"strconv"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// growing is a set with n claims of 1Gi, each bound, whose templates are patched.
func growing(n int, patch string) *setplanv1.PlanRequest {
	r := base()
	addClaimTemplates(r.Snapshot, 1)
	addPods(r.Snapshot, n, nil)
	r.Snapshot.Set.Annotations = map[string]string{"setplan.io/claim-templates": patch, "setplan.io/claim-update-limit": "2000000000"}
	r.Snapshot.Tables.ClaimStorages = []*setplanv1.ClaimStorage{{}, {Request: "1Gi", Capacity: "1Gi"}}
	for i := range n {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: "d0-web-" + strconv.Itoa(i), Uid: "c", ResourceVersion: "1",
			Phase: setplanv1.ClaimPhase_CLAIM_PHASE_BOUND, StorageIndex: 1})
	}
	return r
}

const twoGi = `{"d0":{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}}`

// growAll has one claim that has grown, so that all the others change at once.
func growAll() *setplanv1.PlanRequest {
	r := growing(90_000, twoGi)
	r.Snapshot.Tables.ClaimStorages = append(r.Snapshot.Tables.ClaimStorages, &setplanv1.ClaimStorage{Request: "2Gi", Capacity: "2Gi"})
	r.Snapshot.Tables.AnnotationSets = append(r.Snapshot.Tables.AnnotationSets, &setplanv1.AnnotationSet{},
		&setplanv1.AnnotationSet{Annotations: map[string]string{"setplan.io/claim-request": "2Gi", "setplan.io/claim-changed": "2026-03-01T12:00:00Z"}})
	r.Snapshot.Claims[0].StorageIndex, r.Snapshot.Claims[0].AnnotationSetIndex = 2, 1
	return r
}

// growLabels has a patch with as many labels as an annotation holds, for each of many claims.
func growLabels() *setplanv1.PlanRequest {
	var labels []string
	for i := range 17_000 {
		labels = append(labels, fmt.Sprintf(`"l%d":"v"`, i))
	}
	return growing(60_000, `{"d0":{"metadata":{"labels":{`+strings.Join(labels, ",")+`}}}}`)
}

// growConditions has claims that share a long list of conditions.
func growConditions() *setplanv1.PlanRequest {
	r := growing(40_000, twoGi)
	storage := &setplanv1.ClaimStorage{Request: "2Gi", Capacity: "1Gi"}
	for range 90_000 {
		storage.Conditions = append(storage.Conditions, &setplanv1.Condition{Type: "x"})
	}
	r.Snapshot.Tables.ClaimStorages[1] = storage
	return r
}
