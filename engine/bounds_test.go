package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// TestBounds: a set that is at a bound is planned. Of one beyond it nothing is done, and a block says why.
func TestBounds(t *testing.T) {
	owners := func(n int) (list []model.Owner) {
		for i := range n {
			list = append(list, model.Owner{APIVersion: "v1", Kind: "ConfigMap", Name: strconv.Itoa(i), UID: strconv.Itoa(i)})
		}
		return list
	}
	for what, row := range map[string]struct {
		most int
		has  func(w *world, n int)
		says string
	}{
		"claim templates": {100, func(w *world, n int) {
			w.Set.ClaimTemplates = nil
			for i := range n {
				w.Set.ClaimTemplates = append(w.Set.ClaimTemplates, fmt.Appendf(nil, `{"metadata":{"name":"d%d"},"spec":{}}`, i))
			}
		}, "spec.volumeClaimTemplates has 101 templates; at most 100 are supported."},
		"requirements": {100, func(w *world, n int) {
			for i := range n - 1 {
				w.Set.Selector.Expressions = append(w.Set.Selector.Expressions, model.Requirement{Key: "x" + strconv.Itoa(i), Operator: "DoesNotExist"})
			}
		}, "spec.selector has 101 requirements"},
		"values": {1000, func(w *world, n int) {
			w.Set.Selector.Expressions = []model.Requirement{{Key: "x", Operator: "NotIn", Values: strings.Split(strings.Repeat(",", n-1), ",")}}
		}, "spec.selector.matchExpressions has 1001 values"},
		"owners of pods": {50, func(w *world, n int) {
			w.p("web-1").Owners = append(w.owners(), owners(n-1)...)
			w.p("web-2").Owners = w.p("web-1").Owners
		}, "Pod web-1 has 51 owners"},
		"volumes of pods": {200, func(w *world, n int) {
			w.p("web-1").Volumes = append(make([]string, n-1), "www")
			w.p("web-2").Volumes = w.p("web-1").Volumes
			slices.Reverse(w.Pods)
		}, "Pod web-1 has 201 volumes; at most 200 are supported."},
		"owners of claims":    {50, func(w *world, n int) { w.Claims[0].Owners = owners(n) }, "PersistentVolumeClaim www-web-0 has 51 owners"},
		"owners of revisions": {50, func(w *world, n int) { w.Revisions[0].Owners = append(w.owners(), owners(n-1)...) }, "ControllerRevision web-"},
	} {
		for n := row.most; n <= row.most+1; n++ {
			w := newWorld(3).withClaims().without("web-0")
			row.has(w, n)
			p := Decide(&w.Snapshot)
			beyond := len(p.Blocks) == 1 && p.Blocks[0].Code == model.BlockInvalidSpec && p.Blocks[0].Severity == model.Attention && strings.Contains(p.Blocks[0].Message, row.says) &&
				!strings.Contains(Describe(p), "-pod")
			if beyond != (n > row.most) || n <= row.most && !strings.Contains(Describe(p), "create-pod") {
				t.Errorf("%s, %d:\n%s", what, n, Describe(p))
			}
		}
	}
}

// laborious is a world in which every part of a plan has work to do.
func laborious(pods int) *world {
	w := newWorld(pods).parallel().withClaims()
	w.Set.Replicas = int32(2 * pods)
	w.Set.PodTemplate = []byte(strings.Replace(template, "web:1", "web:2", 1))
	return w
}

// TestStop ends a decision at every look, from the first to the last.
func TestStop(t *testing.T) {
	looksAt := func(w *world) (looks int) {
		DecideUntil(&w.Snapshot, func() bool { looks++; return false })
		return looks
	}
	w := laborious(5000)
	looks, few := looksAt(w), looksAt(laborious(50))
	if few < 10 || looks < few+20 {
		t.Fatalf("it looked %d times, and %d of a small set", looks, few)
	}
	for at := 1; at <= looks; at++ {
		n := 0
		if p := DecideUntil(&w.Snapshot, func() bool { n++; return n == at }); p != nil || n != at {
			t.Errorf("stopped at look %d of %d: it looked %d times, plan %v", at, looks, n, p)
		}
	}
	saying := func(revisions int) *world {
		w := added(1, 0)
		for i := range revisions {
			older := strings.Replace(walMounted, "web:1", fmt.Sprintf("web:0.%d", i), 1)
			w.revision(int64(-i), older)
			w.Revisions[len(w.Revisions)-1].Data = patchOf(mustTree(older), []jsontree.Member{{Key: "wal", Value: mustTree(wal)}})
		}
		return w
	}
	if looks, few := looksAt(saying(50)), looksAt(saying(0)); looks < few+2*50 {
		t.Errorf("it looked %d times, and %d without 50 revisions that say something of claim templates, which it reads twice", looks, few)
	}
}

// TestManyBlocks: thousands of pods with the same trouble get a few blocks and a number.
func TestManyBlocks(t *testing.T) {
	w := newWorld(5000).parallel()
	for i := range w.Pods {
		w.Pods[i].Owners = []model.Owner{{APIVersion: "v1", Kind: strings.Repeat("K", 10_000), Name: "x", UID: "other", Controller: true}}
	}
	p := Decide(&w.Snapshot)
	if len(p.Blocks) != 1000 {
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

// TestManyInDanger: nothing is made or remembered of claims in danger that the plan does not list.
func TestManyInDanger(t *testing.T) {
	w := newWorld(3000).withClaims()
	w.Claims = nil
	p := begin(&w.Snapshot, nil)
	p.run()
	if n := p.out.Count(model.BlockClaimLost); n != 3000 {
		t.Errorf("%d claims are missing", n)
	}
}

// TestMostSaid: revisions beyond the bound say nothing of claim templates, and those that no pod has take no room from those that pods have.
func TestMostSaid(t *testing.T) {
	w := added(1, 0)
	w.Set.Status.CurrentRevision = "used"
	revision := func(name string, long int) *model.Revision {
		return &model.Revision{Name: name, Owners: w.owners(), Data: []byte(`{"setplan.io/claim-templates":{"wal":` + wal + `},"x":"` + strings.Repeat("x", long) + `"}`)}
	}
	v, out := newView(&w.Snapshot), state.NewDraft(&w.Snapshot, &plan.Caller{})
	v.Revisions = []*model.Revision{revision("older", 0), revision("used", 0), revision("long", 3<<20)}
	if claimtemplate.ReadAdditions(&v.Known, &out); len(v.Said) != 1 || v.Said["used"] == nil {
		t.Errorf("what is said by %d revisions is read, want that of the one in use", len(v.Said))
	}
	v.Revisions[1] = revision("used", 3<<20)
	if v.Snap.Capabilities = model.AllCapabilities; claimtemplate.ReadAdditions(&v.Known, &out) || out.Count(model.BlockInvalidRevision) != 1 {
		t.Error("a set whose pods have claims that nobody knows is planned")
	}
}
