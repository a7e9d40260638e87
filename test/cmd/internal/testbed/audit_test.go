package testbed

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/test/need"
)

// TestAudit: all requests answered after the log's end at the start, also if a line arrives in two pieces or the log continues
// in another file.
func TestAudit(t *testing.T) {
	line := func(stage, verb, ref string) string {
		return `{"stage":"` + stage + `","verb":"` + verb + `","user":{"username":"me"},"objectRef":{` + ref + "}}\n"
	}
	const pods, status = `"resource":"pods","name":"web-0"`, `"resource":"statefulsets","subresource":"status"`
	path := filepath.Join(t.TempDir(), "audit.log")
	log, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		need.Value(log.WriteString(text))(t)
	}
	write(line("ResponseComplete", "create", pods))
	a := need.Value(FollowAudit(path))(t)
	defer a.Close()
	got := Requests{}
	writes := 0
	read := func() {
		t.Helper()
		need.NoError(t, a.Read(func(line *AuditLine) {
			if got.Add(line); line.User.Username != "me" {
				t.Errorf("by %q", line.User.Username)
			}
			if line.Writes() {
				writes++
			}
		}))
	}
	second := line("ResponseComplete", "get", pods)
	write(line("ResponseComplete", "patch", status) + line("ResponseStarted", "watch", pods) +
		line("ResponseComplete", "watch", pods) + line("ResponseStarted", "get", pods) + second[:20])
	read()
	write(second[20:])
	read()
	write(line("ResponseComplete", "delete", pods)) // not read before the log is rotated
	need.NoError(t, os.Rename(path, path+".1"))
	read()
	read() // between the files
	need.NoError(t, log.Close())
	if log, err = os.Create(path); err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	write(line("ResponseComplete", "create", pods))
	read()
	want := Requests{"patch statefulsets/status": 1, "get pods": 1, "watch pods": 1, "delete pods": 1, "create pods": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if writes != 3 || got.Writes() != 3 || got.Reads() != 2 {
		t.Errorf("%d writes, %d by their count, %d reads", writes, got.Writes(), got.Reads())
	}
}
