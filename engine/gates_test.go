package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/rollout"
	"github.com/setplan/setplan/engine/state"
)

// agrees gives a pod the annotation of a gate, for the newest revision.
func (w *world) agrees(annotation string, pods ...string) *world {
	for _, name := range pods {
		w.answers(annotation, w.Revisions[len(w.Revisions)-1].Name, name)
	}
	return w
}

func (w *world) answers(annotation, value, pod string) {
	p := w.p(pod)
	values := map[string]string{annotation: value}
	if p.Annotations != nil {
		for k, v := range p.Annotations.Values {
			if k != annotation {
				values[k] = v
			}
		}
	}
	p.Annotations = &model.Annotations{Values: values}
}

// TestGates: a pod is updated once somebody has agreed to it, and the next one once somebody has agreed to that.
func TestGates(t *testing.T) {
	const before, after, primary = policy.Before, policy.After, "role=primary"
	budget := func(n int32) func(w *world) *world {
		return func(w *world) *world { w.Set.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Count: n}; return w }
	}
	tests := []struct {
		name, gates  string
		edit         func(w *world)
		want, blocks string
	}{
		{"nobody is asked", "", func(w *world) {}, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"before", before, func(w *world) {}, "none", "UPDATE_GATED web-2"},
		{"before, agreed", before, func(w *world) { w.agrees(before, "web-2") }, "delete-pod web-2@1", "UPDATE_BUDGET web-1"},
		{"a lower one is agreed to", before, func(w *world) { w.agrees(before, "web-1") }, "none", "UPDATE_GATED web-2"},
		{"to another revision", before, func(w *world) { w.answers(before, "web-1", "web-2") }, "none", "UPDATE_GATED web-2"},
		{"by its template", before, func(w *world) {
			next := w.Revisions[len(w.Revisions)-1]
			inTemplate(w, before, next.Name).agrees(before)
			for i := range w.Pods {
				w.answers(before, next.Name, w.Pods[i].Name)
			}
			w.Set.PodTemplate = []byte(strings.Replace(template, "web:1", "web:2", 1)) // back to that one
			w.Revisions[len(w.Revisions)-2].Number = 9
		}, "none", "UPDATE_GATED web-2"},
		{"by the other annotation", before, func(w *world) { w.agrees(after, "web-2") }, "none", "UPDATE_GATED web-2"},
		{"one of two", before, func(w *world) { budget(2)(w).agrees(before, "web-2") }, "delete-pod web-2@1", "UPDATE_GATED web-1"},
		{"two of two", before, func(w *world) { budget(2)(w).agrees(before, "web-2", "web-1") }, "delete-pod web-2@1, delete-pod web-1@1", "UPDATE_BUDGET web-0"},
		{"a broken pod", before, func(w *world) { w.unready("web-1") }, "none", "POD_NOT_READY web-1, UPDATE_BUDGET web-2, UPDATE_GATED web-1"},
		{"a broken pod, agreed", before, func(w *world) { w.unready("web-1").agrees(before, "web-1") }, "delete-pod web-1@1", "POD_NOT_READY web-1, UPDATE_BUDGET web-2"},
		{"after, at first", after, func(w *world) {}, "delete-pod web-2", "UPDATE_BUDGET web-1"},
		{"after", after, func(w *world) { w.atNewest("web-2") }, "none", "UPDATE_GATED web-2"},
		{"after, agreed", after, func(w *world) { w.atNewest("web-2").agrees(after, "web-2") }, "delete-pod web-1", "UPDATE_BUDGET web-0"},
		{"after, of another revision", after, func(w *world) { w.atNewest("web-2").answers(after, "web-1", "web-2") }, "none", "UPDATE_GATED web-2"},
		{"not ready is worse", after, func(w *world) { w.atNewest("web-2").unready("web-2") }, "none", "POD_NOT_READY web-2, UPDATE_BUDGET web-1"},
		{"it counts in the budget", after, func(w *world) { budget(2)(w).atNewest("web-2") }, "delete-pod web-1", "UPDATE_GATED web-2"},
		{"a broken pod costs nothing", after, func(w *world) { w.atNewest("web-2").unready("web-0") }, "delete-pod web-0@1", "POD_NOT_READY web-0, UPDATE_GATED web-2"},
		{"nothing is left", after, func(w *world) { w.atNewest("web-0", "web-1", "web-2") }, "none", ""},
		{"the rest is below the partition", after, func(w *world) { w.atNewest("web-2").Set.RollingUpdate.Partition = 2 }, "none", "PARTITION_HELD web-0"},
		{"both", before + " " + after, func(w *world) { w.atNewest("web-2").agrees(after, "web-2") }, "none", "UPDATE_GATED web-1"},
		{"both agree", before + " " + after, func(w *world) { w.atNewest("web-2").agrees(after, "web-2").agrees(before, "web-1") }, "delete-pod web-1@1", "UPDATE_BUDGET web-0"},
		{"by ranks, before", before, func(w *world) { w.asks(policy.Rank, primary).leads("web-2", primary) }, "none", "UPDATE_GATED web-1"},
		{"by ranks, after", after, func(w *world) { w.asks(policy.Rank, primary).leads("web-2", primary).atNewest("web-1") }, "none", "UPDATE_GATED web-1"},
		{"the leader waits, too", after, func(w *world) {
			budget(3)(w).asks(policy.Rank, primary).leads("web-2", primary).atNewest("web-0", "web-1").agrees(after, "web-1")
		}, "none", "UPDATE_GATED web-0"},
		{"the leader", after, func(w *world) {
			w.asks(policy.Rank, primary).leads("web-2", primary).atNewest("web-0", "web-1").agrees(after, "web-0", "web-1")
		}, "delete-pod web-2@1", ""},
		{"without maxUnavailable", after, func(w *world) { w.Rules.MaxUnavailable = false; w.atNewest("web-2") }, "none", "UPDATE_GATED web-2"},
		{"without maxUnavailable, at the end", after, func(w *world) { w.Rules.MaxUnavailable = false; w.atNewest("web-0", "web-1", "web-2") }, "none", ""},
		{"somebody's choice is an answer", before, func(w *world) {
			w.atNewest("web-0", "web-1", "web-2").p("web-1").Annotations = &model.Annotations{Values: map[string]string{state.AnnotationRecreate: "true"}}
		}, "delete-pod web-1@1", ""},
		{"by hand", before, func(w *world) { w.Set.StrategyType = "OnDelete" }, "none", "ON_DELETE web-0"},
		{"paused", before, func(w *world) { w.asks(policy.Pause, "Updates") }, "none", "PAUSED web"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(3).parallel().image("web:2")
			w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
			for gate := range strings.FieldsSeq(test.gates) {
				w.asks(gate, "agent")
			}
			test.edit(w)
			plan := Decide(&w.settled().Snapshot)
			got := strings.Join(deletions(plan), ", ")
			if got == "" {
				got = "none"
			}
			check(t, test.name, "actions", got, test.want)
			check(t, test.name, "blocks", sortedBlocks(plan), test.blocks)
		})
	}
}

