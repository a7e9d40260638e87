package tape

import (
	"fmt"
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

// TestAppend: entries stay in order, and only the owner can read them.
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

// TestAppendToWhatIsNone: nothing is appended to another kind of file, nor after a line that is cut off.
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
		"kind: List\n": "not an entry of a recording",
		`{"format":"setplan.recording/v2"}` + "\n": "this release reads",
		string(line[:len(line)-1]):                 "incomplete",
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

// TestAppendWhereOthersRead: entries, which may have secrets, are appended only to a regular file that others cannot read.
func TestAppendWhereOthersRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.rec")
	if err := Append(path, entry(t, 1)); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604, 0o620} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := Append(path, entry(t, 2)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("has mode %04o", mode)) ||
			!strings.Contains(err.Error(), "chmod 600 "+path) {
			t.Errorf("%v: %v", mode, err)
		}
		if now, _ := os.ReadFile(path); string(now) != string(before) {
			t.Errorf("%v: the file was changed", mode)
		}
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Append(path, entry(t, 2)); err != nil {
		t.Errorf("once only the owner can read it: %v", err)
	}
	if err := Append(filepath.Dir(path), entry(t, 2)); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: %v", err)
	}
}

// TestDamage: the error names the unreadable line, and why.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.rec")
	for second := range int64(2) {
		if err := Append(path, entry(t, second)); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole, second, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n")
	whole += "\n"
	for name, test := range map[string]struct{ text, want string }{
		"cut off":        {whole + second[:len(second)/2], "line 2 is incomplete; the lines before it are complete"},
		"no JSON":        {whole + "x" + second + "\n", "line 2 is not an entry of a recording: "},
		"other JSON":     {whole + "{}\n", "line 2 is not an entry of a recording"},
		"empty line":     {whole + "\n" + second + "\n", "line 2 is not an entry of a recording"},
		"other base64":   {whole + strings.Replace(second, `"request":"`, `"request":"?`, 1) + "\n", "line 2 is not an entry of a recording: "},
		"other request":  {whole + strings.Replace(second, `"request":"`, `"request":"AAAA`, 1) + "\n", "line 2 is damaged: the request cannot be decoded"},
		"other plan":     {whole + strings.Replace(second, `"plan":"`, `"plan":"AAAA`, 1) + "\n", "line 2 is damaged: the plan cannot be decoded"},
		"of the future":  {whole + strings.Replace(second, Format, "setplan.recording/v7", 1) + "\n", "line 2 has the format setplan.recording/v7; this release reads only setplan.recording/v1"},
		"without an end": {whole + second, ""},
	} {
		entries, err := Read(strings.NewReader(test.text))
		switch {
		case test.want == "" && (err != nil || len(entries) != 2):
			t.Errorf("%s: %d entries, %v", name, len(entries), err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// TestOldRecording: this release reads a recording from the first release of the format.
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
