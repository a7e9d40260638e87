package narrate

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/setplan/setplan/clients/cli/shell"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// podState is a pod in one word, and which pod of that name it is.
type podState struct {
	uid  string
	word string
}

// tellPods says what became of the pods since the last snapshot.
func (n *Narrator) tellPods(t *told, snapshot *setplanv1.Snapshot) {
	now := map[string]podState{}
	for _, pod := range snapshot.GetPods() {
		now[pod.GetName()] = podState{uid: pod.GetUid(), word: wordFor(pod)}
	}
	names := slices.Sorted(maps.Keys(t.pods))
	for _, name := range names {
		if _, there := now[name]; !there {
			n.line("saw", name+" is gone")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if now[name] != t.pods[name] {
			n.line("saw", name+" is "+now[name].word)
		}
	}
	t.pods = now
}

func wordFor(pod *setplanv1.Pod) string {
	switch {
	case pod.GetDeletionUnixMs() != 0:
		return "stopping"
	case pod.GetPhase() == setplanv1.PodPhase_POD_PHASE_RUNNING && pod.GetReady():
		return "ready"
	}
	switch pod.GetPhase() {
	case setplanv1.PodPhase_POD_PHASE_RUNNING:
		return "running"
	case setplanv1.PodPhase_POD_PHASE_SUCCEEDED:
		return "finished"
	case setplanv1.PodPhase_POD_PHASE_FAILED:
		return "failed"
	default:
		return "pending"
	}
}

// tellWaits says which waits are new, or have a new reason.
func (n *Narrator) tellWaits(t *told, plan *setplanv1.Plan) {
	now := map[string]bool{}
	for _, block := range plan.GetBlocks() {
		text := n.explain(block)
		id := block.GetCode().String() + " " + block.GetSubject().GetKind() + " " + text // which begins with the name
		if !t.waits[id] && !now[id] {
			n.line(verbFor(block.GetSeverity()), text)
		}
		now[id] = true
	}
	t.waits = now
}

// explain is a block in a line. What only takes time needs no remedy, but an end if there is one.
func (n *Narrator) explain(block *setplanv1.Block) string {
	text := block.GetSubject().GetName() + ": " + block.GetMessage()
	if until := block.GetNotBefore(); until != nil {
		text += fmt.Sprintf(" That is at %s.", until.AsTime().Sub(n.begin).Truncate(time.Second))
	}
	if block.GetSeverity() != setplanv1.Severity_SEVERITY_WAIT && block.GetRemedy() != "" {
		text += " " + shell.Lead(block.GetRemedy(), n.Flags)
	}
	return text
}

func verbFor(severity setplanv1.Severity) string {
	switch severity {
	case setplanv1.Severity_SEVERITY_INFO:
		return "note"
	case setplanv1.Severity_SEVERITY_ATTENTION:
		return "HELP"
	default:
		return "wait"
	}
}
