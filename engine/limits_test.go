package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// renamed gives the set and all of its objects another name. The hash of its revision then has eight characters, so that it fits where another does not.
func (w *world) renamed(name string) *world {
	old := w.Set.Name + "-"
	for i := range w.Revisions {
		w.Revisions[i].Name = name + "-" + strings.Repeat("r", max(1, state.LongestLabel-1-max(54, len(name))))
	}
	for i := range w.Pods {
		w.Pods[i].Name = strings.Replace(w.Pods[i].Name, old, name+"-", 1)
		w.Pods[i].Revision = w.Revisions[len(w.Revisions)-1].Name
		w.Pods[i].Owners = []model.Owner{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: name, UID: "set-uid", Controller: true, BlockOwnerDeletion: true}}
	}
	for i := range w.Claims {
		w.Claims[i].Name = strings.Replace(w.Claims[i].Name, old, name+"-", 1)
	}
	w.Set.Name = name
	return w.settled()
}

// crowded gives the template an annotation of so many bytes, with its name.
func (w *world) crowded(bytes int) *world {
	w.Set.PodTemplate = []byte(strings.Replace(template, `"metadata":{`, `"metadata":{"annotations":{"a":"`+strings.Repeat("x", bytes-1)+`"},`, 1))
	w.Set.Generation++
	return w
}

