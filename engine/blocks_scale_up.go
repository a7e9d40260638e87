package engine

import "fmt"

// The blocks about the limit of a scale-up.

func blockInvalidScaleUpLimit(s *Set, of asked) Block {
	return about(s, BlockInvalidPolicy, Attention, mustBe(subject(of), of.text, aShare)+" Until this is fixed, 1 applies.",
		"Set it to "+aShare+", or remove it.")
}

// blockScaleUpLimited names the first of the pods that wait.
func blockScaleUpLimited(up scaleUp, limit int, of asked) Block {
	message := fmt.Sprintf("The pod is created once others are ready: %s allows %s at a time.", of.name, plural(limit, "unready pod"))
	if up.held > 1 {
		message += sameHolds(up.held-1, "pod")
	}
	return Block{Code: BlockScaleUpLimited, Severity: Wait, Kind: KindPod, Name: up.first, Message: message}
}
