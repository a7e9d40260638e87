package engine

import (
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/state"
)

// Some of what an API server refuses is known before it is asked: no label and no host name is longer than 63 characters, and each pod has several that
// are made of the set's name. No object has more than 256 KiB of annotations, or is larger than 1.5 MiB. A write that finds out comes too late: claims exist for a pod that can never be created, or the old pod is gone. So
// under KnownLimits nothing is created, and nothing deleted, for a pod that cannot exist.

// noteExcess notes why no pod can have a revision, if its data is large. Hardly any is.
func (v *view) noteExcess(revision string, data []byte) {
	if !v.Rules.KnownLimits || len(data) <= state.MostAnnotations || v.Ends() {
		return
	}
	template, _ := podtemplate.Of(data)
	why := ""
	if size := podtemplate.AnnotationsOf(template); size > state.MostAnnotations {
		why = tooManyAnnotations(size)
	} else if len(data) > state.MostStored {
		why = tooLarge(len(data))
	}
	if why != "" && v.Excess == nil {
		v.Excess = map[string]string{}
	}
	if why != "" {
		v.Excess[revision] = why
	}
}

// readLimits finds what keeps the set from having pods at all, or some of the range. Blocks say so.
func readLimits(v *view, out *state.Draft) {
	if !v.Rules.KnownLimits || v.Deleting() || v.DrainOnly() {
		return
	}
	if strings.Contains(v.Set.Name, ".") {
		v.noPods = true
		out.Block(blockNameHasDots(v.Set))
	}
	if name := v.Set.ServiceName; name != "" && !state.IsDNSLabel(name) {
		v.noPods = true
		out.Block(blockNoSubdomain(v.Set))
	}
	for i := range v.Templates {
		if !state.IsDNSLabel(v.Templates[i].Name) {
			v.noPods = true
			out.Block(blockNoVolume(v.Set, v.Templates[i].Name))
			break
		}
		if size := v.claimAnnotations(i); size > state.MostAnnotations {
			v.noPods = true
			out.Block(blockCrowdedClaim(v.Set, v.Templates[i].Name, size))
			break
		}
	}
	if v.Size > 0 && len(v.Set.Name) > state.SafeName {
		if last := v.Set.PodName(v.Ordinal(v.Size - 1)); len(last) > state.LongestLabel {
			v.longNames = true
			out.Block(blockLongPodName(v.Set, last))
		}
	}
}

// claimAnnotations is how much of their limit the annotations of a template's claims take; 0 where that is surely little.
func (v *view) claimAnnotations(template int) (size int) {
	source := v.Templates[template].Source
	if len(source) <= state.MostAnnotations/2 { // what is noted of a template is no longer than the template
		return 0
	}
	tree, _ := jsontree.Parse(source) // its name was found in it, so it is JSON
	size = podtemplate.AnnotationsOf(tree)
	for _, note := range v.ClaimNotes(template) {
		size += len(note.Key) + len(note.Value.Text)
	}
	return size
}

// canBe reports whether pods can be at a revision. If not, a block says so.
func (v *view) canBe(revision string, out *state.Draft) bool {
	if v.Excluded(revision) && revision != v.Update.Name {
		out.TellOnce(v.blockExcluded(revision, "")) // of the update revision one says so already
	}
	return !v.noPods && !v.Excluded(revision)
}

// canBeAt is canBe for one slot.
func (v *view) canBeAt(slot int, out *state.Draft) bool {
	return !(v.longNames && len(v.Set.PodName(v.Ordinal(slot))) > state.LongestLabel) && v.canBe(v.ComesBackAt(slot), out)
}
