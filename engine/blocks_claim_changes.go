package engine

import (
	"fmt"
	"time"
)

// The blocks about claims that follow their templates.

func blockInvalidClaimPolicy(s *Set, of asked, wanted string) Block {
	return about(s, BlockInvalidPolicy, Attention, mustBe(subject(of), of.text, wanted)+claimsStay, "Set it to "+wanted+", or remove it.")
}

// claimsStay ends the sentence about a policy of claims that cannot be used.
const claimsStay = " Until this is fixed, claims stay as they are."

func blockInvalidClaimTemplates(s *Set, err error) Block {
	return about(s, BlockInvalidPolicy, Attention, fmt.Sprintf("Annotation %s is invalid: %v.", annotationClaimTemplates, err)+claimsStay,
		"Correct the annotation, or remove it.")
}

func blockPatchShrinks(s *Set, template, asks, own string) Block {
	return about(s, BlockClaimShrinks, Attention, fmt.Sprintf("Annotation %s asks for %s for the claims of template %s, less than the %s of spec.volumeClaimTemplates.",
		annotationClaimTemplates, short(asks), short(template), short(own))+claimsStay,
		"Ask for at least "+short(own)+", or take the size out of the annotation. To shrink a volume, copy its data to a new one.")
}

// blockStillMounted is about a claim template that is removed too early.
func blockStillMounted(s *Set, template string) Block {
	return about(s, BlockInvalidPolicy, Attention, fmt.Sprintf("Annotation %s removes the claim template %s, and the pod template mounts its volume. Until this is fixed, the claim template stays.",
		annotationClaimTemplates, short(template)), "Take the mount out of the pod template, or the removal out of the annotation.")
}

// blockAddedStillAsked is about one that the set has added and that it adds no more.
func blockAddedStillAsked(s *Set, template string) Block {
	return about(s, BlockInvalidPolicy, Attention, fmt.Sprintf("Annotation %s does not add the claim template %s any more, and the pod template has its volume. Until this is fixed, pods have it as a revision says.",
		annotationClaimTemplates, short(template)), "Take the volume out of the pod template, or put the claim template back into the annotation.")
}

// blockAddedNotShown is about an adapter that does not know that claim templates are added.
func blockAddedNotShown(s *Set) Block {
	return about(s, BlockCapabilityMissing, Attention, fmt.Sprintf("The adapter does not show the claims of claim templates that annotation %s adds, or has added.", annotationClaimTemplates)+claimsStay,
		"Use an adapter that supports it.")
}

// blockClaimShrinks names the first of the claims.
func blockClaimShrinks(of []*claimLook, want *claimWant) Block {
	is := of[0].is
	has, least := is.Capacity, "more than "+short(is.Capacity)
	if of[0].grown || !of[0].growing {
		has, least = is.Request, "at least "+short(is.Request) // the capacity is behind until the file system has grown
	}
	return Block{Code: BlockClaimShrinks, Severity: Attention, Kind: KindClaim, Name: of[0].claim.Name,
		Message: fmt.Sprintf("The claim asked for %s and has %s, and its template now asks for %s. Volumes do not shrink, so it stays as it is.",
			short(is.Request), short(has), short(want.request)) + others(of),
		Remedy: "Ask for " + least + ". To shrink a volume, copy its data to a new one."}
}

// others says how many claims a block does not name.
func others(of []*claimLook) string {
	if len(of) == 1 {
		return ""
	}
	return sameHolds(len(of)-1, "claim")
}

func blockClaimChanges(l *claimLook) Block {
	message := fmt.Sprintf("The volume of pod %s grows from %s to %s.", short(l.pod), orNone(l.is.Capacity), short(l.is.Request))
	if !l.growing {
		message = fmt.Sprintf("The volume of pod %s gets the attributes of class %s.", short(l.pod), short(l.is.AttributesClass))
	}
	return Block{Code: BlockClaimChanges, Severity: Wait, Kind: KindClaim, Name: l.claim.Name, Message: message, Since: l.since}
}

// blockClaimChangeFailed names the first of the claims.
func blockClaimChangeFailed(of []*claimLook) Block {
	l := of[0]
	message := fmt.Sprintf("The volume of pod %s does not grow: %s.", short(l.pod), shortMessage(l.failure))
	if !l.growthFails() {
		message = fmt.Sprintf("The volume of pod %s does not get the attributes of class %s: %s.", short(l.pod), short(l.is.AttributesClass), shortMessage(l.unmodified))
	}
	return Block{Code: BlockClaimChangeFailed, Severity: Attention, Kind: KindClaim, Name: l.claim.Name, Since: l.since,
		Message: message + others(of) + " No further claim of the template is changed.",
		Remedy:  "See what the provider says about the claim. Another size or class is tried as soon as the set asks for it."}
}

