package live

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

var now = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// rollout is a set of three in the middle of an update, with one pod too many and minReadySeconds 10.
func rollout() (*setplanv1.Snapshot, *setplanv1.Plan) {
	pod := func(name string, revision uint32, ready time.Duration) *setplanv1.Pod {
		return &setplanv1.Pod{Name: name, Uid: "uid-" + name, RevisionNameIndex: revision, OwnerSetIndex: 1, Phase: setplanv1.PodPhase_POD_PHASE_RUNNING, Ready: ready > 0,
			ReadyChangedUnixMs: now.Add(-ready).UnixMilli(), CreatedUnixMs: now.Add(-61 * time.Minute).UnixMilli()}
	}
	stopping := pod("web-3", 1, time.Hour)
	stopping.DeletionUnixMs = 1
	stranger := pod("web-4", 0, time.Hour)
	stranger.OwnerSetIndex = 0
	drain := &setplanv1.Pod{Name: "web-5", Uid: "uid-web-5", AnnotationSetIndex: 1, Phase: setplanv1.PodPhase_POD_PHASE_PENDING, CreatedUnixMs: now.Add(-61 * time.Minute).UnixMilli()}
	snapshot := &setplanv1.Snapshot{
		ObservedAt: timestamppb.New(now),
		Set: &setplanv1.StatefulSet{Namespace: "default", Name: "web", Uid: "s", Replicas: new(int32(4)), MinReadySeconds: 10,
			Status: &setplanv1.StatefulSetStatus{UpdateRevision: new("web-new")}},
		Pods: []*setplanv1.Pod{pod("web-1", 2, 3*time.Second), pod("web-2", 2, time.Hour), pod("web-0", 1, time.Hour), stopping, stranger, drain},
		Revisions: []*setplanv1.Revision{{Name: "web-old", Data: []byte(`{"spec":{"template":{"spec":{"containers":[{"image":"registry.example:5000/db:1"},{"image":"proxy"}]}}}}`)},
			{Name: "web-new", Data: []byte(`"no template"`)}},
		Tables: &setplanv1.Tables{RevisionNames: []string{"", "web-old", "web-new"},
			AnnotationSets: []*setplanv1.AnnotationSet{{}, {Annotations: map[string]string{"setplan.io/drain-set": "web/s"}}},
			OwnerSets:      []*setplanv1.OwnerSet{{}, {Owners: []*setplanv1.OwnerReference{{Uid: "s", Controller: true}}}}},
	}
	snapshot.Set.Replicas = new(int32(3))
	plan := &setplanv1.Plan{
		Stages: []*setplanv1.Stage{{Steps: []*setplanv1.Step{{Actions: []*setplanv1.Action{
			{Target: &setplanv1.Target{Name: "www-web-2"}, Operation: &setplanv1.Action_SetClaimOwners{}}}}}}},
		Blocks: []*setplanv1.Block{{Code: setplanv1.BlockCode_BLOCK_CODE_POD_NOT_AVAILABLE, Severity: setplanv1.Severity_SEVERITY_WAIT,
			Subject: &setplanv1.Target{Name: "web-1"}, Message: "Not yet."},
			{Code: setplanv1.BlockCode_BLOCK_CODE_DRAINING, Severity: setplanv1.Severity_SEVERITY_WAIT,
				Subject: &setplanv1.Target{Name: "web-5"}, Message: "Draining."}},
	}
	return snapshot, plan
}

