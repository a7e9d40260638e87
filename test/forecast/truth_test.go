package forecast_test

import (
	"flag"
	"strings"
	"testing"
	"time"

	engineforecast "github.com/setplan/setplan/engine/forecast"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/forecast"
)

// make search WHAT=forecast asks for more lives, and for others.
var (
	lives = flag.Uint64("lives", 200, "how many random lives are forecast; a quarter with -short")
	seed  = flag.Uint64("seed", 1, "the first seed")
)

// trials is how many lives a test takes.
func trials() uint64 {
	if testing.Short() {
		return *lives / 4
	}
	return *lives
}

// TestForecastsComeTrue: what is forecast of a random edit is what happens then.
func TestForecastsComeTrue(t *testing.T) {
	t.Parallel()
	verdicts, all := map[string]int{}, forecast.Tally{}
	for n := range trials() {
		trial, err := forecast.Try(*seed+n, nil)
		switch {
		case err != nil:
			t.Errorf("seed %d: %v", *seed+n, err)
		case trial.Skipped:
		case !trial.True():
			t.Errorf("seed %d:\n%s", *seed+n, trial)
		}
		verdicts[trial.Verdict]++
		all.Add(trial.Tally)
	}
	t.Logf("%v, %+v", verdicts, all)
	few := int(trials() / 50)
	if verdicts["CONVERGED"] < 10*few || verdicts["BLOCKED_FOR_EVER"] < few || verdicts["SET_GONE"] < few || verdicts["UNDECIDED"] > 0 ||
		all.Writes < 100*few || all.Restarts < 25*few || all.Drains < few || all.ClaimsGone < 2*few || all.Unavailable < 10*few || all.ContainerRestarts < few {
		t.Error("hardly anything happened, or something without an end")
	}
}

// TestRealityIsNeverWorse: whatever hosts do, no more pods are unavailable at once than in the worst case, and the forecast is one of the cases.
func TestRealityIsNeverWorse(t *testing.T) {
	t.Parallel()
	tried, reached, worse := 0, 0, 0
	for n := range trials() {
		b, err := forecast.Exceed(*seed + n)
		if err != nil {
			t.Errorf("seed %d: %v", *seed+n, err)
		}
		if !b.Tried {
			continue
		}
		tried++
		if b.Happened > b.Worst || b.Told > b.Worst {
			t.Errorf("seed %d: the worst case is %d, the forecast %d, and what happened %d:\n%s", *seed+n, b.Worst, b.Told, b.Happened, strings.Join(b.Lines, "\n"))
		}
		if b.Worst > 0 && b.Happened == b.Worst {
			reached++
		}
		if b.Worst > b.Told {
			worse++
		}
	}
	t.Logf("%d tried, the worst case reached %d times, worse than the forecast %d times", tried, reached, worse)
	if few := int(trials() / 50); tried < 25*few || reached < 8*few {
		t.Error("hardly anything was tried")
	}
}

// TestLiesAreFound: a forecast of something else is told from a true one.
func TestLiesAreFound(t *testing.T) {
	t.Parallel()
	for reason, lie := range map[string]func(*model.Snapshot, *engineforecast.Hosts){
		"pods become ready later":   func(_ *model.Snapshot, h *engineforecast.Hosts) { h.ReadyAfter += time.Second },
		"pods go sooner":            func(_ *model.Snapshot, h *engineforecast.Hosts) { h.GoneAfter -= time.Second },
		"one more pod is wanted":    func(s *model.Snapshot, _ *engineforecast.Hosts) { s.Set.Replicas++ },
		"claims go with their pods": func(s *model.Snapshot, _ *engineforecast.Hosts) { s.Set.WhenScaled = "Delete" },
		"nothing is held back": func(s *model.Snapshot, _ *engineforecast.Hosts) {
			s.Set.RollingUpdate = &model.RollingUpdate{}
			s.Set.StrategyType = ""
		},
		"other rules": func(s *model.Snapshot, _ *engineforecast.Hosts) { s.Rules = model.Rules{} },
	} {
		found := false
		for n := uint64(1); n <= 60 && !found; n++ {
			trial, err := forecast.Try(n, lie)
			found = err == nil && !trial.Skipped && !trial.True()
		}
		if !found {
			t.Errorf("%s: 60 lies of 60 pass for true", reason)
		}
	}
}
