package verify

import (
	"encoding/json"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// edit changes a manifest.
func edit(change func(m map[string]any)) func(*scene) {
	return func(s *scene) {
		text := manifestOf(s.action)
		var m map[string]any
		if err := json.Unmarshal(*text, &m); err != nil {
			panic(err)
		}
		change(m)
		*text, _ = json.Marshal(m)
	}
}

func manifestOf(a *setplanv1.Action) *[]byte {
	switch o := a.GetOperation().(type) {
	case *setplanv1.Action_CreatePod:
		return &o.CreatePod.Manifest
	case *setplanv1.Action_CreateClaim:
		return &o.CreateClaim.Manifest
	}
	return &a.GetCreateRevision().Manifest
}

func in(m map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		if m[key] == nil {
			m[key] = map[string]any{}
		}
		m = m[key].(map[string]any)
	}
	return m
}

// split splits a path. A slash in a key is written as a tilde.
func split(path string) []string {
	keys := strings.Split(path, "/")
	for i := range keys {
		keys[i] = strings.ReplaceAll(keys[i], "~", "/")
	}
	return keys
}

// put sets a value in a manifest.
func put(path string, value any) func(*scene) {
	keys := split(path)
	return edit(func(m map[string]any) { in(m, keys[:len(keys)-1]...)[keys[len(keys)-1]] = value })
}

func drop(path string) func(*scene) {
	keys := split(path)
	return edit(func(m map[string]any) { delete(in(m, keys[:len(keys)-1]...), keys[len(keys)-1]) })
}

func container(m map[string]any) map[string]any {
	return in(m, "spec")["containers"].([]any)[0].(map[string]any)
}

func changed(change func(*setplanv1.Snapshot)) func(*scene) {
	return func(s *scene) {
		if s.snapshot == nil {
			s.snapshot = fixture()
		}
		change(s.snapshot)
	}
}

func pointed(kind, name string) func(*scene) {
	return func(s *scene) {
		s.action.Target.Kind, s.action.Target.Name, s.action.Precondition.Uid = kind, name, "uid-"+name
	}
}

func neighbour(s *setplanv1.Snapshot) {
	s.ClaimNeighbours = []*setplanv1.ClaimNeighbour{{Set: "db-web", ClaimTemplate: "data"}}
}

func annotated(key, value string) func(*scene) {
	return func(s *scene) { s.action.GetPatchAnnotations().Set[key] = value }
}

func owned(owners ...*setplanv1.OwnerReference) func(*scene) {
	return func(s *scene) { s.action.GetSetClaimOwners().Owners = owners }
}
