package engine

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// TestFieldsMeanWhatAnnotationsMean: a set with a field gets the plan of one with the annotation, except that texts name the field.
func TestFieldsMeanWhatAnnotationsMean(t *testing.T) {
	for _, test := range []struct{ annotation, text, fields string }{
		{policy.Reserved, "1", `{"ordinals":{"reserved":["1"]}}`},
		{policy.Reserved, "0,2-3", `{"ordinals":{"reserved":[0,"2-3"]}}`},
		{policy.Reserved, "x", `{"ordinals":{"reserved":["x"]}}`},
		{policy.Reserved, "?", `{"ordinals":{"reserved":[["1"]]}}`},
		{policy.Reserved, "?", `{"ordinals":{"reserved":[null]}}`},
		{policy.Reserved, "{}", `{"ordinals":{"reserved":{"1":2}}}`},
		{policy.Reserved, "", `{"ordinals":{"reserved":[]}}`},
		{policy.Reserved, "", `{"ordinals":null}`},
		{policy.Guard, "named", `{"scaleInGuard":"named"}`},
		{policy.Guard, "on", `{"scaleInGuard":"on"}`},
		{policy.Pause, "Updates", `{"pause":"Updates"}`},
		{policy.Pause, "HealOnly", `{"pause":"HealOnly"}`},
		{policy.Pause, "All", `{"pause":"All"}`},
		{policy.Pause, "true", `{"pause":true}`},
		{policy.Pause, "", `{"pause":""}`},
		{policy.Pause, "", `{"ofTomorrow":[1]}`},
	} {
		for edit, change := range map[string]func(*world){
			"none": func(*world) {}, "fewer": func(w *world) { w.Set.Replicas = 2 }, "template": func(w *world) { w.edited() },
			"lost": func(w *world) { w.without("web-1") },
		} {
			annotated, fielded := newWorld(3), newWorld(3)
			for _, w := range []*world{annotated, fielded} {
				w.settled()
				change(w)
			}
			annotated.asks(test.annotation, test.text)
			fielded.Set.OwnFields = []byte(test.fields)
			samePlans(t, fmt.Sprintf("%s, %s", test.fields, edit), Decide(&fielded.Snapshot), Decide(&annotated.Snapshot))
		}
	}
}

// samePlans compares plans without texts.
func samePlans(t *testing.T, name string, got, want *model.Plan) {
	t.Helper()
	check(t, name, "blocks", sortedBlocks(got), sortedBlocks(want))
	check(t, name, "actions", fmt.Sprint(summary(allActions(got))), fmt.Sprint(summary(allActions(want))))
}

// TestEveryFieldDecides: each field changes the plan of a set, and exactly as its annotation does.
func TestEveryFieldDecides(t *testing.T) {
	lost := func() *world { return newWorld(3).settled().without("web-1") }
	fewer := func() *world { w := newWorld(3).settled(); w.Set.Replicas = 2; return w }
	more := func() *world { w := newWorld(2).parallel(); w.Set.Replicas = 5; return w }
	led := func() *world { return updating().leads("web-2", "role=primary") }
	half := func() *world { return updating().atNewest("web-2") }
	refused := func(reason string) func() *world {
		return func() *world {
			w := resized(3, sized("1"), sized("2")).have("1", "web-0", "web-1", "web-2")
			return w.onTheWay(named(sized("2")), "web-2").ask("2", "web-2").since("web-2", 10*time.Minute).refuses(reason, "web-2", 5*time.Minute)
		}
	}
	growing := func() *world {
		w := disks(6).asks(policy.ClaimTemplates, asksFor("20Gi"))
		w.c("www-web-5").Storage = &model.ClaimStorage{Request: "20Gi", Capacity: "20Gi"}
		w.c("www-web-5").Annotations = &model.Annotations{Values: map[string]string{claimtemplate.AnnotationClaimRequest: "20Gi", claimtemplate.AnnotationClaimChanged: "2026-03-01T11:00:00Z"}}
		w.c("www-web-4").Annotations = &model.Annotations{Values: map[string]string{claimtemplate.AnnotationClaimChanged: "2026-03-01T11:00:00Z"}}
		return w
	}
	rows := map[string]struct {
		text, fields string
		of           func() *world
	}{
		policy.Reserved:      {"1", `{"ordinals":{"reserved":["1"]}}`, lost},
		policy.Guard:         {"named", `{"scaleInGuard":"named"}`, fewer},
		policy.Pause:         {"Updates", `{"pause":"Updates"}`, updating},
		policy.Rank:          {"role=primary", `{"updateRank":"role=primary"}`, led},
		policy.ScaleUp:       {"2", `{"scaleUpLimit":2}`, more},
		policy.Before:        {"backup-agent", `{"beforeUpdate":"backup-agent"}`, updating},
		policy.After:         {"ring-check", `{"afterUpdate":"ring-check"}`, half},
		policy.Budget:        {"Respect", `{"disruptionBudget":"Respect"}`, updating},
		policy.InPlace:       {"InPlaceOnly", `{"inPlace":"InPlaceOnly"}`, updating},
		policy.Deferred:      {"Recreate", `{"resizeDeferred":"Recreate"}`, refused("Deferred")},
		policy.Infeasible:    {"Wait", `{"resizeInfeasible":"Wait"}`, refused("Infeasible")},
		policy.ClaimPolicy:   {"OnDelete", `{"claimUpdatePolicy":"OnDelete"}`, growing},
		policy.ClaimLimit:    {"1", `{"claimUpdateLimit":1}`, growing},
		policy.ClaimCooldown: {"6h", `{"claimUpdateCooldown":"6h"}`, growing},
	}
	for annotation, test := range rows {
		fielded := test.of().settled()
		fielded.Set.OwnFields = []byte(test.fields)
		got, silent := Decide(&fielded.Snapshot), Decide(&test.of().settled().Snapshot)
		samePlans(t, test.fields, got, Decide(&test.of().settled().asks(annotation, test.text).Snapshot))
		if sortedBlocks(got) == sortedBlocks(silent) && slices.Equal(summary(allActions(got)), summary(allActions(silent))) {
			t.Errorf("%s changes nothing: %s, %v", test.fields, sortedBlocks(got), summary(allActions(got)))
		}
	}
}

