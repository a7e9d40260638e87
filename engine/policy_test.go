package engine

import (
	"reflect"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// TestDocument: a template that is not JSON is read as the snapshot's document.
func TestDocument(t *testing.T) {
	w := draining(3).scaledTo(2).asks(policy.DrainTemplate, "spec: of YAML")
	w.Documents = map[string]model.Document{policy.DrainTemplate: {JSON: []byte(drainTemplate)}}
	check(t, "YAML that was made JSON", "actions", actions(Decide(&w.Snapshot)), "patch-annotations www-web-2, create-pod web-2")
	w.Documents = map[string]model.Document{"statefulsets.kubernetes.io/drainer-pod-template": {JSON: []byte(drainTemplate)}}
	check(t, "of another annotation", "blocks", blocks(Decide(&w.Snapshot)), "INVALID_POLICY web")
}

// TestTypedPolicy: the caller's value replaces the annotation, which is then not read, even if it is invalid.
func TestTypedPolicy(t *testing.T) {
	yes, no := true, false
	for annotation, row := range map[string]struct {
		bad, other string
		typed      func(*model.Policy)
	}{
		policy.DrainScaleUp:     {"odd", "Cancel", func(p *model.Policy) { p.Drain.ScaleUp = model.DrainScaleUpFinish }},
		policy.DrainMaxParallel: {"many", "7", func(p *model.Policy) { p.Drain.MaxParallel = 3 }},
		policy.DrainLeftovers:   {"odd", "true", func(p *model.Policy) { p.Drain.Leftovers = &no }},
		policy.DrainOnDelete:    {"odd", "false", func(p *model.Policy) { p.Drain.OnDelete = &yes }},
		policy.DrainAsk:         {"odd", "true", func(p *model.Policy) { p.Drain.Ask = &no }},
		policy.DrainProof:       {"odd", "Token", func(p *model.Policy) { p.Drain.Proof = model.DrainProofSuccess }},
		policy.DrainTemplate:    {"{", `{"a":1}`, func(p *model.Policy) { p.Drain.PodTemplate = []byte(drainTemplate) }},
	} {
		for _, value := range []string{"", row.bad, row.other} {
			w := draining(3).asks(annotation, value)
			row.typed(&w.Policy)
			if p := Decide(&w.Snapshot); strings.Contains(blocks(p), "INVALID_POLICY") {
				t.Errorf("%s is %q, and was read:\n%s", annotation, value, Describe(p))
			}
		}
		w := draining(3).asks(annotation, row.bad)
		if p := Decide(&w.Snapshot); !strings.Contains(blocks(p), "INVALID_POLICY") || !strings.Contains(p.Blocks[0].Message, annotation) {
			t.Errorf("%s is %q:\n%s", annotation, row.bad, Describe(p))
		}
	}
}

// TestTypedRepair is TestTypedPolicy for the repair.
func TestTypedRepair(t *testing.T) {
	for _, row := range []struct {
		annotation string
		typed      model.Repair
		want       repairPolicy
		blocks     string
	}{
		{"", 0, repairNeverReady, ""}, {"Never", 0, repairNever, ""}, {"Unready", 0, repairUnready, ""}, {"NeverReady", 0, repairNeverReady, ""},
		{"odd", 0, repairNever, "INVALID_POLICY web"}, {"odd", model.RepairUnready, repairUnready, ""},
		{"Unready", model.RepairNever, repairNever, ""}, {"Never", model.RepairNeverReady, repairNeverReady, ""}, {"Never", model.RepairUnready, repairUnready, ""},
		{"Unready", 99, repairNever, ""},
	} {
		w := newWorld(3).asks(policy.Repair, row.annotation)
		w.Policy.Repair = row.typed
		v, out := newView(&w.Snapshot), state.NewDraft(&w.Snapshot, &plan.Caller{})
		if got := readRepairPolicy(&v, &out); got != row.want {
			t.Errorf("%q and %d: %d, want %d", row.annotation, row.typed, got, row.want)
		}
		check(t, row.annotation, "blocks", blocks(out.Plan), row.blocks)
	}
}

// TestTypedPolicyThatCannotBeUsed: a block says where the invalid value is, and it holds things back as an annotation's does.
func TestTypedPolicyThatCannotBeUsed(t *testing.T) {
	yes := true
	for says, change := range map[string]func(*model.Policy){
		"snapshot.policy.drain.pod_template is invalid":                   func(p *model.Policy) { p.Drain.PodTemplate = []byte("{") },
		`snapshot.policy.drain.max_parallel is "-1"`:                      func(p *model.Policy) { p.Drain.MaxParallel = -1 },
		`snapshot.policy.drain.scale_up is "9"`:                           func(p *model.Policy) { p.Drain.ScaleUp = 9 },
		`snapshot.policy.drain.proof is "9"`:                              func(p *model.Policy) { p.Drain.Proof = 9 },
		"snapshot.policy.drain.ask is true, but the controller that runs": func(p *model.Policy) { p.Drain.Ask, p.Scope = &yes, model.ScopeDrainOnly },
	} {
		w := draining(3)
		w.Set.Replicas = 2
		change(&w.Policy)
		p := Decide(&w.Snapshot)
		check(t, says, "actions", actions(p), "")
		if len(p.Blocks) == 0 || !strings.HasPrefix(p.Blocks[0].Message, says) || p.Blocks[0].Remedy != "Correct it in the request, or omit it." {
			t.Errorf("%s\nwants %s", Describe(p), says)
		}
	}
}

// TestNoDrainWhateverTheAnnotationsSay: a caller's empty template differs from none.
func TestNoDrainWhateverTheAnnotationsSay(t *testing.T) {
	w := draining(3).asks(policy.DrainScaleUp, "odd")
	w.Set.Replicas, w.Policy.Drain.PodTemplate = 2, []byte{}
	p := Decide(&w.Snapshot)
	check(t, "no drain", "actions", actions(p),
		"delete-pod web-2, patch-annotations www-web-0, patch-annotations www-web-1, patch-annotations www-web-2")
	check(t, "no drain", "blocks", blocks(p), "")
	w.asks(policy.DrainAsk, "true")
	check(t, "asking needs no template", "blocks", blocks(Decide(&w.Snapshot)), "DRAIN_ASKED web-2")
}

// TestScope: a set that another controller runs is left to it, also if it has neither a policy nor traces of one.
func TestScope(t *testing.T) {
	for scope, want := range map[model.Scope]string{model.ScopeUnspecified: "create-pod web-1", model.ScopeWholeSet: "create-pod web-1", model.ScopeDrainOnly: "", 99: ""} {
		w := newWorld(2).without("web-1")
		w.Policy.Scope = scope
		check(t, "no drain policy", "actions", actions(Decide(&w.Snapshot)), want)
	}
}

// TestEveryPolicyFieldMatters: each field of a policy changes some plan.
func TestEveryPolicyFieldMatters(t *testing.T) {
	yes := true
	down := func(w *world) *world { w.Set.Replicas = 1; return w }
	cases := map[string]struct {
		world  *world
		change func(*model.Policy)
	}{
		"Scope":             {newWorld(2).without("web-1"), func(p *model.Policy) { p.Scope = model.ScopeDrainOnly }},
		"Repair":            {mended(), func(p *model.Policy) { p.Repair = model.RepairNever }},
		"Drain.PodTemplate": {newWorld(2).withClaims(), func(p *model.Policy) { p.Drain.PodTemplate = []byte(drainTemplate) }},
		"Drain.ScaleUp": {draining(2).scaledTo(1), func(p *model.Policy) {
			p.Drain.ScaleUp = model.DrainScaleUpCancel
		}},
		"Drain.MaxParallel": {down(draining(4).parallel()), func(p *model.Policy) { p.Drain.MaxParallel = 1 }},
		"Drain.Leftovers":   {draining(2).scaledTo(1), func(p *model.Policy) { p.Drain.Leftovers = &yes }},
		"Drain.OnDelete":    {draining(2), func(p *model.Policy) { p.Drain.OnDelete = &yes }},
		"Drain.Ask":         {down(newWorld(2)), func(p *model.Policy) { p.Drain.Ask = &yes }},
		"Drain.Proof":       {draining(2).scaledTo(1), func(p *model.Policy) { p.Drain.Proof = model.DrainProofToken }},
	}
	cases["Repair"].world.neverReady("web-2", badRevision)
	noteClaim(cases["Drain.Leftovers"].world.c("www-web-1"), state.AnnotationDrainSet, "")
	back := cases["Drain.ScaleUp"].world
	back.drainPod(1, model.PodRunning)
	back.Set.Replicas = 2

	var walk func(of reflect.Type, path string)
	walk = func(of reflect.Type, path string) {
		for i := range of.NumField() {
			field := of.Field(i)
			name := strings.TrimPrefix(path+"."+field.Name, ".")
			if field.Type.Kind() == reflect.Struct {
				walk(field.Type, name)
				continue
			}
			row, ok := cases[name]
			if !ok {
				t.Errorf("%s changes no plan of this test", name)
				continue
			}
			before := Decide(&row.world.Snapshot)
			if row.change(&row.world.Policy); reflect.DeepEqual(before, Decide(&row.world.Snapshot)) {
				t.Errorf("%s changes nothing:\n%s", name, Describe(before))
			}
		}
	}
	walk(reflect.TypeFor[model.Policy](), "")
}
