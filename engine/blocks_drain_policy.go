package engine

import (
	"fmt"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// untilFixed ends the sentence about a policy that cannot be used.
const untilFixed = " Until this is fixed, nothing is scaled down or drained."

func blockInvalidPolicy(s *model.Set, message, remedy string) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, message+untilFixed, remedy)
}

// remedy is what to do about a value that cannot be used.
func (v setting) remedy() string {
	if v.typed {
		return "Correct it in the request, or omit it."
	}
	return "Correct the annotation, or remove it."
}

// blockInvalidSetting is for a value that is none of those that it may be.
func blockInvalidSetting(s *model.Set, v setting, wanted string) model.Block {
	return blockInvalidPolicy(s, mustBe(v.source, v.text, wanted), v.remedy())
}

func blockDrainTemplate(s *model.Set, template setting, problem string) model.Block {
	return blockInvalidPolicy(s, template.source+" is invalid: "+problem+".", template.remedy())
}

func blockNobodyAsks(s *model.Set, ask setting) model.Block {
	return blockInvalidPolicy(s, ask.source+" is true, but the controller that runs the set sends no drain requests.", ask.remedy())
}

// blockClaimsGoWhenScaled is for a set that another controller runs.
func blockClaimsGoWhenScaled(s *model.Set, template setting) model.Block {
	return blockInvalidPolicy(s, "persistentVolumeClaimRetentionPolicy.whenScaled is Delete, so the set's own controller deletes the claims before they are drained.",
		template.remedy())
}

func blockClaimsGoWithSet(s *model.Set, onDelete setting) model.Block {
	return blockInvalidPolicy(s, onDelete.source+" is true and persistentVolumeClaimRetentionPolicy.whenDeleted is Delete, so the claims may be deleted with the set before they are drained.",
		onDelete.remedy())
}

func blockMayNotDrain(s *model.Set) model.Block {
	return blockInvalidPolicy(s, "The adapter may not delete claims in this namespace, so a drain could not finish.",
		"Remove the policy, or allow drains in this namespace: --drain-namespace, and the role drain: "+
			prose.Kubectl("apply", "-f", "deploy/manifests/drain-namespace.yaml"))
}

func blockNeighbours(s *model.Set, first *model.ClaimNeighbour) model.Block {
	return blockInvalidPolicy(s, fmt.Sprintf("Set %s in this namespace uses the same claim names (%s), so a drain could take its data.",
		prose.Short(first.Set), prose.Short(first.ClaimTemplate+"-"+s.Name+"-0")),
		"Delete one of the sets and take care of its claims, or remove the drain policy.")
}

func blockNamesakeDrains(s *model.Set, namesake *model.Owner) model.Block {
	return blockInvalidPolicy(s, namesakeOf(namesake)+" uses the same claim names, so a drain could take its data.",
		"Delete one of the two and take care of its claims, or remove the drain policy.")
}

func blockStopsItself(s *model.Set, source, container, field string) model.Block {
	return blockInvalidPolicy(s, fmt.Sprintf("%s is invalid: its container %s has a %s, so the kubelet may stop it before it finishes, and exit code 0 would then count as drained.",
		source, prose.Short(container), field),
		"Remove "+field+" from the template. If the program gives up, it should exit with a code other than 0.")
}

func blockSeveralTemplates(s *model.Set, source string, others []string) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Info, fmt.Sprintf("%s is used; it differs from the template in %s.", source, strings.Join(others, " and ")),
		"Remove the template that you do not want.")
}
