package hostile

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/proto/yamljson"
)

const drainSet = setName + "/" + setUID

// Annotations of drain pods and claims.
const (
	noteDrainSet      = "setplan.io/drain-set"
	noteDrainClaims   = "setplan.io/drain-claims"
	noteDrainAttempts = "setplan.io/drain-attempts"
	noteDrainBegun    = "setplan.io/drain-begun"
)

// drained is a set with a policy that drains everything at once.
func drained() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Set.Replicas = proto.Int32(0)
	r.Snapshot.Policy = &setplanv1.Policy{Drain: &setplanv1.DrainPolicy{MaxParallel: proto.Int32(100_000), Leftovers: proto.Bool(true),
		PodTemplate: []byte(`{"metadata":{"labels":{"job":"drain"}},"spec":{"containers":[{"name":"c"}]}}`)}}
	return r
}

// marked are the annotations of a claim that the policy covers.
func marked() *setplanv1.AnnotationSet {
	return &setplanv1.AnnotationSet{Annotations: map[string]string{noteDrainSet: drainSet}}
}

// drainNotes are those of a drain pod that drains the claims with these uids.
func drainNotes(claims string) *setplanv1.AnnotationSet {
	return &setplanv1.AnnotationSet{Annotations: map[string]string{noteDrainSet: drainSet, noteDrainClaims: claims}}
}

// addNotes adds a set of annotations, and says which index it has.
func addNotes(s *setplanv1.Snapshot, notes *setplanv1.AnnotationSet) uint32 {
	if len(s.Tables.AnnotationSets) == 0 {
		s.Tables.AnnotationSets = []*setplanv1.AnnotationSet{{}}
	}
	s.Tables.AnnotationSets = append(s.Tables.AnnotationSets, notes)
	return uint32(len(s.Tables.AnnotationSets) - 1)
}

// addClaims adds the first claim template's claim for each of n ordinals.
func addClaims(s *setplanv1.Snapshot, n int) {
	index := addNotes(s, marked())
	for i := range n {
		s.Claims = append(s.Claims, &setplanv1.Claim{Name: "d0-web-" + strconv.Itoa(i), Uid: "c" + strconv.Itoa(i), AnnotationSetIndex: index})
	}
}

func drainPlaces() *setplanv1.PlanRequest {
	r := drained()
	r.Snapshot.Policy.Drain.MaxParallel = proto.Int32(1)
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
	begun := marked()
	begun.Annotations[noteDrainAttempts] = "1"
	index := addNotes(r.Snapshot, begun)
	var listed []string
	for i := range n {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: fmt.Sprintf("d%d-web-0", i), Uid: "c" + strconv.Itoa(i),
			AnnotationSetIndex: index})
		listed = append(listed, "c"+strconv.Itoa(n-1-i))
	}
	r.Snapshot.Pods = append(r.Snapshot.Pods, &setplanv1.Pod{Name: "web-0", Uid: "p", Phase: setplanv1.PodPhase_POD_PHASE_RUNNING,
		AnnotationSetIndex: addNotes(r.Snapshot, drainNotes(strings.Join(listed, ",")))})
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

// yamlTemplate is as much YAML as is read, in the form that takes the longest of those that are one document.
func yamlTemplate() *setplanv1.PlanRequest {
	r := drained()
	r.Snapshot.Policy = nil
	text := "spec:\n  containers: [{name: c}]\n  x: ["
	r.Snapshot.Set.Annotations = map[string]string{"setplan.io/drain-pod-template": text + strings.Repeat("a,", (yamljson.MaxTemplate-len(text)-1)/2) + "]"}
	return r
}