// blockClaimDropped is about a claim that does not ask for what it was given.
func blockClaimDropped(l *claimLook, want *claimWant) Block {
	return Block{Code: BlockClaimChangeFailed, Severity: Attention, Kind: KindClaim, Name: l.claim.Name,
		Message: fmt.Sprintf("An earlier plan asked for %s, and the claim asks for %s: somebody has changed it since, or the API server has. It stays as it is.",
			short(want.request), short(l.is.Request)),
		Remedy: "To have it asked again: " + kubectl("annotate", "pvc", l.claim.Name, annotationClaimRequest+"-")}
}

// blockClaimsWait names the first of the claims that wait; before is the claim that goes first, nil where several may change at once.
func blockClaimsWait(held []*claimLook, before *Claim, failing []*claimLook, limit int) Block {
	why := fmt.Sprintf("at most %s at once", plural(limit, "claim")+" change")
	switch {
	case len(failing) > 0:
		why = "the change of claim " + short(failing[0].claim.Name) + " has failed"
	case before != nil:
		why = "claim " + short(before.Name) + " is changed first"
	case limit == 1:
		why = "one claim changes at a time"
	}
	return Block{Code: BlockClaimChangeWaits, Severity: Wait, Kind: KindClaim, Name: held[0].claim.Name,
		Message: "The claim differs from its template and waits: " + why + "." + others(held)}
}

func blockClaimUnbound(l *claimLook) Block {
	return Block{Code: BlockClaimChangeWaits, Severity: Wait, Kind: KindClaim, Name: l.claim.Name,
		Message: "The claim differs from its template, and can change only once it is bound to a volume."}
}

func blockClaimCools(l *claimLook, until time.Time, again bool) Block {
	why := "claim-update-cooldown has to pass first."
	if again {
		why = "its class is asked for again after a minute."
	}
	return Block{Code: BlockClaimChangeWaits, Severity: Wait, Kind: KindClaim, Name: l.claim.Name, NotBefore: until,
		Message: "The claim differs from its template, and was changed a short while ago: " + why}
}

func blockClaimNotOurs(c *Claim, shared bool) Block {
	why := "another object controls it"
	if shared {
		why = "another set of the namespace uses the same claim names"
	}
	return Block{Code: BlockClaimChangeWaits, Severity: Attention, Kind: KindClaim, Name: c.Name,
		Message: "The claim differs from its template, and stays as it is because " + why + ".",
		Remedy:  "Change the claim by hand, or see to it that it is this set's alone."}
}

// blockClaimFixed names the first of the claims whose storage class lets no volume grow. The API server would refuse the write.
func blockClaimFixed(of []*claimLook) Block {
	return Block{Code: BlockClaimChangeWaits, Severity: Attention, Kind: KindClaim, Name: of[0].claim.Name,
		Message: "The claim is to grow, and its storage class " + short(of[0].is.Class) + " lets no volume grow. It stays as it is." + others(of),
		Remedy: "If the driver cannot let volumes grow, take the size back. If it can, let the class: " +
			kubectl("patch", "storageclass", of[0].is.Class, "-p", `{"allowVolumeExpansion":true}`)}
}

// blockClaimUnknown is about an adapter that can change claims and does not say what they ask for.
func blockClaimUnknown(c *Claim) Block {
	return Block{Code: BlockClaimChangeWaits, Severity: Attention, Kind: KindClaim, Name: c.Name,
		Message: "The adapter does not say what the claim asks for, so it stays as it is.", Remedy: "Use an adapter release that sends it."}
}

// The blocks about file systems that grow where a pod mounts them.

func blockFileSystem(c *Claim, severity Severity, message string) Block {
	return Block{Code: BlockFileSystemResize, Severity: severity, Kind: KindClaim, Name: c.Name, Message: message}
}

func blockFileSystemMounts(c *Claim, pod string) Block {
	return blockFileSystem(c, Wait, "The volume has grown. Its file system grows once pod "+short(pod)+" mounts it.")
}

func blockFileSystemGrows(c *Claim, pod string, until time.Time) Block {
	b := blockFileSystem(c, Wait, "The volume of pod "+short(pod)+" has grown. Its kubelet has some time to grow the file system, too.")
	b.NotBefore = until
	return b
}

func blockFileSystemRecreates(c *Claim, pod string) Block {
	return blockFileSystem(c, Wait, "The volume of pod "+short(pod)+" has grown, and its file system does not while it is mounted. The pod is recreated within the budget of updates.")
}

func blockFileSystemStays(c *Claim, pod string) Block {
	b := blockFileSystem(c, Attention, "The volume of pod "+short(pod)+" has grown, and its file system does not.")
	b.Remedy = "If the pod has started since the volume grew, see its events. To have pods recreated for every claim, set claim-update-policy to InPlaceOrRecreate. " +
		"To have this one recreated within the budget of updates: " + recreation(pod)
	return b
}
