package claims

import (
	"strings"
	"time"

	"github.com/setplan/setplan/engine/claimtemplate"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/quantity"
	"github.com/setplan/setplan/engine/state"
)

// The words of Kubernetes for claims that change (k8s.io/api/core/v1, types.go).
const (
	claimInfeasible = "Infeasible" // also the end of the resize statuses
	claimPending    = "Pending"    // of a change of attributes: the class does not exist, or something else is missing
	nodeResize      = "NodeResize" // the beginning of the resize statuses in which the volume has grown, and its node is what is left
	nodePending     = "NodeResizePending"

	controllerInProgress = "ControllerResizeInProgress"
	conditionFileSystem  = "FileSystemResizePending"
	conditionNode        = "NodeResizeError"
	inUse                = "code = FailedPrecondition" // a driver's answer: while it is mounted. The kubelet asks again at the next mount
)

// storageRead is what the texts and conditions of a ClaimStorage say. They are read once for all claims that share it.
type storageRead struct {
	Request, Capacity quantity.Amount
	readable          bool             // what it asks for can be read
	grown             bool             // its volume has what the claim asks for, though the capacity does not say so: its node is what is left
	mounts            bool             // the node begins once a pod mounts the volume
	working           bool             // its provider says that it is making the volume larger
	Failure           string           // why the volume, or its file system, does not grow; empty: nothing says so
	Unmodified        string           // why the volume does not get other attributes; empty: nothing says so
	since             time.Time        // when the change that is on its way began, as far as it tells
	fileSystem        *model.Condition // says that the file system grows only when a pod mounts the volume; nil: nothing does
}

// ReadStorage reads what a claim asks for, what it has, and how its change is going.
func ReadStorage(s *model.ClaimStorage) (r storageRead) {
	r.Request, r.readable = quantity.Parse(s.Request)
	r.Capacity, _ = quantity.Parse(s.Capacity)
	r.grown, r.mounts, r.working = strings.HasPrefix(s.ResizeStatus, nodeResize), s.ResizeStatus == nodePending, s.ResizeStatus == controllerInProgress
	if strings.HasSuffix(s.ResizeStatus, claimInfeasible) {
		r.Failure = s.ResizeStatus
	}
	if s.ModifyStatus == claimInfeasible || s.ModifyStatus == claimPending {
		r.Unmodified = s.ModifyStatus
	}
	node := ""
	for i := range s.Conditions {
		c := &s.Conditions[i]
		if c.Status != state.ConditionTrue {
			continue
		}
		switch c.Type {
		case "ControllerResizeError":
			r.Failure = c.Type + ": " + c.Message
		case conditionNode:
			node = c.Type + ": " + c.Message
		case "ModifyVolumeError":
			r.Unmodified = c.Type + ": " + c.Message
		case "Resizing":
			r.since, r.working = c.ChangedAt, true
		case "ModifyingVolume":
			r.since = c.ChangedAt
		case conditionFileSystem:
			r.fileSystem, r.grown, r.mounts = c, true, true
		}
	}
	if node != "" && !(r.fileSystem != nil && strings.Contains(node, inUse)) {
		r.Failure = node
	}
	return r
}

// growing reports whether a volume has yet to become larger. What is left once its provider has done that is the node's: the file system grows
// where a pod mounts it, and the pod may be down because another disk is full. A node that has failed is another matter.
func (r *storageRead) growing() bool {
	return r.Request.Compare(r.Capacity) > 0 && (!r.mounts || r.Failure != "")
}

// claimLook is a claim beside what its template wants.
type claimLook struct {
	*storageRead
	claim *model.Claim
	is    *model.ClaimStorage
	pod   string // whose claim it is

	asked quantity.Amount // by an earlier plan

	grows, lowers, shrinks bool // its template wants more, or less than an earlier plan asked for: more than its volume has, or not
	fixed                  bool // its template wants more, and its storage class lets no volume grow
	dropped                bool // its template wants what an earlier plan asked for, and something else stands there
	reclassed              bool // its template wants another class of attributes
	relabelled             bool // its template has labels or annotations that no plan has given it
	growing                bool // its volume is; a file system that waits for a pod is no reason to wait for it
	reclassing             bool // its volume gets the attributes of a class, and its template wants some
	now                    bool // it changes in this plan
}

