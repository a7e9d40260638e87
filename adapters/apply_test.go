package adapters_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	replicas  = setplanv1.StagePhase_STAGE_PHASE_REPLICAS
	scaleDown = setplanv1.StagePhase_STAGE_PHASE_SCALE_DOWN
	update    = setplanv1.StagePhase_STAGE_PHASE_UPDATE
	status    = setplanv1.StagePhase_STAGE_PHASE_STATUS

	unspecified = setplanv1.OnFailure_ON_FAILURE_UNSPECIFIED
	abort       = setplanv1.OnFailure_ON_FAILURE_ABORT
	stop        = setplanv1.OnFailure_ON_FAILURE_STOP
	skipPhase   = setplanv1.OnFailure_ON_FAILURE_SKIP_PHASE
)

// elsewhere makes an action in another namespace.
func elsewhere(id string) *setplanv1.Action {
	action := create(id)
	action.Target.Namespace = "kube-system"
	return action
}

func always(s *setplanv1.Stage) *setplanv1.Stage { s.AlwaysRun = true; return s }

func live(s *setplanv1.Stage) *setplanv1.Stage { s.RequiresLiveSet = true; return s }

// TestStages checks the contract's rules for the order of stages and for failures.
func TestStages(t *testing.T) {
	tests := []struct {
		name   string
		reason string
		plan   *setplanv1.Plan
		fails  []string
		want   []string
	}{
		{
			name:   "in order",
			reason: "a stage starts when the one before has ended, a step's actions run one after another",
			plan:   planOf(stage(replicas, abort, step(create("claim"), create("pod")), step(create("b"))), stage(status, abort, step(create("status")))),
			want:   []string{"planned", "fence", "claim", "pod", "b", "status"},
		},
		{
			name:   "empty plan",
			reason: "nothing is written, so nothing needs a fence",
			plan:   planOf(),
			want:   []string{"planned"},
		},
		{
			name:   "first failure ends the step only",
			reason: "a pod is not created without its claim; the other steps of the stage continue",
			plan:   planOf(stage(replicas, abort, step(create("claim"), create("pod")), step(create("b")))),
			fails:  []string{"claim"},
			want:   []string{"planned", "fence", "claim fails", "b"},
		},
		{
			name:   "ABORT",
			reason: "nothing more is done, not even always_run",
			plan:   planOf(stage(replicas, abort, step(create("a"))), stage(update, abort, step(create("b"))), always(stage(status, abort, step(create("s"))))),
			fails:  []string{"a"},
			want:   []string{"planned", "fence", "a fails"},
		},
		{
			name:   "unspecified",
			reason: "treated as ABORT",
			plan:   planOf(stage(replicas, unspecified, step(create("a"))), always(stage(status, abort, step(create("s"))))),
			fails:  []string{"a"},
			want:   []string{"planned", "fence", "a fails"},
		},
		{
			name:   "value of a later contract",
			reason: "what this build does not know is treated as ABORT",
			plan:   planOf(stage(replicas, 99, step(create("a"))), always(stage(status, abort, step(create("s"))))),
			fails:  []string{"a"},
			want:   []string{"planned", "fence", "a fails"},
		},
		{
			name:   "STOP",
			reason: "only always_run stages are still done",
			plan:   planOf(stage(replicas, stop, step(create("a"))), stage(update, abort, step(create("b"))), always(stage(status, abort, step(create("s"))))),
			fails:  []string{"a"},
			want:   []string{"planned", "fence", "a fails", "s"},
		},
		{
			name:   "ABORT after STOP",
			reason: "an always_run stage that fails with ABORT ends the plan all the same",
			plan:   planOf(stage(replicas, stop, step(create("a"))), always(stage(status, abort, step(create("s")))), always(stage(setplanv1.StagePhase_STAGE_PHASE_HISTORY, abort, step(create("h"))))),
			fails:  []string{"a", "s"},
			want:   []string{"planned", "fence", "a fails", "s fails"},
		},
		{
			name:   "SKIP_PHASE",
			reason: "later batches of the phase are skipped, other phases go on",
			plan:   planOf(stage(replicas, skipPhase, step(create("a"))), stage(replicas, skipPhase, step(create("b"))), stage(scaleDown, skipPhase, step(create("c")))),
			fails:  []string{"a"},
			want:   []string{"planned", "fence", "a fails", "c"},
		},
		{
			name:   "SKIP_PHASE and always_run",
			reason: "always_run outlives STOP, not a skipped phase",
			plan:   planOf(stage(replicas, skipPhase, step(create("a"))), always(stage(replicas, abort, step(create("b"))))),
			fails:  []string{"a"},
			want:   []string{"planned", "fence", "a fails"},
		},
		{
			name:   "no failure",
			reason: "on_failure means nothing to a stage that succeeds",
			plan:   planOf(stage(replicas, skipPhase, step(create("a"))), stage(replicas, stop, step(create("b"))), stage(replicas, abort, step(create("c")))),
			want:   []string{"planned", "fence", "a", "b", "c"},
		},
		{
			name:   "fence before each deleting stage",
			reason: "a delete cannot be undone; creates need the fence once",
			plan:   planOf(stage(replicas, abort, step(create("a"))), stage(status, abort, step(create("s"))), stage(scaleDown, abort, step(remove("c"))), stage(update, abort, step(remove("u")))),
			want:   []string{"planned", "fence", "a", "s", "fence", "c", "fence", "u"},
		},
		{
			name:   "unknown operation",
			reason: "the whole stage is refused before any write in it, and its on_failure applies",
			plan: planOf(
				stage(replicas, stop, step(create("a")), step(&setplanv1.Action{Id: "new"})),
				stage(update, abort, step(create("b"))), always(stage(status, abort, step(create("s"))))),
			want: []string{"planned", "fence", "new unknown", "s"},
		},
		{
			name:   "action that no plan for this set could mean",
			reason: "the same: nothing of the stage is sent, and its on_failure applies",
			plan: planOf(
				stage(replicas, stop, step(create("a")), step(elsewhere("b"))),
				stage(update, abort, step(create("c"))), always(stage(status, abort, step(create("s"))))),
			want: []string{"planned", "fence", "held: verification", "b refused: namespace", "s"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(test.plan)
			for _, id := range test.fails {
				w.fails[id] = errors.New("refused")
			}
			_, err := reconcile(t, w.loop(adapters.Options{}))
			if diff := cmp.Diff(test.want, w.take()); diff != "" {
				t.Errorf("%s:\n%s", test.reason, diff)
			}
			if wantErr := len(test.fails) > 0 || strings.HasPrefix(test.name, "unknown") || strings.HasPrefix(test.name, "action that no plan"); (err != nil) != wantErr {
				t.Errorf("error %v, want one only if an action failed: the caller then backs off", err)
			}
		})
	}
}