// deletions lists the pods that a plan deletes or evicts, with the resource version where it names one.
func deletions(p *model.Plan) (list []string) {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if !a.Op.Traits().Destructive || a.Kind != model.KindPod {
					continue
				}
				text := a.Op.Traits().Name + " " + a.Name
				if a.ResourceVersion != "" {
					text += "@" + a.ResourceVersion
				}
				list = append(list, text)
			}
		}
	}
	return list
}

// TestGateOfRepair: a leftover of a bad template is repaired once somebody has agreed.
func TestGateOfRepair(t *testing.T) {
	for answer, want := range map[string]string{"": "", badRevision: "", goodRevision: "delete-pod web-2@1"} {
		for _, order := range []string{"OrderedReady", "Parallel"} { // where the repair is alone, and where the update asks about the same pod
			w := mended()
			w.Set.PodManagementPolicy = order
			w.neverReady("web-2", badRevision)
			w.asks(policy.Before, "agent")
			w.answers(policy.Before, answer, "web-2")
			plan := Decide(&w.Snapshot)
			blocks := "POD_NOT_READY web-2, REPAIR_WAITS web-2, UPDATE_GATED web-2"
			if want != "" && order == "Parallel" {
				blocks = "POD_NOT_READY web-2, UPDATE_BUDGET web-1"
			} else if want != "" {
				blocks = "POD_NOT_READY web-2"
			}
			check(t, order+", answer "+answer, "actions", strings.Join(deletions(plan), ", "), want)
			check(t, order+", answer "+answer, "blocks", sortedBlocks(plan), blocks)
		}
	}
}

