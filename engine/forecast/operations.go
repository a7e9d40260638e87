package forecast

import (
	"errors"
	"fmt"

	"github.com/setplan/setplan/engine"
)

// conflict is how an action fails whose preconditions do not hold.
type conflict string

func (c conflict) Error() string { return string(c) }

// refusal is what a disruption budget says that does not allow an eviction.
type refusal string

func (r refusal) Error() string { return string(r) }

const (
	errGone    = conflict("there is no such object")
	errThere   = conflict("there is an object of this name")
	errUID     = conflict("the uid does not match")
	errVersion = conflict("the resource version does not match")
)

// errVolumes is what the API server says of a patch by the rules of Kubernetes 1.36; ours never plan it.
var errVolumes = errors.New("pod updates may not change spec.volumes")

// do carries out one action, if its preconditions hold.
func (c *cluster) do(a *engine.Action) error {
	c.why = a.Cause
	defer func() { c.why = engine.Cause{} }()
	if a.MustNotExist && c.exists(a.Kind, a.Name) {
		return errThere
	}
	switch op := a.Op.(type) {
	case engine.CreatePod:
		return c.create(engine.KindPod, op.Manifest, c.makePod)
	case engine.CreateClaim:
		return c.create(engine.KindClaim, op.Manifest, c.makeClaim)
	case engine.CreateRevision:
		return c.create(engine.KindRevision, op.Manifest, c.makeRevision)
	case engine.EvictPod:
		if message, refused := c.refused[a.ID]; refused {
			c.asked = true
			return refusal(message)
		}
		return c.onPod(a, c.deletePod)
	case engine.DeletePod:
		return c.onPod(a, c.deletePod)
	case engine.DeleteClaim:
		return c.onClaim(a, c.deleteClaim)
	case engine.DeleteRevision:
		return c.onRevision(a, c.deleteRevision)
	case engine.PatchPod:
		if len(op.Claims) > 0 {
			return errVolumes
		}
		return c.onPod(a, func(p *engine.Pod) { c.patchPod(p, op) })
	case engine.UpdatePod:
		return c.onPod(a, func(p *engine.Pod) { c.updatePod(p, op) })
	case engine.ResizePod:
		return c.onPod(a, func(p *engine.Pod) { c.resizePod(p, op) })
	case engine.AdoptPod:
		return c.onPod(a, func(p *engine.Pod) { p.Owners = c.adopted(p.Owners, op.Owner) })
	case engine.ReleasePod:
		return c.onPod(a, func(p *engine.Pod) { p.Owners = c.released(p.Owners, op.OwnerUID) })
	case engine.SetClaimOwners:
		return c.onClaim(a, func(claim *engine.Claim) { claim.Owners = op.Owners })
	case engine.PatchClaim:
		return c.onClaim(a, func(claim *engine.Claim) { c.changeClaim(claim, op) })
	case engine.AdoptRevision:
		return c.onRevision(a, func(r *engine.Revision) { r.Owners = c.adopted(r.Owners, op.Owner) })
	case engine.RenumberRevision:
		return c.onRevision(a, func(r *engine.Revision) { r.Number = op.Number })
	case engine.PatchAnnotations:
		return c.patchAnnotations(a, op)
	case engine.UpdateStatus:
		return c.onSet(a, func(s *engine.Set) { c.writeStatus(&s.Status, &op.Status) })
	case engine.SetFinalizer:
		return c.onSet(a, func(s *engine.Set) { s.Finalizers = c.withFinalizer(s.Finalizers, op.Finalizer, op.Present) })
	}
	return fmt.Errorf("no forecast knows the operation %T", a.Op)
}

// deletes reports whether an operation wants that there is no such object.
func deletes(op engine.Operation) bool {
	switch op.(type) {
	case engine.DeletePod, engine.EvictPod, engine.DeleteClaim, engine.DeleteRevision:
		return true
	}
	return false
}

func (c *cluster) exists(kind, name string) (there bool) {
	switch kind {
	case engine.KindPod:
		_, there = c.pods[name]
	case engine.KindClaim:
		_, there = c.claims[name]
	case engine.KindRevision:
		_, there = c.revisions[name]
	}
	return there
}

// on changes an object, if the preconditions hold.
func (c *cluster) on(a *engine.Action, uid string, version *string, change func()) error {
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

func (c *cluster) onPod(a *engine.Action, change func(*engine.Pod)) error {
	p := c.pod(a.Name)
	if p == nil {
		return errGone
	}
	c.lookAt(p)
	return c.on(a, p.UID, &p.ResourceVersion, func() { change(p) })
}

func (c *cluster) onClaim(a *engine.Action, change func(*engine.Claim)) error {
	claim := c.claimToChange(a.Name)
	if claim == nil {
		return errGone
	}
	return c.on(a, claim.UID, &claim.ResourceVersion, func() { change(claim) })
}

func (c *cluster) onRevision(a *engine.Action, change func(*engine.Revision)) error {
	r := c.revisionToChange(a.Name)
	if r == nil {
		return errGone
	}
	return c.on(a, r.UID, &r.ResourceVersion, func() { change(r) })
}

func (c *cluster) onSet(a *engine.Action, change func(*engine.Set)) error {
	if c.setGone {
		return errGone
	}
	return c.on(a, c.Set.UID, &c.Set.ResourceVersion, func() { change(&c.Set) })
}