func (v *Claims) lookAt(c *model.Claim, read *storageRead, pod string, want *claimtemplate.ClaimWant) (l claimLook) {
	l.storageRead, l.claim, l.is, l.pod = read, c, c.Storage, pod
	l.asked, _ = quantity.Parse(c.Annotations.Get(claimtemplate.AnnotationClaimRequest))
	l.relabelled = want.Metadata != "" && c.Annotations.Get(claimtemplate.AnnotationClaimMetadata) != want.Metadata
	l.reclassed = want.Class != "" && want.Class != l.is.AttributesClass
	if l.readable && want.Request != "" {
		l.compare(want)
	}
	l.growing = l.bound() && read.growing()
	l.reclassing = l.bound() && want.Class != "" && l.reclasses(want)
	return l
}

// reclasses reports whether the volume gets other attributes: those that are wanted, or, until they can be asked for, others.
func (l *claimLook) reclasses(want *claimtemplate.ClaimWant) bool {
	if l.reclassed {
		return l.is.ModifyStatus != ""
	}
	return l.is.CurrentAttributesClass != want.Class
}

// ours reports whether an earlier plan asked for what the claim asks for. A user, or a program that grows volumes as they fill, may have asked for
// more: that is their business, whether it comes to its end or not.
func (l *claimLook) ours() bool { return l.asked.Compare(l.Request) == 0 }

// busy reports whether something is on its way. A change that fails is, too.
func (l *claimLook) busy() bool { return l.growing || l.reclassing }

// works reports whether something is on its way that has not failed.
func (l *claimLook) works() bool {
	return l.growing && l.Failure == "" || l.reclassing && l.Unmodified == ""
}

// fails reports whether something that an earlier plan asked for does not come to its end.
func (l *claimLook) fails() bool { return l.growthFails() || l.reclassing && l.Unmodified != "" }

// stopsOthers reports whether what fails is no longer asked otherwise, and so holds back the claims that want the same. Growth that its class has
// come to forbid says nothing of claims of other classes.
func (l *claimLook) stopsOthers() bool {
	return !l.changes() && (l.growthFails() && !l.fixed || l.reclassing && l.Unmodified != "")
}

func (l *claimLook) growthFails() bool { return l.growing && l.ours() && l.Failure != "" }

// isFree reports whether the claim may ask for something else: one request at a time. One that nobody works at yet may be lowered.
func (l *claimLook) isFree() bool {
	return !l.works() || l.lowers && !l.working && (!l.reclassing || l.Unmodified != "")
}

// compare finds out what has to become of the request.
func (l *claimLook) compare(want *claimtemplate.ClaimWant) {
	switch {
	case want.Amount.Compare(l.Request) > 0:
		l.dropped = l.asked.Compare(want.Amount) == 0 && l.claim.Annotations.Get(claimtemplate.AnnotationClaimChanged) != ""
		l.grows = !l.dropped
	case want.Amount.Compare(l.Request) == 0 || !l.ours():
	case want.Amount.Compare(l.Capacity) > 0 && !l.grown:
		l.lowers = true
	default:
		l.shrinks = true
	}
}

// changes reports whether the claim has to ask for something else.
func (l *claimLook) changes() bool { return l.grows || l.lowers || l.reclassed }

// bound reports whether the API server lets the claim ask for something else.
func (l *claimLook) bound() bool { return l.claim.Phase == model.ClaimBound }

// isThere reports whether the claim has all that its template wants, and an earlier plan has asked for it: so the volume can do it.
func (l *claimLook) isThere(want *claimtemplate.ClaimWant) bool {
	return l.claim.Annotations.Get(claimtemplate.AnnotationClaimChanged) != "" && !l.changes() && !l.dropped && !l.busy() && l.asked.Compare(want.Amount) == 0
}

// isClassed reports whether an earlier plan has changed a claim, and its volume has the class of attributes that its template wants.
func (l *claimLook) isClassed() bool {
	return l.claim.Annotations.Get(claimtemplate.AnnotationClaimChanged) != "" && !l.changes() && !l.busy()
}

// claimChangedAt is when an earlier plan changed a claim; zero: none did, or the text is no time.
func claimChangedAt(c *model.Claim) time.Time {
	text := c.Annotations.Get(claimtemplate.AnnotationClaimChanged)
	if text == "" || len(text) > state.LongestTime {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Year() < 1 || at.Year() > 9999 {
		return time.Time{}
	}
	return at.UTC()
}
