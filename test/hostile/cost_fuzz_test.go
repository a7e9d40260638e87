package hostile

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/test/need"
)

var search = flag.Duration("search", 0, "look for the programs that cost most for so long, and keep the best in testdata")

// memoryPerByte is the memory that a request may take for each of its bytes, beyond what the plan's own bounds let it take once. An element of two
// bytes is some hundred bytes of memory, in the message, the snapshot and the plan.
const memoryPerByte = 150

// FuzzCost grows a request along a few axes at once and fails where the memory per byte is beyond the bound.
func FuzzCost(f *testing.F) {
	for seed := range Seeds() {
		f.Add([]byte{byte(seed), 10, 200, 20, 200, 30, 200})
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		seed, axes := grown(program)
		c, size := costOfProgram(t, program)
		if c.bytes > fixedBytes+memoryPerByte*size {
			t.Errorf("%s, %v: %.0f bytes of memory for %.0f bytes", seed.Name, axes, c.bytes, size)
		}
	})
}

// grown reads a program: a seed, and then an axis and how far it grows, four times at most.
func grown(program []byte) (seed Seed, axes []sized) {
	if len(program) == 0 {
		program = []byte{0}
	}
	seed = Seeds()[int(program[0])%len(Seeds())]
	all := Axes()
	for rest := program[1:]; len(rest) >= 2 && len(axes) < 4; rest = rest[2:] {
		axes = append(axes, sized{all[int(rest[0])%len(all)], 1 + int(rest[1])*int(rest[1])/4}) // up to 16,257
	}
	// A list before what is in its first element: the others are made like that, and would all have it.
	slices.SortStableFunc(axes, func(a, b sized) int { return len(a.way) - len(b.way) })
	return seed, axes
}

type sized struct {
	Axis
	n int
}

func (s sized) String() string { return fmt.Sprint(s.Axis, "=", s.n) }

func costOfProgram(t *testing.T, program []byte) (c cost, size float64) {
	seed, axes := grown(program)
	r := seed.Build()
	for _, a := range axes {
		a.Grow(r, a.n)
	}
	return costOfRequest(t, r), float64(proto.Size(r))
}

// TestSearch climbs from random programs to those that cost most; without -search for a moment only.
func TestSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, uint64(time.Duration(*search))))
	best := map[string][]byte{}
	score := map[string]float64{}
	rounds := 20
	for until := time.Now().Add(*search); rounds > 0 || time.Now().Before(until); rounds-- {
		program := mutated(random, best)
		c, size := costOfProgram(t, program)
		for name, got := range map[string]float64{"most-memory": (c.bytes - fixedBytes) / size} {
			if was, known := score[name]; !known || got > was {
				score[name], best[name] = got, program
			}
		}
	}
	if *search == 0 {
		return
	}
	for name, program := range best {
		seed, axes := grown(program)
		t.Logf("%s: %.1f per byte: %s, %v", name, score[name], seed.Name, axes)
		file := filepath.Join("testdata", "fuzz", "FuzzCost", name)
		need.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		text := "go test fuzz v1\n[]byte(" + strconv.Quote(string(program)) + ")\n"
		need.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
}

// mutated changes a byte or two of one of the best programs, or makes a new one.
func mutated(random *rand.Rand, best map[string][]byte) []byte {
	program := make([]byte, 9)
	for i := range program {
		program[i] = byte(random.Uint32())
	}
	if from := best["most-memory"]; from != nil && random.IntN(4) > 0 {
		changed := append([]byte(nil), from...)
		for range 1 + random.IntN(2) {
			i := random.IntN(len(changed))
			changed[i] = program[i]
		}
		return changed
	}
	return program
}
