package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestNameTaken: a user must act only if the pod in the way stays by itself. An earlier set's pod is deleted with that set, or the
// garbage collector frees it for this one to adopt.
func TestNameTaken(t *testing.T) {
	for reason, row := range map[string]struct {
		change   func(*model.Pod)
		severity model.Severity
	}{
		"another controller's":        {func(p *model.Pod) { p.Owners[0].Name, p.Owners[0].UID = "other", "other" }, model.Attention},
		"a set's of another kind":     {func(p *model.Pod) { p.Owners[0].APIVersion, p.Owners[0].UID = "example.com/v1", "other" }, model.Attention},
		"nobody's, with other labels": {func(p *model.Pod) { p.Owners, p.Labels = nil, &model.Labels{} }, model.Attention},
		"being deleted":               {func(p *model.Pod) { p.Owners[0].Name, p.Owners[0].UID, p.DeletedAt = "other", "other", noon }, model.Wait},
		"an earlier set's":            {func(p *model.Pod) { p.Owners[0].UID = "earlier" }, model.Wait},
		"an earlier set's, and somebody's who may stay": {func(p *model.Pod) {
			p.Owners[0].UID = "earlier"
			p.Owners = append(p.Owners, model.Owner{APIVersion: "v1", Kind: "ConfigMap", Name: "keeper", UID: "keeper"})
		}, model.Attention},
		"an earlier set's, and going": {func(p *model.Pod) { p.Owners[0].UID, p.DeletedAt = "earlier", noon }, model.Wait},
	} {
		w := newWorld(2)
		row.change(w.p("web-1"))
		p := Decide(&w.settled().Snapshot)
		if check(t, reason, "blocks", blocks(p), "POD_NAME_TAKEN web-1"); len(p.Blocks) != 1 {
			continue
		}
		if b := p.Blocks[0]; b.Severity != row.severity || b.Remedy == "" {
			t.Errorf("%s: %s instead of %s, remedy %q", reason, b.Severity, row.severity, b.Remedy)
		}
		if blocked := Decide(&w.Snapshot); blocked.Converged {
			t.Errorf("%s: the set counts as being in the desired state", reason)
		}
	}
}
