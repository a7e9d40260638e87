package forecast

import (
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// How objects come and go. Each end is told once, when it is certain.

// create makes an object of a manifest.
func (c *cluster) create(manifest []byte, store func(jsontree.Value) error) error {
	c.parsing(len(manifest))
	tree, err := jsontree.Parse(manifest)
	if err != nil {
		return err
	}
	return store(tree)
}

func (c *cluster) makePod(tree jsontree.Value) error {
	p := c.podOf(tree)
	c.Pods = add(c.Pods, c.pods, p.Name, p)
	c.tell(change{kind: podMade, pod: p})
	return nil
}

func (c *cluster) makeClaim(tree jsontree.Value) error {
	claim := c.claimOf(tree)
	c.ownClaims()
	c.Claims = add(c.Claims, c.claims, claim.Name, claim)
	c.tell(change{kind: claimMade, claim: claim})
	return nil
}

func (c *cluster) makeRevision(tree jsontree.Value) error {
	r, err := c.revisionOf(tree)
	if err == nil {
		c.ownRevisions()
		c.Revisions = add(c.Revisions, c.revisions, r.Name, r)
	}
	return err
}

// deletePod asks for the end of a pod. One that a host runs goes when it has stopped, any other at once.
func (c *cluster) deletePod(p *model.Pod) {
	if p.Terminating() {
		return
	}
	c.tell(change{kind: podDeleted, pod: *p})
	if !onNode(p) || p.HasEnded() {
		c.podGoes(p)
		return
	}
	p.DeletedAt = c.stamp()
	p.LeavingSince = p.DeletedAt
	c.tell(change{kind: podGoing, pod: *p})
}

// podGoes takes a pod away.
func (c *cluster) podGoes(p *model.Pod) {
	c.tell(change{kind: podGone, pod: *p})
	c.Pods = remove(c.Pods, c.pods, p.Name, func(p *model.Pod) string { return p.Name })
	c.untidy = true
}

// deleteClaim asks for the end of a claim, which is one to change. One that a pod on a host mounts stays until that is gone.
func (c *cluster) deleteClaim(claim *model.Claim) {
	if !claim.DeletedAt.IsZero() {
		return
	}
	c.tell(change{kind: claimDeleted, claim: *claim})
	claim.DeletedAt = c.stamp()
	c.untidy = true
}

func (c *cluster) claimGoes(claim *model.Claim) {
	c.tell(change{kind: claimGone, claim: *claim})
	c.ownClaims()
	c.Claims = remove(c.Claims, c.claims, claim.Name, func(claim *model.Claim) string { return claim.Name })
	c.untidy = true
}

func (c *cluster) deleteRevision(r *model.Revision) {
	c.tell(change{kind: revisionDeleted, revision: *r})
	c.ownRevisions()
	c.Revisions = remove(c.Revisions, c.revisions, r.Name, func(r *model.Revision) string { return r.Name })
	c.untidy = true
}
