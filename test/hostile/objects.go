package hostile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func slots() *setplanv1.PlanRequest {
	r := base()
	addClaimTemplates(r.Snapshot, 12_000)
	r.Snapshot.Set.Replicas = proto.Int32(100_000)
	return r
}

func claimTemplates() *setplanv1.PlanRequest {
	r := base()
	addClaimTemplates(r.Snapshot, 40_000)
	return r
}

func claimsTemplates() *setplanv1.PlanRequest {
	r := base()
	addClaimTemplates(r.Snapshot, 12_000)
	for i := range 20_000 {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: "d11999-web-" + strconv.Itoa(i), Uid: "c"})
	}
	addPods(r.Snapshot, 20_000, func(_ int, p *setplanv1.Pod) { p.Phase = setplanv1.PodPhase_POD_PHASE_PENDING })
	return r
}

func volumes() *setplanv1.PlanRequest {
	r := mostVolumes()
	s := r.Snapshot
	s.Set.Annotations = map[string]string{"setplan.io/claim-templates": `{"d0":null}`}
	s.Tables.VolumeSets[1].Volumes = slices.Repeat([]string{"dxx"}, 200)
	s.Tables.RevisionNames = []string{""}
	for i, p := range s.Pods {
		s.Tables.RevisionNames = append(s.Tables.RevisionNames, "r"+strconv.Itoa(i))
		p.RevisionNameIndex = uint32(i + 1)
	}
	return r
}

func futile() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Policy = &setplanv1.Policy{Behavior: setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36}
	addClaimTemplates(r.Snapshot, 100)
	for i := range 4 * 100 {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: fmt.Sprintf("d%d-web-%d", i%100, i/100), Uid: "c"})
	}
	addPods(r.Snapshot, 4, nil)
	for i := range 8 {
		p := proto.CloneOf(r.Snapshot.Pods[0])
		p.Name = fmt.Sprintf("web-%d", 4+i)
		r.Snapshot.Pods = append(r.Snapshot.Pods, p)
	}
	return r
}

func ownersPods() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Tables.OwnerSets[1] = owners(20_000)
	addPods(r.Snapshot, 20_000, nil)
	return r
}

func ownersClaims() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Tables.OwnerSets = append(r.Snapshot.Tables.OwnerSets, owners(20_000))
	addClaimTemplates(r.Snapshot, 1)
	addPods(r.Snapshot, 20_000, nil)
	for i := range 20_000 {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: "d0-web-" + strconv.Itoa(i), Uid: "c", OwnerSetIndex: 2})
	}
	return r
}

func ownersAnswers() *setplanv1.PlanRequest { return answered(40_000) }

// answered makes every action repeat n owners.
func answered(n int) *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Set.ClaimRetention = &setplanv1.ClaimRetention{WhenDeleted: "Delete"}
	foreign := owners(n)
	foreign.Owners = foreign.Owners[:n]
	r.Snapshot.Tables.OwnerSets = append(r.Snapshot.Tables.OwnerSets, foreign)
	addClaimTemplates(r.Snapshot, 1)
	addPods(r.Snapshot, 1000, nil)
	for i := range 1000 {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: "d0-web-" + strconv.Itoa(i), Uid: "c", OwnerSetIndex: 2})
	}
	return r
}

func ownersRevisions() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Tables.OwnerSets = append(r.Snapshot.Tables.OwnerSets, owners(40_000))
	for i := range 10_000 {
		r.Snapshot.Revisions = append(r.Snapshot.Revisions, &setplanv1.Revision{Name: "web-" + strconv.Itoa(i), Uid: "r", OwnerSetIndex: 2,
			Labels: map[string]string{"app": "w"}})
	}
	return r
}

// selectorPods names an identity label, so that pods with the same labels may differ.
func selectorPods() *setplanv1.PlanRequest {
	r := base()
	for i := range 20_000 {
		r.Snapshot.Set.Selector.MatchExpressions = append(r.Snapshot.Set.Selector.MatchExpressions,
			&setplanv1.LabelRequirement{Key: "k" + strconv.Itoa(i), Operator: "DoesNotExist"})
	}
	r.Snapshot.Set.Selector.MatchExpressions = append(r.Snapshot.Set.Selector.MatchExpressions,
		&setplanv1.LabelRequirement{Key: "apps.kubernetes.io/pod-index", Operator: "Exists"})
	addPods(r.Snapshot, 20_000, nil)
	return r
}

