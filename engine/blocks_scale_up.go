package engine

import "fmt"

// The blocks about the limit of a scale-up.

func blockInvalidScaleUpLimit(s *Set, of asked) Block {
	return about(s, BlockInvalidPolicy, Attention, mustBe(subject(of), of.text, aShare)+" Until this is fixed it is taken for 1.",
		"Set it to "+aShare+", or remove it.")
}

// blockScaleUpLimited names the first of the pods that wait.
func blockScaleUpLimited(up scaleUp, limit int, of asked) Block {
	message := fmt.Sprintf("The pod is created once others are ready: %s allows %s that is not ready.", of.name, plural(limit, "pod"))
	if limit > 1 {
		message = fmt.Sprintf("The pod is created once others are ready: %s allows %s that are not ready.", of.name, plural(limit, "pod"))
	}
	if up.held > 1 {
		message += " The same holds for " + moreOf(up.held-1, "pod") + "."
	}
	return Block{Code: BlockScaleUpLimited, Severity: Wait, Kind: KindPod, Name: up.first, Message: message}
}
