package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/ordinals"
	"github.com/setplan/setplan/engine/policy"
)

// wantedOrdinals is the rule in its plainest form: the first n ordinals from the start that are not reserved.
func wantedOrdinals(start, n int, reserved func(int) bool) (all []int) {
	for ordinal := start; len(all) < n; ordinal++ {
		if !reserved(ordinal) {
			all = append(all, ordinal)
		}
	}
	return all
}

// reserving annotates the set with reserved ordinals.
func (w *world) reserving(text string) *world {
	w.Set.Annotations = map[string]string{policy.Reserved: text}
	return w
}

// textOf spells a mask of ordinals below 16 as an annotation: every third mask with ranges, every fifth as a JSON list.
func textOf(mask int) string {
	var items []string
	for o := 0; o < 16; o++ {
		if mask&(1<<o) == 0 {
			continue
		}
		last := o
		for mask%3 == 0 && mask&(1<<(last+1)) != 0 {
			last++
		}
		if last == o {
			items = append(items, fmt.Sprint(o))
		} else {
			items = append(items, fmt.Sprintf("%d-%d", o, last))
		}
		o = last
	}
	slices.Reverse(items)
	if mask%5 == 0 {
		for i, item := range items {
			if strings.Contains(item, "-") {
				items[i] = `"` + item + `"`
			}
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return strings.Join(items, ",")
}

// TestWantedOrdinals: for starts up to 3, up to 6 replicas and every subset of 0 to 8 reserved, each slot has the right ordinal, and each
// ordinal the right slot.
func TestWantedOrdinals(t *testing.T) {
	for start := range 4 {
		for n := range 7 {
			for mask := range 1 << 9 {
				reserved := func(o int) bool { return mask&(1<<o) != 0 && o < 9 }
				want := wantedOrdinals(start, n, reserved)
				o, err := ordinals.New(int32(start), textOf(mask))
				if err != nil {
					t.Fatalf("%q: %v", textOf(mask), err)
				}
				for slot, ordinal := range want {
					if at := o.At(slot); at != int64(ordinal) {
						t.Fatalf("start %d, %d replicas, reserved %q: slot %d is ordinal %d, want %d", start, n, textOf(mask), slot, at, ordinal)
					}
				}
				for ordinal := range 20 {
					slot := max(o.SlotOf(int32(ordinal)), -1)
					if at := slices.Index(wantedOrdinals(start, 25, reserved), ordinal); slot != at {
						t.Fatalf("start %d, reserved %q: ordinal %d has slot %d, want %d", start, textOf(mask), ordinal, slot, at)
					}
				}
			}
		}
	}
}

// TestVictims makes 100,000 random edits of healthy Parallel sets, 2,000 with -short: each deletes exactly the pods that are no longer wanted, and creates
// exactly those that were not wanted before.
func TestVictims(t *testing.T) {
	pairs := 100_000
	if testing.Short() {
		pairs = 2_000
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range pairs {
		before, after := randomMembers(random), randomMembers(random)
		w := newWorld(0)
		w.Set.PodManagementPolicy = "Parallel"
		for _, ordinal := range before.wanted() {
			w.pod(ordinal)
		}
		w.Set.OrdinalsStart, w.Set.Replicas = int32(after.start), int32(after.n)
		w.reserving(textOf(after.mask))
		var deleted, made []int
		for _, a := range allActions(Decide(&w.Snapshot)) {
			_, ordinal, _, _ := model.ParseMember(a.Name)
			switch a.Op.(type) {
			case model.DeletePod:
				deleted = append(deleted, int(ordinal))
			case model.CreatePod:
				made = append(made, int(ordinal))
			}
		}
		slices.Sort(deleted)
		if want := without(before.wanted(), after.wanted()); !slices.Equal(deleted, want) {
			t.Fatalf("%v to %v deletes %v, want %v", before, after, deleted, want)
		}
		if want := without(after.wanted(), before.wanted()); !slices.Equal(made, want) {
			t.Fatalf("%v to %v makes %v, want %v", before, after, made, want)
		}
	}
}

// members are the start, the number of replicas and the reserved ordinals of a set.
type members struct{ start, n, mask int }

func randomMembers(random *rand.Rand) members {
	return members{random.IntN(3), random.IntN(7), random.IntN(1<<9) & random.IntN(1<<9)}
}

func (m members) wanted() []int {
	return wantedOrdinals(m.start, m.n, func(o int) bool { return o < 9 && m.mask&(1<<o) != 0 })
}

func (m members) String() string {
	return fmt.Sprintf("%d from %d without %q", m.n, m.start, textOf(m.mask))
}

func without(all, others []int) (rest []int) {
	for _, o := range all {
		if !slices.Contains(others, o) {
			rest = append(rest, o)
		}
	}
	return rest
}

func allActions(plan *model.Plan) (all []model.Action) {
	for _, stage := range plan.Stages {
		for _, step := range stage.Steps {
			all = append(all, step.Actions...)
		}
	}
	return all
}

// TestPartitionCountsOrdinals: with every partition up to 7 and every subset of 0 to 6 reserved, a rolling update deletes the highest pod,
// or none if that one's ordinal is below start + partition.
func TestPartitionCountsOrdinals(t *testing.T) {
	for start := range 2 {
		for partition := range 8 {
			for mask := range 1 << 7 {
				m := members{start, 4, mask}
				w := newWorld(0)
				for _, ordinal := range m.wanted() {
					w.pod(ordinal)
				}
				w.Set.OrdinalsStart, w.Set.Replicas = int32(start), 4
				w.reserving(textOf(mask)).settled()
				w.edited()
				w.Set.RollingUpdate.Partition = int32(partition)
				goes := ""
				for _, ordinal := range m.wanted() {
					if ordinal >= start+partition {
						goes = fmt.Sprintf("web-%d", ordinal) // the highest comes last
					}
				}
				got := ""
				for _, a := range allActions(Decide(&w.Snapshot)) {
					if _, ok := a.Op.(model.DeletePod); ok {
						got += a.Name
					}
				}
				if got != goes {
					t.Fatalf("%v, partition %d: %q goes, want %q", m, partition, got, goes)
				}
			}
		}
	}
}

// TestReservedTexts: an invalid text is a block, and nothing is done.
func TestReservedTexts(t *testing.T) {
	for text, good := range map[string]bool{"": true, "1": true, " 1 , 3-5 ": true, "[1, \"3-5\"]": true, "[]": true, "[ ]": true, "3-3": true,
		"1,1,1-1": true, "0-2147483646": true, "01": true,
		"x": false, "-1": false, "+1": false, "1-": false, "5-3": false, "1,,2": false, ",": false, "[1": false, "1]": false, "\"1": false, "2147483648": false,
		"1;2": false, "1 2": false, "0x1": false, "{}": false} {
		w := newWorld(3).reserving(text)
		w.without("web-0")
		plan := Decide(&w.Snapshot)
		if good == strings.Contains(blocks(plan), "INVALID_POLICY") {
			t.Errorf("%q: %s", text, blocks(plan))
		}
		if !good && actions(plan) != "" {
			t.Errorf("%q: %s", text, actions(plan))
		}
	}
}

// TestReservedTwice: an ordinal that is listed more than once counts once.
func TestReservedTwice(t *testing.T) {
	w := newWorld(0).parallel().reserving("2,1,0-2,2,1-1,5-6,6-7")
	w.Set.Replicas = 3
	check(t, "three", "actions", actions(Decide(&w.Snapshot)), "create-pod web-3, create-pod web-4, create-pod web-8")
}

// TestHugeReservation: a range of reserved ordinals may be as long as there are ordinals.
func TestHugeReservation(t *testing.T) {
	w := newWorld(0).reserving("0-2147483646")
	w.Set.Replicas = 1
	check(t, "one left", "actions", actions(Decide(&w.Snapshot)), "create-pod web-2147483647")
	w.Set.Replicas = 2
	check(t, "one too few", "blocks", blocks(Decide(&w.Snapshot)), "INVALID_SPEC web")
	end, _ := ordinals.New(math.MaxInt32, "")
	if last := end.At(0); last != math.MaxInt32 {
		t.Errorf("the last ordinal is %d", last)
	}
}
