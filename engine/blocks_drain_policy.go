package engine

import (
	"fmt"
	"strings"
)

// untilMended ends the sentence about a policy that cannot be used.
const untilMended = " Until this is mended nothing is scaled down or drained."

func blockInvalidPolicy(s *Set, message, remedy string) Block {
	return about(s, BlockInvalidPolicy, Attention, message+untilMended, remedy)
}

// remedy is what to do about a value that cannot be used.
func (v setting) remedy() string {
	if v.typed {
		return "Correct it in the request, or leave it out."
	}
	return "Correct the annotation, or remove it."
}

// blockInvalidSetting is for a value that is none of those that it may be.
func blockInvalidSetting(s *Set, v setting, wanted string) Block {
	return blockInvalidPolicy(s, isNot(v.source, v.text, wanted), v.remedy())
}

func blockDrainTemplate(s *Set, template setting, problem string) Block {
	return blockInvalidPolicy(s, template.source+" cannot be used: "+problem+".", template.remedy())
}

func blockNobodyAsks(s *Set, ask setting) Block {
	return blockInvalidPolicy(s, ask.source+" is true, and whoever runs the set does not ask.", ask.remedy())
}

// blockClaimsGoWhenScaled is for a set that another controller runs.
func blockClaimsGoWhenScaled(s *Set, template setting) Block {
	return blockInvalidPolicy(s, "persistentVolumeClaimRetentionPolicy.whenScaled is Delete, so the set's own controller deletes the claims that are to be drained.",
		template.remedy())
}

func blockClaimsGoWithSet(s *Set, onDelete setting) Block {
	return blockInvalidPolicy(s, onDelete.source+" is true and persistentVolumeClaimRetentionPolicy.whenDeleted is Delete, so the claims may go with the set before they are drained.",
		onDelete.remedy())
}

func blockMayNotDrain(s *Set) Block {
	return blockInvalidPolicy(s, "The adapter does not delete claims in this namespace, so a drain could not be ended.",
		"Allow drains in this namespace (--drain-namespace, and the role drain: kubectl apply -n "+s.Namespace+" -f deploy/manifests/drain-namespace.yaml), or remove the policy.")
}

func blockNeighbours(s *Set, first *ClaimNeighbour) Block {
	return blockInvalidPolicy(s, fmt.Sprintf("Set %s of this namespace calls claims as this one does (%s), so nobody can tell whose data a drain would take.",
		short(first.Set), short(first.ClaimTemplate+"-"+s.Name+"-0")),
		"Delete one of the sets, with its claims or after looking after them, or remove the drain policy.")
}

func blockStopsItself(s *Set, source, container, field string) Block {
	return blockInvalidPolicy(s, fmt.Sprintf("%s cannot be used: its container %s has a %s, by which a kubelet may stop it in the middle, and a program that then ends with 0 counts as one that has drained.",
		source, short(container), field),
		"Take "+field+" out of the template; a program that has to give up ends by itself, with another exit code than 0.")
}

func blockSeveralTemplates(s *Set, source string, others []string) Block {
	return about(s, BlockInvalidPolicy, Info, fmt.Sprintf("%s counts; another template stands in %s.", source, strings.Join(others, " and ")),
		"Remove the one that is not wanted.")
}
