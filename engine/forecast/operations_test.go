package forecast

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// everyOperation has an action of each operation, on an object of the cluster in which TestOperations carries it out.
func everyOperation(s *model.Snapshot) []model.Action {
	owner := model.Owner{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "other", UID: "other-uid"}
	manifest := func(kind, more string) []byte {
		return []byte(`{"kind":"` + kind + `","metadata":{"name":"new"}` + more + `}`)
	}
	pod, claim, revision, set := model.KindPod, model.KindClaim, model.KindRevision, s.Set.Kind
	old := s.Revisions[0].Name
	return []model.Action{
		{Kind: pod, Name: "new", Op: model.CreatePod{Manifest: manifest(pod, "")}},
		{Kind: pod, Name: "web-0", Op: model.DeletePod{}},
		{Kind: pod, Name: "web-0", Op: model.EvictPod{}},
		{Kind: pod, Name: "web-0", Op: model.PatchPod{Labels: []model.KeyValue{{Key: "a", Value: "b"}}}},
		{Kind: pod, Name: "web-0", Op: model.UpdatePod{Labels: []model.KeyValue{{Key: "a", Value: "b"}}}},
		{Kind: pod, Name: "web-0", Op: model.ResizePod{Containers: []model.ContainerResize{{Name: "web", Resources: model.Resources{Requests: model.Amounts{CPU: "2"}}}}}},
		{Kind: pod, Name: "web-0", Op: model.AdoptPod{Owner: owner}},
		{Kind: pod, Name: "web-0", Op: model.ReleasePod{OwnerUID: s.Set.UID}},
		{Kind: claim, Name: "new", Op: model.CreateClaim{Manifest: manifest(claim, "")}},
		{Kind: claim, Name: "www-web-0", Op: model.SetClaimOwners{Owners: []model.Owner{owner}}},
		{Kind: revision, Name: "new", Op: model.CreateRevision{Manifest: manifest(revision, `,"revision":7,"data":{}`)}},
		{Kind: revision, Name: old, Op: model.RenumberRevision{Number: 8}},
		{Kind: revision, Name: old, Op: model.AdoptRevision{Owner: owner}},
		{Kind: revision, Name: old, Op: model.DeleteRevision{}},
		{Kind: set, Name: "web", Op: model.UpdateStatus{Status: model.Status{Replicas: 9}}},
		{Kind: claim, Name: "www-web-0", Op: model.PatchAnnotations{Set: []model.KeyValue{{Key: "setplan.io/x", Value: "y"}}}},
		{Kind: claim, Name: "www-web-0", Op: model.DeleteClaim{}},
		{Kind: claim, Name: "www-web-0", Op: model.PatchClaim{Request: "20Gi", AttributesClass: "gold", Annotations: []model.KeyValue{{Key: "setplan.io/x", Value: "y"}}}},
		{Kind: set, Name: "web", Op: model.SetFinalizer{Finalizer: "setplan.io/drain", Present: true}},
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
		if c.why != (model.Cause{}) {
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
	file, err := parser.ParseFile(token.NewFileSet(), "../model/operations.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "Traits" {
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
		for reason, spoil := range map[string]func(*model.Action){
			"uid":     func(a *model.Action) { a.UID = "another" },
			"version": func(a *model.Action) { a.ResourceVersion = "another" },
			"absence": func(a *model.Action) { a.MustNotExist = true },
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
	fails := model.Action{ID: "fails", Kind: model.KindPod, Name: "web-0", UID: "another", Op: model.DeletePod{}}
	works := func(id string) model.Action {
		return model.Action{ID: id, Kind: model.KindPod, Name: "web-0", Op: model.PatchPod{Labels: []model.KeyValue{{Key: "a", Value: id}}}}
	}
	step := func(actions ...model.Action) model.Step { return model.Step{Actions: actions} }
	for reason, row := range map[string]struct {
		onFailure model.OnFailure
		want      []string
	}{
		"abort":      {model.Abort, []string{"a", "b"}},
		"stop":       {model.Stop, []string{"a", "b", "always"}},
		"skip phase": {model.SkipPhase, []string{"a", "b", "other", "always"}},
	} {
		c := newCluster(newMeter(nil, nil), running(t, newSet(1)))
		c.told = func(change) {}
		plan := &model.Plan{Stages: []model.Stage{
			{Phase: model.PhaseUpdate, OnFailure: row.onFailure, Steps: []model.Step{step(works("a"), fails, works("never")), step(works("b"))}},
			{Phase: model.PhaseUpdate, Steps: []model.Step{step(works("same"))}},
			{Phase: model.PhaseStatus, Steps: []model.Step{step(works("other"))}},
			{Phase: model.PhaseHistory, AlwaysRun: true, Steps: []model.Step{step(works("always"))}},
		}}
		for count := int32(1); count <= 2; count++ {
			var did []string
			for _, a := range c.apply(plan) {
				did = append(did, a.ID)
			}
			if !slices.Equal(did, row.want) {
				t.Errorf("%s: %q was done, want %q", reason, did, row.want)
			}
			if o := c.Outcomes; len(o) != 1 || o[0].ActionID != "fails" || o[0].Result != model.OutcomeConflict || o[0].Count != count {
				t.Errorf("%s: the outcomes are %+v", reason, o)
			}
		}
	}
}

// TestNothingToDelete: what is gone already is neither a write nor a failure.
func TestNothingToDelete(t *testing.T) {
	c := newCluster(newMeter(nil, nil), running(t, newSet(1)))
	c.told = func(change) {}
	gone := model.Action{ID: "gone", Kind: model.KindPod, Name: "web-7", Op: model.DeletePod{}}
	patch := model.Action{ID: "patch", Kind: model.KindPod, Name: "web-7", Op: model.PatchPod{}}
	did := c.apply(&model.Plan{Stages: []model.Stage{{Steps: []model.Step{{Actions: []model.Action{gone}}, {Actions: []model.Action{patch}}}}}})
	if len(did) != 0 || len(c.Outcomes) != 1 || c.Outcomes[0].ActionID != "patch" {
		t.Errorf("%+v was done, and %+v failed", did, c.Outcomes)
	}
}

// TestStatus: conditions are set by type, and what is not written stays.
func TestStatus(t *testing.T) {
	count := int32(3)
	stored := model.Status{CollisionCount: &count, Conditions: []model.Condition{{Type: "Theirs", Status: "True"}, {Type: "Blocked", Status: "True"}}}
	newCluster(newMeter(nil, nil), &model.Snapshot{}).writeStatus(&stored, &model.Status{Replicas: 2, Conditions: []model.Condition{{Type: "Blocked", Status: "False"}, {Type: "Draining", Status: "True"}}})
	want := []model.Condition{{Type: "Theirs", Status: "True"}, {Type: "Blocked", Status: "False"}, {Type: "Draining", Status: "True"}}
	if !slices.Equal(stored.Conditions, want) || stored.CollisionCount != &count || stored.Replicas != 2 {
		t.Errorf("%+v", stored)
	}
}
