package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// takingAll is a set with the strategy Recreate whose template was edited.
func takingAll(replicas int) *world {
	w := newWorld(replicas)
	w.Set.StrategyType, w.Set.RollingUpdate = "Recreate", nil
	return w.edited()
}

// TestRecreate: which pods go, and what holds all of them. The reason is the name.
func TestRecreate(t *testing.T) {
	const all, old, waits = "delete-pod web-0, delete-pod web-1, delete-pod web-2", "delete-pod web-0, delete-pod web-1", "RECREATE_WAITS web"
	scaledIn := func(w *world) *world { w.Set.Replicas = 2; return w }
	drainsIn := func(w *world) *world {
		scaledIn(w.withClaims()).asks(policy.DrainTemplate, drainTemplate)
		for i := range w.Claims {
			noteClaim(&w.Claims[i], state.AnnotationDrainSet, webMark)
		}
		return w
	}
	for reason, row := range map[string]struct {
		change        func(*world)
		actions, held string
	}{
		"all at once":                    {func(w *world) {}, all, waits},
		"a partition counts for nothing": {func(w *world) { w.Set.RollingUpdate = &model.RollingUpdate{Partition: 2} }, all, waits},
		"a Parallel set":                 {func(w *world) { w.parallel() }, all, waits},
		"pods that are not ready, and one that has ended": {func(w *world) {
			w.unready("web-0").p("web-1").Phase = model.PodFailed
		}, all, waits},
		"updated pods stay":                 {func(w *world) { w.atNewest("web-2") }, old, waits},
		"outside the range, too":            {func(w *world) { scaledIn(w) }, all, waits},
		"none is made while one is there":   {func(w *world) { w.without("web-0").without("web-2").p("web-1").DeletedAt = noon }, "", "POD_TERMINATING web-1, " + waits},
		"nor while one is outside":          {func(w *world) { scaledIn(w).without("web-0").without("web-1").p("web-2").DeletedAt = noon }, "", "POD_TERMINATING web-2, " + waits},
		"nor in a Parallel set":             {func(w *world) { w.parallel().without("web-0").without("web-2").p("web-1").DeletedAt = noon }, "", "POD_TERMINATING web-1, " + waits},
		"they are made in order":            {func(w *world) { w.Pods = nil }, "create-pod web-0", ""},
		"or at once":                        {func(w *world) { w.parallel().Pods = nil }, "create-pod web-0, create-pod web-1, create-pod web-2", ""},
		"what is missing waits":             {func(w *world) { w.without("web-1") }, "delete-pod web-0, delete-pod web-2", waits},
		"a broken one at the new revision":  {func(w *world) { w.atNewest("web-0", "web-1", "web-2").unready("web-1") }, "", "POD_NOT_READY web-1"},
		"a capability is missing":           {func(w *world) { w.Capabilities &^= model.CanDeletePod }, "", "CAPABILITY_MISSING web-0, " + waits},
		"an update in place comes to it":    {func(w *world) { w.asks(policy.InPlace, "InPlaceIfPossible") }, all, waits},
		"a set that updates in place alone": {func(w *world) { w.asks(policy.InPlace, "InPlaceOnly") }, "", waits},
		"by rank, and the leader last": {func(w *world) {
			w.asks(policy.Rank, "role=primary").leads("web-1", "role=primary")
		}, "delete-pod web-2, delete-pod web-0, delete-pod web-1", waits},
		"an invalid rank":    {func(w *world) { w.asks(policy.Rank, "=") }, "", "INVALID_POLICY web"},
		"budgets":            {func(w *world) { w.asks(policy.Budget, "Respect") }, "evict-pod web-0, evict-pod web-1, evict-pod web-2", waits},
		"all have agreed":    {func(w *world) { w.asks(policy.Before, "agent").agrees(policy.Before, "web-0", "web-1", "web-2") }, all, waits},
		"one has not agreed": {func(w *world) { w.asks(policy.Before, "agent").agrees(policy.Before, "web-0", "web-2") }, "", waits + ", UPDATE_GATED web-1"},
		"one has not agreed, and a partition counts for nothing": {func(w *world) {
			w.asks(policy.Before, "agent").Set.RollingUpdate = &model.RollingUpdate{Partition: 2}
		}, "", waits + ", UPDATE_GATED web-0"},
		"one has not agreed, and another is lost: it comes back": {func(w *world) {
			w.asks(policy.Before, "agent").without("web-2")
		}, "create-pod web-2", waits + ", UPDATE_GATED web-0"},
		"one that goes need not agree": {func(w *world) {
			w.asks(policy.Before, "agent").agrees(policy.Before, "web-1", "web-2").p("web-0").DeletedAt = noon
		}, "delete-pod web-1, delete-pod web-2", "POD_TERMINATING web-0, " + waits},
		"paused, and one is lost": {func(w *world) { w.asks(policy.Pause, "Updates").without("web-1") }, "create-pod web-1", "PAUSED web"},
		"paused when all are gone": {func(w *world) {
			w.asks(policy.Pause, "Updates").atNewest("web-0").without("web-1").without("web-2")
		}, "create-pod web-1", "PAUSED web"},
		"the guard keeps one outside":                    {func(w *world) { scaledIn(w).asks(policy.Guard, "named") }, "", waits + ", SCALE_IN_GUARDED web-2"},
		"one outside has a drain":                        {func(w *world) { drainsIn(w) }, "delete-pod web-2", waits},
		"one outside has a drain, and another is broken": {func(w *world) { drainsIn(w).ago("web-0", time.Hour) }, "", "POD_NOT_READY web-0, " + waits},
		"a drain needs the others":                       {func(w *world) { drainsIn(w).without("web-2") }, "patch-annotations www-web-2, create-pod web-2", waits},
		"a drain that needs a broken one":                {func(w *world) { drainsIn(w).ago("web-0", time.Hour).without("web-2") }, "patch-annotations www-web-2, create-pod web-2, " + old, waits},
		"the drain is asked first":                       {func(w *world) { drainsIn(w).asks(policy.DrainAsk, "true") }, "patch-annotations web-2", "DRAIN_ASKED web-2, " + waits},
		"an unknown annotation keeps one outside":        {func(w *world) { scaledIn(w).asks("setplan.io/of-tomorrow", "1") }, "", "INVALID_POLICY web, " + waits},
		"a claim would go with one": {func(w *world) {
			w.withClaims().c("www-web-1").Owners = []model.Owner{{APIVersion: "v1", Kind: "Pod", Name: "web-1", UID: "uid-web-1", Controller: true}}
		}, "set-claim-owners www-web-1", waits + ", UPDATE_WAITS_FOR_POD web-1"},
		"one outside gets its claims first": {func(w *world) {
			scaledIn(w.withClaims()).Set.WhenScaled = "Delete"
		}, "set-claim-owners www-web-2, " + all, waits},
		"being deleted": {func(w *world) { w.Set.DeletedAt = noon }, "", "SET_DELETING web"},
	} {
		w := takingAll(3)
		row.change(w)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", sortedBlocks(p), sortedText(row.held))
	}
}

