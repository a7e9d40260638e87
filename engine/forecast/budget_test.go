package forecast

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// comingUp is a set that has no pods yet.
func comingUp(set model.Set) *model.Snapshot {
	set.PodManagementPolicy = "Parallel"
	return &model.Snapshot{ObservedAt: noon, Coverage: model.Coverage{Pods: true, Claims: true, Revisions: true}, Set: set, Rules: model.Setplan(),
		Capabilities: model.AllCapabilities}
}

// spend runs a forecast and its worst case, and returns what both allocate for each byte of the budget that they take.
func spend(s *model.Snapshot, budget *Budget) (steps []Step, r *Result, w *WorstCase) {
	all, result := Run(nil, s, Options{Budget: budget})
	for step := range all {
		steps = append(steps, step)
	}
	return steps, result(), Worst(nil, s, Options{Budget: budget})
}

// TestBudget: a forecast ends where one of its budgets is spent, says which and what helps, and has the steps until then; the same every time. Within the
// budget it is as without one.
func TestBudget(t *testing.T) {
	three := parallel(running(t, withClaims(newSet(3))), 3)
	free, whole, worst := spend(three, nil)
	if whole.Verdict != Converged || whole.Limit != "" || !worst.All {
		t.Fatalf("without a budget: %+v, %+v", whole, worst)
	}
	if steps, r, w := spend(three, Served()); len(steps) != len(free) || fmt.Sprint(*r, *w) != fmt.Sprint(*whole, *worst) {
		t.Errorf("within the budget it is another forecast: %+v", r)
	}
	for says, budget := range map[string]Budget{
		"4000 units of work":                        {Work: 4_000, Objects: 1000, Bytes: 1 << 20},
		"13 objects that are there, wanted or made": {Work: 1_000_000, Objects: 13, Bytes: 1 << 20},
		"9 objects that are there, wanted or made":  {Work: 1_000_000, Objects: 9, Bytes: 1 << 20},
		"0 MiB for what it makes and notes":         {Work: 1_000_000, Objects: 1000, Bytes: 12_000},
		"3 units of work":                           {Work: 3, Objects: 1000, Bytes: 1 << 20},
	} {
		first, again := budget, budget
		steps, r, w := spend(three, &first)
		if r.Verdict != Undecided || !strings.Contains(r.Limit, "a budget of "+says+".") || !strings.Contains(r.Limit, "--planner-address") || len(steps) != r.Steps || w.All {
			t.Errorf("%s: %+v, %d steps, %+v", says, r, len(steps), w)
		}
		if !r.From.Equal(noon) || r.To.Before(noon) || r.Hosts.ReadyAfter == 0 {
			t.Errorf("%s: %+v", says, r)
		}
		if _, same, _ := spend(three, &again); fmt.Sprint(*same) != fmt.Sprint(*r) || first != again {
			t.Errorf("%s: the second time it is %+v", says, same)
		}
	}
}

// TestBudgetOfOrders: the worst case of a set that has too many orders is what was found by then, and says so.
func TestBudgetOfOrders(t *testing.T) {
	five := parallel(running(t, newSet(5)), 5)
	if w := Worst(nil, five, Options{Budget: &Budget{1_000_000, 10_000, 1 << 20}}); w.All || w.PeakUnavailable < 1 || w.States < 10 {
		t.Errorf("%+v", w)
	}
}

// TestMaxSteps: nobody gets more than the most.
func TestMaxSteps(t *testing.T) {
	for asked, want := range map[int]int{0: 1060, -1: 1060, 7: 7, 1<<31 - 1: 1060} {
		if got := (Options{MaxSteps: asked}).filled(3).MaxSteps; got != want {
			t.Errorf("%d: %d, want %d", asked, got, want)
		}
	}
	_, r := forecastOf(t, edit(running(t, newSet(3)), func(s *model.Set) { s.PodTemplate = image("web:2") }), Options{MaxSteps: 3})
	if !strings.Contains(r.Limit, "after 3 plans, as many as were asked for") {
		t.Errorf("%q", r.Limit)
	}
}

