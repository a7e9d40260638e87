package oracle

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	apiequality "k8s.io/apimachinery/pkg/api/equality"

	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/oracle/upstream"
	"github.com/setplan/setplan/test/oracle/world"
)

// TestSavedWorlds replays every world that once differed, under a wrong or a mutated engine: both sides agree now.
func TestSavedWorlds(t *testing.T) {
	replayed := 0
	err := filepath.WalkDir("testdata/divergences", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		w, err := Load(path)
		if err != nil {
			return err
		}
		if text, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(text, []byte("# ")) {
			t.Errorf("%s does not say in its first line what it caught: %v", path, err)
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

// TestSavedWorldIsTheSame saves and loads generated worlds, some in the middle of a life, where times have fractions.
func TestSavedWorldIsTheSame(t *testing.T) {
	equal := apiequality.Semantic.Copy()
	need.NoError(t, equal.AddFunc(time.Time.Equal))
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
		path, err := Save(t.TempDir(), Found{Index: index, Divergence: &Divergence{Class: "requests: ours A, theirs B", World: w}}, "why")
		if want := fmt.Sprintf("requests-ours-a-theirs-b-%d.yaml", index); err != nil || filepath.Base(path) != want {
			t.Fatalf("saved as %s: %v", path, err)
		}
		again := need.Value(Load(path))(t)
		comment := "why\nrequests: ours A, theirs B"
		if !equal.DeepEqual(w, again) || !bytes.Equal(w.Format(comment), again.Format(comment)) {
			t.Fatalf("world %d differs after loading:\n%s\n%s", index, w.Format(comment), again.Format(comment))
		}
		if d, _ := CheckAgainst(again, theirs, Rules(w.Gate)); d != nil {
			t.Fatalf("both sides differ on the loaded world %d: %s", index, d)
		}
	}
}
