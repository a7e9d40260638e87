package engine

// The blocks about pods that change in place.

func blockInvalidInPlace(s *Set, of asked) Block {
	const known = "Recreate, InPlaceIfPossible or InPlaceOnly"
	return about(s, BlockInvalidPolicy, Attention, mustBe(subject(of), of.text, known)+" Until this is fixed it is taken for InPlaceOnly.",
		"Set it to "+known+", or remove it.")
}

// blockNotInPlace names the first field that takes another pod.
func blockNotInPlace(p *Pod, d *difference, of asked, revision string) Block {
	why := "it differs from revision " + short(revision) + " in " + short(d.field) + ", which takes another pod"
	if d.unknown {
		why = "what it lacks of revision " + short(revision) + " is not known, because one of the two is not there or cannot be read"
	}
	return Block{Code: BlockUpdateNotInPlace, Severity: Attention, Kind: KindPod, Name: p.Name,
		Message: "The pod stays at revision " + orNone(p.Revision) + ": " + why + ", and " + of.name + " is InPlaceOnly.",
		Remedy: "Take the change back, or set " + objectOf(of) + " to InPlaceIfPossible, or have this pod recreated: kubectl annotate pod " +
			p.Name + " " + annotationRecreate + "=true."}
}
