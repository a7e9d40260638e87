package hostile

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/server/codec"
	"github.com/setplan/setplan/test/need"
)

// mostTurns is how many turns of loops and calls there may be between two looks at whether anybody still waits: some tens of
// milliseconds. "make measure WHAT=cost" prints the time.
const mostTurns = 10_000_000

// TestLooks counts the turns between two looks at Stop, for every hostile case, from the snapshot's bytes to the plan. It counts
// what is done.
func TestLooks(t *testing.T) {
	if !counted(t) {
		return
	}
	for _, c := range Cases() {
		checkLooks(t, c.Name, c.Build())
	}
}

// TestLooksDocuments does the same for requests with objects.
func TestLooksDocuments(t *testing.T) {
	if !counted(t) {
		return
	}
	for _, d := range Documents() {
		checkLooks(t, d.Name, d.Request(20_000))
	}
}

func checkLooks(t *testing.T, name string, r *setplanv1.PlanRequest) {
	t.Helper()
	data := need.Value(proto.Marshal(r))(t)
	var g gaps
	limits := codec.Limits{MaxPods: server.DefaultMaxPods, MaxClaims: codec.MaxClaims, MaxElements: codec.MaxElements, Stop: g.look}
	g.begin("check")
	if codec.Check(data, limits) != nil {
		return
	}
	g.begin("read")
	request := &setplanv1.PlanRequest{}
	need.NoError(t, codec.Read(data, request, limits))
	g.begin("decode")
	snapshot, err := codec.Decode(request, limits)
	g.end()
	if err == nil {
		g.begin("decide")
		plan := engine.DecideUntil(snapshot, g.look)
		g.begin("encode")
		need.Value(codec.EncodeWithin(plan, "default", limits))(t)
		g.end()
	}
	if g.longest > mostTurns {
		t.Errorf("%s: %d turns without a look, at look %d of %s", name, g.longest, g.at, g.in)
	}
}

// gaps finds the most turns between two looks.
type gaps struct {
	stage     string
	last      int
	looks     int
	longest   int
	in        string
	at        int
	recording bool
}

func (g *gaps) begin(stage string) {
	g.end()
	g.stage, g.looks, g.last, g.recording = stage, 0, turnsSoFar(), true
}

func (g *gaps) look() bool {
	g.looks++
	if gap := turnsSoFar() - g.last; gap > g.longest {
		g.longest, g.in, g.at = gap, g.stage, g.looks
	}
	g.last = turnsSoFar()
	return false
}

func (g *gaps) end() {
	if g.recording {
		g.look()
	}
}
