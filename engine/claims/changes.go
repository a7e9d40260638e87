package claims

import (
	"slices"
	"time"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// Claims follow their templates here. A full disk is the usual reason, so nothing waits for the health of pods, for their order or for the
// budget of the update: the pass comes before everything that could hold it back. Of each template one claim changes first. Once its volume
// has grown the others follow, a few at a time; the first failure stops them. Everything is read from the claims, so that an adapter may be
// killed after any write. A volume never shrinks: a request is lowered only if an earlier plan made it, and stays above the capacity.

// claimPass is the walk over the claims of the range.
type claimPass struct {
	view   *Claims
	out    *state.Draft
	looks  [][]claimLook // by template, the highest ordinal first
	moving int           // claims that are changing because a plan said so
	movers []movers      // the same by template
	read   map[*model.ClaimStorage]*storageRead
	fixed  map[string]bool // storage classes that let no volume grow
}

// movers are the claims of a template that are changing.
type movers struct {
	count int
	first *model.Claim
}

// Change plans what claims lack.
func Change(v *Claims, out *state.Draft) {
	if !v.ClaimPolicy.Follows || v.Deleting() || v.Paused >= state.PauseHealOnly || v.StandsStill() {
		return
	}
	pass := claimPass{view: v, out: out, looks: make([][]claimLook, len(v.Templates)), movers: make([]movers, len(v.Templates)), read: map[*model.ClaimStorage]*storageRead{},
		fixed: map[string]bool{}}
	pass.look()
	for template := range pass.looks {
		pass.choose(template)
	}
	out.StartPhase()
	stage := model.Stage{Phase: model.PhaseClaims, OnFailure: model.SkipPhase}
	for _, now := range [...]bool{true, false} { // a plan that is cut short has what grows
		for template, looks := range pass.looks {
			for i := range looks {
				if l := &looks[i]; l.now == now && (now || l.relabelled) {
					stage.Add(func(step *model.Step) { pass.patch(step, l, template) })
				}
			}
		}
	}
	out.Add(stage)
}

// look reads the claims of the range. One that is going, has lost its volume or is somebody else's stays as it is; if its pod needs it, another
// block says so. So does one whose template is removed, or is followed by no claim.
func (pass *claimPass) look() {
	v := pass.view
	for _, class := range v.Snap.FixedClasses {
		pass.fixed[class] = true
	}
	shared := map[string]bool{}
	for i := range v.Snap.ClaimNeighbours {
		shared[v.Snap.ClaimNeighbours[i].ClaimTemplate] = true
	}
	for slot := len(v.Replicas) - 1; slot >= 0; slot-- {
		if v.EndsAt(slot) {
			return
		}
		claims := v.claimsOf(v.Ordinal(slot))
		for template, c := claims.next(0); c != nil; template, c = claims.next(template + 1) {
			switch {
			case v.Removals.Now.Has(template) || v.Wants[template].Stays || !c.DeletedAt.IsZero() || c.Phase == model.ClaimLost:
			case c.Storage == nil:
				pass.out.Block(blockClaimUnknown(c))
			default:
				pass.lookAt(c, slot, template, shared[v.Templates[template].Name])
			}
		}
	}
}

func (pass *claimPass) lookAt(c *model.Claim, slot, template int, shared bool) {
	v := pass.view
	read := pass.read[c.Storage]
	if read == nil {
		once := ReadStorage(c.Storage)
		read = &once
		pass.read[c.Storage] = read
	}
	l := v.lookAt(c, read, v.Set.PodName(v.Ordinal(slot)), &v.Wants[template])
	if l.grows && pass.fixed[l.is.Class] {
		l.grows, l.fixed = false, true
	}
	if shared || v.foreign(c) {
		if l.changes() || l.fixed || l.relabelled && v.Wants[template].Patched {
			pass.out.Block(blockClaimNotOurs(c, shared))
		}
		return
	}
	if read.fileSystem != nil && read.Failure == "" {
		growFileSystem(v, slot, c, read.fileSystem, pass.out)
	}
	if l.dropped {
		pass.out.Block(blockClaimDropped(&l, &v.Wants[template]))
	}
	if l.works() {
		pass.out.Block(blockClaimChanges(&l))
		if l.ours() || l.reclassing {
			pass.moving++
			if pass.movers[template].count++; pass.movers[template].count == 1 {
				pass.movers[template].first = c
			}
		}
	}
	pass.looks[template] = append(pass.looks[template], l)
}

// foreign reports whether another object controls a claim.
func (v *Claims) foreign(c *model.Claim) bool {
	return slices.ContainsFunc(c.Owners, func(o model.Owner) bool { return o.Controller && o.UID != v.Set.UID })
}

// choose marks the claims of a template that change now, and says why others do not.
func (pass *claimPass) choose(template int) {
	want := &pass.view.Wants[template]
	var ready, corrected, refused, failing, shrinking, fixed []*claimLook
	proven, classed := false, false
	for i := range pass.looks[template] {
		l := &pass.looks[template][i]
		proven = proven || l.isThere(want)
		if l.stopsOthers() {
			failing = append(failing, l)
		}
		if l.fixed {
			fixed = append(fixed, l)
			classed = classed || l.isClassed()
		}
		switch {
		case l.shrinks:
			shrinking = append(shrinking, l)
		case !l.changes() || !pass.mayAsk(l):
		case l.works():
			l.now = true // it is lowered, and has its place among those that change already
		case pass.failedBefore(l, want):
			refused = append(refused, l)
		case l.busy():
			corrected = append(corrected, l)
		default:
			ready = append(ready, l)
		}
	}
	waiting := slices.Concat(refused, corrected, ready)
	if classed && !slices.ContainsFunc(waiting, func(l *claimLook) bool { return l.grows || l.lowers }) {
		proven = true // where nothing grows, the class of attributes is what one claim has tried for the others
	}
	movers := &pass.movers[template]
	room := max(0, pass.view.ClaimPolicy.Limit-pass.moving)
	var before *model.Claim // that goes first, and alone until it has succeeded
	if !proven || len(refused) > 0 {
		if before = movers.first; before == nil && room > 0 && len(waiting) > 0 {
			before = waiting[0].claim
		}
		room = max(0, min(room, 1-movers.count))
	}
	if len(failing) > 0 {
		pass.out.Block(blockClaimChangeFailed(failing))
		room = 0
	}
	room = min(room, len(waiting))
	for _, l := range waiting[:room] {
		l.now = true
	}
	pass.moving += room
	if held := waiting[room:]; len(held) > 0 {
		pass.out.Block(blockClaimsWait(held, before, failing, pass.view.ClaimPolicy.Limit))
	}
	for _, same := range pass.byStorageClass(fixed) {
		pass.out.Block(blockClaimFixed(same))
	}
	if len(shrinking) > 0 {
		pass.out.Block(blockClaimShrinks(shrinking, want))
	}
}

// byStorageClass groups claims by their storage class.
func (pass *claimPass) byStorageClass(claims []*claimLook) (groups [][]*claimLook) {
	at := map[string]int{}
	for _, l := range claims {
		i, known := at[l.is.Class]
		if !known {
			i = len(groups)
			at[l.is.Class], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], l)
	}
	return groups
}

