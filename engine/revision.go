package engine

import (
	"bytes"
	"math"
	"strconv"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
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
func chooseRevisions(v *view, mk *maker, out *draft) bool {
	if count := v.set.Status.CollisionCount; count != nil {
		v.collision = *count
	}
	if v.set.Status.LongRevision {
		out.block(blockStatusUnread(v.set))
	}
	proceed := true
	if v.deleting() && v.rules.DeletingSetStatusOnly {
		v.update = v.storedUpdateRevision()
	} else {
		v.update, proceed = updateRevision(v, mk, out)
	}
	v.current = v.currentRevision()
	for _, r := range v.revisions {
		if r.Name == v.update.name || r.Name == v.current.name {
			v.noteExcess(r.Name, r.Data)
		}
	}
	if v.excluded(v.update.name) {
		stays := v.current.name
		if stays == v.update.name {
			stays = ""
		}
		out.block(v.blockExcluded(v.update.name, stays))
	}
	return proceed
}

// currentRevision is the one that the status names. Where it is not there, LostRevisionHolds keeps its name.
func (v *view) currentRevision() revisionChoice {
	name := v.set.Status.CurrentRevision
	for _, r := range v.revisions {
		if r.Name == name {
			return revisionChoice{name: name, data: r.Data}
		}
	}
	if v.rules.LostRevisionHolds && name != "" && name != v.update.name {
		return revisionChoice{name: name, lost: true}
	}
	return v.update
}

// storedUpdateRevision is what the status says, for a set that gets no new revisions.
func (v *view) storedUpdateRevision() revisionChoice {
	if name := v.set.Status.UpdateRevision; name != "" {
		return revisionChoice{name: name}
	}
	if newest := v.newest(); newest != nil {
		return revisionChoice{name: newest.Name}
	}
	return revisionChoice{}
}

// unedited reports whether the newest revision is the one that was chosen for this generation of the set: status names both,
// and is written in one piece.
func (v *view) unedited() bool {
	newest, st := v.newest(), &v.set.Status
	return newest != nil && newest.Name == st.UpdateRevision && v.set.Generation == st.ObservedGeneration && v.set.Generation > 0
}

// storedAsIs reports whether the newest revision holds the very text of the template: the usual case, told without reading
// either. Keys of a template begin with letters, so "$patch" is the first in a revision.
func (v *view) storedAsIs() bool {
	const before, after = `{"spec":{"template":{"$patch":"replace",`, "}}"
	newest, text := v.newest(), v.set.PodTemplate
	if newest == nil || len(text) < len("{}")+1 || text[0] != '{' || len(newest.Data) != len(before)+len(text)-1+len(after) {
		return false
	}
	data := newest.Data
	return string(data[:len(before)]) == before && bytes.Equal(data[len(before):len(data)-len(after)], text[1:]) &&
		string(data[len(data)-len(after):]) == after
}

// updateRevision finds the revision that stores the template: the newest one, an older one, which then gets the next
// number (a rollback), or a new one.
func updateRevision(v *view, mk *maker, out *draft) (choice revisionChoice, proceed bool) {
	sameClaims := v.newestRemovesTheSame()
	if sameClaims && (v.storedAsIs() || v.rules.UneditedSetKeepsRevision && v.unedited()) {
		return revisionChoice{name: v.newest().Name}, true
	}
	if !mk.readTemplate() {
		return revisionChoice{}, false // a block says why
	}
	data := wantedData{text: sayingOf(v.claimsSaid())}
	data.spec = len(data.text)
	data.text = withTemplate(data.text, mk.template)
	if out.ends() {
		return revisionChoice{}, false
	}
	next := int64(1)
	var newest, equal *model.Revision
	if newest = v.newest(); newest != nil {
		next = min(max(newest.Number, 0), math.MaxInt64-1) + 1 // anybody may have made a revision with the highest number; the younger of two is the newer
	}
	for _, r := range v.revisions {
		if v.equalData(r, &data) {
			equal = r
		}
	}
	switch {
	case newest != nil && newest == equal:
		return revisionChoice{name: newest.Name}, true
	case equal != nil:
		return revisionChoice{name: equal.Name}, renumber(v, out, equal, next)
	case newest != nil && sameClaims && mk.storesTemplate(newest):
		return revisionChoice{name: newest.Name}, true
	default:
		return createRevision(v, mk, out, &data, next)
	}
}

// storesTemplate reports whether other bytes mean the same template. Upstream asks this of the newest revision only.
func (mk *maker) storesTemplate(r *model.Revision) bool {
	template, ok := templateOf(r.Data)
	return ok && sameTemplate(template, mk.template)
}

// wantedData is the data of the revision that the set wants.
type wantedData struct {
	text []byte
	spec int // where the template begins, and what is said of claim templates ends
}

// equalData reports whether a revision is the one that the set wants. It may say something else of claim templates that the set adds, as long as it
// has them: sizes, classes and labels are no part of a revision.
func (v *view) equalData(r *model.Revision, data *wantedData) bool {
	return bytes.Equal(r.Data, data.text) || v.addsTheSame(r) && bytes.HasSuffix(r.Data, data.text[data.spec-1:])
}

func renumber(v *view, out *draft, r *model.Revision, number int64) bool {
	if r.Number == number {
		return true
	}
	return out.revisionStage(model.Action{Kind: model.KindRevision, Name: r.Name, UID: r.UID, ResourceVersion: r.ResourceVersion,
		Op:    model.RenumberRevision{Number: number},
		Cause: causeRollback,
	}, strconv.FormatInt(number, 10), false)
}

// createRevision plans a new revision. A name that is taken by other data counts as a collision and changes the hash in
// the name, not in the label (CreateControllerRevision upstream); one that is taken by the same data is used as it is.
func createRevision(v *view, mk *maker, out *draft, data *wantedData, number int64) (choice revisionChoice, proceed bool) {
	sum := fnv1(fnvOffset, data.text)
	label := hashAfter(sum, v.collision)
	name := revisionName(v.set.Name, label)
	for taken := v.revisionsByName(); taken[name] != nil; name = revisionName(v.set.Name, hashAfter(sum, v.collision)) {
		if v.equalData(taken[name], data) {
			return revisionChoice{name: name}, true
		}
		v.collision++
	}
	if v.noteExcess(name, data.text); v.excluded(name) {
		return revisionChoice{name: name}, true // a block says that no pod can have it
	}
	why := causeNewTemplate
	if v.removals.at != nil {
		why = causeNewClaims
	}
	// A revision that the status names and nobody has is what the garbage collector takes first when a set is deleted.
	collected := name == v.set.Status.UpdateRevision && !v.deleting()
	proceed = out.revisionStage(model.Action{Kind: model.KindRevision, Name: name, MustNotExist: true,
		Op:    model.CreateRevision{Manifest: mk.revisionManifest(name, label, data.text, number)},
		Cause: why,
	}, label, collected)
	return revisionChoice{name: name}, proceed
}

func (v *view) revisionsByName() map[string]*model.Revision {
	byName := make(map[string]*model.Revision, len(v.s.Revisions))
	for i := range v.s.Revisions {
		byName[v.s.Revisions[i].Name] = &v.s.Revisions[i]
	}
	return byName
}

// revisionStage plans a write without which no pod may be made; if collected, only once the set has been read.
func (out *draft) revisionStage(a model.Action, fact string, collected bool) bool {
	out.startPhase()
	var step model.Step
	if !out.emit(&step, a, fact) {
		return false
	}
	out.stage(model.Stage{Phase: model.PhaseRevision, Steps: []model.Step{step}, OnFailure: model.Abort, RequiresLiveSet: collected})
	return true
}

// revisionManifest is newRevision upstream: labels of the template plus the hash, annotations of the set.
func (mk *maker) revisionManifest(name, hash string, data []byte, number int64) []byte {
	labels := mk.template.Get("metadata").Get("labels").With(model.LabelHash, jsontree.NewString(hash))
	doc := []byte(`{"apiVersion":"apps/v1","data":`)
	doc = append(doc, data...)
	doc = append(doc, `,"kind":"ControllerRevision","metadata":`...)
	doc = jsontree.Append(doc, jsontree.NewObject(
		jsontree.Member{Key: "annotations", Value: mk.view.objectOf(mk.view.set.Annotations)},
		jsontree.Member{Key: "labels", Value: labels},
		jsontree.Member{Key: "name", Value: jsontree.NewString(name)},
		jsontree.Member{Key: "namespace", Value: jsontree.NewString(mk.view.set.Namespace)},
		jsontree.Member{Key: "ownerReferences", Value: mk.view.ownerReferences()},
	))
	doc = append(doc, `,"revision":`...)
	doc = strconv.AppendInt(doc, number, 10)
	return append(doc, '}')
}
