package tape

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func entry(t *testing.T, seconds int64) *Entry {
	t.Helper()
	request := &setplanv1.PlanRequest{Snapshot: &setplanv1.Snapshot{ObservedAt: timestamppb.New(time.Unix(seconds, 0))}}
	e, err := NewEntry("default/web", "embedded", "v1", request, &setplanv1.Plan{Converged: true})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestAppend: entries stay in order, and only the owner may read them.
func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.rec")
	for second := range int64(3) {
		if err := Append(path, entry(t, second)); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	entries, err := Read(file)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	for i, e := range entries {
		request, plan, err := e.Messages()
		if err != nil || request.GetSnapshot().GetObservedAt().GetSeconds() != int64(i) || !proto.Equal(plan, &setplanv1.Plan{Converged: true}) {
			t.Errorf("entry %d is %v, %v, %v", i, request, plan, err)
		}
	}
}

// TestAppendToWhatIsNone: nothing is added to a file of somebody else's, nor after a line that was cut off.
func TestAppendToWhatIsNone(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	if err := Append(whole, entry(t, 1)); err != nil {
		t.Fatal(err)
	}
	line, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		"kind: List\n": "no entry of a recording",
		`{"format":"setplan.recording/v2"}` + "\n": "this release reads",
		string(line[:len(line)-1]):                 "cut off",
	} {
		path := filepath.Join(t.TempDir(), "other")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Append(path, entry(t, 2)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", content, err)
		}
		if now, _ := os.ReadFile(path); string(now) != content {
			t.Errorf("%q was changed", content)
		}
	}
}

// TestOldRecording: a recording that was made by the first release of the format is read by this one.
func TestOldRecording(t *testing.T) {
	file, err := os.Open("testdata/first.rec")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	entries, err := Read(file)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	request, plan, err := entries[0].Messages()
	if err != nil || request.GetSnapshot().GetSet().GetName() != "web" || len(plan.GetStages()) == 0 {
		t.Errorf("%v, %v, %v", request, plan, err)
	}
}