// TestRecreateRevisions: at which revision a pod is made.
func TestRecreateRevisions(t *testing.T) {
	first, second := nameFor("web:1", 0), nameFor("web:2", 0)
	for reason, row := range map[string]struct {
		change func(*world)
		want   string
	}{
		"all are gone":                     {func(w *world) { w.Pods = nil }, second},
		"one has not agreed":               {func(w *world) { w.asks(policy.Before, "agent").without("web-1") }, first},
		"paused":                           {func(w *world) { w.asks(policy.Pause, "Updates").without("web-1") }, first},
		"paused, and all are gone":         {func(w *world) { w.asks(policy.Pause, "Updates").Pods = nil }, first},
		"paused, and none is old any more": {func(w *world) { w.asks(policy.Pause, "Updates").atNewest("web-0").without("web-1") }, second},
	} {
		w := takingAll(2)
		row.change(w)
		made := ""
		for _, a := range allActions(Decide(&w.Snapshot)) {
			if op, ok := a.Op.(model.CreatePod); ok {
				made = string(op.Manifest)
			}
		}
		if !strings.Contains(made, row.want) {
			t.Errorf("%s: made as %s, want %s", reason, made, row.want)
		}
	}
}

// TestProgressing: upstream's condition.
func TestProgressing(t *testing.T) {
	stored := func(w *world, status, reason, message string) {
		w.Set.Status.Conditions = append(w.Set.Status.Conditions, model.Condition{Type: state.ConditionProgressing, Status: status, Reason: reason, Message: message, ChangedAt: noon})
	}
	const deletes, creates, over = "True RecreateInProgress Deleting old revision pods", "True RecreateInProgress Waiting for new-revision pods to be created",
		"False RecreateCompleted All pods recreated successfully"
	done := func(w *world) { w.atNewest("web-0", "web-1") }
	for reason, row := range map[string]struct {
		change func(*world)
		want   string
	}{
		"old pods are there":            {func(w *world) {}, deletes},
		"they go":                       {func(w *world) { w.p("web-0").DeletedAt, w.p("web-1").DeletedAt = noon, noon }, deletes},
		"they are gone":                 {func(w *world) { w.Pods = nil }, creates},
		"all are there":                 {done, over},
		"all are there, and told":       {func(w *world) { done(w); w.settled() }, ""},
		"one is not ready":              {func(w *world) { done(w); w.unready("web-1") }, creates},
		"held":                          {func(w *world) { w.asks(policy.Before, "agent") }, ""},
		"a namesake has the pods":       {func(w *world) { namesakeHas(w, "web-0") }, ""},
		"an adapter without conditions": {func(w *world) { w.Capabilities &^= model.CanSetConditions }, ""},
		"another strategy": {func(w *world) {
			done(w)
			stored(w, "True", "RecreateInProgress", "Deleting old revision pods")
			w.Set.StrategyType = ""
		}, over},
		"another strategy, and another's condition": {func(w *world) {
			done(w)
			stored(w, "True", "Odd", "")
			w.Set.StrategyType = ""
		}, ""},
		"another strategy, and not over": {func(w *world) {
			stored(w, "True", "RecreateInProgress", "Deleting old revision pods")
			w.Set.StrategyType = ""
		}, ""},
	} {
		w := takingAll(2)
		row.change(w)
		got := ""
		if st := status(Decide(&w.Snapshot)); st != nil {
			for _, c := range st.Conditions {
				if c.Type == state.ConditionProgressing {
					got = c.Status + " " + c.Reason + " " + c.Message
				}
			}
		}
		check(t, reason, "condition", got, row.want)
	}
}

// TestRecreateAsSeen: a pod whose approval was taken back meanwhile does not go.
func TestRecreateAsSeen(t *testing.T) {
	w := takingAll(1).asks(policy.Before, "agent").agrees(policy.Before, "web-0")
	for _, a := range allActions(Decide(&w.Snapshot)) {
		if _, is := a.Op.(model.DeletePod); is && a.ResourceVersion != "1" {
			t.Errorf("%s goes at version %q", a.Name, a.ResourceVersion)
		}
	}
}

// TestChosenComesBackByHand: under OnDelete a pod that somebody wants recreated comes back at the new revision, and its cause says so.
func TestChosenComesBackByHand(t *testing.T) {
	w := newWorld(2).edited().chosen("web-0")
	w.Set.StrategyType, w.Set.RollingUpdate = "OnDelete", nil
	list := allActions(Decide(&w.Snapshot))
	if len(list) == 0 || !strings.Contains(list[0].Cause.Message, nameFor("web:2", 0)) {
		t.Errorf("%+v", list)
	}
}
