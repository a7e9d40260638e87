package hostile

import (
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// mostPods has pods and claims from the last to the first, so that names have to be remembered and lists sorted.
func mostPods() *setplanv1.PlanRequest {
	r := base()
	addClaimTemplates(r.Snapshot, 1)
	addPods(r.Snapshot, allPods, func(_ int, p *setplanv1.Pod) { p.Phase, p.Ready = setplanv1.PodPhase_POD_PHASE_PENDING, false })
	addClaims(r.Snapshot, allPods)
	for _, c := range r.Snapshot.Claims {
		c.OwnerSetIndex = 1
	}
	slices.Reverse(r.Snapshot.Pods)
	slices.Reverse(r.Snapshot.Claims)
	r.Snapshot.Set.ClaimRetention = &setplanv1.ClaimRetention{WhenDeleted: "Delete", WhenScaled: "Delete"}
	return r
}

func mostCondemned() *setplanv1.PlanRequest {
	r := mostPods()
	slices.Reverse(r.Snapshot.Pods)
	r.Snapshot.Set.Replicas = proto.Int32(0)
	return r
}

func mostOrphans() *setplanv1.PlanRequest {
	r := mostPods()
	r.Snapshot.Set.Name = strings.Repeat("w", 245)
	for i, p := range r.Snapshot.Pods {
		p.Name, p.OwnerSetIndex = r.Snapshot.Set.Name+"-"+strconv.Itoa(i*7919%allPods), 0
	}
	return r
}

func mostStrangers() *setplanv1.PlanRequest {
	r := mostPods()
	r.Snapshot.Tables.OwnerSets = append(r.Snapshot.Tables.OwnerSets, &setplanv1.OwnerSet{Owners: []*setplanv1.OwnerReference{
		{ApiVersion: "v1", Kind: strings.Repeat("K", allBytes), Name: "x", Uid: "o", Controller: true}}})
	for _, p := range r.Snapshot.Pods {
		p.OwnerSetIndex = 2
	}
	return r
}

func mostVolumes() *setplanv1.PlanRequest {
	r := base()
	shared := &setplanv1.VolumeSet{}
	for i := range allTemplates {
		shared.Volumes = append(shared.Volumes, "d"+strconv.Itoa(allTemplates-1-i))
	}
	r.Snapshot.Tables.VolumeSets = []*setplanv1.VolumeSet{{}, shared}
	addClaimTemplates(r.Snapshot, allTemplates)
	addPods(r.Snapshot, allPods, func(_ int, p *setplanv1.Pod) { p.VolumeSetIndex = 1 })
	return r
}

// mostBindings: each pod has bindings of its own.
func mostBindings() *setplanv1.PlanRequest {
	r := base()
	addClaimTemplates(r.Snapshot, 4)
	addPods(r.Snapshot, 90_000, func(i int, p *setplanv1.Pod) {
		for v := range 3 {
			p.OtherClaims = append(p.OtherClaims, &setplanv1.ClaimBinding{Volume: "d" + strconv.Itoa(v), Claim: "d-" + strconv.Itoa(i)})
		}
	})
	return r
}

func mostClaims() *setplanv1.PlanRequest {
	r := base()
	addClaimTemplates(r.Snapshot, allTemplates)
	for i := range allPods {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: "d99-web-" + strconv.Itoa(i), Uid: "c"})
	}
	addPods(r.Snapshot, allPods, func(_ int, p *setplanv1.Pod) { p.Phase = setplanv1.PodPhase_POD_PHASE_PENDING })
	return r
}

func mostOwnersPods() *setplanv1.PlanRequest {
	const lists = 4
	r := base()
	r.Snapshot.Tables.OwnerSets = []*setplanv1.OwnerSet{{}}
	for range lists {
		r.Snapshot.Tables.OwnerSets = append(r.Snapshot.Tables.OwnerSets, owners(allOwners))
	}
	addPods(r.Snapshot, allPods, func(i int, p *setplanv1.Pod) { p.OwnerSetIndex = uint32(i%lists + 1) })
	return r
}

func mostOwnersClaims() *setplanv1.PlanRequest {
	const lists = 3
	r := mostPods()
	for range lists {
		r.Snapshot.Tables.OwnerSets = append(r.Snapshot.Tables.OwnerSets, owners(allOwners))
	}
	for i, c := range r.Snapshot.Claims {
		c.OwnerSetIndex = uint32(i%lists + 2)
	}
	return r
}

func mostOwnersAnswers() *setplanv1.PlanRequest { return answered(allOwners) }

func mostDrains() *setplanv1.PlanRequest {
	r := drained()
	addClaimTemplates(r.Snapshot, 1)
	addClaims(r.Snapshot, allDrains)
	for i := range allDrains {
		r.Snapshot.Pods = append(r.Snapshot.Pods, &setplanv1.Pod{Name: setName + "-" + strconv.Itoa(i), Uid: "p",
			AnnotationSetIndex: addNotes(r.Snapshot, drainNotes("c"+strconv.Itoa(i))), Phase: setplanv1.PodPhase_POD_PHASE_SUCCEEDED})
	}
	slices.Reverse(r.Snapshot.Pods)
	return r
}