// TestGatedRepairIsTold: a pod whose repair waits for an answer still needs repair.
func TestGatedRepairIsTold(t *testing.T) {
	w := mended()
	w.neverReady("web-2", badRevision)
	w.asks(policy.Before, "agent")
	for _, a := range allActions(Decide(&w.Snapshot)) {
		if op, is := a.Op.(model.UpdateStatus); is {
			for _, c := range op.Status.Conditions {
				if c.Type == state.ConditionRepairing && c.Status == state.ConditionTrue {
					return
				}
			}
		}
	}
	t.Error("no condition says that a pod needs repair")
}

// TestUnclearLeaderWithGates: somebody has to act where nobody leads, unless a pod is down. One that nobody has confirmed is not.
func TestUnclearLeaderWithGates(t *testing.T) {
	for down, want := range map[bool]model.Severity{false: model.Attention, true: model.Wait} {
		w := newWorld(3).parallel().image("web:2").asks(policy.Rank, "role=primary").asks(policy.After, "agent")
		w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
		if w.atNewest("web-2"); down {
			w.unready("web-2")
		}
		plan := Decide(&w.settled().Snapshot)
		at := slices.IndexFunc(plan.Blocks, func(b model.Block) bool { return b.Code == model.BlockLeaderUnclear })
		if at < 0 || plan.Blocks[at].Severity != want {
			t.Errorf("a pod is down: %v: %+v", down, plan.Blocks)
		}
	}
}

// TestGateOfEndedPod: a pod that has ended is replaced without an answer, and no block asks for one.
func TestGateOfEndedPod(t *testing.T) {
	for _, answered := range []bool{false, true} {
		w := newWorld(3).parallel().image("web:2").asks(policy.Before, "agent")
		w.revision(2, strings.Replace(template, "web:1", "web:2", 1))
		w.Rules = model.Kubernetes136()
		w.Rules.MaxUnavailable = false
		w.failed("web-2")
		if answered {
			w.agrees(policy.Before, "web-2")
		}
		plan := Decide(&w.settled().Snapshot)
		for _, deletion := range deletions(plan) {
			if deletion != "delete-pod web-2" { // it has changed once it has been deleted
				t.Errorf("%v: %s", answered, deletion)
			}
		}
		if strings.Contains(sortedBlocks(plan), model.BlockUpdateGated.String()) {
			t.Errorf("%v: %s", answered, sortedBlocks(plan))
		}
	}
}

// TestWhoAgrees: a block is a sentence, whatever the text of the set is.
func TestWhoAgrees(t *testing.T) {
	for text, who := range map[string]string{"backup-agent": "backup-agent", "the person\n  on call\n": "the person on call", " \n": "someone",
		strings.Repeat("x", 300): strings.Repeat("x", 253) + "..."} {
		check(t, text, "who", rollout.WhoAgrees(policy.Asked{Name: policy.Before, Text: text}), who+" approves ("+policy.Before+")")
	}
}
