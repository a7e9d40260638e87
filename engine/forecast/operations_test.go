package forecast

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/setplan/setplan/engine"
)

// everyOperation has an action of each operation, on an object of the cluster in which TestOperations carries it out.
func everyOperation(s *engine.Snapshot) []engine.Action {
	owner := engine.Owner{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "other", UID: "other-uid"}
	manifest := func(kind, more string) []byte {
		return []byte(`{"kind":"` + kind + `","metadata":{"name":"new"}` + more + `}`)
	}
	pod, claim, revision, set := engine.KindPod, engine.KindClaim, engine.KindRevision, s.Set.Kind
	old := s.Revisions[0].Name
	return []engine.Action{
		{Kind: pod, Name: "new", Op: engine.CreatePod{Manifest: manifest(pod, "")}},
		{Kind: pod, Name: "web-0", Op: engine.DeletePod{}},
		{Kind: pod, Name: "web-0", Op: engine.EvictPod{}},
		{Kind: pod, Name: "web-0", Op: engine.PatchPod{Labels: []engine.KeyValue{{Key: "a", Value: "b"}}}},
		{Kind: pod, Name: "web-0", Op: engine.UpdatePod{Labels: []engine.KeyValue{{Key: "a", Value: "b"}}}},
		{Kind: pod, Name: "web-0", Op: engine.ResizePod{Containers: []engine.ContainerResize{{Name: "web", Resources: engine.Resources{Requests: engine.Amounts{CPU: "2"}}}}}},
		{Kind: pod, Name: "web-0", Op: engine.AdoptPod{Owner: owner}},
		{Kind: pod, Name: "web-0", Op: engine.ReleasePod{OwnerUID: s.Set.UID}},
		{Kind: claim, Name: "new", Op: engine.CreateClaim{Manifest: manifest(claim, "")}},
		{Kind: claim, Name: "www-web-0", Op: engine.SetClaimOwners{Owners: []engine.Owner{owner}}},
		{Kind: revision, Name: "new", Op: engine.CreateRevision{Manifest: manifest(revision, `,"revision":7,"data":{}`)}},
		{Kind: revision, Name: old, Op: engine.RenumberRevision{Number: 8}},
		{Kind: revision, Name: old, Op: engine.AdoptRevision{Owner: owner}},
		{Kind: revision, Name: old, Op: engine.DeleteRevision{}},
		{Kind: set, Name: "web", Op: engine.UpdateStatus{Status: engine.Status{Replicas: 9}}},
		{Kind: claim, Name: "www-web-0", Op: engine.PatchAnnotations{Set: []engine.KeyValue{{Key: "setplan.io/x", Value: "y"}}}},
		{Kind: claim, Name: "www-web-0", Op: engine.DeleteClaim{}},
		{Kind: claim, Name: "www-web-0", Op: engine.PatchClaim{Request: "20Gi", AttributesClass: "gold", Annotations: []engine.KeyValue{{Key: "setplan.io/x", Value: "y"}}}},
		{Kind: set, Name: "web", Op: engine.SetFinalizer{Finalizer: "setplan.io/drain", Present: true}},
	}
}

// TestOperations: the cluster carries out every operation that the engine has; a forgotten one fails here.
func TestOperations(t *testing.T) {
	s := running(t, withClaims(newSet(1)))
	known := map[string]bool{}
	for _, a := range everyOperation(s) {
		known[reflect.TypeOf(a.Op).Name()] = true
		c := newCluster(newMeter(nil, nil), s)
		c.told = func(change) {}
		before := written(t, &c.Snapshot)
		if err := c.do(&a); err != nil {
			t.Errorf("%T: %v", a.Op, err)
		}
		if written(t, &c.Snapshot) == before {
			t.Errorf("%T changes nothing", a.Op)
		}
		if c.why != (engine.Cause{}) {
			t.Errorf("%T leaves its cause behind", a.Op)
		}
	}
	for _, name := range operationsOfEngine(t) {
		if !known[name] {
			t.Errorf("the engine has the operation %s, and this test has none", name)
		}
	}
}

// operationsOfEngine are the types with a capability.
func operationsOfEngine(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../operations.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "traits" {
			names = append(names, f.Recv.List[0].Type.(*ast.Ident).Name)
		}
	}
	if len(names) < 15 {
		t.Fatalf("operations.go has %d operations: where are the others?", len(names))
	}
	return names
}

