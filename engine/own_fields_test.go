package engine

import (
	"fmt"
	"testing"
)

// TestFieldsMeanWhatAnnotationsMean: a set with a field gets the plan of one with the annotation, except that texts name the field.
func TestFieldsMeanWhatAnnotationsMean(t *testing.T) {
	for _, test := range []struct{ annotation, text, fields string }{
		{annotationReserved, "1", `{"ordinals":{"reserved":["1"]}}`},
		{annotationReserved, "0,2-3", `{"ordinals":{"reserved":[0,"2-3"]}}`},
		{annotationReserved, "x", `{"ordinals":{"reserved":["x"]}}`},
		{annotationReserved, "?", `{"ordinals":{"reserved":[["1"]]}}`},
		{annotationReserved, "?", `{"ordinals":{"reserved":[null]}}`},
		{annotationReserved, "{}", `{"ordinals":{"reserved":{"1":2}}}`},
		{annotationReserved, "", `{"ordinals":{"reserved":[]}}`},
		{annotationReserved, "", `{"ordinals":null}`},
		{annotationGuard, "named", `{"scaleInGuard":"named"}`},
		{annotationGuard, "on", `{"scaleInGuard":"on"}`},
		{annotationPause, "Updates", `{"pause":"Updates"}`},
		{annotationPause, "HealOnly", `{"pause":"HealOnly"}`},
		{annotationPause, "All", `{"pause":"All"}`},
		{annotationPause, "true", `{"pause":true}`},
		{annotationPause, "", `{"pause":""}`},
		{annotationPause, "", `{"ofTomorrow":[1]}`},
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
			want, got := Decide(&annotated.Snapshot), Decide(&fielded.Snapshot)
			name := fmt.Sprintf("%s, %s", test.fields, edit)
			check(t, name, "blocks", sortedBlocks(got), sortedBlocks(want))
			check(t, name, "actions", fmt.Sprint(summary(allActions(got))), fmt.Sprint(summary(allActions(want))))
		}
	}
}

// summary lists actions without texts.
func summary(all []Action) (lines []string) {
	for _, a := range all {
		lines = append(lines, fmt.Sprintf("%T %s", a.Op, a.Name))
	}
	return lines
}

// TestFieldAndAnnotation: if a field and its annotation differ in meaning, nothing is done.
func TestFieldAndAnnotation(t *testing.T) {
	for _, test := range []struct{ annotation, text, fields, want string }{
		{annotationReserved, "1,3-5", `{"ordinals":{"reserved":["3-4","1",5]}}`, ""},
		{annotationReserved, "1", `{"ordinals":{"reserved":["2"]}}`, "INVALID_POLICY web"},
		{annotationReserved, "1", `{"ordinals":{"reserved":[]}}`, ""},
		{annotationReserved, "1", `{"ordinals":{"reserved":["x"]}}`, "INVALID_POLICY web"},
		{annotationPause, "All", `{"pause":"Updates"}`, "INVALID_POLICY web"},
		{annotationGuard, "named", `{"scaleInGuard":"named"}`, ""},
		{annotationGuard, "on", `{"scaleInGuard":"named"}`, "INVALID_POLICY web"},
		{annotationGuard, "named", `{`, "INVALID_POLICY web"},
		{annotationGuard, "named", `[]`, "INVALID_POLICY web"},
	} {
		w := newWorld(3).settled().without("web-1").asks(test.annotation, test.text)
		w.Set.OwnFields = []byte(test.fields)
		plan := Decide(&w.Snapshot)
		check(t, test.fields, "blocks", sortedBlocks(plan), test.want)
		if acts := len(allActions(plan)) > 0; acts == (test.want != "") {
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
		"The API server refuses it: spec.template.spec.containers[0].image: Required value. Nothing is done until this is fixed.")
	w.Set.DeletedAt = w.ObservedAt
	if blocks := sortedBlocks(Decide(&w.Snapshot)); blocks != "SET_DELETING web" {
		t.Errorf("deleted: %s", blocks)
	}
}
