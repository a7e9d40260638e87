package story

import (
	"fmt"
	"maps"
	"strings"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/sim"
)

// drainWords are the words of the drain command for the annotations of the policy.
var drainWords = map[string]string{
	"scaleUp": adapters.AnnotationDrainScaleUp, "maxParallel": adapters.AnnotationDrainMaxParallel,
	"leftovers": adapters.AnnotationDrainLeftovers, "onDelete": adapters.AnnotationDrainOnDelete, "ask": adapters.AnnotationDrainAsk,
	"proof": adapters.AnnotationDrainProof,
}

// drainCommand: "drain web image=completes scaleUp=Cancel", or with the template as input, replaces the drain policy; "drain web off"
// removes it.
func (r *Runner) drainCommand(c Command) {
	policy := map[string]string{}
	if template := strings.TrimSpace(c.Input); template != "" {
		policy[adapters.AnnotationDrainTemplate] = template
	}
	for word, value := range c.Options {
		switch annotation := drainWords[word]; {
		case word == "image":
			policy[adapters.AnnotationDrainTemplate] = fmt.Sprintf(
				`{"metadata":{"labels":{"app":"drainer"}},"spec":{"containers":[{"name":"drain","image":"drain:%s"}]}}`, value)
		case annotation == "":
			panic(usageError("a drain policy has no " + word))
		default:
			policy[annotation] = value
		}
	}
	r.change(sim.KindSet, c.arg(0), func(o sim.Object) {
		annotations := maps.Clone(o.GetAnnotations())
		if annotations == nil {
			annotations = map[string]string{}
		}
		delete(annotations, adapters.AnnotationDrainTemplate)
		for _, annotation := range drainWords {
			delete(annotations, annotation)
		}
		maps.Copy(annotations, policy)
		o.SetAnnotations(annotations)
	})
}
