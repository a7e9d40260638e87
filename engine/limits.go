package engine

import (
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
)

// Some of what an API server refuses is known before it is asked: no label and no host name is longer than 63 characters, and each pod has several that
// are made of the set's name. No object has more than 256 KiB of annotations, or is larger than 1.5 MiB. A write that finds out comes too late: claims exist for a pod that can never be created, or the old pod is gone. So
// under KnownLimits nothing is created, and nothing deleted, for a pod that cannot exist.

// longestLabel is the limit of a label's value, and of each part of a name in DNS.
const longestLabel = 63

// safeName is the longest name of a set that leaves room for a dash and any hash or ordinal in a label.
const safeName = longestLabel - len("-") - longestHash

// Limits of an object, in bytes: the names and values of its annotations, and, as etcd has it unless somebody has set another one, the object as a whole.
const (
	mostAnnotations = 256 << 10
	mostStored      = 3 << 19
)

// roomForRecord is what the record of an update in place may need beside a pod's other annotations, in bytes.
const roomForRecord = 4 << 10

// noteExcess notes why no pod can have a revision, if its data is large. Hardly any is.
func (v *view) noteExcess(revision string, data []byte) {
	if !v.rules.KnownLimits || len(data) <= mostAnnotations || v.ends() {
		return
	}
	template, _ := templateOf(data)
	why := ""
	if size := annotationsOf(template); size > mostAnnotations {
		why = tooManyAnnotations(size)
	} else if len(data) > mostStored {
		why = tooLarge(len(data))
	}
	if why != "" && v.excess == nil {
		v.excess = map[string]string{}
	}
	if why != "" {
		v.excess[revision] = why
	}
}

// isDNSLabel reports whether a host, a subdomain or a volume can have a name.
func isDNSLabel(name string) bool {
	if name == "" || len(name) > longestLabel || name[0] == '-' || name[len(name)-1] == '-' {
		return false
	}
	for _, c := range []byte(name) {
		if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// readLimits finds what keeps the set from having pods at all, or some of the range. Blocks say so.
func readLimits(v *view, out *draft) {
	if !v.rules.KnownLimits || v.deleting() || v.drainOnly() {
		return
	}
	if strings.Contains(v.set.Name, ".") {
		v.noPods = true
		out.block(blockNameHasDots(v.set))
	}
	if name := v.set.ServiceName; name != "" && !isDNSLabel(name) {
		v.noPods = true
		out.block(blockNoSubdomain(v.set))
	}
	for i := range v.templates {
		if !isDNSLabel(v.templates[i].name) {
			v.noPods = true
			out.block(blockNoVolume(v.set, v.templates[i].name))
			break
		}
		if size := v.claimAnnotations(i); size > mostAnnotations {
			v.noPods = true
			out.block(blockCrowdedClaim(v.set, v.templates[i].name, size))
			break
		}
	}
	if v.size > 0 && len(v.set.Name) > safeName {
		if last := v.set.PodName(v.ordinal(v.size - 1)); len(last) > longestLabel {
			v.longNames = true
			out.block(blockLongPodName(v.set, last))
		}
	}
}

// claimAnnotations is how much of their limit the annotations of a template's claims take; 0 where that is surely little.
func (v *view) claimAnnotations(template int) (size int) {
	source := v.templates[template].source
	if len(source) <= mostAnnotations/2 { // what is noted of a template is no longer than the template
		return 0
	}
	tree, _ := jsontree.Parse(source) // its name was found in it, so it is JSON
	size = annotationsOf(tree)
	for _, note := range v.claimNotes(template) {
		size += len(note.Key) + len(note.Value.Text)
	}
	return size
}

// canBe reports whether pods can be at a revision. If not, a block says so.
func (v *view) canBe(revision string, out *draft) bool {
	if v.excluded(revision) && revision != v.update.name {
		out.tellOnce(v.blockExcluded(revision, "")) // of the update revision one says so already
	}
	return !v.noPods && !v.excluded(revision)
}

// canBeAt is canBe for one slot.
func (v *view) canBeAt(slot int, out *draft) bool {
	return !(v.longNames && len(v.set.PodName(v.ordinal(slot))) > longestLabel) && v.canBe(v.comesBackAt(slot), out)
}
