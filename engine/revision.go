package engine

import (
	"bytes"
	"math"
	"strconv"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/state"
)

// chooseRevisions finds the update revision, which the template is, and the current one, which pods below the partition
// have (getStatefulSetRevisions upstream). It returns false where pods cannot be built without a revision that the
// adapter cannot write.
func chooseRevisions(v *view, mk *claimtemplate.Maker, out *state.Draft) bool {
	if count := v.Set.Status.CollisionCount; count != nil {
		v.Collision = *count
	}
	if v.Set.Status.LongRevision {
		out.Block(blockStatusUnread(v.Set))
	}
	proceed := true
	if v.Deleting() && v.Rules.DeletingSetStatusOnly {
		v.Update = v.storedUpdateRevision()
	} else {
		v.Update, proceed = updateRevision(v, mk, out)
	}
	v.Current = v.currentRevision()
	for _, r := range v.Revisions {
		if r.Name == v.Update.Name || r.Name == v.Current.Name {
			v.noteExcess(r.Name, r.Data)
		}
	}
	if v.Excluded(v.Update.Name) {
		stays := v.Current.Name
		if stays == v.Update.Name {
			stays = ""
		}
		out.Block(v.blockExcluded(v.Update.Name, stays))
	}
	return proceed
}

// currentRevision is the one that the status names. Where it is not there, LostRevisionHolds keeps its name.
func (v *view) currentRevision() state.RevisionChoice {
	name := v.Set.Status.CurrentRevision
	for _, r := range v.Revisions {
		if r.Name == name {
			return state.RevisionChoice{Name: name, Data: r.Data}
		}
	}
	if v.Rules.LostRevisionHolds && name != "" && name != v.Update.Name {
		return state.RevisionChoice{Name: name, Lost: true}
	}
	return v.Update
}

// storedUpdateRevision is what the status says, for a set that gets no new revisions.
func (v *view) storedUpdateRevision() state.RevisionChoice {
	if name := v.Set.Status.UpdateRevision; name != "" {
		return state.RevisionChoice{Name: name}
	}
	if newest := v.Newest(); newest != nil {
		return state.RevisionChoice{Name: newest.Name}
	}
	return state.RevisionChoice{}
}

// unedited reports whether the newest revision is the one that was chosen for this generation of the set: status names both,
// and is written in one piece.
func (v *view) unedited() bool {
	newest, st := v.Newest(), &v.Set.Status
	return newest != nil && newest.Name == st.UpdateRevision && v.Set.Generation == st.ObservedGeneration && v.Set.Generation > 0
}

// storedAsIs reports whether the newest revision holds the very text of the template: the usual case, told without reading
// either. Keys of a template begin with letters, so "$patch" is the first in a revision.
func (v *view) storedAsIs() bool {
	const before, after = `{"spec":{"template":{"$patch":"replace",`, "}}"
	newest, text := v.Newest(), v.Set.PodTemplate
	if newest == nil || len(text) < len("{}")+1 || text[0] != '{' || len(newest.Data) != len(before)+len(text)-1+len(after) {
		return false
	}
	data := newest.Data
	return string(data[:len(before)]) == before && bytes.Equal(data[len(before):len(data)-len(after)], text[1:]) &&
		string(data[len(data)-len(after):]) == after
}

// updateRevision finds the revision that stores the template: the newest one, an older one, which then gets the next
// number (a rollback), or a new one.
func updateRevision(v *view, mk *claimtemplate.Maker, out *state.Draft) (choice state.RevisionChoice, proceed bool) {
	sameClaims := v.NewestRemovesTheSame()
	if sameClaims && (v.storedAsIs() || v.Rules.UneditedSetKeepsRevision && v.unedited()) {
		return state.RevisionChoice{Name: v.Newest().Name}, true
	}
	if !mk.ReadTemplate() {
		return state.RevisionChoice{}, false // a block says why
	}
	data := wantedData{text: podtemplate.SayingOf(v.ClaimsSaid())}
	data.spec = len(data.text)
	data.text = podtemplate.WithTemplate(data.text, mk.Template)
	if out.Ends() {
		return state.RevisionChoice{}, false
	}
	next := int64(1)
	var newest, equal *model.Revision
	if newest = v.Newest(); newest != nil {
		next = min(max(newest.Number, 0), math.MaxInt64-1) + 1 // anybody may have made a revision with the highest number; the younger of two is the newer
	}
	for _, r := range v.Revisions {
		if v.equalData(r, &data) {
			equal = r
		}
	}
	switch {
	case newest != nil && newest == equal:
		return state.RevisionChoice{Name: newest.Name}, true
	case equal != nil:
		return state.RevisionChoice{Name: equal.Name}, renumber(v, out, equal, next)
	case newest != nil && sameClaims && storesTemplate(mk, newest):
		return state.RevisionChoice{Name: newest.Name}, true
	default:
		return createRevision(v, mk, out, &data, next)
	}
}

