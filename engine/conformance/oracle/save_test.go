package oracle

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apiequality "k8s.io/apimachinery/pkg/api/equality"

	"github.com/setplan/setplan/engine/conformance/upstream"
	"github.com/setplan/setplan/engine/conformance/world"
)

// TestSavedWorlds replays every world that once differed, under a wrong engine or a mutated one: both sides agree now.
func TestSavedWorlds(t *testing.T) {
	replayed := 0
	err := filepath.WalkDir("../testdata/divergences", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		w, err := Load(path)
		if err != nil {
			return err
		}
		if d, _ := Check(w, Rules(w.Gate)); d != nil {
			t.Errorf("%s: %s", path, d)
		}
		replayed++
		return nil
	})
	if err != nil || replayed == 0 {
		t.Fatalf("%d worlds: %v", replayed, err)
	}
}

// TestSavedWorldIsTheSame saves and loads generated worlds, some in the middle of a life, where times are odd.
func TestSavedWorldIsTheSame(t *testing.T) {
	equal := apiequality.Semantic.Copy()
	if err := equal.AddFunc(time.Time.Equal); err != nil {
		t.Fatal(err)
	}
	for index := range 300 {
		index *= 5 // both settings of the gate
		w := World(*seed, index)
		if index%3 == 0 {
			environment := world.NewEnvironment(w, int64(index))
			for range 5 {
				environment.Step(true)
			}
		}
		theirs := upstream.Pass(w)
		if index%2 == 0 {
			w.Fault = drawFault(w, &theirs, int64(index))
			theirs = upstream.Pass(w)
		}
		text := string(w.Format("a\nb"))
		if !strings.HasPrefix(text, "# a\n# b\n") {
			t.Fatalf("no comment: %.100s", text)
		}
		again, err := world.Parse([]byte(text))
		if err != nil {
			t.Fatalf("world %d: %v\n%s", index, err, text)
		}
		if !equal.DeepEqual(w, again) {
			t.Fatalf("world %d is another one after loading:\n%s\n%s", index, text, again.Format(""))
		}
		if other := string(again.Format("a\nb")); other != text {
			t.Fatalf("world %d is saved differently the second time:\n%s\n%s", index, text, other)
		}
		if d, _ := CheckAgainst(again, theirs, Rules(w.Gate)); d != nil {
			t.Fatalf("world %d, loaded, differs from itself: %s", index, d)
		}
	}
}
