package explore

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// Bounds say how far a search goes.
type Bounds struct {
	Ordinals       int   // replicas and partition are 0 to this
	Edits          uint8 // of the spec, per path
	Faults         uint8 // per path
	Lag            uint8 // writes of others between a view and the last write of its plan
	Adapters       int   // plans in flight at once: 1 or 2
	RetentionEdits bool  // the retention policy may be edited, too
	OrdinalEdits   bool  // ordinals may be reserved, and the set paused, too
}

// Config is one search: what no edit changes, and the bounds.
type Config struct {
	Parallel                bool
	MaxUnavailable          int32
	WhenScaled, WhenDeleted bool // true is Delete
	HistoryLimit            int32
	Repair                  model.Repair // unspecified is NeverReady
	Drain                   *Drain       // nil: the set never gets a drain policy
	Guarded                 bool         // only pods of reserved ordinals may leave
	Budgets                 bool         // disruption budgets are respected
	InPlace                 string       // the policy; template B is A with another label
	Inside                  inner        // instead B is A with another image, or other resources
	Removes                 bool         // template B is A without its claim
	Adds                    bool         // template B is A with a claim, and the others have none
	Grows                   bool         // claims follow what the set asks for
	Gated                   bool         // somebody agrees before each update, and after it
	Moments                 bool         // it takes time until a pod that is not ready is shown to be broken
	Quorum                  bool         // a pod is ready only while a majority runs
	Ranked                  bool         // the leader is updated last
	ScaleUpLimit            int          // pods of a Parallel set that may start at once; 0: no limit
	Bounds                  Bounds
	// Decide is the engine; tests plant bugs in it.
	Decide func(*model.Snapshot) *model.Plan

	deaf string // an invariant that is not checked, so that tests show that another one finds a bug, too
}

func (config *Config) String() string {
	policy := "OrderedReady"
	if config.Parallel {
		policy = "Parallel"
	}
	word := map[bool]string{false: "Retain", true: "Delete"}
	repair := map[model.Repair]string{model.RepairUnspecified: "NeverReady", model.RepairUnready: "Unready"}[config.Repair]
	b := config.Bounds
	return fmt.Sprintf("%-12s maxUnavailable %d, whenScaled %s, whenDeleted %s, repair %s%s%s; 0..%d replicas, edits %d, faults %d, lag %d, adapters %d",
		policy, config.MaxUnavailable, word[config.WhenScaled], word[config.WhenDeleted], repair, config.Drain, config.asked(), b.Ordinals, b.Edits,
		b.Faults, b.Lag, b.Adapters)
}

// Configs are both management policies, maxUnavailable 1 and 2, and every retention policy under the same bounds. One retention policy
// comes with a history limit of 0, so that revisions are deleted, too, and another with the repair of pods that were ready.
func Configs(bounds Bounds) []Config {
	var configs []Config
	for _, parallel := range []bool{false, true} {
		for _, maxUnavailable := range []int32{1, 2} {
			for retention := range 4 {
				c := Config{Parallel: parallel, MaxUnavailable: maxUnavailable, WhenScaled: retention&1 > 0,
					WhenDeleted: retention&2 > 0, HistoryLimit: 10, Bounds: bounds, Decide: engine.Decide}
				switch retention {
				case 1:
					c.Repair = model.RepairUnready
				case 3:
					c.HistoryLimit = 0
				}
				configs = append(configs, c)
			}
		}
	}
	return configs
}

// DrainConfigs are both management policies with each choice of the drain policy, and the two retention policies that could delete data
// during a drain.
func DrainConfigs(bounds Bounds) []Config {
	var configs []Config
	for _, parallel := range []bool{false, true} {
		for i, drain := range []Drain{{}, {Cancel: true}, {OnDelete: true}, {OnDelete: true, Leftovers: true}} {
			configs = append(configs, Config{Parallel: parallel, MaxUnavailable: 1, WhenScaled: i == 0, WhenDeleted: i > 1,
				HistoryLimit: 10, Drain: &drain, Bounds: bounds, Decide: engine.Decide})
		}
	}
	return configs
}

// OrdinalConfigs are both management policies, with and without the guard, and the two retention policies that tell ordinals in the range
// from others. Ordinals are reserved and freed, and the set is paused.
func OrdinalConfigs(bounds Bounds) []Config {
	bounds.OrdinalEdits = true
	var configs []Config
	for _, parallel := range []bool{false, true} {
		for _, guarded := range []bool{false, true} {
			configs = append(configs, Config{Parallel: parallel, MaxUnavailable: 1, WhenScaled: !guarded, WhenDeleted: guarded, Guarded: guarded,
				HistoryLimit: 10, Bounds: bounds, Decide: engine.Decide})
		}
	}
	return configs
}

// DayTwoConfigs are those of every policy about pods and claims that are there.
func DayTwoConfigs(bounds Bounds) []Config {
	return slices.Concat(BudgetConfigs(bounds), InPlaceConfigs(bounds), ImageConfigs(bounds), ResourceConfigs(bounds), RemovalConfigs(bounds), AdditionConfigs(bounds), GrowthConfigs(bounds), GateConfigs(bounds),
		RankConfigs(bounds), PairConfigs(bounds), MomentConfigs(bounds))
}

