package engine

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
)

// revisionChoice is a revision that pods can be at.
type revisionChoice struct {
	name string
	data []byte // nil where it is the set's own template
	lost bool   // the status names it, and it is not there
}

// chooseRevisions finds the update revision, which the template is, and the current one, which pods below the partition
// have (getStatefulSetRevisions upstream). It returns false where pods cannot be built without a revision that the
// adapter cannot write.
func (d *decision) chooseRevisions() bool {
	if count := d.set.Status.CollisionCount; count != nil {
		d.collision = *count
	}
	proceed := true
	if d.deleting() && d.rules.DeletingSetStatusOnly {
		d.update = d.storedUpdateRevision()
	} else {
		d.update, proceed = d.updateRevision()
	}
	d.current = d.currentRevision()
	return proceed
}

// currentRevision is the one that the status names. Where it is not there, LostRevisionHolds keeps its name.
func (d *decision) currentRevision() revisionChoice {
	name := d.set.Status.CurrentRevision
	for _, r := range d.revisions {
		if r.Name == name {
			return revisionChoice{name: name, data: r.Data}
		}
	}
	if d.rules.LostRevisionHolds && name != "" && name != d.update.name {
		return revisionChoice{name: name, lost: true}
	}
	return d.update
}

// blockLost says what is missing where a pod would be made from the current revision.
func (d *decision) blockLost() {
	d.block(Block{Code: BlockInvalidRevision, Severity: Attention, Kind: KindRevision, Name: d.current.name,
		Message: "The status names this revision as the current one, and it is not among the set's revisions: pods that are to come back at it wait.",
		Remedy: "If it was deleted, create it again, or have these pods come back at " + d.update.name + ": kubectl -n " + d.set.Namespace + " patch " + d.kubectlKind() + " " + d.set.Name +
			" --subresource=status --type=merge -p '{\"status\":{\"currentRevision\":\"" + d.update.name + "\"}}'."})
}

// kubectlKind is the set's kind as kubectl takes it: two API groups may have one of this name.
func (d *decision) kubectlKind() string {
	kind := strings.ToLower(d.set.Kind)
	group, version, grouped := strings.Cut(d.set.APIVersion, "/")
	if !grouped || group == "apps" {
		return kind
	}
	return kind + "." + version + "." + group
}

// storedUpdateRevision is what the status says, for a set that gets no new revisions.
func (d *decision) storedUpdateRevision() revisionChoice {
	if name := d.set.Status.UpdateRevision; name != "" {
		return revisionChoice{name: name}
	}
	if newest := d.newest(); newest != nil {
		return revisionChoice{name: newest.Name}
	}
	return revisionChoice{}
}

func (d *decision) newest() *Revision {
	if n := len(d.revisions); n > 0 {
		return d.revisions[n-1]
	}
	return nil
}

// unedited tells whether the newest revision is the one that was chosen for this generation of the set: status names both,
// and is written in one piece.
func (d *decision) unedited() bool {
	newest, st := d.newest(), &d.set.Status
	return newest != nil && newest.Name == st.UpdateRevision && d.set.Generation == st.ObservedGeneration && d.set.Generation > 0
}

// storedAsIs tells whether the newest revision holds the very text of the template: the usual case, told without reading
// either. Keys of a template begin with letters, so "$patch" is the first in a revision.
func (d *decision) storedAsIs() bool {
	const before, after = `{"spec":{"template":{"$patch":"replace",`, "}}"
	newest, text := d.newest(), d.set.PodTemplate
	if newest == nil || len(text) < len("{}")+1 || text[0] != '{' || len(newest.Data) != len(before)+len(text)-1+len(after) {
		return false
	}
	data := newest.Data
	return string(data[:len(before)]) == before && bytes.Equal(data[len(before):len(data)-len(after)], text[1:]) &&
		string(data[len(data)-len(after):]) == after
}

// updateRevision finds the revision that stores the template: the newest one, an older one, which then gets the next
// number (a rollback), or a new one.
func (d *decision) updateRevision() (choice revisionChoice, proceed bool) {
	if d.storedAsIs() || d.rules.UneditedSetKeepsRevision && d.unedited() {
		return revisionChoice{name: d.newest().Name}, true
	}
	patch := patchOf(d.meter.counting(partTemplate), d.template)
	next := int64(1)
	var newest, equal *Revision
	if newest = d.newest(); newest != nil {
		next = newest.Number + 1
	}
	for _, r := range d.revisions {
		if d.equalData(r, patch) {
			equal = r
		}
	}
	switch {
	case newest != nil && bytes.Equal(newest.Data, patch):
		return revisionChoice{name: newest.Name}, true
	case equal != nil:
		return revisionChoice{name: equal.Name}, d.renumber(equal, next)
	case newest != nil && d.storesTemplate(newest):
		return revisionChoice{name: newest.Name}, true
	default:
		return d.createRevision(patch, next)
	}
}

