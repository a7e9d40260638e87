package faults_test

import (
	"testing"

	"github.com/setplan/setplan/test/faults"
)

// TestLives is the fixed part of what make search WHAT=world does at length.
func TestLives(t *testing.T) {
	t.Parallel()
	total := faults.NewTally()
	seeds := []uint64{24, 14, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9} // in the first two pods are updated in place, and readiness depends on others
	if testing.Short() {
		seeds = seeds[:3]
	}
	for _, seed := range seeds {
		life := faults.Live(seed, faults.Bounds{Sets: 4, Steps: 320}, nil)
		if life.Problem != "" {
			t.Error(faults.Failure(life, nil))
		}
		total.Add(life.Tally)
	}
	if total.Calms < 6*len(seeds)/11 || total.Crashes < 3*len(seeds)/11 || total.Writes < 500*len(seeds)/11 || len(total.Faults) < 3 {
		t.Errorf("hardly anything happened: %+v", total)
	}
	if testing.Short() {
		return
	}
	for _, action := range []string{faults.DrainPods, faults.DrainRetries, faults.DrainedClaims, faults.Repairs} {
		if total.Actions[action] == 0 {
			t.Errorf("nothing did this: %s; only %v", action, total.Actions)
		}
	}
}

// TestMixedLife is a life in which all policies of day 2 meet, and sets add claim templates. It is short, since each of its commands may be a story.
func TestMixedLife(t *testing.T) {
	t.Parallel()
	life := faults.Live(40, faults.Bounds{Sets: 3, Steps: 60}, nil)
	if life.Problem != "" {
		t.Error(faults.Failure(life, nil))
	}
	if life.Tally.With["additions"] != 1 || life.Tally.Kinds["addition story"] == 0 {
		t.Errorf("nothing is added: %v", life.Tally.Kinds)
	}
}

// TestSameSeedSameLife: what a seed has found can be found again.
func TestSameSeedSameLife(t *testing.T) {
	bounds := faults.Bounds{Sets: 3, Steps: 60}
	first, second := faults.Live(7, bounds, nil), faults.Live(7, bounds, nil)
	if a, b := faults.Story(first.Steps, nil), faults.Story(second.Steps, nil); a != b {
		t.Errorf("two stories of one seed:\n%s\n\n%s", a, b)
	}
}

// TestShrink: a story of many commands is cut down to those that its problem needs, and still has it.
func TestShrink(t *testing.T) {
	t.Run("order", func(t *testing.T) { shrinks(t, plants["every set is Parallel"], 3) })             // a set, and one or two reconciles
	t.Run("drain", func(t *testing.T) { shrinks(t, plants["a failed drain pod has succeeded"], 10) }) // one that is scaled down
}

// shrinks wants at most so many commands left.
func shrinks(t *testing.T, plant plant, most int) {
	plan := plant.plan
	life := faults.Live(plant.seed, faults.Bounds{Sets: 3, Steps: 300}, plan)
	for seed := plant.seed + 1; seed < plant.seed+maxLives && !plant.explains(life.Problem); seed++ {
		life = faults.Live(seed, faults.Bounds{Sets: 3, Steps: 300}, plan)
	}
	if !plant.explains(life.Problem) {
		t.Fatalf("the planted bug is not found: %q", life.Problem)
	}
	short := faults.Shrink(life.Steps, life.Problem, plan)
	if problem := faults.Replay(short, plan); problem == "" {
		t.Error("the short story does not have the problem")
	}
	if len(short) > most {
		t.Errorf("%d commands are left of %d:\n%s", len(short), len(life.Steps), faults.Story(short, plan))
	}
	if problem := faults.Replay(short, nil); problem != "" {
		t.Errorf("without the bug: %s", problem)
	}
}
