package kube

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const drainFinalizer = "setplan.io/drain"

func setFinalizer(present bool) *setplanv1.Action {
	a := action("StatefulSet", "web", is("set", ""))
	a.Operation = &setplanv1.Action_SetFinalizer{SetFinalizer: &setplanv1.SetFinalizer{Finalizer: drainFinalizer, Present: present}}
	return a
}

// TestSetFinalizer: one finalizer is added or removed, at the version of the list that was read, and foreign ones stay.
func TestSetFinalizer(t *testing.T) {
	live := func(uid, finalizers string) answer {
		return answer{200, `{"metadata":{"name":"web","uid":"` + uid + `","resourceVersion":"8","finalizers":[` + finalizers + `]}}`}
	}
	gone, changed := statusAnswer(404, "NotFound", "gone"), statusAnswer(409, "Conflict", "changed")
	done := objectAnswer("web", "set", "9")
	const get, patch = "GET " + setPath, "PATCH " + setPath
	const ok = setplanv1.OutcomeResult_OUTCOME_RESULT_UNSPECIFIED
	for name, test := range map[string]struct {
		present bool
		answers map[string]answer
		sent    string // the patch; empty: none
		want    setplanv1.OutcomeResult
		seen    string // version that the gate waits for
	}{
		"added":                  {true, map[string]answer{get: live("set", `"a"`), patch: done}, `{"metadata":{"finalizers":["a","setplan.io/drain"],"resourceVersion":"8","uid":"set"}}`, ok, "9"},
		"removed":                {false, map[string]answer{get: live("set", `"a","setplan.io/drain","b"`), patch: done}, `{"metadata":{"finalizers":["a","b"],"resourceVersion":"8","uid":"set"}}`, ok, "9"},
		"there already":          {true, map[string]answer{get: live("set", `"setplan.io/drain"`)}, "", ok, "8"},
		"removed already":        {false, map[string]answer{get: live("set", `"a"`)}, "", ok, "8"},
		"the set is gone":        {false, map[string]answer{get: gone}, "", ok, ""},
		"the set is gone, added": {true, map[string]answer{get: gone}, "", conflicts, ""},
		"another set, added":     {true, map[string]answer{get: live("other", ""), patch: done}, "", conflicts, ""},
		"another set, removed":   {false, map[string]answer{get: live("other", `"setplan.io/drain"`), patch: done}, "", conflicts, ""},
		"changed meanwhile":      {true, map[string]answer{get: live("set", ""), patch: changed}, `{"metadata":{"finalizers":["setplan.io/drain"],"resourceVersion":"8","uid":"set"}}`, conflicts, ""},
		"gone meanwhile":         {true, map[string]answer{get: live("set", ""), patch: gone}, `{"metadata":{"finalizers":["setplan.io/drain"],"resourceVersion":"8","uid":"set"}}`, conflicts, ""},
	} {
		t.Run(name, func(t *testing.T) {
			server, api := newAPIServer(t, test.answers)
			result := NewExecutor(StatefulSets(), api, storedConditions(nil)).Apply(context.Background(), webKey, setFinalizer(test.present))
			sent := ""
			for _, r := range server.requests[1:] {
				sent += r.Body
			}
			if diff := cmp.Diff(test.sent, sent); diff != "" {
				t.Error(diff)
			}
			if result.Outcome != test.want || (result.Err == nil) != (test.want == ok) {
				t.Errorf("got %s, %v; want %s", result.Outcome, result.Err, test.want)
			}
			if seen := writtenVersion(result.Write); seen != test.seen {
				t.Errorf("the gate waits for version %q, want %q", seen, test.seen)
			}
		})
	}
}

func writtenVersion(write *adapters.Write) string {
	if write == nil {
		return ""
	}
	return write.ResourceVersion
}

// TestPatchAnnotations: only the named annotations change, of a pod or a claim.
func TestPatchAnnotations(t *testing.T) {
	for kind, path := range map[string]string{kindPod: podsPath, kindClaim: claimsPath, "StatefulSet": ""} {
		a := action(kind, "x", is("u", "9"))
		a.Operation = &setplanv1.Action_PatchAnnotations{PatchAnnotations: &setplanv1.PatchAnnotations{Set: map[string]string{"a": "1"}, Remove: []string{"b"}}}
		server, api := newAPIServer(t, map[string]answer{"PATCH " + path + "/x": objectAnswer("x", "u", "10")})
		result := NewExecutor(StatefulSets(), api, storedConditions(nil)).Apply(context.Background(), webKey, a)
		if path == "" {
			if result.Err == nil || len(server.requests) > 0 {
				t.Errorf("%s: %v; requests %v", kind, result.Err, server.lines())
			}
			continue
		}
		want := []request{{"PATCH " + path + "/x?fieldManager=" + Manager, "application/merge-patch+json",
			`{"metadata":{"annotations":{"a":"1","b":null},"resourceVersion":"9","uid":"u"}}`}}
		if diff := cmp.Diff(want, server.requests); diff != "" || result.Err != nil {
			t.Errorf("%s: %v\n%s", kind, result.Err, diff)
		}
	}
}
