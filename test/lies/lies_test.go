package lies

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/adapters"
)

// clusters are lives that are over; one that a lie changed is lived anew.
type clusters map[uint64]*Cluster

// try has one set's plan lie to an adapter that makes plans again, and then to one that checks them, and returns what was found. The first byte
// chooses the life, the second the set.
func (all clusters) try(program []byte) (problems []string, lied, wrote bool) {
	if len(program) < 3 {
		return nil, false, false
	}
	life := uint64(program[0])
	c := all[life]
	if c == nil {
		c = NewCluster(life)
		all[life] = c
	}
	set := sets[int(program[1])%len(sets)]
	plan := c.Lie(set, program[2:])
	if plan == nil {
		return nil, false, false
	}
	lied = !proto.Equal(plan, c.plans[set])
	problems, wrote, err := c.Apply(set, plan, adapters.VerifyReplan)
	if refused := errors.Is(err, adapters.ErrPlanDiffers); refused != lied || refused && wrote {
		problems = append(problems, fmt.Sprintf("made again: a lie: %t, refused: %t, something written: %t", lied, refused, wrote))
	}
	if len(problems) == 0 && !wrote {
		problems, wrote, _ = c.Apply(set, plan, adapters.VerifyChecks)
	}
	if wrote {
		delete(all, life)
	}
	return problems, lied, wrote
}

// FuzzLies changes true plans: whatever they say, the judge finds nothing.
func FuzzLies(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for life := range 16 {
		seed := binary.LittleEndian.AppendUint64([]byte{byte(life), byte(life)}, random.Uint64())
		f.Add(binary.LittleEndian.AppendUint64(seed, random.Uint64()))
	}
	all := clusters{}
	f.Fuzz(func(t *testing.T, program []byte) {
		if problems, _, _ := all.try(program); len(problems) > 0 {
			t.Fatalf("%q", problems)
		}
	})
}

// More plans than a test that guards every change has time for: go test ./test/lies -run TestLies -args -lies.seed 7 -lies.tries 100000.
var (
	tries = flag.Int("lies.tries", 1200, "how many plans lie")
	seed  = flag.Uint64("lies.seed", 3, "which")
)

// TestLies is a fixed part of the same, and makes sure that plans are carried out at all.
func TestLies(t *testing.T) {
	random := rand.New(rand.NewPCG(*seed, 4))
	all, lies, wrote := clusters{}, 0, 0
	for range *tries {
		program := make([]byte, 3+random.IntN(30))
		for i := range program {
			program[i] = byte(random.Uint32())
		}
		program[0] %= 24
		problems, lied, changed := all.try(program)
		if len(problems) > 0 {
			t.Fatalf("program %v: %q", program, problems)
		}
		if lied {
			lies++
		}
		if changed {
			wrote++
		}
	}
	if wrote == 0 || lies == 0 {
		t.Error("no plan was carried out, so nothing was judged")
	}
	t.Logf("%d of %d plans lied: made again, none passed. %d wrote something", lies, *tries, wrote)
}