// allocates is what a function allocates, in bytes.
func allocates(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// long is a text of so many bytes.
func long(bytes int) string { return strings.Repeat("x", bytes) }

// TestWhatIsKept: what a forecast keeps of an object does not grow with what objects have in common, such as a long template or annotation. Of what each
// object has for itself it keeps no more than the budget has bytes.
func TestWhatIsKept(t *testing.T) {
	annotated := func(bytes int) []byte {
		return []byte(strings.Replace(template, `{"labels"`, `{"annotations":{"setplan.io/x":"`+long(bytes)+`"},"labels"`, 1))
	}
	kept := func(bytes int) (live float64) {
		set := withClaims(newSet(1000))
		set.PodTemplate = annotated(bytes)
		f := newForecast(newMeter(nil, nil), comingUp(set), Options{})
		f.run(func(Step) bool { return true })
		f.last, f.quiet = Step{}, nil
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		if r := f.record.result; r.Verdict != Converged || len(r.Added) != 1000 {
			t.Fatalf("%+v", r)
		}
		return float64(m.HeapAlloc)
	}
	if short, more := kept(10), kept(16<<10); more > short+2e6 {
		t.Errorf("1,000 pods of a longer template keep %.0f bytes, and not %.0f", more, short)
	}
}

// TestStatesAreShort: what is remembered of a state does not grow with the objects, and a text that they share is read once.
func TestStatesAreShort(t *testing.T) {
	s := running(t, newSet(1))
	shared := &model.Annotations{Values: map[string]string{"setplan.io/x": long(100 << 10)}}
	for i := range 2000 {
		s.Claims = append(s.Claims, model.Claim{Name: fmt.Sprint("data-web-", i), UID: fmt.Sprint(i), Phase: model.ClaimBound, Annotations: shared})
	}
	f := newForecast(newMeter(nil, nil), s, Options{})
	f.begin()
	first := f.state()
	if took := allocates(func() {
		if f.state() != first {
			t.Error("the same state is another one")
		}
	}); took > 1<<20 {
		t.Errorf("a state of 2,000 claims takes %.0f bytes", took)
	}
	other := *shared
	other.Values = map[string]string{"setplan.io/x": long(100<<10) + "y"}
	f.claimToChange("data-web-7").Annotations = &other
	if f.state() == first {
		t.Error("a claim has another annotation, and the state is the same")
	}
}

// TestForksShare: a fork copies no claims and no revisions until it changes one, and then none but its own.
func TestForksShare(t *testing.T) {
	s := running(t, withClaims(newSet(2)))
	for i := range 10_000 {
		s.Claims = append(s.Claims, model.Claim{Name: fmt.Sprint("old-web-", i), UID: fmt.Sprint(i), Phase: model.ClaimBound})
	}
	m := newMeter(nil, Served())
	f := newForecast(m, s, Options{})
	f.begin()
	left := m.budget.Bytes
	var forks []*forecast
	if took := allocates(func() {
		for range 100 {
			forks = append(forks, f.fork())
		}
	}); took > 4<<20 {
		t.Errorf("100 forks of a set with 10,000 claims take %.0f bytes", took)
	}
	for i, fork := range forks {
		claim := fork.claimToChange("www-web-1")
		claim.Phase = model.ClaimLost
		fork.revisionToChange(fork.Revisions[0].Name).Number = 77
		if of := f.claim("www-web-1"); of == claim || of.Phase == model.ClaimLost || f.Revisions[0].Number == 77 {
			t.Fatalf("fork %d changes the state that it came from", i)
		}
		if fork.giveBack(); i > 3 {
			break
		}
	}
	for _, fork := range forks {
		fork.giveBack()
	}
	if m.budget.Bytes != left {
		t.Errorf("forks that have ended keep %d bytes", left-m.budget.Bytes)
	}
}

// TestStopIsLookedAt: however much a forecast has to do between two plans, it asks whether to stop.
func TestStopIsLookedAt(t *testing.T) {
	owners := make([]model.Owner, 2000)
	for i := range owners {
		owners[i] = model.Owner{APIVersion: "v1", Kind: "Pod", Name: fmt.Sprint("other-", i), UID: fmt.Sprint(i)}
	}
	claims := running(t, newSet(3))
	for i := range 2000 {
		claims.Claims = append(claims.Claims, model.Claim{Name: fmt.Sprint("data-web-", i), UID: fmt.Sprint(i), Owners: owners})
	}
	for reason, s := range map[string]*model.Snapshot{"owners of claims": claims, "many pods": comingUp(newSet(1000))} {
		looks := 0
		f := newForecast(newMeter(func() bool { looks++; return false }, nil), s, Options{})
		looks = 0
		f.begin()
		if before := looks; reason == "owners of claims" && before < 100 {
			t.Errorf("%s: it looked %d times", reason, before)
		}
		for n := 1; n < 15; n++ {
			left := n
			all, result := Run(func() bool { left--; return left <= 0 }, s, Options{})
			for range all {
			}
			if result() != nil || reason == "owners of claims" && left < 0 {
				t.Errorf("%s: a forecast that was stopped at look %d goes on, or has a result", reason, n)
			}
			left = n
			if Worst(func() bool { left--; return left <= 0 }, s, Options{}) != nil {
				t.Errorf("%s: a worst case that was stopped at look %d has a result", reason, n)
			}
		}
	}
}

// TestHonestForecastsFit: the budget of a server is enough for a set of 500 pods that is updated one pod after the other.
func TestHonestForecastsFit(t *testing.T) {
	s := edit(running(t, withClaims(newSet(500))), func(set *model.Set) { set.PodTemplate = image("web:2") })
	if _, r := forecastOf(t, s, Options{Budget: Served()}); r.Verdict != Converged || len(r.Restarts) != 500 {
		t.Errorf("%s, %d restarts: %s", r.Verdict, len(r.Restarts), r.Limit)
	}
}

// TestLongNames: names that any number of objects share, or that begin alike, are not copied and compared for each of them beyond the budget.
func TestLongNames(t *testing.T) {
	owners := running(t, newSet(0))
	of := []model.Owner{{APIVersion: "v1", Kind: model.KindPod, Name: "web-" + long(20_000), UID: "gone"}}
	for i := range 100 {
		owners.Claims = append(owners.Claims, model.Claim{Name: fmt.Sprint("www-web-", i), UID: fmt.Sprint(i), Phase: model.ClaimBound, Owners: of})
	}
	_, r, _ := spend(owners, Served())
	said := 0
	for _, lost := range r.Irreversible {
		said += len(lost.Message)
	}
	if len(r.Irreversible) != 100 || said > 100*400 {
		t.Errorf("%d claims are lost, with %d bytes of sentences", len(r.Irreversible), said)
	}

	works := func(name string) int {
		volumes := running(t, newSet(100))
		for i := range volumes.Pods {
			volumes.Pods[i].Volumes = []string{name}
		}
		volumes.Claims = []model.Claim{{Name: "www-web-0", UID: "c", DeletedAt: noon}}
		budget := Served()
		spend(volumes, budget)
		return Served().Work - budget.Work
	}
	if more := works(long(20_000)) - works("v"); more < 100*20_000/bytesPerUnit {
		t.Errorf("long names of volumes are %d units of work more", more)
	}

	failures := running(t, newSet(3))
	for i := range 5000 {
		failures.Outcomes = append(failures.Outcomes, model.Outcome{ActionID: fmt.Sprintf("%s%04d", long(1000), i), Result: model.OutcomeDisruptionBudget, Count: 1})
	}
	budget := Served()
	if spend(failures, budget); Served().Work-budget.Work > 2_000_000 {
		t.Errorf("5,000 refusals are %d units of work", Served().Work-budget.Work)
	}
}
