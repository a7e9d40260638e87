package engine

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// laborious is a world in which every part of a plan has work to do.
func laborious(pods int) *world {
	w := newWorld(pods).parallel().withClaims()
	w.Set.Replicas = int32(2 * pods)
	w.Set.PodTemplate = []byte(strings.Replace(template, "web:1", "web:2", 1))
	return w
}

// TestWorkIsBounded cuts a plan at many bounds below its whole work. The result is the beginning of the whole plan, or a block that
// says what is too much.
func TestWorkIsBounded(t *testing.T) {
	w := laborious(300)
	var m Meter
	whole := DecideWithin(&w.Snapshot, &m)
	if whole.Truncated || len(whole.Stages) < 3 || m.Work() < 1000 {
		t.Fatalf("a plan of %d units, which says little:\n%s", m.Work(), Describe(whole))
	}
	blocked, cut := 0, 0
	for most := 1; most < m.Work(); most += 1 + m.Work()/200 {
		bounded := Meter{MaxWork: most}
		p := DecideWithin(&w.Snapshot, &bounded)
		switch {
		case p == nil || !p.Truncated || p.Converged:
			t.Fatalf("with %d units of %d: %+v", most, m.Work(), p)
		case len(p.Stages) == 0:
			blocked++
			if len(p.Blocks) == 0 || p.Blocks[len(p.Blocks)-1].Code != BlockInvalidSpec {
				t.Fatalf("with %d units nothing is planned, and no block says why:\n%s", most, Describe(p))
			}
		default:
			cut++
		}
		for i, stage := range p.Stages {
			if got, want := stageText(stage), stageText(whole.Stages[i]); got != want {
				t.Fatalf("with %d units stage %d is\n%s\nwant\n%s", most, i, got, want)
			}
		}
		if over := bounded.Work() - most; over > 100_000 {
			t.Fatalf("with %d units it went on for %d", most, over)
		}
	}
	if blocked == 0 || cut == 0 {
		t.Errorf("%d plans were blocked, %d cut: the test says little", blocked, cut)
	}
}

func stageText(s Stage) string { return Describe(&Plan{Stages: []Stage{s}}) }

func TestBlameNamesTheField(t *testing.T) {
	for want, change := range map[string]func(w *world){
		"spec.template": func(w *world) {
			w.Set.PodTemplate = []byte(`{"metadata":{"labels":{"app":"web"}},"spec":{"x":[0` + strings.Repeat(",0", 5000) + `]}}`)
		},
		"spec.selector": func(w *world) {
			for range 5000 {
				w.Set.Selector.Expressions = append(w.Set.Selector.Expressions, Requirement{Key: "x", Operator: "DoesNotExist"})
			}
		},
		"the number of revisions": func(w *world) { w.Revisions = append(w.Revisions, make([]Revision, 5000)...) },
		"the number of claims":    func(w *world) { w.Claims = append(w.Claims, make([]Claim, 50_000)...) },
	} {
		w := newWorld(3).withClaims()
		change(w)
		p := DecideWithin(&w.Snapshot, &Meter{MaxWork: 2000})
		if text := Describe(p); !strings.Contains(text, want+".") || len(p.Stages) > 0 {
			t.Errorf("nothing blames %s:\n%s", want, text)
		}
	}
}

// TestStop ends a decision at every check, from the first to the last.
func TestStop(t *testing.T) {
	w := laborious(5000)
	looks := 0
	DecideWithin(&w.Snapshot, &Meter{Stop: func() bool { looks++; return false }})
	if looks < 3 {
		t.Fatalf("Stop was asked %d times", looks)
	}
	for at := 1; at <= looks; at++ {
		n := 0
		if p := DecideWithin(&w.Snapshot, &Meter{Stop: func() bool { n++; return n == at }}); p != nil || n != at {
			t.Errorf("stopped at look %d of %d: it looked %d times, plan %v", at, looks, n, p)
		}
	}
}

// TestOutcomesAreBounded: reporting failures is work too, also after the last stage.
func TestOutcomesAreBounded(t *testing.T) {
	w := laborious(30)
	for i := range 5000 {
		w.Outcomes = append(w.Outcomes, Outcome{ActionID: strconv.Itoa(i), Message: "no"})
	}
	var m Meter
	whole := DecideWithin(&w.Snapshot, &m)
	w.Outcomes = append(w.Outcomes, Outcome{ActionID: whole.Stages[0].Steps[0].Actions[0].ID, Message: "no"})
	for most := 1; most <= m.Work(); most += 1 + m.Work()/200 {
		p := DecideWithin(&w.Snapshot, &Meter{MaxWork: most})
		if !p.Truncated {
			t.Fatalf("with %d units of %d the plan is whole", most, m.Work())
		}
		if told := strings.Contains(Describe(p), "no"); told != (len(p.Stages) > 0) {
			t.Fatalf("with %d units, the failed action is reported: %t\n%s", most, told, Describe(p))
		}
	}
	looks := 0
	DecideWithin(&w.Snapshot, &Meter{Stop: func() bool { looks++; return false }})
	for at := 1; at <= looks; at++ {
		n := 0
		if p := DecideWithin(&w.Snapshot, &Meter{Stop: func() bool { n++; return n == at }}); p != nil {
			t.Errorf("stopped at look %d of %d: %s", at, looks, Describe(p))
		}
	}
}

// TestLongListsLook: work that is counted at once still checks Stop on the way.
func TestLongListsLook(t *testing.T) {
	const n = 100_000
	looks := 0
	m := &Meter{Stop: func() bool { looks++; return false }}
	list := make([]int, n)
	for i := range list {
		list[i] = i * 7919 % n
	}
	sortList(m, partPods, list, func(a, b int) int { return a - b })
	if !slices.IsSorted(list) || looks < n/turnsAtOnce {
		t.Errorf("it looked %d times while it sorted %d", looks, n)
	}
	w := newWorld(3)
	for i := range n {
		w.Set.Selector.Expressions = append(w.Set.Selector.Expressions, Requirement{Key: strconv.Itoa(i), Operator: "DoesNotExist"})
	}
	looks = 0
	DecideWithin(&w.Snapshot, m)
	if looks < n/turnsAtOnce {
		t.Errorf("it looked %d times at a selector of %d", looks, n)
	}
}

// TestMeteredPanics: the meter ends a decision by a panic, and hides no other panic.
func TestMeteredPanics(t *testing.T) {
	defer func() {
		if recover() != "a bug" {
			t.Error("the panic of a bug did not come through")
		}
	}()
	w := laborious(300)
	n := 0
	DecideWithin(&w.Snapshot, &Meter{Stop: func() bool {
		if n++; n == 1 {
			panic("a bug")
		}
		return false
	}})
}

// TestManyBlocks: thousands of pods with the same trouble get a few blocks and a number.
func TestManyBlocks(t *testing.T) {
	w := newWorld(5000).parallel()
	for i := range w.Pods {
		w.Pods[i].Owners = []Owner{{APIVersion: "v1", Kind: strings.Repeat("K", 10_000), Name: "x", UID: "other", Controller: true}}
	}
	p := Decide(&w.Snapshot)
	if len(p.Blocks) != maxBlocks {
		t.Fatalf("%d blocks", len(p.Blocks))
	}
	told := 0
	for _, b := range p.Blocks {
		if len(b.Message)+len(b.Remedy) > 1000 {
			t.Fatalf("a block of %d bytes", len(b.Message)+len(b.Remedy))
		}
		if strings.Contains(b.Message, "4000 more objects") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("%d blocks mention the other 4000, want 1", told)
	}
}
