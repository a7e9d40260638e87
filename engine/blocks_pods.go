package engine

import (
	"fmt"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/claims"
	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
	"github.com/setplan/setplan/engine/state"
)

func blockPodTerminating(p *model.Pod, now time.Time) model.Block {
	return state.Waiting(model.BlockPodTerminating, p, p.LeavingSince, "The pod is being deleted; the set waits until it is gone."+atTheLatest(p, now), state.WhyItStays)
}

func blockCondemnedTerminating(p *model.Pod, now time.Time) model.Block {
	return state.Waiting(model.BlockPodTerminating, p, p.LeavingSince, "The pod is being deleted; the next one follows once it is gone."+atTheLatest(p, now), state.WhyItStays)
}

// atTheLatest says until when a node gives a pod that is being deleted, as long as that is to come.
func atTheLatest(p *model.Pod, now time.Time) string {
	if !p.DeletedAt.After(now) || p.HasEnded() {
		return ""
	}
	return " Its containers are killed at " + p.DeletedAt.UTC().Format(time.RFC3339) + " at the latest."
}

func blockEndedTerminating(p *model.Pod) model.Block {
	return state.Waiting(model.BlockPodEnded, p, p.LeavingSince, "The pod has ended and is being deleted; it is recreated once it is gone.", state.WhyItStays)
}

// blockEndedEarly is for a pod that ended before it was old enough to be replaced.
func blockEndedEarly(p *model.Pod, at time.Time) model.Block {
	b := state.Waiting(model.BlockPodEnded, p, p.CreatedAt, fmt.Sprintf("The pod has ended soon after it was created. It is replaced once it is %s old.", state.MinRepairAge),
		"Find out why it has ended: "+prose.Kubectl("describe", "pod", p.Name))
	b.NotBefore = at
	return b
}

// blockPodNotReady is for a pod that is not ready. stuck: no update reaches it until it is. mend: and somebody may have it recreated.
func blockPodNotReady(p *model.Pod, stuck, mend bool) model.Block {
	b := state.Waiting(model.BlockPodNotReady, p, p.ReadyChangedAt, "The pod is "+prose.PhaseWord(p.Phase)+" and not ready.",
		"Check the pod's events, conditions and logs: "+prose.Kubectl("describe", "pod", p.Name))
	if b.Since.IsZero() {
		b.Since = p.CreatedAt
	}
	if len(p.Gates) > 0 {
		b.Message = "The pod is " + prose.PhaseWord(p.Phase) + ": " + gatesKeep(p.Gates) + " it from being scheduled."
		b.Remedy = "Find out why the controllers that set these gates have not removed them: " + prose.Kubectl("describe", "pod", p.Name)
	}
	if stuck {
		b.Remedy = "It is not at the update revision, and the update does not begin until it is ready. " + b.Remedy
	}
	if mend {
		b.Remedy = "Check the pod's events, conditions and logs. It is not at the update revision, and the update does not begin until it is ready. If the new template is right, have the pod recreated from it: " +
			inplace.Recreation(p.Name)
	}
	return b
}

// gatesKeep names the scheduling gates of a pod.
func gatesKeep(gates []string) string {
	names := make([]string, len(gates))
	for i, gate := range gates {
		names[i] = prose.Short(gate)
	}
	if len(names) == 1 {
		return "the scheduling gate " + names[0] + " keeps"
	}
	return "the scheduling gates " + prose.Cut(strings.Join(names, ", "), prose.MaxMessage) + " keep"
}

// How claims.BlockStaysForClaims begins.
const (
	endedIsReplaced    = "The pod has ended. It is replaced"
	outdatedIsReplaced = "The pod is outdated. It is replaced"
	chosenIsReplaced   = "The pod is to be recreated. It is deleted"
	condemnedGoes      = "The pod's ordinal is outside the range. It is deleted"
)

// blockRepairStays is claims.BlockStaysForClaims for a pod that is to be repaired; why says what is wrong with it.
func blockRepairStays(p *model.Pod, why string) model.Block {
	return claims.BlockStaysForClaims(p, model.BlockRepairWaits, why+" It is replaced")
}

func blockRepairHeld(p *model.Pod, why, claim string) model.Block {
	return claims.BlockHeld(p, model.BlockRepairWaits, why+" It is replaced", claim)
}