func TestView(t *testing.T) {
	var pace Pace
	view := NewView(rollout())
	view.Restarts = func(uid string) int32 { return map[string]int32{"uid-web-1": 3}[uid] }
	got := view.Text(show.Style{}, &pace, now, 0)
	want := `default/web  [.......] 1/5 updated, 2 available, 2 to go  no pod done yet, so no estimate
POD    REVISION   AGE  RESTARTS  STATE                        ACTION                     IMAGE
web-0  old (old)  61m  0         available                                               db:1 +1
web-1  new        61m  3         ready, available in 7s       waits: pod not available
web-2  new        61m  0         available                    set claim owners www-web-2
web-3  old        61m  0         stopping, outside the range                             db:1 +1
web-5             61m  0         drain pod, pending           waits: draining
wait web-1: Not yet.
wait web-5: Draining.
`
	want = strings.Replace(want, "[.......]", "["+strings.Repeat("#", barWidth/5)+strings.Repeat(".", barWidth-barWidth/5)+"]", 1)
	if squeeze(got) != squeeze(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// squeeze replaces runs of spaces by one: tabwriter aligns the columns.
func squeeze(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

// TestHeldOnPurpose: a pod that a partition or OnDelete keeps at its revision counts as done.
func TestHeldOnPurpose(t *testing.T) {
	snapshot, plan := rollout()
	snapshot.Set.UpdateStrategy = &setplanv1.UpdateStrategy{RollingUpdate: &setplanv1.RollingUpdate{Partition: 1}}
	if v := NewView(snapshot, plan); !v.Rows[0].Done || v.Done != 2 {
		t.Errorf("below the partition: %+v, %d done", v.Rows[0], v.Done)
	}
	snapshot.Set.UpdateStrategy = &setplanv1.UpdateStrategy{Type: "OnDelete"}
	if v := NewView(snapshot, plan); !v.Rows[0].Done {
		t.Errorf("OnDelete: %+v", v.Rows[0])
	}
}

// TestShortTerminal: what does not fit is counted.
// A reserved ordinal has no row, and the one behind the last is a member instead.
func TestReserved(t *testing.T) {
	snapshot, plan := rollout()
	snapshot.Set.Annotations = map[string]string{"setplan.io/reserved-ordinals": "1"}
	var members []string
	for _, row := range NewView(snapshot, plan).Rows[:3] {
		members = append(members, row.Pod)
	}
	if got := strings.Join(members, " "); got != "web-0 web-2 web-3" {
		t.Error(got)
	}
}

func TestShortTerminal(t *testing.T) {
	var pace Pace
	text := NewView(rollout()).Text(show.Style{}, &pace, now, 8)
	if lines := strings.Count(text, "\n"); lines > 8 || !strings.Contains(text, "... and 4 more pods") {
		t.Errorf("%d lines:\n%s", lines, text)
	}
}

// TestPace: the estimate uses pods that were seen to become done, and starts again with something new to do.
func TestPace(t *testing.T) {
	var pace Pace
	for _, step := range []struct {
		second, left int
		want         time.Duration
		known        bool
	}{
		{0, 5, 0, false},
		{7, 5, 0, false},
		{10, 4, 40 * time.Second, true},
		{14, 4, 36 * time.Second, true},
		{30, 3, 45 * time.Second, true},
		{99, 3, 0, true}, // later than estimated
		{100, 0, 0, true},
		{200, 4, 0, false}, // a new rollout
		{202, 3, 6 * time.Second, true},
	} {
		at := now.Add(time.Duration(step.second) * time.Second)
		pace.Saw(step.left, at)
		if got, known := pace.Left(at); got != step.want || known != step.known {
			t.Errorf("after %d s, %d left: %v, %v", step.second, step.left, got, known)
		}
	}
}

// TestScreen: a text replaces the one before, however many lines that had.
func TestScreen(t *testing.T) {
	out := &strings.Builder{}
	screen := NewScreen(out)
	for _, text := range []string{"a\nb\n", "c\n", "d\n"} {
		if err := screen.Draw(text); err != nil {
			t.Fatal(err)
		}
	}
	if want := "\x1b[Ja\nb\n\x1b[2A\x1b[Jc\n\x1b[1A\x1b[Jd\n"; out.String() != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

// TestTrouble: an error is broken into lines instead of cut, and does not move the cursor.
func TestTrouble(t *testing.T) {
	got := Trouble(show.Style{}, errors.New("the API server is\n\x1b[2Jaway"), 61*time.Second+time.Millisecond, 20)
	if want := "no news for 1m1s:\nthe API server is\n\\x1b[2Jaway\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCut: colours have no width, and are reset even if the text is cut.
func TestCut(t *testing.T) {
	for line, want := range map[string]string{
		"abcdef":                "abcd",
		"\x1b[31mabcdef\x1b[0m": "\x1b[31mabcd\x1b[0m",
		"ab":                    "ab",
		"ääääää":                "ääää",
		"\x1b[1mab\x1b[0mcdef":  "\x1b[1mab\x1b[0mcd",
	} {
		if got := cut(line, 4); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// TestAbsurdSizes: the cost of a picture does not depend on the sizes in a set's spec; everything is counted.
func TestAbsurdSizes(t *testing.T) {
	snapshot, plan := rollout()
	snapshot.Set.Replicas, snapshot.Set.OrdinalsStart = new(int32(math.MaxInt32)), math.MaxInt32
	for range 5 * mostRows {
		plan.Blocks = append(plan.Blocks, plan.Blocks[0])
	}
	v := NewView(snapshot, plan)
	var pace Pace
	text := v.Text(show.Style{}, &pace, now, 0)
	for _, want := range []string{"0/2147483652 updated", "... and 2147482647 more pods", "web-2147484646", "... and 4002 more blocks"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s...", want, text[:300])
		}
	}
	if lines := strings.Count(text, "\n"); lines > 3*mostRows {
		t.Errorf("%d lines", lines)
	}
}

// TestNoEscapes: invented names and texts from a planner or a file cannot control a terminal.
func TestNoEscapes(t *testing.T) {
	snapshot, plan := rollout()
	snapshot.Set.Name, plan.Blocks[0].Message = "web\x1b[2J", "Not\nyet\x1b]0;x\a."
	snapshot.Tables.RevisionNames[2] = "web-\x1b[1A"
	var pace Pace
	if text := NewView(snapshot, plan).Text(show.Style{}, &pace, now, 0); strings.ContainsAny(text, "\x1b\a") || strings.Contains(text, "\nyet") {
		t.Errorf("%q", text)
	}
}
