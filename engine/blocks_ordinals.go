package engine

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// The blocks about which ordinals a set has, and about what is paused.

func blockInvalidReserved(s *model.Set, of asked, err error) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention,
		fmt.Sprintf("%s is invalid: %v. Nothing is done until this is fixed, because the set's ordinals are not known.", subject(of), err),
		`List ordinals and ranges, such as "1,3-5", or remove it.`)
}

func blockInvalidGuard(s *model.Set, of asked) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, mustBe(subject(of), of.text, "named")+" Until this is fixed, named applies.",
		"Set it to named, or remove it.")
}

// blockScaleInGuarded names the lowest of the pods that the guard keeps.
func blockScaleInGuarded(lowest *model.Pod, pods int, guard asked) model.Block {
	reserved := annotationReserved
	if guard.byField() {
		reserved = fieldReserved
	}
	message := "The pod's ordinal is outside the range but not reserved; " + guard.name + " keeps the pod."
	if pods > 1 {
		message += prose.SameHolds(pods-1, "pod")
	}
	return model.Block{Code: model.BlockScaleInGuarded, Severity: model.Attention, Kind: model.KindPod, Name: lowest.Name, Message: message,
		Remedy: "Raise spec.replicas, or list the ordinals to delete in " + reserved + "."}
}

func blockInvalidPause(s *model.Set, of asked) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, mustBe(subject(of), of.text, "Updates, HealOnly or All")+" Until this is fixed, HealOnly applies.",
		"Set it to Updates, HealOnly or All, or remove it.")
}

// blockPaused says what a mode holds back. Each mode holds back what the one before does.
func blockPaused(s *model.Set, of asked, mode pause, outdated, condemned int, updates bool) model.Block {
	message := [...]string{
		pauseUpdates:  "Updates and repairs are paused.",
		pauseHealOnly: "Missing and ended pods are recreated; everything else is paused.",
		pauseAll:      "Pods and claims are left as they are; only the status is updated.",
	}[mode]
	if outdated > 0 {
		message += " Outdated: " + prose.Plural(outdated, "pod") + "."
	}
	if condemned > 0 && mode >= pauseHealOnly {
		message += " Outside the range: " + prose.Plural(condemned, "pod") + "."
	}
	severity := model.Info
	if mode == pauseAll || updates || condemned > 0 && mode == pauseHealOnly {
		severity = model.Wait // what is held back is left to do, and a set whose pods nobody heals is not done
	}
	return about(s, model.BlockPaused, severity, message, "To resume, remove "+objectOf(of)+".")
}

func blockInvalidOwnFields(s *model.Set, err error) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention, fmt.Sprintf("The fields of spec beyond those of apps/v1 cannot be read: %v. Nothing is done until this is fixed.", err), "")
}

// blockDisagree is about a field and an annotation of the same meaning.
func blockDisagree(s *model.Set, a, b asked) model.Block {
	return about(s, model.BlockInvalidPolicy, model.Attention,
		fmt.Sprintf("%s is %q, and %s is %q. Nothing is done until they agree.", a.name, prose.Short(a.text), objectOf(b), prose.Short(b.text)), "Remove one of them.")
}

// subject begins a sentence with what a policy is from; objectOf is for the middle of one.
func subject(of asked) string {
	if of.byField() {
		return of.name
	}
	return "Annotation " + of.name
}

func objectOf(of asked) string {
	if of.byField() {
		return of.name
	}
	return "the annotation " + of.name
}