// blockScaleDownWaits says that a pod outside the range waits for first, which may be itself. why is the block that says why
// first is not available, or nil.
func blockScaleDownWaits(p, first *model.Pod, why *model.Block) model.Block {
	which := "this lower pod"
	if p == first {
		which = "it"
	}
	b := model.Block{Code: model.BlockScaleDownWaitsForPod, Severity: model.Wait, Kind: model.KindPod, Name: first.Name, Since: first.CreatedAt,
		Message: "Pod " + p.Name + " is outside the range and is deleted once " + which + " is available.",
		Remedy:  "Find out why this pod is not available: " + prose.Kubectl("describe", "pod", first.Name)}
	if why != nil {
		b.Since, b.NotBefore = why.Since, why.NotBefore
	}
	if first.HasEnded() && !first.Terminating() {
		b.Severity = model.Attention
		b.Remedy = "A pod that has ended never becomes available: " + prose.Kubectl("delete", "pod", first.Name)
	}
	return b
}

// blockNamesake names the lowest pod of a namesake.
func blockNamesake(p *model.Pod, namesake *model.Owner) model.Block {
	return blockStandsStill(model.KindPod, p.Name, p.CreatedAt, state.NamesakeOf(namesake)+" controls this pod. It has the same name as this set")
}

// blockOlderNamesake names the oldest revision of a namesake that has no pods at the moment.
func blockOlderNamesake(r *model.Revision, namesake *model.Owner) model.Block {
	return blockStandsStill(model.KindRevision, r.Name, r.CreatedAt, state.NamesakeOf(namesake)+" controls this revision. It has the same name as this set and is older")
}

func blockStandsStill(kind, name string, since time.Time, whose string) model.Block {
	return model.Block{Code: model.BlockPodNameTaken, Severity: model.Attention, Kind: kind, Name: name, Since: since,
		Message: whose + ", so both use the same names for pods and claims. Until one of them is gone, this set creates and deletes no pods and keeps all claims.",
		Remedy:  state.DeleteOneSet}
}

func blockIdentity(p *model.Pod, message string) model.Block {
	return model.Block{Code: model.BlockIdentityMismatch, Severity: model.Attention, Kind: model.KindPod, Name: p.Name, Since: p.CreatedAt,
		Message: message, Remedy: "Delete the pod; the set recreates it correctly."}
}

func blockOddName(p *model.Pod, ordinal int32, name string) model.Block {
	return blockIdentity(p, "The pod's name stands for ordinal "+fmt.Sprint(ordinal)+" but is not "+name+", and a pod cannot be renamed.")
}

func blockWrongVolumes(p *model.Pod) model.Block {
	return blockIdentity(p, "The pod does not use the claims of its ordinal, and a pod's volumes cannot be changed.")
}

// blockUpdateWaits says for which pod the update waits. why is the block that says why it is not available, or nil.
func blockUpdateWaits(p *model.Pod, why *model.Block) model.Block {
	b := model.Block{Severity: model.Wait, Kind: model.KindPod, Name: p.Name}
	if why != nil {
		b = *why
	}
	b.Code = model.BlockUpdateWaitsForPod
	b.Message = "The update continues with lower ordinals once this pod is available. " + b.Message
	return b
}

// blockUpdateBudget names the first pod that is held back, and the lowest that is not available, where there is one.
func blockUpdateBudget(held, lowest *model.Pod, s spent, budget int) model.Block {
	b := model.Block{Code: model.BlockUpdateBudget, Severity: model.Wait, Kind: model.KindPod, Name: held.Name,
		Message: "The pod is waiting to be updated: " + s.words("pod") + allows(budget)}
	if lowest != nil {
		b.Remedy = "Check the pods that are not available, such as " + lowest.Name + "."
	}
	return b
}

// words say what a budget is spent on.
func (s *spent) words(what string) string {
	var parts []string
	if s.gone > 0 {
		parts = append(parts, prose.Are(s.gone, what)+" unavailable")
	}
	switch {
	case s.updating == 1:
		parts = append(parts, s.one.Name+" is being updated")
	case s.updating > 1:
		parts = append(parts, prose.Are(s.updating, "pod")+" being updated")
	}
	return strings.Join(parts, ", ")
}

func allows(budget int) string { return fmt.Sprintf(", and maxUnavailable allows %d.", budget) }