func selectorValues() *setplanv1.PlanRequest {
	r := base()
	set, long := r.Snapshot.Set, strings.Repeat("w", 50)
	for i := range 990 { // of 1,000 that there may be, with 100 requirements
		if i%10 == 0 {
			set.Selector.MatchExpressions = append(set.Selector.MatchExpressions, &setplanv1.LabelRequirement{Key: "statefulset.kubernetes.io/pod-name", Operator: "NotIn"})
		}
		last := set.Selector.MatchExpressions[i/10]
		last.Values = append(last.Values, fmt.Sprintf("%s-x%04d", long, i))
	}
	set.Name = long
	addRevision(r.Snapshot, "r", "").Data = []byte(`{"setplan.io/claim-templates":{"x":1}}`) // so each pod is asked about twice
	addPods(r.Snapshot, allPods, func(i int, p *setplanv1.Pod) { p.Name = long + "-" + strconv.Itoa(i) })
	return r
}

func selectorRevisions() *setplanv1.PlanRequest {
	r := base()
	for i := range 20_000 {
		r.Snapshot.Set.Selector.MatchExpressions = append(r.Snapshot.Set.Selector.MatchExpressions,
			&setplanv1.LabelRequirement{Key: "k" + strconv.Itoa(i), Operator: "DoesNotExist"})
	}
	for i := range 10_000 {
		r.Snapshot.Revisions = append(r.Snapshot.Revisions, &setplanv1.Revision{Name: "web-" + strconv.Itoa(i), Uid: "r", OwnerSetIndex: 1,
			Labels: map[string]string{"app": "w"}})
	}
	return r
}

func labelSets() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Set.Selector.MatchLabels = manyLabels(5000)
	r.Snapshot.Set.PodTemplate = []byte(`{"metadata":{"labels":` + manyKeys(5000, `"v"`) + `},"spec":{"containers":[{"name":"c"}]}}`)
	r.Snapshot.Tables.LabelSets = []*setplanv1.LabelSet{{}, {Labels: manyLabels(5000)}, {Labels: manyLabels(5000)}}
	addPods(r.Snapshot, 20_000, func(i int, p *setplanv1.Pod) { p.LabelSetIndex = uint32(i%2 + 1) })
	return r
}

func history() *setplanv1.PlanRequest {
	r := base()
	for i := range 10_000 {
		name := "web-" + strconv.Itoa(i)
		r.Snapshot.Revisions = append(r.Snapshot.Revisions, &setplanv1.Revision{Name: name, Uid: "r", Number: int64(i), OwnerSetIndex: 1,
			Labels: map[string]string{"app": "w"}})
	}
	r.Snapshot.Tables.RevisionNames = []string{""}
	for i := range 20_000 {
		r.Snapshot.Tables.RevisionNames = append(r.Snapshot.Tables.RevisionNames, "x"+strconv.Itoa(i))
	}
	addPods(r.Snapshot, 20_000, func(i int, p *setplanv1.Pod) { p.RevisionNameIndex = uint32(i + 1) })
	return r
}

func longName() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Set.Replicas = proto.Int32(1000)
	addRevision(r.Snapshot, strings.Repeat("x", 2<<20), "")
	return r
}

func longKind() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Tables.OwnerSets = append(r.Snapshot.Tables.OwnerSets, &setplanv1.OwnerSet{Owners: []*setplanv1.OwnerReference{
		{ApiVersion: "v1", Kind: strings.Repeat("K", 50_000), Name: "x", Uid: "o", Controller: true}}})
	addPods(r.Snapshot, 20_000, func(_ int, p *setplanv1.Pod) { p.OwnerSetIndex = 2 })
	return r
}

func longClaim() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"` + strings.Repeat("d", 500_000) + `"}}`)}
	r.Snapshot.Set.Replicas = proto.Int32(1000)
	return r
}

func emptyRevisions() *setplanv1.PlanRequest {
	r := base()
	empty := &setplanv1.Revision{}
	r.Snapshot.Revisions = make([]*setplanv1.Revision, 16<<20)
	for i := range r.Snapshot.Revisions {
		r.Snapshot.Revisions[i] = empty
	}
	return r
}

func emptyOwners() *setplanv1.PlanRequest {
	r := base()
	r.Snapshot.Tables.OwnerSets[1] = owners(4 << 20)
	return r
}
