package hostile

import (
	"flag"
	"fmt"
	"hash/fnv"
	"regexp"
	"runtime"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
	"github.com/setplan/setplan/test/need"
)

var only = flag.String("pairs", "", "double every pair whose seed and axes this `expression` matches, and not one in a hundred (. takes minutes)")

// Twice the request may take twice the turns and the memory, and a logarithm. What does not grow with the request, because
// the plan has bounds of its own, is added once: the most that a plan may say, read, made and written.
const (
	size         = 2000
	mostTimes    = 2.3
	fixedTurns   = 3_000_000
	fixedBytes   = 40 << 20
	pairsAtATime = 100
)

// cost is what a request takes: the turns of loops and calls, and the bytes that were allocated. Turns are 0 in a program that does not count
// them.
type cost struct{ turns, bytes float64 }

func costOf(t *testing.T, seed Seed, n int, axes ...Axis) cost {
	t.Helper()
	r := seed.Build()
	for _, axis := range axes {
		axis.Grow(r, n)
	}
	return costOfRequest(t, r)
}

func costOfRequest(t *testing.T, r *setplanv1.PlanRequest) cost {
	t.Helper()
	data := need.Value(proto.Marshal(r))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := turnsSoFar()
	plan(t, data)
	took := turnsSoFar() - began
	runtime.ReadMemStats(&after)
	return cost{float64(took), float64(after.TotalAlloc - before.TotalAlloc)}
}

func plan(t *testing.T, data []byte) {
	t.Helper()
	limits := codec.Limits{MaxPods: model.MaxReplicas, MaxClaims: codec.MaxClaims, MaxElements: codec.MaxElements}
	if codec.Check(data, limits) != nil {
		return // refused before it took anything
	}
	request := &setplanv1.PlanRequest{}
	need.NoError(t, codec.Read(data, request, limits))
	snapshot, err := codec.Decode(request, limits)
	if err != nil {
		return
	}
	response := codec.Encode(engine.Decide(snapshot), snapshot.Set.Namespace)
	need.Value(proto.Marshal(response))(t)
}

func checkDoubling(t *testing.T, seed Seed, axes ...Axis) {
	t.Helper()
	checkCosts(t, fmt.Sprintf("%s, %v", seed.Name, axes), costOf(t, seed, size, axes...), costOf(t, seed, 2*size, axes...), cost{fixedTurns, fixedBytes})
}

func checkCosts(t *testing.T, what string, one, two, fixed cost) {
	t.Helper()
	if two.turns > mostTimes*one.turns+fixed.turns {
		t.Errorf("%s: twice as much takes %.0f turns of loops and calls, and not %.0f", what, two.turns, one.turns)
	}
	if two.bytes > mostTimes*one.bytes+fixed.bytes {
		t.Errorf("%s: twice as much allocates %.0f bytes, and not %.0f", what, two.bytes, one.bytes)
	}
}

// TestDoublingDocuments doubles what is in the documents of a request with objects. No bounds of a plan come into it.
func TestDoublingDocuments(t *testing.T) {
	if !counted(t) {
		return
	}
	for _, d := range Documents() {
		one, two := costOfRequest(t, d.Request(size)), costOfRequest(t, d.Request(2*size))
		checkCosts(t, d.Name, one, two, cost{fixedTurns / 10, fixedBytes / 10})
		if most := 60 * float64(proto.Size(d.Request(2*size))); two.turns > most+fixedTurns/10 {
			t.Errorf("%s: %.0f turns, and not %.0f", d.Name, two.turns, most)
		}
	}
}

// TestDoubling doubles every axis of the contract alone, for every seed.
func TestDoubling(t *testing.T) {
	if !counted(t) {
		return
	}
	for _, seed := range Seeds() {
		for _, axis := range Axes() {
			checkDoubling(t, seed, axis)
		}
	}
}

// TestDoublingPairs doubles two axes together: one pair in a hundred, always the same, or those that -pairs asks for.
func TestDoublingPairs(t *testing.T) {
	if !counted(t, "-pairs", *only) {
		return
	}
	axes := Axes()
	pairs := 0
	for _, seed := range Seeds() {
		for i, a := range axes {
			for _, b := range axes[i+1:] {
				if !chosen(seed.Name + " " + a.String() + " " + b.String()) {
					continue
				}
				pairs++
				checkDoubling(t, seed, a, b)
			}
		}
	}
	if *only == "" && pairs < 200 {
		t.Errorf("only %d pairs", pairs)
	}
	t.Logf("%d pairs", pairs)
}

func chosen(pair string) bool {
	if *only != "" {
		return regexp.MustCompile(*only).MatchString(pair)
	}
	h := fnv.New32a()
	h.Write([]byte(pair))
	return h.Sum32()%pairsAtATime == 0
}
