// Package live makes the picture of a set that a terminal shows while the set changes.
package live

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/verify"
	"github.com/setplan/setplan/clients/cli/printable"
	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// View is a set at one moment.
type View struct {
	Set       string
	Converged bool
	Rows      []Row
	More      int // pods beyond the rows
	Waits     []*setplanv1.Block
	// Done counts the pods of the range that are in the desired state. Total counts all that should exist, and all that should go.
	Done, Total int
	// Available counts the available pods of the range at any revision. Leaving counts the pods that should go.
	Available, Leaving int
	// Undone is for how long nobody has carried out the plan; 0 if that is not too long.
	Undone time.Duration
	// Restarts returns how often the containers of the pod with a uid were restarted. Nil if nobody counts.
	Restarts func(uid string) int32
}

// Row is one pod, or an ordinal without one.
type Row struct {
	Pod, Revision, State, Action, Age, Image string
	Done                                     bool
	uid                                      string
}

// mostRows bounds the cost of a picture: a set may ask for two billion replicas. All pods are counted.
const mostRows = 1000

// NewView makes the view of a plan and its snapshot.
func NewView(snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) *View {
	plan = printable.Message(plan)
	set := snapshot.GetSet()
	d := &drawing{snapshot: snapshot, set: set, ordinals: verify.Against(snapshot).Range(), pods: map[string]*setplanv1.Pod{}, actions: map[string]string{}, blocks: map[string]*setplanv1.Block{}}
	d.images = images(snapshot.GetRevisions())
	d.update = set.GetStatus().GetUpdateRevision()
	d.readPlan(plan)
	v := &View{Set: printable.Line(set.GetNamespace() + "/" + set.GetName()), Converged: plan.GetConverged(), Waits: plan.GetBlocks()}
	v.Total = int(replicas(set))
	var leaving []*setplanv1.Pod
	for _, pod := range snapshot.GetPods() {
		slot, member := d.slot(pod.GetName())
		switch {
		case !member && (d.controlled(pod) || d.drains(pod)):
			leaving = append(leaving, pod)
		case member:
			d.pods[pod.GetName()] = pod
			row := d.row(pod.GetName(), slot)
			if row.Done {
				v.Done++
			}
			if row.State == stateAvailable {
				v.Available++
			}
		}
	}
	v.Leaving = len(leaving)
	v.Total += v.Leaving
	for _, span := range d.ordinals {
		for ordinal := span.From; ordinal <= span.To && len(v.Rows) < mostRows; ordinal++ {
			v.Rows = append(v.Rows, d.row(fmt.Sprintf("%s-%d", set.GetName(), ordinal), len(v.Rows)))
		}
	}
	for _, pod := range leaving[:min(len(leaving), mostRows)] {
		v.Rows = append(v.Rows, d.leaving(pod))
	}
	v.More = v.Total - len(v.Rows)
	for i := range v.Rows {
		row := &v.Rows[i]
		row.Pod, row.Revision, row.Image = printable.Line(row.Pod), printable.Line(row.Revision), printable.Line(row.Image)
	}
	return v
}

type drawing struct {
	snapshot *setplanv1.Snapshot
	set      *setplanv1.StatefulSet
	ordinals []verify.Span // the range
	update   string        // the revision that pods are brought to
	pods     map[string]*setplanv1.Pod
	actions  map[string]string
	blocks   map[string]*setplanv1.Block
	images   map[string]string // by revision
}

func (d *drawing) readPlan(plan *setplanv1.Plan) {
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				if status := action.GetUpdateStatus().GetStatus(); status.GetUpdateRevision() != "" {
					d.update = status.GetUpdateRevision()
				}
				name := action.GetTarget().GetName()
				what := strings.ReplaceAll(adapters.OperationName(action), "_", " ")
				pod := d.podOf(name)
				if pod != name {
					if _, known := d.actions[pod]; known {
						continue // the pod itself, or another claim of it
					}
					what += " " + name
				}
				d.actions[pod] = what
			}
		}
	}
	for _, block := range plan.GetBlocks() {
		pod := d.podOf(block.GetSubject().GetName())
		if _, known := d.blocks[pod]; !known || pod == block.GetSubject().GetName() {
			d.blocks[pod] = block
		}
	}
}

// podOf returns the pod of a claim, by name, and other names unchanged.
func (d *drawing) podOf(name string) string {
	claim, ordinal, _ := cutLast(name, "-")
	if strings.HasSuffix(claim, "-"+d.set.GetName()) {
		return d.set.GetName() + "-" + ordinal
	}
	return name
}

