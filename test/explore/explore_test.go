package explore

import (
	"slices"
	"testing"
)

// TestSmall searches sets of up to two replicas to the end; with -short, every fourth of them.
func TestSmall(t *testing.T) {
	bounds := Bounds{Ordinals: 2, Edits: 1, Faults: 0, Lag: 1, Adapters: 1}
	for i, config := range slices.Concat(Configs(bounds), DrainConfigs(bounds), OrdinalConfigs(bounds), DayTwoConfigs(bounds)) {
		if testing.Short() && i%4 != 0 {
			continue
		}
		if v := Run(config).Violation; v != nil {
			t.Errorf("%s\n%s\n%v", &config, v, v.Trace)
		}
	}
}

// TestPackIsExact: a cluster survives being packed, for every cluster of a search.
func TestPackIsExact(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-long does it")
	}
	bounds := Bounds{Ordinals: 2, Edits: 1, Faults: 1, Lag: 1, Adapters: 1}
	calm := bounds
	calm.Faults = 0
	for _, config := range []Config{Configs(bounds)[7], DrainConfigs(bounds)[2], OrdinalConfigs(bounds)[0], BudgetConfigs(calm)[0],
		RemovalConfigs(calm)[0], AdditionConfigs(calm)[0], ImageConfigs(calm)[1], ResourceConfigs(bounds)[0], GrowthConfigs(calm)[0], GateConfigs(calm)[0], RankConfigs(calm)[0]} {
		s := newSearch(&config, &Tally{Checked: map[string]int64{}})
		s.run()
		for p := range s.planner.known {
			c := p.unpack()
			if got := c.pack(); got != p {
				t.Fatalf("%s is %x when packed, and was %x", describe(&c), got, p)
			}
		}
	}
}

// TestSizes: what a search does is the same every time, so its counts are.
func TestSizes(t *testing.T) {
	config := Configs(Bounds{Ordinals: 2, Edits: 1, Faults: 1, Lag: 1, Adapters: 1})[0]
	first, second := Run(config).Tally, Run(config).Tally
	if first.States != second.States || first.Transitions != second.Transitions || first.States < 10_000 {
		t.Errorf("%d states and %d transitions, then %d and %d", first.States, first.Transitions, second.States, second.Transitions)
	}
}

// TestRetentionEdits does the same with one pod, whose set may change how it keeps its claims: what an earlier policy has left to
// somebody must not go against the new one.
func TestRetentionEdits(t *testing.T) {
	for _, config := range Configs(Bounds{Ordinals: 1, Edits: 2, Faults: 0, Lag: 1, Adapters: 1, RetentionEdits: true}) {
		if v := Run(config).Violation; v != nil {
			t.Errorf("%s\n%s\n%v", &config, v, v.Trace)
		}
	}
}