// suite is a set of searches that go far in one direction. A search that goes far in all of them would not end.
type suite struct {
	bounds Bounds
	keep   func(*Config) bool // nil: everything
}

func ordered(c *Config) bool { return !c.Parallel }

// wideParallel leaves out Parallel sets with maxUnavailable 1, which other suites have: except for updates their states are those with
// maxUnavailable 2.
func wideParallel(c *Config) bool { return !c.Parallel || c.MaxUnavailable > 1 }

// Suites are the searches of "make search WHAT=explore", and with deep those of "make search WHAT=explore-deep". Where Parallel sets are left out, they have ten
// to twenty times the states of OrderedReady ones, because everything happens side by side.
func Suites(deep bool) [][]Config {
	plain := []suite{
		{Bounds{Ordinals: 3, Edits: 1, Faults: 1, Lag: 1, Adapters: 1}, wideParallel},                    // every state of three replicas
		{Bounds{Ordinals: 2, Edits: 1, Faults: 1, Lag: 2, Adapters: 2}, wideParallel},                    // two adapters, older views
		{Bounds{Ordinals: 2, Edits: 2, Faults: 1, Lag: 1, Adapters: 1, RetentionEdits: true}, oneOfEach}, // edits upon edits
	}
	drains := []suite{
		{Bounds{Ordinals: 2, Edits: 1, Faults: 1, Lag: 1, Adapters: 1}, nil},
		{Bounds{Ordinals: 2, Edits: 2, Faults: 0, Lag: 1, Adapters: 1}, nil}, // down and up again
		{Bounds{Ordinals: 2, Edits: 1, Faults: 0, Lag: 2, Adapters: 2}, nil},
		{Bounds{Ordinals: 3, Edits: 1, Faults: 0, Lag: 1, Adapters: 1}, ordered},
	}
	ordinals := []suite{
		{Bounds{Ordinals: 2, Edits: 1, Faults: 1, Lag: 1, Adapters: 1}, nil},
		{Bounds{Ordinals: 2, Edits: 2, Faults: 0, Lag: 1, Adapters: 1}, nil}, // a hole, and what comes after it
	}
	dayTwo := []suite{
		{Bounds{Ordinals: 2, Edits: 1, Faults: 1, Lag: 1, Adapters: 1}, nil},
		{Bounds{Ordinals: 2, Edits: 2, Faults: 0, Lag: 1, Adapters: 1}, nil}, // there and back
		{Bounds{Ordinals: 2, Edits: 1, Faults: 0, Lag: 2, Adapters: 2}, nil},
	}
	if deep {
		dayTwo = []suite{
			{Bounds{Ordinals: 2, Edits: 2, Faults: 1, Lag: 1, Adapters: 1}, func(c *Config) bool { return ordered(c) || c.Inside == noInside }},
			{Bounds{Ordinals: 3, Edits: 1, Faults: 1, Lag: 1, Adapters: 1}, ordered},
		}
		ordinals = []suite{{Bounds{Ordinals: 2, Edits: 2, Faults: 1, Lag: 1, Adapters: 1}, ordered}}
		plain = []suite{
			{Bounds{Ordinals: 3, Edits: 1, Faults: 1, Lag: 2, Adapters: 2}, ordered},
			{Bounds{Ordinals: 3, Edits: 2, Faults: 1, Lag: 1, Adapters: 1, RetentionEdits: true}, func(c *Config) bool { return ordered(c) && oneOfEach(c) }},
			{Bounds{Ordinals: 1, Edits: 2, Faults: 2, Lag: 2, Adapters: 2}, func(c *Config) bool { return c.MaxUnavailable == 1 }}, // one pod has no budget
			{Bounds{Ordinals: 4, Edits: 1, Faults: 0, Lag: 1, Adapters: 1}, nil},
		}
		drains = []suite{
			{Bounds{Ordinals: 2, Edits: 2, Faults: 1, Lag: 1, Adapters: 1}, nil},
			{Bounds{Ordinals: 2, Edits: 1, Faults: 1, Lag: 2, Adapters: 2}, func(c *Config) bool { return ordered(c) || !c.Drain.Leftovers }}, // fifty million states each
			{Bounds{Ordinals: 3, Edits: 1, Faults: 1, Lag: 1, Adapters: 1}, nil},
		}
	}
	var suites [][]Config
	for _, s := range plain {
		suites = append(suites, s.of(Configs(s.bounds)))
	}
	for _, s := range drains {
		suites = append(suites, s.of(DrainConfigs(s.bounds)))
	}
	for _, s := range ordinals {
		suites = append(suites, s.of(OrdinalConfigs(s.bounds)))
	}
	for _, s := range dayTwo {
		suites = append(suites, s.of(DayTwoConfigs(s.bounds)))
	}
	return suites
}

// oneOfEach begins with two of the four retention policies, where edits lead to the others.
func oneOfEach(c *Config) bool { return c.WhenScaled == c.WhenDeleted }

func (s *suite) of(configs []Config) []Config {
	return slices.DeleteFunc(configs, func(c Config) bool { return s.keep != nil && !s.keep(&c) })
}
