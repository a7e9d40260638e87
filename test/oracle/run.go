package oracle

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/oracle/upstream"
	"github.com/setplan/setplan/test/oracle/world"
)

// Report is what a run found.
type Report struct {
	Worlds      int
	Faults      int // worlds that were run again with a request refused
	Writes      map[world.Op]int
	Allowed     map[*Allowance]int
	Divergences []Found
}

// Found is a divergence and its world, before shrinking.
type Found struct {
	Index int
	// Life is whether the difference occurred later in the world's life.
	Life bool
	*Divergence
}

// Options say what to run. Equal options give equal reports.
type Options struct {
	First, Count int   // the worlds of a seed are numbered
	Seed         int64 // of the whole run
	Workers      int
	// Faults runs each world with writes again, with one of its requests refused.
	Faults bool
	// Limit ends the run after this many divergences; 0: none.
	Limit int
	// Rules changes the rules of our side; nil: those that equal upstream.
	Rules func(*model.Rules)
	// Progress is called after each block of worlds.
	Progress func(Report)
}

// GCPercent is for programs and tests that run many worlds. Each world only leaves garbage, and with the default a quarter of
// the time goes into its collection. With this a run needs about 150 MB.
const GCPercent = 1600

// Run compares both sides on many worlds.
func Run(o Options) Report {
	total := Report{Writes: map[world.Op]int{}, Allowed: tally{}}
	inBlocks(&o, func(index int) Report { return runOne(&o, index) },
		func(_ int, r Report) { total.add(r) },
		func() bool {
			if o.enough(&total.Divergences) {
				return true
			}
			if o.Progress != nil {
				o.Progress(total)
			}
			return false
		})
	return total
}

// World is the world with an index.
func World(seed int64, index int) *world.World {
	world.SetGate(gateOf(index))
	return world.Generate(mix(seed, index), gateOf(index))
}

// mix spreads seeds and indexes over all seeds (splitmix64), so that neighbours have nothing in common.
func mix(seed int64, index int) int64 {
	z := uint64(seed)*0x9e3779b97f4a7c15 + uint64(index)*0xbf58476d1ce4e5b9 + 0x94d049bb133111eb
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int64(z ^ z>>31)
}

func runOne(o *Options, index int) Report {
	w := World(o.Seed, index)
	rules := Rules(w.Gate)
	if o.Rules != nil {
		o.Rules(&rules)
	}
	out := Report{Worlds: 1, Writes: map[world.Op]int{}, Allowed: tally{}}
	theirs := upstream.Pass(w)
	d, used := CheckAgainst(w, theirs, rules)
	out.note(index, d, used, theirs.Writes)
	if d != nil || !o.Faults {
		return out
	}
	if fault := drawFault(w, &theirs, mix(o.Seed+1, index)); fault != nil {
		refusing := *w // neither side changes a world
		refusing.Fault = fault
		out.Faults++
		theirs := upstream.Pass(&refusing)
		d, used := CheckAgainst(&refusing, theirs, rules)
		out.note(index, d, used, theirs.Writes)
	}
	return out
}

func (r *Report) note(index int, d *Divergence, used tally, writes []world.Write) {
	tally(r.Allowed).add(used)
	for _, write := range writes {
		r.Writes[write.Op]++
	}
	if d != nil {
		r.Divergences = append(r.Divergences, Found{Index: index, Divergence: d})
	}
}

func (r *Report) add(other Report) {
	r.Worlds += other.Worlds
	r.Faults += other.Faults
	for op, n := range other.Writes {
		r.Writes[op] += n
	}
	tally(r.Allowed).add(other.Allowed)
	r.Divergences = append(r.Divergences, other.Divergences...)
}