// TestChecks checks when a plan is dropped, and that nothing is written then.
func TestChecks(t *testing.T) {
	deleting := planOf(stage(scaleDown, abort, step(remove("c"))), always(stage(status, abort, step(create("s")))))
	adopting := planOf(live(stage(setplanv1.StagePhase_STAGE_PHASE_OWNERSHIP, abort, step(create("adopt")))), always(stage(status, abort, step(create("s")))))
	fenced, missed := []string{"planned", "fence", "held: fence"}, []string{"planned", "fence", "live", "held: live set"}
	tests := []struct {
		name   string
		reason string
		plan   *setplanv1.Plan
		change func(*world)
		want   []string
	}{
		{"other uid", "the set was recreated under its name", deleting, func(w *world) { w.set.UID = "u2" }, fenced},
		{"other policy", "an annotation changed after the snapshot, which moves no generation", deleting, func(w *world) {
			w.set.Policy = adapters.PolicyOf(map[string]string{adapters.AnnotationRepair: "Never"})
		}, fenced},
		{"other generation", "the spec changed after the snapshot", deleting, func(w *world) { w.set.Generation = 4 }, fenced},
		{"gone", "the cache lost the set", deleting, func(w *world) { w.setErr = adapters.ErrGone }, fenced},
		{"too old", "max_age counts from observed_at", deleting, func(w *world) { w.pass(time.Minute + 1) }, fenced},
		{"just young enough", "max_age itself is still allowed", deleting, func(w *world) { w.pass(time.Minute) }, []string{"planned", "fence", "c", "s"}},
		{"no fence", "a plan that cannot be checked is not applied", &setplanv1.Plan{Stages: deleting.Stages}, func(*world) {}, []string{"planned", "held: fence"}},
		{"live", "the set exists and is as planned", adopting, func(*world) {}, []string{"planned", "fence", "live", "adopt", "s"}},
		{"live gone", "adoption must not race with deletion", adopting, func(w *world) { w.liveErr = adapters.ErrGone }, missed},
		{"live deleting", "adoption must not race with deletion", adopting, func(w *world) { w.live.Deleting = true }, missed},
		{"live other uid", "the API has another set than the cache", adopting, func(w *world) { w.live.UID = "u2" }, missed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(test.plan)
			test.change(w)
			_, err := reconcile(t, w.loop(adapters.Options{}))
			got := w.take()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s:\n%s", test.reason, diff)
			}
			dropped := got[len(got)-1] == "held: fence" || got[len(got)-1] == "held: live set"
			if errors.Is(err, adapters.ErrPlanDropped) != dropped {
				t.Errorf("error %v, dropped %v", err, dropped)
			}
		})
	}
}

