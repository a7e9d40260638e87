package forecast

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestRevisionsThatRunTheSame: what has never become ready does not become so by a restart or by another label; what else changes may cure it.
func TestRevisionsThatRunTheSame(t *testing.T) {
	stuck := breakPod(running(t, newSet(1)), "web-0", true)
	bad := stuck.Revisions[0].Name
	templates := func(from, to string) func(*model.Set) {
		return func(set *model.Set) { set.PodTemplate = []byte(strings.Replace(template, from, to, 1)) }
	}
	label := templates(`"app":"web"`, `"app":"web","tier":"gold"`)
	restart := templates(`{"labels"`, `{"annotations":{"kubectl.kubernetes.io/restartedAt":"now"},"labels"`)
	oldStored := *stuck
	oldStored.Revisions = slices.Clone(stuck.Revisions)
	oldStored.Revisions[0].Data = bytes.Replace(stuck.Revisions[0].Data, []byte(`"metadata":{`), []byte(`"metadata":{"creationTimestamp":null,`), 1)
	// The only pod is at a revision that differs by a label from one whose pods were ready, so it is not what runs that is broken.
	elsewhere := func(set model.Set) *model.Snapshot {
		s := breakPod(running(t, set), "web-1", true)
		label(&set)
		gold := running(t, set).Revisions[0]
		s.Revisions = append(slices.Clone(s.Revisions), gold)
		return changePod(s, "web-1", func(p *model.Pod) { p.Revision = gold.Name })
	}(newSet(2))
	for reason, row := range map[string]struct {
		s    *model.Snapshot
		want Verdict
		like bool
	}{
		"another label":             {edit(stuck, label), BlockedForEver, true},
		"a restart":                 {edit(stuck, restart), BlockedForEver, true},
		"another image":             {edit(stuck, templates("web:1", "web:2")), Converged, false},
		"another annotation":        {edit(stuck, templates(`{"labels"`, `{"annotations":{"checksum/config":"2"},"labels"`)), Converged, false},
		"a restart, and no history": {edit(edit(stuck, restart), func(set *model.Set) { set.RevisionHistoryLimit = 0 }), BlockedForEver, true},
		"a restart of one that was stored by 1.33": {edit(&oldStored, restart), BlockedForEver, true},
		"another variable":                         {edit(stuck, templates(`"name"`, `"env":[{"name":"A","value":"1"}],"name"`)), Converged, false},
		"another name of the pods' host":           {edit(stuck, templates(`"spec":{`, `"spec":{"subdomain":"db",`)), Converged, false},
		"one that others are ready with":           {edit(elsewhere, restart), Converged, false},
		"a pod at the same one, not ready":         {edit(elsewhere, label), BlockedForEver, false},
	} {
		_, r := forecastOf(t, row.s, Options{})
		like := slices.ContainsFunc(r.Assumptions, func(sentence string) bool { return strings.Contains(sentence, " differs from "+bad) })
		if r.Verdict != row.want || like != row.like {
			t.Errorf("%s: %v, want %v; %q", reason, r.Verdict, row.want, r.Assumptions)
		}
	}
}

// TestRevisionsNobodyCanRead: what cannot be compared is like nothing.
func TestRevisionsNobodyCanRead(t *testing.T) {
	for _, data := range []string{"", "{", "[]", `"spec"`, `{"spec":1}`, `{"spec":{"template":[]}}`, `{"spec":{"template":{"metadata":7}}}`} {
		s := running(t, newSet(1))
		s.Revisions[0].Data = []byte(data)
		_, r := forecastOf(t, edit(breakPod(s, "web-0", true), func(set *model.Set) { set.PodTemplate = image("web:2") }), Options{})
		if r.Verdict != Converged {
			t.Errorf("%s: %v", data, r.Verdict)
		}
	}
}
