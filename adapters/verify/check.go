package verify

import (
	"slices"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// check is one line of the list. fault says what is wrong; "" means nothing. All checks before it have passed.
type check struct {
	name  string
	words string
	about func(*subject) bool
	fault func(*subject) string
}

// subject is the current action with its target in the snapshot.
type subject struct {
	*Verifier
	stage     *setplanv1.Stage
	action    *setplanv1.Action
	operation string

	target interface { // in the snapshot, of any kind
		GetUid() string
		GetResourceVersion() string
	}
	pod      *setplanv1.Pod
	claim    *setplanv1.Claim
	revision *setplanv1.Revision
	manifest *node // of a create; nil if it cannot be read
	broken   error // why
}

// The operations as the contract spells them.
const (
	createPod        = "create_pod"
	deletePod        = "delete_pod"
	evictPod         = "evict_pod"
	patchPod         = "patch_pod"
	adoptPod         = "adopt_pod"
	releasePod       = "release_pod"
	createClaim      = "create_claim"
	setClaimOwners   = "set_claim_owners"
	createRevision   = "create_revision"
	renumberRevision = "renumber_revision"
	adoptRevision    = "adopt_revision"
	deleteRevision   = "delete_revision"
	updateStatus     = "update_status"
	patchAnnotations = "patch_annotations"
	deleteClaim      = "delete_claim"
	setFinalizer     = "set_finalizer"
	patchClaim       = "patch_claim"
	updatePod        = "update_pod"
	resizePod        = "resize_pod"
)

func operationOf(action *setplanv1.Action) string {
	message := action.ProtoReflect()
	field := message.WhichOneof(message.Descriptor().Oneofs().ByName("operation"))
	if field == nil {
		return "unknown"
	}
	return string(field.Name())
}

// subject looks up the target of an action in the snapshot.
func (v *Verifier) subject(stage *setplanv1.Stage, action *setplanv1.Action) *subject {
	s := &subject{Verifier: v, stage: stage, action: action, operation: operationOf(action), target: (*setplanv1.Pod)(nil)}
	switch action.GetTarget().GetKind() {
	case kindPod:
		s.pod = v.pods[s.name()]
		s.target = s.pod
	case kindClaim:
		s.claim = v.claims[s.name()]
		s.target = s.claim
	case kindRevision:
		s.revision = v.revisions[s.name()]
		s.target = s.revision
	case v.set.GetKind():
		if s.name() == v.set.GetName() {
			s.target = v.set
		}
	}
	return s
}

// remember keeps what later actions of the plan may rely on.
func (s *subject) remember() {
	switch s.operation {
	case createRevision:
		s.Verifier.made, s.Verifier.madeSays = s.name(), s.load().get("data", noteClaimTemplates)
	case setClaimOwners:
		s.releases()
	}
}

func (s *subject) name() string { return s.action.GetTarget().GetName() }

// The parts of about.

func every(*subject) bool { return true }

func on(operations ...string) func(*subject) bool {
	return func(s *subject) bool { return slices.Contains(operations, s.operation) }
}

var creates = on(createPod, createClaim, createRevision)

func changes(s *subject) bool { return !creates(s) }

func both(a, b func(*subject) bool) func(*subject) bool {
	return func(s *subject) bool { return a(s) && b(s) }
}

func not(a func(*subject) bool) func(*subject) bool {
	return func(s *subject) bool { return !a(s) }
}

func about(kind string) func(*subject) bool {
	return func(s *subject) bool { return s.action.GetTarget().GetKind() == kind }
}