// blockBrokenWaits is about a pod that is not ready, and is not taken yet although nothing that serves would be lost: why says what is waited for.
func blockBrokenWaits(code model.BlockCode, p *model.Pod, s spent, budget int, why *patience) model.Block {
	until := "updated"
	if code == model.BlockRecreateWaits {
		until = "recreated"
	}
	b := model.Block{Code: code, Severity: model.Wait, Kind: model.KindPod, Name: p.Name, NotBefore: why.at,
		Message: "The pod is waiting to be " + until + ": " + s.words("pod") + allows(budget) + " " + why.text(),
		Remedy:  "Check the pods that are not available."}
	if why.other != "" {
		b.Remedy = "Check the pods that are not available, such as " + why.other + "."
	}
	return b
}

// text says when a pod goes nevertheless.
func (why *patience) text() string {
	switch {
	case why.lost:
		return "Its node does not answer, so the pod may still be serving and is kept."
	case why.proof && why.at.IsZero():
		return "It is not known how long it has been unready, so it is kept."
	case why.never:
		return fmt.Sprintf("It has never been ready and is replaced anyway once it is %s old.", state.MinRepairAge)
	case why.proof:
		return "It is replaced anyway once it has been unready for " + prose.AMoment + "."
	case why.leaving:
		return "It is replaced anyway once pod " + why.other + ", which is being deleted, is gone."
	case why.other != "":
		return "It is replaced anyway once pod " + why.other + ", which is starting, is ready or has had " + prose.AMoment + " to start."
	}
	return "It is replaced anyway after another pod, one at a time."
}

func blockPartitionHeld(first *model.Pod, pods, partition int) model.Block {
	return model.Block{Code: model.BlockPartitionHeld, Severity: model.Info, Kind: model.KindPod, Name: first.Name,
		Message: fmt.Sprintf("%s kept at an older revision because the partition is %d.", prose.Are(pods, "pod"), partition),
		Remedy:  "Lower spec.updateStrategy.rollingUpdate.partition to update them."}
}

func blockOnDelete(first *model.Pod, pods int) model.Block {
	return model.Block{Code: model.BlockOnDelete, Severity: model.Info, Kind: model.KindPod, Name: first.Name,
		Message: fmt.Sprintf("%s outdated. Under OnDelete, an outdated pod stays until you delete it.", prose.Are(pods, "pod")),
		Remedy:  "To update a pod, delete it: " + prose.Kubectl("delete", "pod", first.Name)}
}

// blockRepairTooYoung says when a pod is repaired that has only just been created; why says what is wrong with it.
func blockRepairTooYoung(p *model.Pod, why string, at time.Time) model.Block {
	b := state.Waiting(model.BlockRepairWaits, p, p.CreatedAt, why+fmt.Sprintf(" It is replaced once it is %s old, unless it becomes ready first.", state.MinRepairAge), "")
	b.NotBefore = at
	return b
}

// blockRepairUnproven is about a pod that was ready a moment ago. at is zero if the time is unknown.
func blockRepairUnproven(p *model.Pod, why string, at time.Time) model.Block {
	b := state.Waiting(model.BlockRepairWaits, p, p.ReadyChangedAt, why+" It is replaced once it has been unready for "+prose.AMoment+".", "")
	b.NotBefore = at
	return b
}

// blockRepairOutside is about a pod that is not ready while others are not, either.
func blockRepairOutside(p *model.Pod, why string, outside *patience) model.Block {
	b := state.Waiting(model.BlockRepairWaits, p, p.CreatedAt, why+" More pods are unavailable than maxUnavailable allows. "+outside.text(), "")
	b.NotBefore = outside.at
	return b
}

func blockRepairWaitsFor(p, other *model.Pod, why string) model.Block {
	return state.Waiting(model.BlockRepairWaits, p, p.CreatedAt, why+" It is replaced once pod "+other.Name+", which is being deleted, is gone.", state.WhyItStays)
}

// blockRecreateWaits is about a chosen pod; other is the first of those that are unavailable besides.
func blockRecreateWaits(p *model.Pod, other string, s spent, budget int, leads bool) model.Block {
	b := model.Block{Code: model.BlockRecreateWaits, Severity: model.Wait, Kind: model.KindPod, Name: p.Name,
		Message: "The pod is waiting to be recreated: " + s.words("other pod") + allows(budget),
		Remedy:  "Check the pods that are not available, such as " + other + "."}
	if leads {
		b.Message = "The pod is waiting to be recreated: it is the leader, so every other pod must be available, and " + other + " is not."
	}
	return b
}
