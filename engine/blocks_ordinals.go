package engine

import "fmt"

// The blocks about which ordinals a set has, and about what is paused.

func blockInvalidReserved(s *Set, of asked, err error) Block {
	return about(s, BlockInvalidPolicy, Attention,
		fmt.Sprintf("%s is invalid: %v. Nothing is done until this is fixed, because the set's ordinals are not known.", subject(of), err),
		`List ordinals and ranges, such as "1,3-5", or remove it.`)
}

func blockInvalidGuard(s *Set, of asked) Block {
	return about(s, BlockInvalidPolicy, Attention, mustBe(subject(of), of.text, "named")+" Until this is fixed, named applies.",
		"Set it to named, or remove it.")
}

// blockScaleInGuarded names the lowest of the pods that the guard keeps.
func blockScaleInGuarded(lowest *Pod, pods int, guard asked) Block {
	reserved := annotationReserved
	if guard.byField() {
		reserved = fieldReserved
	}
	message := "The pod's ordinal is outside the range but not reserved; " + guard.name + " keeps the pod."
	if pods > 1 {
		message += sameHolds(pods-1, "pod")
	}
	return Block{Code: BlockScaleInGuarded, Severity: Attention, Kind: KindPod, Name: lowest.Name, Message: message,
		Remedy: "Raise spec.replicas, or list the ordinals to delete in " + reserved + "."}
}

func blockInvalidPause(s *Set, of asked) Block {
	return about(s, BlockInvalidPolicy, Attention, mustBe(subject(of), of.text, "Updates, HealOnly or All")+" Until this is fixed, HealOnly applies.",
		"Set it to Updates, HealOnly or All, or remove it.")
}

// blockPaused says what a mode holds back. Each mode holds back what the one before does.
func blockPaused(s *Set, of asked, mode pause, outdated, condemned int, updates bool) Block {
	message := [...]string{
		pauseUpdates:  "Updates and repairs are paused.",
		pauseHealOnly: "Missing and ended pods are recreated; everything else is paused.",
		pauseAll:      "Pods and claims are left as they are; only the status is updated.",
	}[mode]
	if outdated > 0 {
		message += " Outdated: " + plural(outdated, "pod") + "."
	}
	if condemned > 0 && mode >= pauseHealOnly {
		message += " Outside the range: " + plural(condemned, "pod") + "."
	}
	severity := Info
	if mode == pauseAll || updates || condemned > 0 && mode == pauseHealOnly {
		severity = Wait // what is held back is left to do, and a set whose pods nobody heals is not done
	}
	return about(s, BlockPaused, severity, message, "To resume, remove "+objectOf(of)+".")
}

func blockInvalidOwnFields(s *Set, err error) Block {
	return about(s, BlockInvalidPolicy, Attention, fmt.Sprintf("The fields of spec beyond those of apps/v1 cannot be read: %v. Nothing is done until this is fixed.", err), "")
}

// blockDisagree is about a field and an annotation of the same meaning.
func blockDisagree(s *Set, a, b asked) Block {
	return about(s, BlockInvalidPolicy, Attention,
		fmt.Sprintf("%s is %q, and %s is %q. Nothing is done until they agree.", a.name, short(a.text), objectOf(b), short(b.text)), "Remove one of them.")
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
