package engine

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/state"
)

// FuzzDecide writes snapshots with small programs and checks every plan for what must be true of any plan. It does not draw what the
// codec refuses: names that occur twice, negative numbers of replicas.
func FuzzDecide(f *testing.F) {
	for _, seed := range fuzzPrograms {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := runProgram(text)
		start := time.Now()
		p := Decide(s)
		if took := time.Since(start); took > tooLong {
			t.Fatalf("a plan for %d replicas and %d pods took %s", s.Set.Replicas, len(s.Pods), took)
		}
		checkPlan(t, s, p)
		checkSize(t, p)
		checkStrangers(t, s, p)
		if again := Decide(s); !reflect.DeepEqual(p, again) {
			t.Fatalf("the same snapshot gave another plan:\n%s\n%s", Describe(p), Describe(again))
		}
		for seed := range int64(2) {
			shuffle(s, seed)
			if other := Decide(s); !reflect.DeepEqual(p, other) {
				t.Fatalf("another order gave another plan:\n%s\n%s", Describe(p), Describe(other))
			}
		}
	})
}

// tooLong is far beyond the time for any program's largest snapshot, even on a busy machine.
const tooLong = 10 * time.Second

// checkSize checks a plan's limits: actions by phase, where ownership has one budget for revisions and one for pods, and bytes of
// manifests.
func checkSize(t *testing.T, p *model.Plan) {
	actions, manifests := map[model.Phase]int{}, 0
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			actions[stage.Phase] += len(step.Actions)
			for _, a := range step.Actions {
				switch op := a.Op.(type) {
				case model.CreatePod:
					manifests += len(op.Manifest)
				case model.CreateClaim:
					manifests += len(op.Manifest)
				}
			}
		}
	}
	for phase, n := range actions {
		limit := 1000
		if phase == model.PhaseOwnership {
			limit *= 2
		}
		if n > limit {
			t.Fatalf("phase %s has %d actions", phase, n)
		}
	}
	if manifests > 8<<20 {
		t.Fatalf("the manifests have %d bytes", manifests)
	}
}

// checkStrangers checks that foreign objects are left alone. It decides by names, owners and the selector, not by the engine's own
// reading.
func checkStrangers(t *testing.T, s *model.Snapshot, p *model.Plan) {
	strange := map[string]string{}
	for i := range s.Pods {
		pod := &s.Pods[i]
		switch c := state.ControllerOf(pod.Owners); {
		case c != nil && c.UID != s.Set.UID:
			strange[model.KindPod+pod.Name] = "somebody else controls it"
		case c == nil && !plainlySelects(&s.Set.Selector, pod.Label):
			strange[model.KindPod+pod.Name] = "its labels do not match"
		case c == nil && !strings.HasPrefix(pod.Name, s.Set.Name+"-"):
			strange[model.KindPod+pod.Name] = "it has another set's name"
		}
	}
	for i := range s.Revisions {
		r := &s.Revisions[i]
		if c := state.ControllerOf(r.Owners); c != nil && c.UID != s.Set.UID {
			strange[model.KindRevision+r.Name] = "somebody else controls it"
		}
	}
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if why, ok := strange[a.Kind+a.Name]; ok {
					t.Fatalf("%s touches a stranger: %s", a.ID, why)
				}
				if a.Kind == model.KindClaim && !strings.Contains(a.Name, "-"+s.Set.Name+"-") {
					t.Fatalf("%s touches a claim of no ordinal", a.ID)
				}
			}
		}
	}
}

// FuzzRevision: a template survives being stored as data and read again, equality is symmetric and reflexive as far as two templates
// can show, and the shortcut for text that is stored as it is agrees with the long way.
func FuzzRevision(f *testing.F) {
	for _, seed := range [][2]string{
		{template, template},
		{template, strings.Replace(template, `"labels"`, `"creationTimestamp":null,"labels"`, 1)},
		{`{"$patch":"x","metadata":{}}`, `{}`},
		{`{"a":9007199254740993,"b":[null,{"c":null}]}`, `{"a":9007199254740992,"b":[null,{}]}`},
		{`{"spec":{"securityContext":{}},"a":"\u2028<&>\ud800"}`, `{"spec":{"securityContext":null}}`},
		{`[]`, `"x"`}, {`{"b":1,"a":2,"a":3}`, `{ "a" : 3 }`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, one, other []byte) {
		a, errA := jsontree.Parse(one)
		b, errB := jsontree.Parse(other)
		if errA != nil || errB != nil {
			return
		}
		data := patchOf(a, nil)
		back, ok := podtemplate.Of(data)
		if !ok && len(data) > 0 {
			if _, err := jsontree.Parse(data); err == nil {
				t.Fatalf("%s has no template", data)
			}
			return // nested too deeply to be read in a revision
		}
		if again := patchOf(back, nil); !bytes.Equal(again, data) {
			t.Fatalf("%s became %s", data, again)
		}
		for _, v := range []jsontree.Value{a, b, back} {
			if !podtemplate.SameTemplate(v, v) {
				t.Fatalf("%s differs from itself", jsontree.Append(nil, v))
			}
		}
		if podtemplate.SameTemplate(a, b) != podtemplate.SameTemplate(b, a) {
			t.Fatalf("%s and %s are equal in one direction only", one, other)
		}
		checkShortcut(t, one, a, data)
	})
}

// checkShortcut: a template whose text is in the newest revision gets the same revision with and without the shortcut.
func checkShortcut(t *testing.T, text []byte, v jsontree.Value, data []byte) {
	w := newWorld(0)
	w.Set.PodTemplate = text
	w.Revisions[0].Data = data
	var seen view
	seen.Snap, seen.Set, seen.Revisions = &w.Snapshot, &w.Set, []*model.Revision{&w.Revisions[0]}
	if !seen.storedAsIs() {
		return
	}
	if !bytes.Equal(patchOf(v, nil), data) {
		t.Fatalf("%s counts as stored in %s", text, data)
	}
}