// TestPreconditions: an action whose uid, version or absence does not hold changes nothing.
func TestPreconditions(t *testing.T) {
	s := running(t, withClaims(newSet(1)))
	for _, a := range everyOperation(s) {
		for reason, spoil := range map[string]func(*engine.Action){
			"uid":     func(a *engine.Action) { a.UID = "another" },
			"version": func(a *engine.Action) { a.ResourceVersion = "another" },
			"absence": func(a *engine.Action) { a.MustNotExist = true },
		} {
			creates := a.Name == "new"
			if creates != (reason == "absence") {
				continue
			}
			c := newCluster(newMeter(nil, nil), s)
			c.told = func(change) {}
			if creates {
				first := a
				if err := c.do(&first); err != nil {
					t.Fatal(err)
				}
			}
			before, spoilt := written(t, &c.Snapshot), a
			spoil(&spoilt)
			if err := c.do(&spoilt); err == nil || written(t, &c.Snapshot) != before {
				t.Errorf("%T with a wrong %s: %v", a.Op, reason, err)
			}
		}
	}
}

// TestFailures: a failed action ends its step, and its stage says what that means for later ones.
func TestFailures(t *testing.T) {
	fails := engine.Action{ID: "fails", Kind: engine.KindPod, Name: "web-0", UID: "another", Op: engine.DeletePod{}}
	works := func(id string) engine.Action {
		return engine.Action{ID: id, Kind: engine.KindPod, Name: "web-0", Op: engine.PatchPod{Labels: []engine.KeyValue{{Key: "a", Value: id}}}}
	}
	step := func(actions ...engine.Action) engine.Step { return engine.Step{Actions: actions} }
	for reason, row := range map[string]struct {
		onFailure engine.OnFailure
		want      []string
	}{
		"abort":      {engine.Abort, []string{"a", "b"}},
		"stop":       {engine.Stop, []string{"a", "b", "always"}},
		"skip phase": {engine.SkipPhase, []string{"a", "b", "other", "always"}},
	} {
		c := newCluster(newMeter(nil, nil), running(t, newSet(1)))
		c.told = func(change) {}
		plan := &engine.Plan{Stages: []engine.Stage{
			{Phase: engine.PhaseUpdate, OnFailure: row.onFailure, Steps: []engine.Step{step(works("a"), fails, works("never")), step(works("b"))}},
			{Phase: engine.PhaseUpdate, Steps: []engine.Step{step(works("same"))}},
			{Phase: engine.PhaseStatus, Steps: []engine.Step{step(works("other"))}},
			{Phase: engine.PhaseHistory, AlwaysRun: true, Steps: []engine.Step{step(works("always"))}},
		}}
		for count := int32(1); count <= 2; count++ {
			var did []string
			for _, a := range c.apply(plan) {
				did = append(did, a.ID)
			}
			if !slices.Equal(did, row.want) {
				t.Errorf("%s: %q was done, want %q", reason, did, row.want)
			}
			if o := c.Outcomes; len(o) != 1 || o[0].ActionID != "fails" || o[0].Result != engine.OutcomeConflict || o[0].Count != count {
				t.Errorf("%s: the outcomes are %+v", reason, o)
			}
		}
	}
}

// TestNothingToDelete: what is gone already is neither a write nor a failure.
func TestNothingToDelete(t *testing.T) {
	c := newCluster(newMeter(nil, nil), running(t, newSet(1)))
	c.told = func(change) {}
	gone := engine.Action{ID: "gone", Kind: engine.KindPod, Name: "web-7", Op: engine.DeletePod{}}
	patch := engine.Action{ID: "patch", Kind: engine.KindPod, Name: "web-7", Op: engine.PatchPod{}}
	did := c.apply(&engine.Plan{Stages: []engine.Stage{{Steps: []engine.Step{{Actions: []engine.Action{gone}}, {Actions: []engine.Action{patch}}}}}})
	if len(did) != 0 || len(c.Outcomes) != 1 || c.Outcomes[0].ActionID != "patch" {
		t.Errorf("%+v was done, and %+v failed", did, c.Outcomes)
	}
}

// TestStatus: conditions are set by type, and what is not written stays.
func TestStatus(t *testing.T) {
	count := int32(3)
	stored := engine.Status{CollisionCount: &count, Conditions: []engine.Condition{{Type: "Theirs", Status: "True"}, {Type: "Blocked", Status: "True"}}}
	newCluster(newMeter(nil, nil), &engine.Snapshot{}).writeStatus(&stored, &engine.Status{Replicas: 2, Conditions: []engine.Condition{{Type: "Blocked", Status: "False"}, {Type: "Draining", Status: "True"}}})
	want := []engine.Condition{{Type: "Theirs", Status: "True"}, {Type: "Blocked", Status: "False"}, {Type: "Draining", Status: "True"}}
	if !slices.Equal(stored.Conditions, want) || stored.CollisionCount != &count || stored.Replicas != 2 {
		t.Errorf("%+v", stored)
	}
}
