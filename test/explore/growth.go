package explore

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// GrowthConfigs are both management policies of sets whose claims follow what the set asks for: 2 or 3 Gi, and 1 Gi by itself. They are not
// drained.
func GrowthConfigs(bounds Bounds) []Config {
	var configs []Config
	for _, parallel := range []bool{false, true} {
		configs = append(configs, Config{Parallel: parallel, MaxUnavailable: 1, WhenDeleted: parallel, Grows: true, HistoryLimit: 10, Bounds: bounds,
			Decide: engine.Decide})
	}
	return configs
}

// largest is the most that a set asks for, in Gi.
const largest = 3

// provider is what a provider says of a volume that is smaller than its claim asks for.
type provider uint8

const (
	waits provider = iota
	works
	fails
)

// volumeState is what a claim asks for and has, in Gi, and what an adapter has noted on it.
type volumeState struct {
	asks, has      uint8
	noted, changed bool // what was asked for, and that this changed a claim that was there
	provider       provider
}

// volumes are all that a claim can be like: nobody else asks for anything. A claim has a place in this list.
var volumes = func() []volumeState {
	all := []volumeState{{asks: 1, has: 1}, {asks: 1, has: 1, noted: true, changed: true}}
	for asks := uint8(2); asks <= largest; asks++ {
		all = append(all, volumeState{asks: asks, has: asks, noted: true}, volumeState{asks: asks, has: asks, noted: true, changed: true})
		for has := uint8(1); has < asks; has++ {
			for p := waits; p <= fails; p++ {
				all = append(all, volumeState{asks: asks, has: has, noted: true, changed: true, provider: p})
			}
		}
	}
	return all
}()

type volume uint8

const volumeBits = 4

func (v volume) state() volumeState { return volumes[v] }

func (s volumeState) volume() volume {
	at := slices.Index(volumes, s)
	if at < 0 {
		panic(fmt.Sprintf("explore: no claim is like %+v", s))
	}
	return volume(at)
}

// newVolume is that of a claim that is made, by a set that asks for so much or for nothing.
func newVolume(asks uint8) volume {
	return volumeState{asks: asks, has: asks, noted: asks > 1}.volume()
}

func (v volume) String() string {
	s := v.state()
	return fmt.Sprintf(", asks for %d and has %d%s", s.asks, s.has, [...]string{"", ", grows", ", does not grow"}[s.provider])
}

// shrinks reports whether a write lowers a request to what the volume has. The API server refuses it.
func (v volume) shrinks(asks uint8) bool { return asks < v.state().asks && asks <= v.state().has }

// asksTwice reports whether a write raises a request that is on its way and does not fail, or lowers one that its provider works at.
func (v volume) asksTwice(asks uint8) bool {
	s := v.state()
	return s.asks > s.has && (asks > s.asks && s.provider != fails || asks < s.asks && s.provider == works)
}

// patchClaim is another request.
func (c *cluster) patchClaim(w *write, same uint32) result {
	k := &c.claims[w.ordinal]
	switch {
	case !k.exists || w.uid && same&claimSame(w.ordinal) == 0 || w.version && same&claimKept(w.ordinal) == 0 || k.volume.shrinks(w.asks):
		return refused
	case k.volume.state().asks == w.asks:
		return futile
	}
	k.volume = volumeState{asks: w.asks, has: k.volume.state().has, noted: true, changed: true}.volume()
	return wrote(claimKept(w.ordinal))
}

// growthSteps: a provider begins, and is done or fails. One that has failed may succeed after all.
func (w *world) growthSteps(c *cluster, faults bool) {
	if !w.config.Grows {
		return
	}
	for i, k := range c.claims {
		s := k.volume.state()
		if !k.exists || s.asks == s.has {
			continue
		}
		step := func(name string, cost cost, to volumeState) {
			e := event{name: name, ordinal: i, cost: cost, after: *c, changed: claimKept(i)}
			e.after.claims[i].volume = to.volume()
			w.add(c, e)
		}
		working, failing, grown := s, s, s
		working.provider, failing.provider = works, fails
		grown.provider, grown.has = waits, s.asks
		switch s.provider {
		case waits:
			step("provider begins to grow claim", benign, working)
		case works:
			step("grows: claim", benign, grown)
			if faults {
				step("provider fails to grow claim", fault, failing)
			}
		case fails:
			step("grows after all: claim", repair, grown)
		}
	}
}

func (w *world) growthEdits(c *cluster) {
	for _, n := range []uint8{0, 2, largest} {
		if w.config.Grows && n != c.size {
			w.edit(c, "user asks for volumes of Gi", int(n), func(c *cluster) { c.size = n })
		}
	}
}

// anyFails reports whether a volume of the range does not grow. Then nothing else is asked for.
func (c *cluster) anyFails() bool {
	for i, k := range c.claims {
		if c.inRange(i) && k.exists && !k.going && k.volume.state().provider == fails {
			return true
		}
	}
	return false
}

// volumesAreAsked: where nothing moves any more, the claims of the range ask for what the set does, whatever the state of its pods.
func (c *cluster) volumesAreAsked() error {
	if c.deleting || c.anyFails() {
		return nil
	}
	for i, k := range c.claims {
		if s := k.volume.state(); c.size > 0 && c.inRange(i) && k.exists && !k.going && s.asks < c.size {
			return fmt.Errorf("claim %d asks for %d, and the set for %d", i, s.asks, c.size)
		}
	}
	return nil
}

// isLarger reports whether a block tells the truth about claims that do not grow, or would have to shrink.
func (s *search) isLarger(c *cluster, b *model.Block) bool {
	i := slices.Index(s.planner.scribe.claims[:], b.Name)
	switch b.Code {
	case model.BlockClaimChangeFailed, model.BlockClaimChangeWaits:
		return i >= 0 && c.anyFails()
	case model.BlockClaimShrinks:
		return i >= 0 && c.claims[i].volume.state().asks > c.size
	}
	return false
}
