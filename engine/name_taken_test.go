package engine

import "testing"

// TestNameTaken: a user must act only if the pod in the way stays by itself. An earlier set's pod is deleted with that set, or the
// garbage collector frees it for this one to adopt.
func TestNameTaken(t *testing.T) {
	for reason, row := range map[string]struct {
		change   func(*Pod)
		severity Severity
	}{
		"another controller's":        {func(p *Pod) { p.Owners[0].Name, p.Owners[0].UID = "other", "other" }, Attention},
		"a set's of another kind":     {func(p *Pod) { p.Owners[0].APIVersion, p.Owners[0].UID = "example.com/v1", "other" }, Attention},
		"nobody's, with other labels": {func(p *Pod) { p.Owners, p.Labels = nil, &Labels{} }, Attention},
		"being deleted":               {func(p *Pod) { p.Owners[0].Name, p.Owners[0].UID, p.DeletedAt = "other", "other", noon }, Wait},
		"an earlier set's":            {func(p *Pod) { p.Owners[0].UID = "earlier" }, Wait},
		"an earlier set's, and somebody's who may stay": {func(p *Pod) {
			p.Owners[0].UID = "earlier"
			p.Owners = append(p.Owners, Owner{APIVersion: "v1", Kind: "ConfigMap", Name: "keeper", UID: "keeper"})
		}, Attention},
		"an earlier set's, and going": {func(p *Pod) { p.Owners[0].UID, p.DeletedAt = "earlier", noon }, Wait},
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
