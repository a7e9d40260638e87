package engine

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// The blocks about the limit of a scale-up.

func blockInvalidScaleUpLimit(s *model.Set, of asked) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, mustBe(subject(of), of.text, aShare)+" Until this is fixed, 1 applies.",
		"Set it to "+aShare+", or remove it.")
}

// blockScaleUpLimited names the first of the pods that wait.
func blockScaleUpLimited(up scaleUp, limit int, of asked) model.Block {
	message := fmt.Sprintf("The pod is created once others are ready: %s allows %s at a time.", of.name, prose.Plural(limit, "unready pod"))
	if up.held > 1 {
		message += prose.SameHolds(up.held-1, "pod")
	}
	return model.Block{Code: model.BlockScaleUpLimited, Severity: model.Wait, Kind: model.KindPod, Name: up.first, Message: message}
}
