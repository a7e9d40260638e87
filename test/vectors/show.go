package vectors

import (
	"fmt"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// shows lists what a plan does and why, and what it holds back: a story's plan that has most of it stands for the story.
func shows(plan *setplanv1.Plan) map[string]bool {
	out := map[string]bool{}
	for _, stage := range plan.GetStages() {
		out[fmt.Sprint(stage.GetPhase(), stage.GetOnFailure(), stage.GetAlwaysRun(), stage.GetRequiresLiveSet())] = true
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				out[adapters.OperationName(action)+" "+action.GetCause().GetCode().String()] = true
			}
		}
	}
	for _, block := range plan.GetBlocks() {
		out[fmt.Sprint(block.GetCode(), block.GetSeverity(), block.GetSubject().GetKind())] = true
	}
	if plan.GetTruncated() {
		out["truncated"] = true
	}
	return out
}

// annotationsIn names the annotations of the set, and those of pods and claims.
func annotationsIn(snapshot *setplanv1.Snapshot) map[string]bool {
	names := map[string]bool{}
	for name := range snapshot.GetSet().GetAnnotations() {
		names[name] = true
	}
	for _, set := range snapshot.GetTables().GetAnnotationSets() {
		for name := range set.GetAnnotations() {
			names[name] = true
		}
	}
	return names
}
