package engine

import (
	"strings"
	"time"
)

// The annotations of a claim by which a plan knows what an earlier one asked of it. They are written with the change itself, so an adapter
// that is killed at any moment leaves either both or neither.
const (
	annotationClaimRequest  = "setplan.io/claim-request"  // the request that a template asked for last
	annotationClaimChanged  = "setplan.io/claim-changed"  // when that changed a claim that was there
	annotationClaimMetadata = "setplan.io/claim-metadata" // the digest of the labels and annotations that a patch has set
)

// The words of Kubernetes for claims that change (k8s.io/api/core/v1, types.go).
const (
	claimInfeasible = "Infeasible" // also the end of the resize statuses
	nodePending     = "NodeResizePending"

	conditionFileSystem = "FileSystemResizePending"
)

// storageRead is what the texts and conditions of a ClaimStorage say. They are read once for all claims that share it.
type storageRead struct {
	request, capacity quantity
	readable          bool       // what it asks for can be read
	failure           string     // why a change does not come to its end; empty: nothing says that it does not
	since             time.Time  // when the change that is on its way began, as far as it tells
	fileSystem        *Condition // says that the file system grows only when a pod mounts the volume; nil: nothing does
}

func readStorage(m *Meter, s *ClaimStorage) (r storageRead) {
	m.work(partClaims, 16+len(s.Conditions))
	r.request, r.readable = parseQuantity(s.Request)
	r.capacity, _ = parseQuantity(s.Capacity)
	if strings.HasSuffix(s.ResizeStatus, claimInfeasible) {
		r.failure = s.ResizeStatus
	} else if s.ModifyStatus == claimInfeasible {
		r.failure = s.ModifyStatus
	}
	for i := range s.Conditions {
		m.pause(i)
		c := &s.Conditions[i]
		if c.Status != conditionTrue {
			continue
		}
		switch c.Type {
		case "ControllerResizeError", "NodeResizeError", "ModifyVolumeError":
			r.failure = c.Type + ": " + c.Message
		case "Resizing", "ModifyingVolume":
			r.since = c.ChangedAt
		case conditionFileSystem:
			r.fileSystem = c
		}
	}
	return r
}

// growing reports whether the provider has yet to make a volume larger. What is left once it has done so is the node's: the file system grows
// where a pod mounts it, and the pod may be down because another disk is full.
func (r *storageRead) growing(s *ClaimStorage) bool {
	return r.request.compare(r.capacity) > 0 && s.ResizeStatus != nodePending && r.fileSystem == nil
}

// claimLook is a claim beside what its template wants.
type claimLook struct {
	*storageRead
	claim *Claim
	is    *ClaimStorage
	pod   string // whose claim it is

	asked quantity // by an earlier plan

	grows, lowers, shrinks bool // its template wants more, or less than an earlier plan asked for: less than it has, or not
	reclassed              bool // its template wants another class of attributes
	relabelled             bool // its template has a patch that it lacks
	growing                bool // its volume is; a file system that waits for a pod is no reason to wait for it
	reclassing             bool // its volume gets the attributes that its template wants
	now                    bool // it changes in this plan
}

func (v *view) lookAt(c *Claim, read *storageRead, pod string, want *claimWant) (l claimLook) {
	v.meter.work(partClaims, 12)
	l.storageRead, l.claim, l.is, l.pod = read, c, c.Storage, pod
	l.asked, _ = parseQuantity(c.Annotations.get(annotationClaimRequest))
	l.relabelled = want.metadata != "" && c.Annotations.get(annotationClaimMetadata) != want.metadata
	l.reclassed = want.class != "" && want.class != l.is.AttributesClass
	if l.readable && want.request != "" {
		l.compare(want)
	}
	l.growing = l.bound() && read.growing(c.Storage)
	l.reclassing = l.bound() && (l.is.ModifyStatus != "" || want.class != "" && !l.reclassed && l.is.CurrentAttributesClass != want.class)
	return l
}

// busy reports whether something is on its way. A change that fails is, too.
func (l *claimLook) busy() bool { return l.growing || l.reclassing }

// failed reports whether what is on its way does not come to its end.
func (l *claimLook) failed() bool { return l.busy() && l.failure != "" }

// compare finds out what has to become of the request. One that is larger than the template's is left alone, unless an earlier plan asked
// for it: a user, or a program that grows volumes as they fill, may have.
func (l *claimLook) compare(want *claimWant) {
	switch {
	case want.amount.compare(l.request) > 0:
		l.grows = true
	case want.amount.compare(l.request) == 0 || l.asked.compare(l.request) != 0:
	case want.amount.compare(l.capacity) > 0:
		l.lowers = true
	default:
		l.shrinks = true
	}
}

// changes reports whether the claim has to ask for something else.
func (l *claimLook) changes() bool { return l.grows || l.lowers || l.reclassed }

// bound reports whether the API server lets the claim ask for something else.
func (l *claimLook) bound() bool { return l.claim.Phase == ClaimBound }

// isThere reports whether the claim has all that its template wants, and an earlier plan has asked for it: so the volume can do it.
func (l *claimLook) isThere(want *claimWant) bool {
	return l.claim.Annotations.get(annotationClaimChanged) != "" && !l.changes() && !l.busy() && l.asked.compare(want.amount) == 0
}

// changedAt is when an earlier plan changed a claim; zero: none did, or the text is no time.
func (c *Claim) changedAt() time.Time {
	text := c.Annotations.get(annotationClaimChanged)
	if text == "" || len(text) > longestTime {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Year() < 1 || at.Year() > 9999 {
		return time.Time{}
	}
	return at.UTC()
}