// storesTemplate tells whether other bytes mean the same template. Upstream asks this of the newest revision only.
func (d *decision) storesTemplate(r *Revision) bool {
	count := d.meter.counting(partRevisionData)
	template, ok := templateOf(count, r.Data)
	return ok && (&comparison{count: count}).same(template, d.template, special)
}

func (d *decision) equalData(r *Revision, patch []byte) bool {
	if len(r.Data) == len(patch) {
		d.work(partRevisionData, len(patch)/64)
	}
	return bytes.Equal(r.Data, patch)
}

func (d *decision) renumber(r *Revision, number int64) bool {
	if r.Number == number {
		return true
	}
	return d.revisionStage(Action{Kind: KindRevision, Name: r.Name, UID: r.UID, ResourceVersion: r.ResourceVersion,
		Op:    RenumberRevision{Number: number},
		Cause: Cause{CauseRollback, "The template equals this older revision, which becomes the newest: a rollback."},
	}, strconv.FormatInt(number, 10))
}

// createRevision plans a new revision. A name that is taken by other data counts as a collision and changes the hash in
// the name, not in the label (CreateControllerRevision upstream); one that is taken by the same data is used as it is.
func (d *decision) createRevision(patch []byte, number int64) (choice revisionChoice, proceed bool) {
	sum := d.sumOf(patch)
	label := hashAfter(sum, d.collision)
	name := revisionName(d.set.Name, label)
	for taken := d.revisionsByName(); taken[name] != nil; name = revisionName(d.set.Name, hashAfter(sum, d.collision)) {
		if d.equalData(taken[name], patch) {
			return revisionChoice{name: name}, true
		}
		d.work(partRevisions, 1)
		d.collision++
	}
	proceed = d.revisionStage(Action{Kind: KindRevision, Name: name, MustNotExist: true,
		Op:    CreateRevision{Manifest: d.revisionManifest(name, label, patch, number)},
		Cause: Cause{CauseNewTemplate, "The pod template equals no stored revision."},
	}, label)
	return revisionChoice{name: name}, proceed
}

// sumOf hashes data that may be long.
func (d *decision) sumOf(data []byte) uint32 {
	const atOnce = 64 << 10
	sum := uint32(fnvOffset)
	for ; len(data) > atOnce; data = data[atOnce:] {
		d.work(partTemplate, atOnce/64)
		sum = fnv1(sum, data[:atOnce])
	}
	return fnv1(sum, data)
}

func (d *decision) revisionsByName() map[string]*Revision {
	d.work(partRevisions, len(d.s.Revisions))
	byName := make(map[string]*Revision, len(d.s.Revisions))
	for i := range d.s.Revisions {
		d.meter.pause(i)
		byName[d.s.Revisions[i].Name] = &d.s.Revisions[i]
	}
	return byName
}

// revisionStage plans a write without which no pod may be made.
func (d *decision) revisionStage(a Action, fact string) bool {
	d.startPhase()
	var step Step
	if !d.emit(&step, a, fact) {
		return false
	}
	d.stage(Stage{Phase: PhaseRevision, Steps: []Step{step}, OnFailure: Abort})
	return true
}

// revisionManifest is newRevision upstream: labels of the template plus the hash, annotations of the set.
func (d *decision) revisionManifest(name, hash string, data []byte, number int64) []byte {
	labels := d.template.Get("metadata").Get("labels").With(labelHash, jsontree.NewString(hash))
	doc := []byte(`{"apiVersion":"apps/v1","data":`)
	doc = append(doc, data...)
	doc = append(doc, `,"kind":"ControllerRevision","metadata":`...)
	doc = jsontree.Count(d.meter.counting(partTemplate)).Append(doc, jsontree.NewObject(
		jsontree.Member{Key: "annotations", Value: d.objectOf(partTemplate, d.set.Annotations)},
		jsontree.Member{Key: "labels", Value: labels},
		jsontree.Member{Key: "name", Value: jsontree.NewString(name)},
		jsontree.Member{Key: "namespace", Value: jsontree.NewString(d.set.Namespace)},
		jsontree.Member{Key: "ownerReferences", Value: d.ownerReferences()},
	))
	doc = append(doc, `,"revision":`...)
	doc = strconv.AppendInt(doc, number, 10)
	return append(doc, '}')
}