// slot returns the place of a pod in the range; false for a pod outside.
func (d *drawing) slot(pod string) (int, bool) {
	set, digits, _ := cutLast(pod, "-")
	ordinal, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || set != d.set.GetName() || strconv.FormatInt(ordinal, 10) != digits {
		return 0, false
	}
	place := int64(0)
	for _, span := range d.ordinals {
		if span.From <= ordinal && ordinal <= span.To {
			return int(place + ordinal - span.From), true
		}
		place += span.To - span.From + 1
	}
	return 0, false
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}

func replicas(set *setplanv1.StatefulSet) int32 {
	if set.Replicas == nil {
		return 1
	}
	return set.GetReplicas()
}

// row makes the row of an ordinal in the range.
func (d *drawing) row(name string, slot int) Row {
	pod := d.pods[name]
	r := Row{Pod: name, State: "missing", Action: d.action(name)}
	if pod == nil {
		return r
	}
	revision := d.revision(pod)
	r.Age, r.State, r.uid = d.age(pod), d.state(pod), pod.GetUid()
	if d.drains(pod) {
		return r // it has its own template
	}
	r.Revision, r.Image = strings.TrimPrefix(revision, d.set.GetName()+"-"), d.images[revision]
	r.Done = r.State == stateAvailable && (revision == d.update || d.staysOld(slot))
	if revision != d.update && !d.staysOld(slot) {
		r.Revision += " (old)"
	}
	return r
}

// leaving makes the row of a pod outside the range: a replica, or a drain pod.
func (d *drawing) leaving(pod *setplanv1.Pod) Row {
	r := Row{Pod: pod.GetName(), State: d.state(pod), Action: d.action(pod.GetName()), Age: d.age(pod), uid: pod.GetUid()}
	if !d.drains(pod) {
		revision := d.revision(pod)
		r.Revision, r.Image = strings.TrimPrefix(revision, d.set.GetName()+"-"), d.images[revision]
		r.State += ", outside the range"
	}
	return r
}

// drains reports whether a pod drains an ordinal of the set.
func (d *drawing) drains(pod *setplanv1.Pod) bool {
	index := int(pod.GetAnnotationSetIndex())
	if index == 0 || index >= len(d.snapshot.GetTables().GetAnnotationSets()) {
		return false
	}
	mark := d.snapshot.GetTables().GetAnnotationSets()[index].GetAnnotations()[adapters.AnnotationDrainSet]
	return mark == d.set.GetName()+"/"+d.set.GetUid()
}

func (d *drawing) age(pod *setplanv1.Pod) string {
	if pod.GetCreatedUnixMs() == 0 {
		return ""
	}
	return duration.HumanDuration(max(0, d.snapshot.GetObservedAt().AsTime().Sub(time.UnixMilli(pod.GetCreatedUnixMs()))))
}

func (d *drawing) controlled(pod *setplanv1.Pod) bool {
	sets, index := d.snapshot.GetTables().GetOwnerSets(), int(pod.GetOwnerSetIndex())
	return index > 0 && index < len(sets) && slices.ContainsFunc(sets[index].GetOwners(), func(o *setplanv1.OwnerReference) bool {
		return o.GetController() && o.GetUid() == d.set.GetUid()
	})
}

func (d *drawing) revision(pod *setplanv1.Pod) string {
	names := d.snapshot.GetTables().GetRevisionNames()
	if index := int(pod.GetRevisionNameIndex()); index > 0 && index < len(names) {
		return names[index]
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
	case d.drains(pod):
		return "drain pod, " + strings.ToLower(strings.TrimPrefix(pod.GetPhase().String(), "POD_PHASE_"))
	case pod.GetPhase() != setplanv1.PodPhase_POD_PHASE_RUNNING || !pod.GetReady():
		return strings.ToLower(strings.TrimPrefix(pod.GetPhase().String(), "POD_PHASE_"))
	}
	until := time.UnixMilli(pod.GetReadyChangedUnixMs()).Add(time.Duration(d.set.GetMinReadySeconds()) * time.Second)
	if left := until.Sub(now); left > 0 && d.set.GetMinReadySeconds() > 0 {
		return fmt.Sprintf("ready, available in %s", left.Round(time.Second))
	}
	return stateAvailable
}

// action returns what the plan does to a pod or its claims, or why it does nothing.
func (d *drawing) action(pod string) string {
	if action := d.actions[pod]; action != "" {
		return action
	}
	if block := d.blocks[pod]; block != nil {
		return "waits: " + strings.ToLower(strings.ReplaceAll(show.Code(block), "_", " "))
	}
	return ""
}