// TestFenceBetweenStages: the fence may hold at the start of the plan and fail before its deletes.
func TestFenceBetweenStages(t *testing.T) {
	w := newWorld(planOf(stage(replicas, abort, step(create("a"))), stage(scaleDown, abort, step(remove("c")))))
	w.onApply = func(id string) { w.set.Generation = 4 }
	_, err := reconcile(t, w.loop(adapters.Options{}))
	if diff := cmp.Diff([]string{"planned", "fence", "a", "fence", "held: fence"}, w.take()); diff != "" {
		t.Error(diff)
	}
	if !errors.Is(err, adapters.ErrPlanDropped) {
		t.Errorf("error %v", err)
	}
}

// TestStepsRunSideBySide: each step waits until the other has begun, which only concurrent steps can do.
func TestStepsRunSideBySide(t *testing.T) {
	w := newWorld(planOf(stage(replicas, abort, step(create("a")), step(create("b")))))
	begun := map[string]chan struct{}{"a": make(chan struct{}), "b": make(chan struct{})}
	other := map[string]string{"a": "b", "b": "a"}
	w.onApply = func(id string) {
		close(begun[id])
		<-begun[other[id]]
	}
	if _, err := reconcile(t, w.loop(adapters.Options{Parallelism: 2})); err != nil {
		t.Fatal(err)
	}
}

// TestParallelismIsBounded: with two slots a third step begins only after one of the first two has ended.
func TestParallelismIsBounded(t *testing.T) {
	w := newWorld(planOf(stage(replicas, abort, step(create("a")), step(create("b")), step(create("c")), step(create("d")))))
	running, most := make(chan struct{}, 4), 0
	w.onApply = func(string) {
		running <- struct{}{}
		w.mu.Lock()
		most = max(most, len(running))
		w.mu.Unlock()
		<-running
	}
	if _, err := reconcile(t, w.loop(adapters.Options{Parallelism: 2})); err != nil {
		t.Fatal(err)
	}
	if most > 2 {
		t.Errorf("%d steps ran at once, want at most 2", most)
	}
}

// TestShutdown: the current action finishes, and no other begins.
func TestShutdown(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := newWorld(planOf(stage(replicas, abort, step(create("a"), create("b")), step(create("c"))), stage(status, abort, step(create("s")))))
	w.onApply = func(string) { cancel() }
	_, err := w.loop(adapters.Options{}).Reconcile(ctx, key)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff([]string{"planned", "fence", "a"}, w.take()); diff != "" {
		t.Error(diff)
	}
}

// TestTermCutsActions: an action finishes after the loop is told to stop, and is cut off when its term ends.
func TestTermCutsActions(t *testing.T) {
	for _, ends := range []string{"context", "term"} {
		t.Run(ends, func(t *testing.T) {
			w := newWorld(planOf(stage(replicas, abort, step(create("a"), create("b")))))
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			term, end := context.WithCancel(context.Background())
			defer end()
			w.onApply = func(string) {
				cancel()
				if ends == "term" {
					end()
				}
			}
			cut := false
			w.whileApplying = func(ctx context.Context) {
				select {
				case <-ctx.Done():
					cut = true
				case <-time.After(50 * time.Millisecond):
				}
			}
			if _, err := w.loop(adapters.Options{}).Reconcile(adapters.WithTerm(ctx, term), key); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			if cut != (ends == "term") {
				t.Errorf("the action was cut off: %v", cut)
			}
			if diff := cmp.Diff([]string{"planned", "fence", "a"}, w.take()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