// storesTemplate reports whether other bytes mean the same template. Upstream asks this of the newest revision only.
func storesTemplate(mk *claimtemplate.Maker, r *model.Revision) bool {
	template, ok := podtemplate.Of(r.Data)
	return ok && podtemplate.SameTemplate(template, mk.Template)
}

// wantedData is the data of the revision that the set wants.
type wantedData struct {
	text []byte
	spec int // where the template begins, and what is said of claim templates ends
}

// equalData reports whether a revision is the one that the set wants. It may say something else of claim templates that the set adds, as long as it
// has them: sizes, classes and labels are no part of a revision.
func (v *view) equalData(r *model.Revision, data *wantedData) bool {
	return bytes.Equal(r.Data, data.text) || v.AddsTheSame(r) && bytes.HasSuffix(r.Data, data.text[data.spec-1:])
}

func renumber(v *view, out *state.Draft, r *model.Revision, number int64) bool {
	if r.Number == number {
		return true
	}
	return revisionStage(out, model.Action{Kind: model.KindRevision, Name: r.Name, UID: r.UID, ResourceVersion: r.ResourceVersion,
		Op:    model.RenumberRevision{Number: number},
		Cause: causeRollback,
	}, strconv.FormatInt(number, 10), false)
}

// createRevision plans a new revision. A name that is taken by other data counts as a collision and changes the hash in
// the name, not in the label (CreateControllerRevision upstream); one that is taken by the same data is used as it is.
func createRevision(v *view, mk *claimtemplate.Maker, out *state.Draft, data *wantedData, number int64) (choice state.RevisionChoice, proceed bool) {
	sum := podtemplate.FNV1(podtemplate.FNVOffset, data.text)
	label := podtemplate.HashAfter(sum, v.Collision)
	name := podtemplate.RevisionName(v.Set.Name, label)
	for taken := v.revisionsByName(); taken[name] != nil; name = podtemplate.RevisionName(v.Set.Name, podtemplate.HashAfter(sum, v.Collision)) {
		if v.equalData(taken[name], data) {
			return state.RevisionChoice{Name: name}, true
		}
		v.Collision++
	}
	if v.noteExcess(name, data.text); v.Excluded(name) {
		return state.RevisionChoice{Name: name}, true // a block says that no pod can have it
	}
	why := causeNewTemplate
	if v.Removals.At != nil {
		why = causeNewClaims
	}
	// A revision that the status names and nobody has is what the garbage collector takes first when a set is deleted.
	collected := name == v.Set.Status.UpdateRevision && !v.Deleting()
	proceed = revisionStage(out, model.Action{Kind: model.KindRevision, Name: name, MustNotExist: true,
		Op:    model.CreateRevision{Manifest: revisionManifest(mk, name, label, data.text, number)},
		Cause: why,
	}, label, collected)
	return state.RevisionChoice{Name: name}, proceed
}

func (v *view) revisionsByName() map[string]*model.Revision {
	byName := make(map[string]*model.Revision, len(v.Snap.Revisions))
	for i := range v.Snap.Revisions {
		byName[v.Snap.Revisions[i].Name] = &v.Snap.Revisions[i]
	}
	return byName
}

// revisionStage plans a write without which no pod may be made; if collected, only once the set has been read.
func revisionStage(out *state.Draft, a model.Action, fact string, collected bool) bool {
	out.StartPhase()
	var step model.Step
	if !out.Emit(&step, a, fact) {
		return false
	}
	out.Add(model.Stage{Phase: model.PhaseRevision, Steps: []model.Step{step}, OnFailure: model.Abort, RequiresLiveSet: collected})
	return true
}

// revisionManifest is newRevision upstream: labels of the template plus the hash, annotations of the set.
func revisionManifest(mk *claimtemplate.Maker, name, hash string, data []byte, number int64) []byte {
	labels := mk.Template.Get("metadata").Get("labels").With(model.LabelHash, jsontree.NewString(hash))
	doc := []byte(`{"apiVersion":"apps/v1","data":`)
	doc = append(doc, data...)
	doc = append(doc, `,"kind":"ControllerRevision","metadata":`...)
	doc = jsontree.Append(doc, jsontree.NewObject(
		jsontree.Member{Key: "annotations", Value: mk.View.ObjectOf(mk.View.Set.Annotations)},
		jsontree.Member{Key: "labels", Value: labels},
		jsontree.Member{Key: "name", Value: jsontree.NewString(name)},
		jsontree.Member{Key: "namespace", Value: jsontree.NewString(mk.View.Set.Namespace)},
		jsontree.Member{Key: "ownerReferences", Value: mk.View.OwnerReferences()},
	))
	doc = append(doc, `,"revision":`...)
	doc = strconv.AppendInt(doc, number, 10)
	return append(doc, '}')
}
