package vectors

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/engine/policy"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/test/need"
)

// root is where the repository begins.
const root = "../.."

// makeOnce makes all vectors once for all tests.
var makeOnce = sync.OnceValues(func() ([]*files.Vector, error) { return Make(context.Background(), root) })

func every(t *testing.T) []*files.Vector {
	t.Helper()
	made := need.Value(makeOnce())(t)
	return made
}

// TestFilesAreWhatIsMade wants the checksum of each vector that is made, and the bytes of those that are stored: what they are made from
// has not changed, and neither has what becomes of it.
func TestFilesAreWhatIsMade(t *testing.T) {
	const remedy = "run 'make rewrite WHAT=vectors', and read the diff"
	folder := filepath.Join(root, Folder)
	sums := need.Value(SumsOf(every(t)))(t)
	stored := need.Value(os.ReadFile(filepath.Join(folder, Sums)))(t)
	if diff := cmp.Diff(strings.Split(string(stored), "\n"), strings.Split(sums, "\n")); diff != "" {
		t.Errorf("the vectors are made otherwise now (-stored +made): %s\n%s", remedy, diff)
	}
	chosen := need.Value(Stored(every(t)))(t)
	want := map[string]string{}
	for _, v := range chosen {
		text := need.Value(v.Encode())(t)
		want[v.Name] = string(text)
	}
	got := need.Value(files.Read(folder))(t)
	for _, v := range got {
		text := need.Value(os.ReadFile(v.Path(folder)))(t)
		if !strings.HasPrefix(v.Name, Status) && string(text) != want[v.Name] {
			t.Errorf("%s is stored, and not made so: %s", v.Name, remedy)
		}
		delete(want, v.Name)
	}
	for name := range want {
		t.Errorf("%s is not stored: %s", name, remedy)
	}
}

// TestObjectsBecomeRequests reads the objects of each vector as they stand in its file, and wants its request.
func TestObjectsBecomeRequests(t *testing.T) {
	cases := 0
	for _, v := range every(t) {
		if v.Objects == nil {
			continue
		}
		request := need.Value(v.PlanRequest())(t)
		want := request.GetSnapshot()
		got, err := build(v.Objects, want)
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
			continue
		}
		cases++
		if same, err := alike(want, got); err != nil || !same {
			t.Errorf("%s: the objects become (%v)\n%v\nwant\n%v", v.Name, err, got, want)
		}
		if diff := textsDiffer(got, want); diff != "" {
			t.Errorf("%s: %s", v.Name, diff)
		}
	}
	if cases < 250 {
		t.Errorf("%d vectors have objects, want a few hundred", cases)
	}
}

// textsDiffer compares, byte by byte, what is JSON in a snapshot. Blanks do not count: those between the objects of a file are its own.
func textsDiffer(got, want *setplanv1.Snapshot) string {
	if len(got.GetRevisions()) != len(want.GetRevisions()) || len(got.GetSet().GetClaimTemplates()) != len(want.GetSet().GetClaimTemplates()) {
		return "other revisions or claim templates"
	}
	texts := [][2][]byte{{got.GetSet().GetPodTemplate(), want.GetSet().GetPodTemplate()}}
	for i := range got.GetSet().GetClaimTemplates() {
		texts = append(texts, [2][]byte{got.GetSet().GetClaimTemplates()[i], want.GetSet().GetClaimTemplates()[i]})
	}
	for i := range got.GetRevisions() {
		texts = append(texts, [2][]byte{got.GetRevisions()[i].GetData(), want.GetRevisions()[i].GetData()})
	}
	for _, pair := range texts {
		var one, two bytes.Buffer
		if json.Compact(&one, pair[0]) != nil || json.Compact(&two, pair[1]) != nil || one.String() != two.String() {
			return fmt.Sprintf("a text is\n%s\nwant\n%s", pair[0], pair[1])
		}
	}
	return ""
}

// TestAnnotationsAreShown: each annotation that the rules of the protocol or the engine know is on some object.
func TestAnnotationsAreShown(t *testing.T) {
	shown := map[string]bool{}
	for _, v := range every(t) {
		if v.Request == nil {
			continue
		}
		request := need.Value(v.PlanRequest())(t)
		maps.Copy(shown, annotationsIn(request.GetSnapshot()))
	}
	rules := need.Value(os.ReadFile(filepath.Join(root, "proto/SPEC.md")))(t)
	names := policy.Annotations()
	// The rows of its tables begin with one annotation or more.
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*/[^|]*`) \\|").FindAllStringSubmatch(string(rules), -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			names = append(names, name[1])
		}
	}
	if len(names) < 20 {
		t.Errorf("SPEC.md and the engine know %q, want more", names)
	}
	for _, name := range names {
		if !shown[name] {
			t.Errorf("no vector has the annotation %s", name)
		}
	}
}

// TestSizes: the stored vectors are part of every checkout.
func TestSizes(t *testing.T) {
	stored := need.Value(Stored(every(t)))(t)
	total := 0
	for _, v := range stored {
		text := need.Value(v.Encode())(t)
		if total += len(text); len(text) > MaxFile {
			t.Errorf("%s has %d bytes, want at most %d", v.Name, len(text), MaxFile)
		}
	}
	if len(stored) > MaxStored || total > MaxTotal {
		t.Errorf("%d are stored, of %d bytes, want at most %d and %d", len(stored), total, MaxStored, MaxTotal)
	}
}
