package hostile

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What follows is as large as the limits let it be: 100,000 pods, as many claims, 350,000 elements of lists, 3 MiB of a
// template or of all claim templates, 100,000 values in a template, 64 MiB in all.
const (
	allPods      = 100_000
	allRevisions = 10_000
	allTemplates = 100 // of claims; the engine does nothing for a set with more
	allValues    = 99_000
	allOwners    = 62_900    // of one list
	allInSet     = 104_000   // conditions, or requirements of the selector
	allBytes     = 3_000_000 // of a document
	allNotes     = 256_000   // bytes of the annotations of one object
	allDrains    = 69_000    // each a pod, a claim, and two annotations in a set of the pod's own
)

func mostValues() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":[[0]`+strings.Repeat(",[0]", allValues/2)+`]`)
	addRevision(r.Snapshot, "web-1", " ")
	r.Snapshot.Policy = &setplanv1.Policy{Drain: &setplanv1.DrainPolicy{PodTemplate: r.Snapshot.Set.PodTemplate}}
	return r
}

func largeRevisions() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":[0`+strings.Repeat(",0", allValues)+`],"y":"`+strings.Repeat("y", 1<<16)+`"`)
	for i := range 240 {
		addRevision(r.Snapshot, "web-"+strconv.Itoa(i), "")
	}
	r.Snapshot.Set.PodTemplate = []byte(plainTemplate)
	return r
}

func mostKeys() *setplanv1.PlanRequest {
	r := base()
	more := manyKeys(allValues, "0")
	setTemplate(r.Snapshot, ","+more[1:len(more)-1])
	addRevision(r.Snapshot, "web-1", " ")
	r.Snapshot.Set.Replicas = proto.Int32(allPods)
	return r
}

func mostEscapes() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":"`+strings.Repeat(`\u00e9`, allBytes/6)+`"`)
	addRevision(r.Snapshot, "web-1", " ")
	r.Snapshot.Set.Replicas = proto.Int32(allPods)
	return r
}

// mostMatchLabels has more labels than a template can.
func mostMatchLabels() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Set.Selector.MatchLabels = manyLabels(290_000)
	addPods(r.Snapshot, allPods, nil)
	return r
}

func mostLabels() *setplanv1.PlanRequest {
	const n = allValues
	r := base()
	set := r.Snapshot.Set
	set.Selector.MatchLabels = manyLabels(n)
	set.PodTemplate = []byte(`{"metadata":{"labels":` + manyKeys(n, `"v"`) + `},"spec":{"containers":[{"name":"c"}]}}`)
	addClaimTemplates(r.Snapshot, 1000)
	return r
}

func mostTemplates() *setplanv1.PlanRequest {
	r := base()
	addClaimTemplates(r.Snapshot, allTemplates)
	r.Snapshot.Set.Replicas = proto.Int32(allPods)
	return r
}

func mostCollisions() *setplanv1.PlanRequest {
	r := collide()
	r.Snapshot.Revisions = r.Snapshot.Revisions[:allRevisions-1]
	return r
}

func mostBytes() *setplanv1.PlanRequest {
	r := base()
	setTemplate(r.Snapshot, `,"x":"`+strings.Repeat("y", allBytes)+`"`)
	data := patch(r.Snapshot.Set.PodTemplate)
	for i := range 20 {
		other := append([]byte(nil), data...)
		other[len(other)-8] = byte('a' + i)
		r.Snapshot.Revisions = append(r.Snapshot.Revisions, &setplanv1.Revision{Name: "web-" + strconv.Itoa(i), Uid: "r", OwnerSetIndex: 1,
			Number: int64(i), Labels: map[string]string{"app": "w"}, Data: other})
	}
	r.Snapshot.Set.Replicas = proto.Int32(1000)
	return r
}

func mostHistory() *setplanv1.PlanRequest {
	r := base()
	for i := range allRevisions {
		r.Snapshot.Revisions = append(r.Snapshot.Revisions, &setplanv1.Revision{Name: "web-" + strconv.Itoa(i), Uid: "r",
			Number: int64(allRevisions - i), OwnerSetIndex: 1, Labels: map[string]string{"app": "w"}})
	}
	r.Snapshot.Tables.RevisionNames = []string{""}
	for i := range allPods {
		r.Snapshot.Tables.RevisionNames = append(r.Snapshot.Tables.RevisionNames, "x"+strconv.Itoa(i))
	}
	addPods(r.Snapshot, allPods, func(i int, p *setplanv1.Pod) { p.RevisionNameIndex = uint32(i + 1) })
	return r
}

func mostRequirements() *setplanv1.PlanRequest {
	r := base()
	set := r.Snapshot.Set
	set.Selector.MatchExpressions = []*setplanv1.LabelRequirement{{Key: "apps.kubernetes.io/pod-index", Operator: "Exists"}}
	for i := range allInSet {
		set.Selector.MatchExpressions = append(set.Selector.MatchExpressions,
			&setplanv1.LabelRequirement{Key: "k" + strconv.Itoa(i), Operator: "DoesNotExist"})
	}
	addPods(r.Snapshot, allPods, nil)
	return r
}

func mostLabelSets() *setplanv1.PlanRequest {
	const n = 95_000
	r := base()
	r.Snapshot.Set.Selector.MatchLabels = manyLabels(n)
	r.Snapshot.Set.PodTemplate = []byte(`{"metadata":{"labels":` + manyKeys(n, `"v"`) + `},"spec":{"containers":[{"name":"c"}]}}`)
	r.Snapshot.Tables.LabelSets = []*setplanv1.LabelSet{{}, {Labels: manyLabels(n)}, {Labels: manyLabels(n)}}
	addPods(r.Snapshot, allPods, func(i int, p *setplanv1.Pod) { p.LabelSetIndex = uint32(i%2 + 1) })
	return r
}

func mostOutcomes() *setplanv1.PlanRequest {
	r := base()
	said := strings.Repeat("no. ", 1500)
	for i := range allRevisions {
		r.Snapshot.Outcomes = append(r.Snapshot.Outcomes, &setplanv1.Outcome{ActionId: "create-pod/web-" + strconv.Itoa(i), Message: said})
	}
	r.Snapshot.Set.Replicas = proto.Int32(allPods)
	return r
}

func mostFinalizers() *setplanv1.PlanRequest {
	r := mostPods()
	for range 190_000 {
		r.Snapshot.Set.Finalizers = append(r.Snapshot.Set.Finalizers, "another.io/drain")
	}
	r.Snapshot.Policy = drained().Snapshot.Policy
	return r
}

func mostConditions() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Set.Status = &setplanv1.StatefulSetStatus{}
	for i := range allInSet {
		r.Snapshot.Set.Status.Conditions = append(r.Snapshot.Set.Status.Conditions,
			&setplanv1.Condition{Type: "T" + strconv.Itoa(i), Status: "True"})
	}
	return r
}
