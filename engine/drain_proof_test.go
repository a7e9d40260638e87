package engine

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/drain"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// proving is a set with one ordinal to drain, whose drain pods must hand back a token.
func proving() *world {
	w := draining(3).scaledTo(2)
	w.Set.Annotations[policy.DrainProof] = "Token"
	return w
}

// TestDrainProof: claims are deleted only if success proves that the drain is done.
func TestDrainProof(t *testing.T) {
	right := drain.DrainToken(webMark, "uid-www-web-2")
	again := "patch-annotations www-web-2, delete-pod web-2"
	done := "delete-claim www-web-2, delete-pod web-2"
	for reason, row := range map[string]struct {
		change        func(w *world, pod *model.Pod)
		actions, held string
		says          string
	}{
		"it handed the token back":            {func(_ *world, p *model.Pod) { p.Ended.Messages = []string{right} }, done, "", ""},
		"with a line's end":                   {func(_ *world, p *model.Pod) { p.Ended.Messages = []string{right + "\n"} }, done, "", ""},
		"each container did":                  {func(_ *world, p *model.Pod) { p.Ended.Messages = []string{right, right} }, done, "", ""},
		"its message is empty":                {func(_ *world, p *model.Pod) { p.Ended.Messages = []string{""} }, again, "DRAIN_FAILED web-2", "its container did not return"},
		"one container did not":               {func(_ *world, p *model.Pod) { p.Ended.Messages = []string{right, "done"} }, again, "DRAIN_FAILED web-2", "1 of its 2 containers"},
		"its message has more than the token": {func(_ *world, p *model.Pod) { p.Ended.Messages = []string{right + " more"} }, again, "DRAIN_FAILED web-2", "its container did not return"},
		"no container had a token":            {nil, again, "DRAIN_FAILED web-2", "had no token to return"},
		"the token of other claims":           {func(_ *world, p *model.Pod) { p.Ended.Messages = []string{drain.DrainToken(webMark, "other")} }, again, "DRAIN_FAILED web-2", "its container did not return"},
		"claims were added to its annotation": {func(_ *world, p *model.Pod) {
			p.Ended.Messages = []string{right}
			notePod(p, state.AnnotationDrainClaims, state.DrainClaimsOf(p)+",more")
		}, again, "DRAIN_FAILED web-2", "its container did not return"},
		"it failed after it had handed back":      {func(_ *world, p *model.Pod) { p.Ended.Messages, p.Phase = []string{right}, model.PodFailed }, again, "DRAIN_FAILED web-2", "has failed"},
		"it handed back while it was stopped":     {func(_ *world, p *model.Pod) { p.Ended.Messages, p.Disrupted = []string{right}, true }, done, "", ""},
		"it was stopped before it handed back":    {func(_ *world, p *model.Pod) { p.Ended.Messages, p.Disrupted = []string{""}, true }, again, "DRAIN_FAILED web-2", "its container did not return"},
		"it runs":                                 {func(_ *world, p *model.Pod) { p.Ended.Messages, p.Phase = []string{""}, model.PodRunning }, "", "DRAINING web-2", "returned its token"},
		"it is going":                             {func(w *world, p *model.Pod) { p.Ended.Messages, p.DeletedAt = []string{right}, noon }, "", "DRAINING web-2", ""},
		"the next drain pod waits for its time":   {func(_ *world, p *model.Pod) { p.CreatedAt = noon }, "", "DRAIN_FAILED web-2", ""},
		"no proof asked for: success is enough":   {func(w *world, _ *model.Pod) { w.Set.Annotations[policy.DrainProof] = "" }, done, "", ""},
		"no proof asked for, stopped by its node": {func(w *world, p *model.Pod) { w.Set.Annotations[policy.DrainProof], p.Disrupted = "", true }, again, "DRAIN_FAILED web-2", "DisruptionTarget"},
		"back in the range, Cancel: what is not proven is not drained": {func(w *world, _ *model.Pod) {
			w.Set.Replicas, w.Set.Annotations[policy.DrainScaleUp] = 3, "Cancel"
		}, "delete-pod web-2", "", ""},
		"an invalid proof holds everything back": {func(w *world, p *model.Pod) {
			w.Set.Annotations[policy.DrainProof], p.Ended.Messages = "token", []string{right}
		}, "",
			"INVALID_POLICY web", `setplan.io/drain-proof is "token"`},
		"without a policy an invalid proof holds nothing back": {func(w *world, _ *model.Pod) { w.Set.Annotations = nil },
			"delete-pod web-2, patch-annotations www-web-0, patch-annotations www-web-1, patch-annotations www-web-2", "", ""},
	} {
		w := proving()
		pod := w.drainPod(2, model.PodSucceeded)
		if row.change != nil {
			row.change(w, pod)
		}
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
		if !strings.Contains(Describe(p), row.says) {
			t.Errorf("%s:\n%swants %s", reason, Describe(p), row.says)
		}
		checkPlan(t, &w.Snapshot, p)
	}
}

// TestDrainTokenInEnvironment: every container gets the token, in place of a variable of the same name in the template, and nothing
// else changes. Without a proof there is no token.
func TestDrainTokenInEnvironment(t *testing.T) {
	w := proving()
	w.Set.Annotations[policy.DrainTemplate] = `{"spec":{"initContainers":[{"name":"i"}],"containers":[{"name":"a","image":"a:1",` +
		`"env":[{"name":"SETPLAN_DRAIN_TOKEN","value":"mine"},{"name":"B","value":"b"}]},{"name":"b","env":null}]}}`
	token := `{"name":"SETPLAN_DRAIN_TOKEN","value":"` + drain.DrainToken(webMark, "uid-www-web-2") + `"}`
	doc, err := jsontree.Parse([]byte(createdPod(Decide(&w.Snapshot))))
	if err != nil {
		t.Fatal(err)
	}
	for list, want := range map[string]string{
		"initContainers": `[{"env":[` + token + `],"name":"i"}]`,
		"containers":     `[{"env":[{"name":"B","value":"b"},` + token + `],"image":"a:1","name":"a"},{"env":[` + token + `],"name":"b"}]`,
	} {
		check(t, list, "manifest", string(jsontree.Append(nil, doc.Get("spec").Get(list))), want)
	}
	w.Set.Annotations[policy.DrainProof] = ""
	if doc := createdPod(Decide(&w.Snapshot)); strings.Contains(doc, token) || !strings.Contains(doc, "mine") {
		t.Errorf("without a proof: %s", doc)
	}
}

// TestDrainTokenIsFixed: an adapter that checks the proof itself computes the token as SPEC.md says, D4.
func TestDrainTokenIsFixed(t *testing.T) {
	check(t, "two claims", "token", drain.DrainToken("web/set-uid", "uid-www-web-2,uid-logs-web-2"), "d3968b1a72ca5af4ec8da5d1262c2944")
}