// mayAsk reports whether the API server and the provider would take another request; if not, a block says so.
func (pass *claimPass) mayAsk(l *claimLook) bool {
	v := pass.view
	wait, again := v.cools(l)
	switch {
	case !l.bound():
		pass.out.Block(blockClaimUnbound(l))
	case !l.isFree():
		// a block says what is on its way
	case wait > 0 && !l.fails():
		pass.out.LookAgainIn(wait)
		pass.out.Block(blockClaimCools(l, v.Now.Add(wait), again))
	default:
		return true
	}
	return false
}

// A class that was asked for and does not stand there is asked for again after a minute: something takes it away, perhaps an API server that
// does not know it, and each write would be the reason for the next one. A time that is later than clocks differ is none.
const (
	classAgain  = time.Minute
	clocksApart = 5 * time.Minute
)

// cools is for how long a claim is left alone after a change; again: longer than the policy says, because its class was asked for just now.
func (v *Claims) cools(l *claimLook) (wait time.Duration, again bool) {
	changed := claimChangedAt(l.claim)
	if changed.IsZero() || changed.Sub(v.Now) > clocksApart {
		return 0, false
	}
	since := v.Now.Sub(changed)
	if wait = v.ClaimPolicy.Cooldown - since; wait <= 0 && !l.grows && !l.lowers {
		wait, again = classAgain-since, true
	}
	return max(0, wait), again
}

// failedBefore reports whether the API server refused this very change the last time.
func (pass *claimPass) failedBefore(l *claimLook, want *claimtemplate.ClaimWant) bool {
	return pass.out.Failed(&model.Action{Name: l.claim.Name, UID: l.claim.UID, Op: model.PatchClaim{}}, patchFacts(want, true)...) != nil
}

// patchFacts tell a change of a claim from others of the same claim. The time that it notes is no part of it.
func patchFacts(want *claimtemplate.ClaimWant, asks bool) []string {
	if !asks {
		return []string{"", "", want.Metadata}
	}
	return []string{want.Request, want.Class}
}

// patch plans the change of one claim: what it asks for, if it is its turn, or else its labels and annotations. These come in a write of their
// own, because the API server may refuse them, and a volume does not wait for a label.
func (pass *claimPass) patch(step *model.Step, l *claimLook, template int) {
	want, c := &pass.view.Wants[template], l.claim
	a := model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: model.PatchClaim{}, Cause: causeClaimTemplate(l, want)}
	if pass.out.Changed[c.Name] || !pass.out.Fits(&a) {
		return // the next plan has its new version, or room for it
	}
	op := model.PatchClaim{}
	if !l.now {
		op.Labels = want.Labels
		op.Annotations = append(slices.Clone(want.Annotations), model.KeyValue{Key: claimtemplate.AnnotationClaimMetadata, Value: want.Metadata})
	} else {
		if l.grows || l.lowers {
			op.Request = want.Request
		}
		if l.reclassed {
			op.AttributesClass = want.Class
		}
		op.Annotations = append(op.Annotations, model.KeyValue{Key: claimtemplate.AnnotationClaimChanged, Value: pass.view.Now.UTC().Format(time.RFC3339)})
		if want.Request != "" && !l.fixed {
			op.Annotations = append(op.Annotations, model.KeyValue{Key: claimtemplate.AnnotationClaimRequest, Value: want.Request})
		}
	}
	a.Op = op
	if pass.out.Emit(step, a, patchFacts(want, l.now)...) {
		pass.out.NoteChange(c)
	}
}