func mostDrainsWait() *setplanv1.PlanRequest {
	r := mostCondemned()
	r.Snapshot.Policy = drained().Snapshot.Policy
	for _, c := range r.Snapshot.Claims {
		c.OwnerSetIndex = 0
	}
	return r
}

func mostDrainsBegin() *setplanv1.PlanRequest {
	r := drained()
	addClaimTemplates(r.Snapshot, 1)
	addClaims(r.Snapshot, allPods)
	slices.Reverse(r.Snapshot.Claims)
	return r
}

func mostLeftovers() *setplanv1.PlanRequest {
	r := drained()
	r.Snapshot.Policy.Drain.Leftovers = nil
	addClaimTemplates(r.Snapshot, allTemplates)
	for i := range allTemplates {
		r.Snapshot.Claims = append(r.Snapshot.Claims, &setplanv1.Claim{Name: "d" + strconv.Itoa(i) + "-web-0", Uid: "c" + strconv.Itoa(i)})
	}
	return r
}

func mostNeighbours() *setplanv1.PlanRequest {
	r := drained()
	for i := range 390_000 {
		r.Snapshot.ClaimNeighbours = append(r.Snapshot.ClaimNeighbours, &setplanv1.ClaimNeighbour{Set: strconv.Itoa(i)})
	}
	return r
}

// mostTokens: the token of a drain pod is a hash of what its annotation names.
func mostTokens() *setplanv1.PlanRequest {
	r := drained()
	r.Snapshot.Policy.Drain.Proof = setplanv1.DrainProof_DRAIN_PROOF_TOKEN
	addClaimTemplates(r.Snapshot, 1)
	const n = 240
	addClaims(r.Snapshot, n)
	for i := range n {
		r.Snapshot.Pods = append(r.Snapshot.Pods, &setplanv1.Pod{Name: setName + "-" + strconv.Itoa(i), Uid: "p", TerminationMessages: []string{"no"},
			AnnotationSetIndex: addNotes(r.Snapshot, drainNotes(strings.Repeat("c", allNotes))), Phase: setplanv1.PodPhase_POD_PHASE_SUCCEEDED})
	}
	return r
}

// sharedNotes: drain pods that name the same claims, in as many bytes as an object may have of annotations.
func sharedNotes(proof setplanv1.DrainProof) *setplanv1.PlanRequest {
	r := drained()
	r.Snapshot.Policy.Drain.Proof = proof
	addClaimTemplates(r.Snapshot, 1)
	addClaims(r.Snapshot, allPods)
	index := addNotes(r.Snapshot, drainNotes(strings.Repeat("c,", allNotes/2)))
	for i := range allPods {
		r.Snapshot.Pods = append(r.Snapshot.Pods, &setplanv1.Pod{Name: setName + "-" + strconv.Itoa(i), Uid: "p", AnnotationSetIndex: index,
			TerminationMessages: []string{"no"}, Phase: setplanv1.PodPhase_POD_PHASE_SUCCEEDED})
	}
	return r
}

func sharedLists() *setplanv1.PlanRequest {
	return sharedNotes(setplanv1.DrainProof_DRAIN_PROOF_SUCCESS)
}
func sharedTokens() *setplanv1.PlanRequest {
	return sharedNotes(setplanv1.DrainProof_DRAIN_PROOF_TOKEN)
}

// sharedClaimNotes: numbers and times that are read for each claim, in texts as long as they may be.
func sharedClaimNotes() *setplanv1.PlanRequest {
	r := mostDrainsBegin()
	notes := r.Snapshot.Tables.AnnotationSets[1].Annotations
	notes[noteDrainAttempts] = strings.Repeat("0", allNotes/2)
	notes[noteDrainBegun] = "2026-05-04T12:00:00." + strings.Repeat("0", allNotes/2) + "Z"
	return r
}

// mostDoomed: every claim belongs to many pods.
func mostDoomed() *setplanv1.PlanRequest {
	const lists = 2
	r := mostPods()
	for list := range lists {
		shared := &setplanv1.OwnerSet{}
		for i := range allOwners {
			shared.Owners = append(shared.Owners, &setplanv1.OwnerReference{ApiVersion: "v1", Kind: "Pod", Name: "web-0",
				Uid: strconv.Itoa(list*allOwners + i)})
		}
		r.Snapshot.Tables.OwnerSets = append(r.Snapshot.Tables.OwnerSets, shared)
	}
	for i, p := range r.Snapshot.Pods {
		p.Uid = strconv.Itoa(i)
	}
	for i, c := range r.Snapshot.Claims {
		c.OwnerSetIndex = uint32(i%lists + 2)
	}
	r.Snapshot.Policy = drained().Snapshot.Policy
	return r
}
