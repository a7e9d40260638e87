// Package live is the picture of a set that a terminal shows while the set changes.
package live

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// View is a set at one moment.
type View struct {
	Set       string
	Converged bool
	Rows      []Row
	Waits     []*setplanv1.Block
	// Done and Total count pods: those of the range that are as they should be, and all that are to be, or to go.
	Done, Total int
}

// Row is one pod, or an ordinal without one.
type Row struct {
	Pod, Revision, State, Action string
	Done                         bool
}

// NewView draws a plan over the snapshot it was made from.
func NewView(snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) *View {
	set := snapshot.GetSet()
	d := &drawing{snapshot: snapshot, set: set, pods: map[string]*setplanv1.Pod{}, actions: map[string]string{}, blocks: map[string]*setplanv1.Block{}}
	d.update = set.GetStatus().GetUpdateRevision()
	for _, pod := range snapshot.GetPods() {
		d.pods[pod.GetName()] = pod
	}
	d.readPlan(plan)
	v := &View{Set: set.GetNamespace() + "/" + set.GetName(), Converged: plan.GetConverged(), Waits: plan.GetBlocks()}
	for slot := range replicas(set) {
		v.Rows = append(v.Rows, d.row(fmt.Sprintf("%s-%d", set.GetName(), set.GetOrdinalsStart()+slot), int(slot)))
	}
	v.Rows = append(v.Rows, d.leaving(v.Rows)...)
	for _, row := range v.Rows {
		v.Total++
		if row.Done {
			v.Done++
		}
	}
	return v
}

type drawing struct {
	snapshot *setplanv1.Snapshot
	set      *setplanv1.StatefulSet
	update   string // the revision that pods are brought to
	pods     map[string]*setplanv1.Pod
	actions  map[string]string
	blocks   map[string]*setplanv1.Block
}

func (d *drawing) readPlan(plan *setplanv1.Plan) {
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				if status := action.GetUpdateStatus().GetStatus(); status.GetUpdateRevision() != "" {
					d.update = status.GetUpdateRevision()
				}
				d.actions[action.GetTarget().GetName()] = strings.ReplaceAll(adapters.OperationName(action), "_", " ")
			}
		}
	}
	for _, block := range plan.GetBlocks() {
		d.blocks[block.GetSubject().GetName()] = block
	}
}

func replicas(set *setplanv1.StatefulSet) int32 {
	if set.Replicas == nil {
		return 1
	}
	return set.GetReplicas()
}

// row is an ordinal of the range.
func (d *drawing) row(name string, slot int) Row {
	pod := d.pods[name]
	r := Row{Pod: name, State: "missing", Action: d.action(name)}
	if pod == nil {
		return r
	}
	revision := d.revision(pod)
	r.Revision = strings.TrimPrefix(revision, d.set.GetName()+"-")
	r.State = d.state(pod)
	r.Done = r.State == stateAvailable && (revision == d.update || d.staysOld(slot))
	if revision != d.update && !d.staysOld(slot) {
		r.Revision += " (old)"
	}
	return r
}

// leaving are the pods outside the range.
func (d *drawing) leaving(have []Row) []Row {
	var rows []Row
	for _, pod := range d.snapshot.GetPods() {
		name := pod.GetName()
		if slices.ContainsFunc(have, func(r Row) bool { return r.Pod == name }) || !d.controlled(pod) {
			continue
		}
		rows = append(rows, Row{Pod: name, Revision: strings.TrimPrefix(d.revision(pod), d.set.GetName()+"-"),
			State: d.state(pod) + ", outside the range", Action: d.action(name)})
	}
	return rows
}

func (d *drawing) controlled(pod *setplanv1.Pod) bool {
	index := int(pod.GetOwnerSet())
	if index == 0 || index > len(d.snapshot.GetTables().GetOwnerSets()) {
		return false
	}
	return slices.ContainsFunc(d.snapshot.GetTables().GetOwnerSets()[index-1].GetOwners(), func(o *setplanv1.OwnerReference) bool {
		return o.GetController() && o.GetUid() == d.set.GetUid()
	})
}

func (d *drawing) revision(pod *setplanv1.Pod) string {
	names := d.snapshot.GetTables().GetRevisionNames()
	if index := int(pod.GetRevision()); index > 0 && index <= len(names) {
		return names[index-1]
	}
	return ""
}

// staysOld reports whether a pod keeps its revision on purpose.
func (d *drawing) staysOld(slot int) bool {
	strategy := d.set.GetUpdateStrategy()
	return strategy.GetType() == "OnDelete" || slot < int(strategy.GetRollingUpdate().GetPartition())
}

const stateAvailable = "available"

func (d *drawing) state(pod *setplanv1.Pod) string {
	now := d.snapshot.GetObservedAt().AsTime()
	switch {
	case pod.GetDeletionUnixMs() != 0:
		return "stopping"
	case pod.GetPhase() != setplanv1.PodPhase_POD_PHASE_RUNNING || !pod.GetReady():
		return strings.ToLower(strings.TrimPrefix(pod.GetPhase().String(), "POD_PHASE_"))
	}
	until := time.UnixMilli(pod.GetReadyChangedUnixMs()).Add(time.Duration(d.set.GetMinReadySeconds()) * time.Second)
	if left := until.Sub(now); left > 0 && d.set.GetMinReadySeconds() > 0 {
		return fmt.Sprintf("ready, available in %s", left.Round(time.Second))
	}
	return stateAvailable
}

// action is what the plan does to a pod, or to a claim of it, or why it does nothing.
func (d *drawing) action(pod string) string {
	if action := d.actions[pod]; action != "" {
		return action
	}
	for _, name := range slices.Sorted(maps.Keys(d.actions)) {
		if strings.HasSuffix(name, "-"+pod) {
			return d.actions[name] + " " + name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.blocks)) {
		if name == pod || strings.HasSuffix(name, "-"+pod) {
			return "waits: " + strings.ToLower(strings.ReplaceAll(show.Code(d.blocks[name]), "_", " "))
		}
	}
	return ""
}
