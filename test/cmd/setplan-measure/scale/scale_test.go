package scale

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
	"github.com/setplan/setplan/test/need"
)

// TestArrange: the requested number of each, spread over all, and no rolling set is edited.
func TestArrange(t *testing.T) {
	o := &options{singles: 800, threes: -1, edits: 40, rolling: -1}
	need.NoError(t, o.complete())
	sets := arrange(o)
	if len(sets) != 1000 || sets.pods() != 1400 || len(sets.rolling()) != 20 || len(sets.edited()) != 40 {
		t.Errorf("%d sets, %d pods, %d roll, %d are edited", len(sets), sets.pods(), len(sets.rolling()), len(sets.edited()))
	}
	if quarter := sets[:250]; quarter.pods() != 350 || len(quarter.rolling()) != 5 {
		t.Errorf("a quarter: %d pods, %d roll", quarter.pods(), len(quarter.rolling()))
	}
	names := map[string]bool{}
	for _, m := range sets {
		names[m.namespace+"/"+m.name] = true
		if m.rolls && m.edited {
			t.Errorf("%s rolls and is edited", m.name)
		}
	}
	if len(names) != 1000 {
		t.Errorf("%d names", len(names))
	}
	if err := (&options{singles: 100, threes: 0, edits: 60, rolling: 20}).complete(); err == nil {
		t.Error("hardly any set is left alone")
	}
}

// TestIdle: idle means this long and this little. Earlier samples do not count.
func TestIdle(t *testing.T) {
	start := time.Now()
	at := func(ms, cpu int) sample {
		return sample{start.Add(time.Duration(ms) * time.Millisecond), time.Duration(cpu) * time.Millisecond}
	}
	for name, row := range map[string]struct {
		samples []sample
		since   sample
		idle    bool
	}{
		"since it began to be":  {[]sample{at(0, 0), at(500, 400), at(1000, 410), at(1500, 420)}, at(500, 400), true},
		"not for long enough":   {[]sample{at(0, 0), at(600, 400), at(1500, 420)}, sample{}, false},
		"too much, bit by bit":  {[]sample{at(0, 0), at(500, 30), at(1000, 60), at(1500, 90)}, sample{}, false},
		"only looked at once":   {[]sample{at(0, 0)}, sample{}, false},
		"the shortest that is":  {[]sample{at(0, 100), at(500, 110), at(1000, 120), at(2000, 130)}, at(1000, 120), true},
		"nothing used, but now": {[]sample{at(0, 0), at(1000, 0), at(1050, 60)}, sample{}, false},
	} {
		since, idle := idleSince(row.samples, time.Second, 50*time.Millisecond)
		if idle != row.idle || idle && since != row.since {
			t.Errorf("%s: idle %t since %v", name, idle, since)
		}
	}
}

// TestAnswers: an edit waits for the side's next write to the set, whichever line is first in the log.
func TestAnswers(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	line := func(user, verb, resource, subresource, name string, received, stage int) *testbed.AuditLine {
		l := &testbed.AuditLine{Verb: verb, RequestReceivedTimestamp: noon.Add(time.Duration(received) * time.Millisecond),
			StageTimestamp: noon.Add(time.Duration(stage) * time.Millisecond)}
		l.User.Username = user
		l.ObjectRef.Namespace, l.ObjectRef.Resource, l.ObjectRef.Subresource, l.ObjectRef.Name = "shop", resource, subresource, name
		return l
	}
	edit := line("admin", "patch", "statefulsets", "", "web", 100, 110)
	before := line("us", "patch", "statefulsets", "status", "web", 90, 95)
	status := line("us", "patch", "statefulsets", "status", "web", 130, 140)
	for name, row := range map[string]struct {
		lines []*testbed.AuditLine
		waits []float64 // nil: no answer
	}{
		"a status":              {[]*testbed.AuditLine{edit, status}, []float64{20}},
		"the first of two":      {[]*testbed.AuditLine{edit, line("us", "create", "controllerrevisions", "", "web-12ab", 125, 126), status}, []float64{15}},
		"a pod":                 {[]*testbed.AuditLine{edit, line("us", "delete", "pods", "", "web-0", 115, 116)}, []float64{5}},
		"before the edit":       {[]*testbed.AuditLine{before, edit}, nil},
		"before, and after":     {[]*testbed.AuditLine{before, edit, status}, []float64{20}},
		"logged before":         {[]*testbed.AuditLine{status, edit}, []float64{20}},
		"before it was heard":   {[]*testbed.AuditLine{edit, line("us", "patch", "statefulsets", "status", "web", 105, 140)}, []float64{0}},
		"a read":                {[]*testbed.AuditLine{edit, line("us", "get", "statefulsets", "", "web", 130, 140)}, nil},
		"an event":              {[]*testbed.AuditLine{edit, line("us", "create", "events", "", "web", 130, 140)}, nil},
		"of somebody else":      {[]*testbed.AuditLine{edit, line("kwok", "patch", "pods", "status", "web-0", 130, 140)}, nil},
		"to another set":        {[]*testbed.AuditLine{edit, line("us", "patch", "statefulsets", "status", "db", 130, 140)}, nil},
		"no edit":               {[]*testbed.AuditLine{status}, nil},
		"a set with a pod name": {[]*testbed.AuditLine{edit, line("us", "patch", "statefulsets", "status", "web-0", 130, 140)}, nil},
	} {
		a := newAnswers("us", members{{namespace: "shop", name: "web"}})
		for _, l := range row.lines {
			a.note(l)
		}
		var got []float64
		if a.open() == 0 {
			got = a.waits()
		}
		if diff := cmp.Diff(row.waits, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestTimes: the log's times are read to the microsecond.
func TestTimes(t *testing.T) {
	var line testbed.AuditLine
	text := `{"stage":"ResponseComplete","verb":"patch","requestReceivedTimestamp":"2026-03-01T12:00:00.100001Z","stageTimestamp":"2026-03-01T12:00:00.104501Z"}`
	if err := json.Unmarshal([]byte(text), &line); err != nil || line.StageTimestamp.Sub(line.RequestReceivedTimestamp) != 4500*time.Microsecond {
		t.Errorf("%v, %v", line, err)
	}
}

func TestReport(t *testing.T) {
	r := &results{}
	for side, cost := range map[string]float64{"ours": 6, "builtin": 10, "embedded": 5} {
		r.add(key{100, "start", "cpu"}, side, cost/4)
		r.add(key{400, "start", "cpu"}, side, cost-1)
		r.add(key{400, "start", "cpu"}, side, cost+1)
		r.add(key{400, "rest", "cpu"}, side, 0)
	}
	var out strings.Builder
	if err := r.report(&out, true); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		"SCALE start cpu ours=6.00 builtin=10.00 ratio=0.60 embedded=0.50\n",
		"SCALE rest cpu ours=0.00 builtin=0.00 ratio=- embedded=-\n",
		"SCALE growth-start cpu sets=100..400 ours=1.00 builtin=1.00 embedded=1.00\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got\n%s\nwant in it\n%s", &out, want)
		}
	}
	r.add(key{400, "start", "cpu"}, "ours", 90)
	r.add(key{400, "start", "cpu"}, "ours", 90)
	if err := r.report(&out, true); err == nil || !strings.Contains(err.Error(), "start, cpu: 4.85 of the built-in controller's") {
		t.Errorf("-check says %v", err)
	}
	if err := r.report(&out, false); err != nil {
		t.Errorf("nobody asked: %v", err)
	}
}