// summary lists actions without texts.
func summary(all []model.Action) (lines []string) {
	for _, a := range all {
		lines = append(lines, fmt.Sprintf("%T %s", a.Op, a.Name))
	}
	return lines
}

// TestFieldAndAnnotation: if a field and its annotation differ in meaning, nothing is done.
func TestFieldAndAnnotation(t *testing.T) {
	for _, test := range []struct{ annotation, text, fields, want string }{
		{policy.Reserved, "1,3-5", `{"ordinals":{"reserved":["3-4","1",5]}}`, ""},
		{policy.Reserved, "1", `{"ordinals":{"reserved":["2"]}}`, "INVALID_POLICY web"},
		{policy.Reserved, "1", `{"ordinals":{"reserved":[]}}`, ""},
		{policy.Reserved, "1", `{"ordinals":{"reserved":["x"]}}`, "INVALID_POLICY web"},
		{policy.Pause, "All", `{"pause":"Updates"}`, "INVALID_POLICY web"},
		{policy.Guard, "named", `{"scaleInGuard":"named"}`, ""},
		{policy.Guard, "on", `{"scaleInGuard":"named"}`, "INVALID_POLICY web"},
		{policy.Guard, "named", `{`, "INVALID_POLICY web"},
		{policy.Guard, "named", `[]`, "INVALID_POLICY web"},
	} {
		w := newWorld(3).settled().without("web-1").asks(test.annotation, test.text)
		w.Set.OwnFields = []byte(test.fields)
		plan := Decide(&w.Snapshot)
		check(t, test.fields, "blocks", sortedBlocks(plan), test.want)
		if acts := actions(plan) != ""; acts == (test.want != "") {
			t.Errorf("%s: actions %v", test.fields, summary(allActions(plan)))
		}
	}
}

// TestRefusedTemplate: a block quotes the API server's refusal, and nothing is done except what a deleted set needs.
func TestRefusedTemplate(t *testing.T) {
	w := newWorld(3).settled().without("web-1")
	w.Set.Refusal = "spec.template.spec.containers[0].image: Required value"
	plan := Decide(&w.Snapshot)
	check(t, "refused", "blocks", sortedBlocks(plan), "INVALID_TEMPLATE web")
	check(t, "refused", "actions", fmt.Sprint(summary(allActions(plan))), "[]")
	check(t, "refused", "message", plan.Blocks[0].Message,
		"The API server refuses the set's spec: spec.template.spec.containers[0].image: Required value. Nothing is done until this is fixed.")
	w.Set.DeletedAt = w.ObservedAt
	if blocks := sortedBlocks(Decide(&w.Snapshot)); blocks != "SET_DELETING web" {
		t.Errorf("deleted: %s", blocks)
	}
}
