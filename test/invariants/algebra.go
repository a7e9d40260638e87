package invariants

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

// checkAlgebra plans the same request again in ways that must make no difference: through the wire, and shuffled.
func checkAlgebra(planner *sim.Planner, request *setplanv1.PlanRequest, response *setplanv1.PlanResponse) error {
	want, err := bytesOf(response)
	if err != nil {
		return err
	}
	wire, err := proto.Marshal(request)
	if err != nil {
		return fmt.Errorf("marshal: %w", err)
	}
	decoded := &setplanv1.PlanRequest{}
	if err := proto.Unmarshal(wire, decoded); err != nil {
		return fmt.Errorf("unmarshal: %w", err)
	}
	if err := samePlan(planner, "through the wire", decoded, want); err != nil {
		return err
	}
	if !proto.Equal(decoded, request) {
		return fmt.Errorf("planning has changed its input")
	}
	for seed := range uint64(2) {
		shuffle(decoded.GetSnapshot(), rand.New(rand.NewPCG(seed, 1)))
		if err := samePlan(planner, fmt.Sprintf("shuffled with seed %d", seed), decoded, want); err != nil {
			return err
		}
	}
	return nil
}

func bytesOf(message proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(message)
}

func samePlan(planner *sim.Planner, how string, request *setplanv1.PlanRequest, want []byte) error {
	got, _, err := planner.Answer(request)
	if err != nil {
		return fmt.Errorf("%s: %w", how, err)
	}
	gotBytes, err := bytesOf(got)
	if err != nil {
		return err
	}
	if !bytes.Equal(want, gotBytes) {
		wanted := &setplanv1.PlanResponse{}
		_ = proto.Unmarshal(want, wanted) // it was marshalled just now
		return fmt.Errorf("%s the plan differs:\n%s\ninstead of\n%s", how, got, wanted)
	}
	return nil
}

// shuffle changes the order of every list whose order is irrelevant, and of the tables with their indexes.
func shuffle(s *setplanv1.Snapshot, random *rand.Rand) {
	shuffleList(random, s.Pods)
	shuffleList(random, s.Claims)
	shuffleList(random, s.Revisions)
	shuffleList(random, s.Outcomes)

	labels := shuffleTable(random, s.GetTables().GetLabelSets())
	owners := shuffleTable(random, s.GetTables().GetOwnerSets())
	revisions := shuffleTable(random, s.GetTables().GetRevisionNames())
	volumes := shuffleTable(random, s.GetTables().GetVolumeSets())
	for _, pod := range s.Pods {
		pod.LabelSetIndex, pod.OwnerSetIndex = labels[pod.LabelSetIndex], owners[pod.OwnerSetIndex]
		pod.RevisionNameIndex, pod.VolumeSetIndex = revisions[pod.RevisionNameIndex], volumes[pod.VolumeSetIndex]
	}
	for _, claim := range s.Claims {
		claim.OwnerSetIndex = owners[claim.OwnerSetIndex]
	}
	for _, revision := range s.Revisions {
		revision.OwnerSetIndex = owners[revision.OwnerSetIndex]
	}
}

func shuffleList[T any](random *rand.Rand, list []T) {
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// shuffleTable shuffles a table except for its first entry, and returns the new index for each old one.
func shuffleTable[T any](random *rand.Rand, table []T) []uint32 {
	indices := make([]uint32, max(len(table), 1)) // 0 stays "none", also where there is no table
	if len(table) == 0 {
		return indices
	}
	before := append([]T(nil), table...)
	for to, from := range random.Perm(len(table) - 1) {
		table[to+1] = before[from+1]
		indices[from+1] = uint32(to + 1)
	}
	return indices
}