// TestLimits: nothing is made, and nothing taken away, for a pod that the API server would refuse. Whatever else the set asks for is done.
func TestLimits(t *testing.T) {
	const short = "web"
	long := strings.Repeat("w", 54) // its revision of eight characters has 63, and most have more
	held := "INVALID_SPEC " + long
	edited := func(w *world) *world { return w.image("web:2") }
	stored := func(w *world) *world {
		w.revision(2, string(edited(w).Set.PodTemplate))
		w.Revisions[1].Name = strings.Replace(w.Revisions[1].Name, "web-", w.Set.Name+"-", 1)
		return w
	}
	tests := []struct {
		name         string
		set          string
		edit         func(w *world)
		want, blocks string
	}{
		{"a new set", long, func(w *world) { w.Pods, w.Claims, w.Revisions, w.Set.Status = nil, nil, nil, model.Status{} }, "", held},
		{"the longest name that is safe", long[:52], func(w *world) { edited(w) }, "create-revision *-5ff5dd6d7d, delete-pod *-2", "UPDATE_BUDGET *-1"},
		{"an update", long, func(w *world) { edited(w) }, "", held},
		{"an update whose revision is stored", long, func(w *world) { stored(w) }, "", held},
		{"an update of a Parallel set", long, func(w *world) { stored(w).parallel().budget("", 3) }, "", held},
		{"an update by ranks", long, func(w *world) { stored(w).asks(policy.Rank, "role=primary") }, "", held},
		{"an update in place", long, func(w *world) {
			stored(w).asks(policy.InPlace, "InPlaceOnly")
		}, "", held},
		{"by hand", long, func(w *world) { stored(w).Set.StrategyType = "OnDelete" }, "", held + ", ON_DELETE *-0"},
		{"a lost pod stays at its revision", long, func(w *world) { stored(w).without(long + "-1") }, "create-pod *-1", held},
		{"so does one of a set without rollingUpdate", long, func(w *world) { stored(w).without(long + "-1").Set.RollingUpdate = nil }, "create-pod *-1", held},
		{"and one that has ended", long, func(w *world) { stored(w).p(long + "-1").Phase = model.PodFailed }, "delete-pod *-1", held},
		{"a chosen pod too", long, func(w *world) { stored(w).chosen(long + "-1") }, "delete-pod *-1", held},
		{"a scale-down", long, func(w *world) { stored(w).Set.Replicas = 2 }, "delete-pod *-2", held},
		{"the current revision too", long, func(w *world) {
			stored(w).without(long + "-2").Set.RollingUpdate.Partition = 3
			w.Revisions[0].Name += "rr"
			w.Revisions[1].Name = long + "-rrrrrrrr"
			w.Set.Status.CurrentRevision = w.Revisions[0].Name
		}, "", held},
		{"a pod that would be repaired to it", long, func(w *world) {
			stored(w).Set.RollingUpdate.Partition = 3
			w.Revisions[0].Name += "rr"
			w.Revisions[1].Name = long + "-rrrrrrrr"
			w.Set.Status.CurrentRevision = w.Revisions[0].Name
			w.neverReady(long+"-1", long+"-another").CreatedAt = noon.Add(-time.Second)
		}, "", held + ", PARTITION_HELD *-1, POD_NOT_READY *-1"},
		{"another digit", strings.Repeat("w", 61), func(w *world) { w.Set.Replicas = 11 }, "create-claim www-*-3, create-pod *-3", "INVALID_SPEC *"},
		{"another digit, and others go", strings.Repeat("w", 61), func(w *world) { w.parallel().Set.OrdinalsStart = 10 }, "", "INVALID_SPEC *"},
		{"dots", "w.eb", func(w *world) { w.chosen("w.eb-1").without("w.eb-2") }, "", "INVALID_SPEC *, RECREATE_WAITS *-1"},
		{"a chosen pod that could not come back", "w.eb", func(w *world) { w.chosen("w.eb-1") }, "", "INVALID_SPEC *"},
		{"a new set with too many annotations", short, func(w *world) {
			w.crowded(state.MostAnnotations + 1)
			w.Pods, w.Claims, w.Revisions, w.Set.Status = nil, nil, nil, model.Status{}
		}, "", "INVALID_SPEC web"},
		{"an update to too many annotations", short, func(w *world) { w.crowded(state.MostAnnotations + 1).without("web-1") }, "create-pod web-1", "INVALID_SPEC web"},
		{"... by hand", short, func(w *world) { w.crowded(state.MostAnnotations + 1).Set.StrategyType = "OnDelete" }, "", "INVALID_SPEC web, ON_DELETE web-0"},
		{"... of all at once", short, func(w *world) { w.crowded(state.MostAnnotations + 1).Set.StrategyType = "Recreate" }, "", "INVALID_SPEC web"},
		{"... that is stored", short, func(w *world) {
			w.crowded(state.MostAnnotations + 1).parallel()
			w.revision(2, string(w.Set.PodTemplate))
		}, "", "INVALID_SPEC web"},
		{"as many as there may be", short, func(w *world) {
			w.crowded(state.MostAnnotations)
			w.revision(2, string(w.Set.PodTemplate))
		}, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"an update to a revision that is too large", short, func(w *world) {
			w.Set.PodTemplate = []byte(strings.Replace(template, "web:1", strings.Repeat("x", state.MostStored), 1))
			w.Set.Generation++
		}, "", "INVALID_SPEC web"},
		{"claims with too many annotations", short, func(w *world) {
			w.Set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"www","annotations":{"a":"` + strings.Repeat("x", state.MostAnnotations) + `"}}}`)}
			w.without("web-2").chosen("web-1")
		}, "", "INVALID_SPEC web, RECREATE_WAITS web-1"},
		{"no subdomain", short, func(w *world) { w.Set.ServiceName = strings.Repeat("s", 64); w.without("web-2") }, "", "INVALID_SPEC *"},
		{"no volume", short, func(w *world) {
			w.Set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"` + strings.Repeat("c", 64) + `"}}`)}
			w.without("web-2")
		}, "", "IDENTITY_MISMATCH *-0, IDENTITY_MISMATCH *-1, INVALID_SPEC *"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(3).withClaims().renamed(test.set)
			test.edit(w)
			p := Decide(&w.Snapshot)
			check(t, test.name, "actions", strings.ReplaceAll(actions(p), test.set, "*"), strings.ReplaceAll(test.want, test.set, "*"))
			check(t, test.name, "blocks", strings.ReplaceAll(sortedBlocks(p), test.set, "*"), sortedText(strings.ReplaceAll(test.blocks, test.set, "*")))
			if p.Converged {
				t.Error("the plan says that nothing is left to do")
			}
			for _, b := range p.Blocks {
				if b.Code == model.BlockInvalidSpec && !strings.Contains(b.Message+b.Remedy, fmt.Sprint(state.LongestLabel)) && !strings.Contains(b.Message, " bytes, and an object may have at most ") && !strings.Contains(b.Message, "dot") {
					t.Errorf("no limit: %s", b.Message)
				}
			}
			if st := status(p); st != nil && st.CurrentRevision != w.Set.Status.CurrentRevision && len(test.set) > state.SafeName {
				t.Errorf("the status names %q, which no pod has", st.CurrentRevision)
			}
		})
	}
}
