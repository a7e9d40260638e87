package engine

import (
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// blockGate is about a pod that is not deleted, or not the last one that is updated, until somebody agrees. annotation is of the pod; of is what
// the set asks for.
func blockGate(p *model.Pod, annotation string, of asked, revision string) model.Block {
	message := "The pod is updated once " + of.whoAgrees() + "."
	if annotation == annotationAfter {
		message = "The pod has been updated. The next pod is updated once " + of.whoAgrees() + "."
	}
	switch text := p.Annotations.Get(annotation); text {
	case "":
	case revision:
		message += " The annotation " + annotation + " of the pod comes from its template and does not count."
	default:
		message += " The annotation " + annotation + " of the pod is " + strconv.Quote(prose.Short(text)) + " and does not count: it must be " + strconv.Quote(revision) + "."
	}
	return model.Block{Code: model.BlockUpdateGated, Severity: model.Wait, Kind: model.KindPod, Name: p.Name, Message: message, AsksFor: model.KeyValue{Key: annotation, Value: revision},
		Remedy: "To approve, annotate the pod: " + prose.Kubectl("annotate", "pod", p.Name, annotation+"="+revision, "--overwrite")}
}

// blockRepairHeldUntil is about a pod that is repaired once a hold lets it go; why says what is wrong with it.
func blockRepairHeldUntil(p *model.Pod, until, why string) model.Block {
	return waiting(model.BlockRepairWaits, p, p.CreatedAt, why+" It is replaced once "+until+".", "")
}

// whoAgrees is about a gate. A text of several lines becomes one, and a blank one names nobody.
func (a asked) whoAgrees() string {
	who := strings.Join(strings.Fields(prose.Short(a.text)), " ")
	if who == "" {
		who = "someone"
	}
	return who + " approves (" + a.name + ")"
}
