package forecast

import (
	"fmt"

	"github.com/setplan/setplan/engine/model"
)

// failure is what the API server says of an action that fails.
type failure struct {
	result  model.OutcomeResult
	message string
}

func (f failure) Error() string { return f.message }

var (
	errGone    = failure{model.OutcomeConflict, "there is no such object"}
	errThere   = failure{model.OutcomeConflict, "there is an object of this name"}
	errUID     = failure{model.OutcomeConflict, "the uid does not match"}
	errVersion = failure{model.OutcomeConflict, "the resource version does not match"}
	errVolumes = failure{model.OutcomeRejected, "pod updates may not change spec.volumes"} // by the rules of Kubernetes 1.36; ours never plan it
)

// do carries out one action, if its preconditions hold.
func (c *cluster) do(a *model.Action) error {
	c.why = a.Cause
	defer func() { c.why = model.Cause{} }()
	if a.MustNotExist && c.exists(a.Kind, a.Name) {
		return errThere
	}
	switch op := a.Op.(type) {
	case model.CreatePod:
		return c.create(op.Manifest, c.makePod)
	case model.CreateClaim:
		return c.create(op.Manifest, c.makeClaim)
	case model.CreateRevision:
		return c.create(op.Manifest, c.makeRevision)
	case model.EvictPod:
		if message, refused := c.refused[a.ID]; refused {
			c.asked = true
			return failure{model.OutcomeDisruptionBudget, message}
		}
		return c.onPod(a, c.deletePod)
	case model.DeletePod:
		return c.onPod(a, c.deletePod)
	case model.DeleteClaim:
		return c.onClaim(a, c.deleteClaim)
	case model.DeleteRevision:
		return c.onRevision(a, c.deleteRevision)
	case model.PatchPod:
		if len(op.Claims) > 0 {
			return errVolumes
		}
		return c.onPod(a, func(p *model.Pod) { c.setLabels(p, op.Labels, nil) })
	case model.UpdatePod:
		return c.onPod(a, func(p *model.Pod) { c.updatePod(p, op) })
	case model.ResizePod:
		if message, refused := c.refused[a.ID]; refused { // no forecast knows of another node
			c.asked = true
			return failure{model.OutcomeNodeCapacity, message}
		}
		return c.onPod(a, func(p *model.Pod) { c.resizePod(p, op) })
	case model.AdoptPod:
		return c.onPod(a, func(p *model.Pod) { p.Owners = c.adopted(p.Owners, op.Owner) })
	case model.ReleasePod:
		return c.onPod(a, func(p *model.Pod) { p.Owners = c.released(p.Owners, op.OwnerUID) })
	case model.SetClaimOwners:
		return c.onClaim(a, func(claim *model.Claim) { claim.Owners = op.Owners })
	case model.PatchClaim:
		return c.onClaim(a, func(claim *model.Claim) { c.changeClaim(claim, op) })
	case model.AdoptRevision:
		return c.onRevision(a, func(r *model.Revision) { r.Owners = c.adopted(r.Owners, op.Owner) })
	case model.RenumberRevision:
		return c.onRevision(a, func(r *model.Revision) { r.Number = op.Number })
	case model.PatchAnnotations:
		return c.patchAnnotations(a, op)
	case model.UpdateStatus:
		return c.onSet(a, func(s *model.Set) { c.writeStatus(&s.Status, &op.Status) })
	case model.SetFinalizer:
		return c.onSet(a, func(s *model.Set) { s.Finalizers = c.withFinalizer(s.Finalizers, op.Finalizer, op.Present) })
	}
	return fmt.Errorf("no forecast knows the operation %T", a.Op)
}

// deletes reports whether an operation wants that there is no such object.
func deletes(op model.Operation) bool {
	switch op.(type) {
	case model.DeletePod, model.EvictPod, model.DeleteClaim, model.DeleteRevision:
		return true
	}
	return false
}

func (c *cluster) exists(kind, name string) (there bool) {
	switch kind {
	case model.KindPod:
		_, there = c.pods[name]
	case model.KindClaim:
		_, there = c.claims[name]
	case model.KindRevision:
		_, there = c.revisions[name]
	}
	return there
}

// on changes an object, if the preconditions hold.
func (c *cluster) on(a *model.Action, uid string, version *string, change func()) error {
	switch {
	case a.UID != "" && a.UID != uid:
		return errUID
	case a.ResourceVersion != "" && a.ResourceVersion != *version:
		return errVersion
	}
	*version = c.number()
	change()
	return nil
}

func (c *cluster) onPod(a *model.Action, change func(*model.Pod)) error {
	p := c.pod(a.Name)
	if p == nil {
		return errGone
	}
	c.lookAt(p)
	return c.on(a, p.UID, &p.ResourceVersion, func() { change(p) })
}

func (c *cluster) onClaim(a *model.Action, change func(*model.Claim)) error {
	claim := c.claimToChange(a.Name)
	if claim == nil {
		return errGone
	}
	return c.on(a, claim.UID, &claim.ResourceVersion, func() { change(claim) })
}

func (c *cluster) onRevision(a *model.Action, change func(*model.Revision)) error {
	r := c.revisionToChange(a.Name)
	if r == nil {
		return errGone
	}
	return c.on(a, r.UID, &r.ResourceVersion, func() { change(r) })
}

func (c *cluster) onSet(a *model.Action, change func(*model.Set)) error {
	if c.setGone {
		return errGone
	}
	return c.on(a, c.Set.UID, &c.Set.ResourceVersion, func() { change(&c.Set) })
}
