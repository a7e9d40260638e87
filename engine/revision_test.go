package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
)

func mustTree(text string) jsontree.Value {
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

// TestRevisionsEqualUpstream: name, hash label and data of every revision in upstream's own test data, byte for byte.
func TestRevisionsEqualUpstream(t *testing.T) {
	files, err := filepath.Glob("testdata/upstream/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var fixture struct {
			SetName, RevisionName, Hash, Data string
			Template                          json.RawMessage
		}
		if err := json.Unmarshal(text, &fixture); err != nil {
			t.Fatal(err)
		}
		data := patchOf(mustTree(string(fixture.Template)), nil)
		check(t, file, "data", string(data), fixture.Data)
		check(t, file, "hash", hashOf(data, 0), fixture.Hash)
		check(t, file, "name", podtemplate.RevisionName(fixture.SetName, hashOf(data, 0)), fixture.RevisionName)
	}
}

func TestRevisionNameLeavesRoomForTheHash(t *testing.T) {
	if got := podtemplate.RevisionName(strings.Repeat("a", 300), "hash"); len(got) != 223+5 {
		t.Errorf("the name has %d bytes", len(got))
	}
}

// TestCollectedRevision: a revision that the status names is made again only once the set has been read, since the garbage collector may have
// begun with what a deleted set owns before a cache shows that the set goes. A new template waits for nobody.
func TestCollectedRevision(t *testing.T) {
	looks := func(w *world) bool {
		plan := Decide(&w.Snapshot)
		for _, stage := range plan.Stages {
			if stage.Phase == model.PhaseRevision {
				return stage.RequiresLiveSet
			}
		}
		t.Fatalf("no revision is made: %s", actions(plan))
		return false
	}
	edited := newWorld(1).image("b")
	if looks(edited) {
		t.Error("a new template waits for a look at the set")
	}
	collected := newWorld(1)
	collected.Revisions = nil
	if !looks(collected) {
		t.Error("a revision that the garbage collector may have deleted is made again without a look at the set")
	}
}

func TestSameTemplate(t *testing.T) {
	const base = `{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","resources":{}}],"securityContext":{}}}`
	for reason, row := range map[string]struct {
		other string
		want  bool
	}{
		"equal":                       {base, true},
		"1.33 wrote a null timestamp": {`{"metadata":{"creationTimestamp":null,"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","resources":{}}],"securityContext":{}}}`, true},
		"filled-in empty objects":     {`{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"}]}}`, true},
		"another label":               {`{"metadata":{"labels":{"a":"c"}},"spec":{"containers":[{"name":"c"}]}}`, false},
		"an unknown field":            {`{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","new":1}]}}`, false},
		"one container more":          {`{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"},{"name":"d"}]}}`, false},
		"an empty object that means something, such as a label selector that selects all": {
			`{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"}],"affinity":{}}}`, false},
	} {
		if got := podtemplate.SameTemplate(mustTree(base), mustTree(row.other)); got != row.want {
			t.Errorf("%s: same = %v", reason, got)
		}
		if got := podtemplate.SameTemplate(mustTree(row.other), mustTree(base)); got != row.want {
			t.Errorf("%s: the other way round, same = %v", reason, got)
		}
	}
}

// nameOf is the name of a template's revision.
func nameOf(template string) string {
	return podtemplate.RevisionName("web", hashOf(patchOf(mustTree(template), nil), 0))
}

// nameFor is the name of the revision for the template with an image, after some collisions.
func nameFor(image string, collisions int32) string {
	data := patchOf(mustTree(strings.Replace(template, "web:1", image, 1)), nil)
	return podtemplate.RevisionName("web", hashOf(data, collisions))
}

func TestChooseRevision(t *testing.T) {
	other := strings.Replace(template, "web:1", "web:0", 1)
	for reason, row := range map[string]struct {
		change func(*world)
		want   string
	}{
		"a template that is the newest revision changes nothing": {func(*world) {}, ""},
		"a new template becomes a revision, and the highest pod goes": {func(w *world) { w.image("web:2") },
			"create-revision " + nameFor("web:2", 0) + ", delete-pod web-2"},
		"the template of an older revision is a rollback: it is renumbered": {func(w *world) {
			w.Revisions[0].Number = 2
			w.revision(1, other)
			w.Set.PodTemplate = []byte(other)
			w.Set.Generation++
		}, "renumber-revision " + nameFor("web:0", 0) + ", delete-pod web-2"},
		"equal numbers are told apart by age, then by name": {func(w *world) {
			w.revision(1, other)
			w.Revisions[1].CreatedAt = w.Revisions[0].CreatedAt.Add(-1)
		}, ""},
		"a null that an older release wrote is no new template": {func(w *world) {
			w.Set.PodTemplate = []byte(strings.Replace(template, `"labels"`, `"creationTimestamp":null,"labels"`, 1))
		}, ""},
		"a taken name with other data is a collision": {func(w *world) {
			w.image("web:2")
			w.Revisions = append(w.Revisions, model.Revision{Name: nameFor("web:2", 0), UID: "x", Data: []byte("{}")})
		}, "create-revision " + nameFor("web:2", 1) + ", delete-pod web-2"},
		"a taken name with the same data is used, whoever owns it": {func(w *world) {
			w.image("web:2")
			w.Revisions = append(w.Revisions, model.Revision{Name: nameFor("web:2", 0), UID: "x", Data: patchOf(mustTree(string(w.Set.PodTemplate)), nil)})
		}, "delete-pod web-2"},
	} {
		w := newWorld(3)
		row.change(w)
		check(t, reason, "actions", actions(Decide(&w.Snapshot)), row.want)
	}
}

// TestHighestNumber: anybody may make a revision with the set's labels and the highest number. The set's own gets no number beyond, which no API server takes.
func TestHighestNumber(t *testing.T) {
	for _, tag := range []string{"web:1", "web:2"} {
		w := newWorld(1)
		w.revision(math.MaxInt64, strings.Replace(template, "web:1", "web:0", 1))
		op := Decide(&w.image(tag).Snapshot).Stages[0].Steps[0].Actions[0].Op
		create, ok := op.(model.CreateRevision)
		if op != (model.RenumberRevision{Number: math.MaxInt64}) && !(ok && bytes.Contains(create.Manifest, fmt.Append(nil, `"revision":`, int64(math.MaxInt64)))) {
			t.Errorf("%s: %T %s", tag, op, create.Manifest)
		}
	}
}

func TestCollisionIsCountedAndLabelKeepsTheFirstHash(t *testing.T) {
	w := newWorld(1).image("web:2")
	first := hashOf(patchOf(mustTree(string(w.Set.PodTemplate)), nil), 0)
	w.Revisions = append(w.Revisions, model.Revision{Name: "web-" + first, UID: "x", Data: []byte("{}")})
	p := Decide(&w.Snapshot)
	if st := status(p); st == nil || *st.CollisionCount != 1 {
		t.Errorf("status %+v, want collision count 1", st)
	}
	manifest := string(p.Stages[0].Steps[0].Actions[0].Op.(model.CreateRevision).Manifest)
	if !strings.Contains(manifest, `"controller.kubernetes.io/hash":"`+first+`"`) {
		t.Errorf("the label is not the first hash: %s", manifest)
	}
}
