package verify

import (
	"fmt"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The checks of an action's target and preconditions.

// kinds are the kinds of each operation's targets; "" stands for the set's.
var kinds = map[string][]string{
	createPod: {kindPod}, deletePod: {kindPod}, evictPod: {kindPod}, patchPod: {kindPod}, updatePod: {kindPod}, resizePod: {kindPod}, adoptPod: {kindPod}, releasePod: {kindPod},
	createClaim: {kindClaim}, setClaimOwners: {kindClaim}, deleteClaim: {kindClaim}, patchClaim: {kindClaim},
	createRevision: {kindRevision}, renumberRevision: {kindRevision}, adoptRevision: {kindRevision}, deleteRevision: {kindRevision},
	patchAnnotations: {kindPod, kindClaim},
	updateStatus:     {""}, setFinalizer: {""},
}

func operationFault(s *subject) string {
	if kinds[s.operation] == nil {
		return "this adapter has no checks for it"
	}
	return ""
}

func kindFault(s *subject) string {
	kind := s.action.GetTarget().GetKind()
	for _, wanted := range kinds[s.operation] {
		if wanted == "" {
			wanted = s.set.GetKind()
		}
		if kind == wanted {
			return ""
		}
	}
	return "the operation is not for this kind"
}

func namespaceFault(s *subject) string {
	if namespace := s.action.GetTarget().GetNamespace(); namespace != s.set.GetNamespace() {
		return fmt.Sprintf("the target is in namespace %s, the set in %s", quote(namespace), s.set.GetNamespace())
	}
	return ""
}

func nameFault(s *subject) string {
	if !isName(s.name()) {
		return "the target's name is not a DNS name"
	}
	return ""
}

func createFault(s *subject) string {
	if precondition := s.action.GetPrecondition(); !precondition.GetMustNotExist() || precondition.GetUid() != "" {
		return "a create must require that no object of the name exists"
	}
	return ""
}

// uidFault: an action that changes an object names its uid, and it is the snapshot's.
func uidFault(s *subject) string {
	uid := s.seen().uid
	switch {
	case uid == "":
		return "the snapshot has no such object"
	case s.action.GetPrecondition().GetUid() == "":
		return "the action names no uid"
	case s.action.GetPrecondition().GetUid() != uid:
		return "the snapshot shows another uid"
	}
	return ""
}

// needsVersion: an action that would do harm on an old view names the version that was seen.
var needsVersion = on(patchPod, updatePod, resizePod, setClaimOwners, patchClaim, renumberRevision, updateStatus, deleteClaim)

func versionFault(s *subject) string {
	version := s.action.GetPrecondition().GetResourceVersion()
	switch {
	case version == "" && (needsVersion(s) || s.marksClaim()):
		return "the action names no resource version"
	case version != "" && version != s.seen().version:
		return "the snapshot shows another resource version"
	}
	return ""
}

// identity is the target's uid and version in the snapshot.
type identity struct{ uid, version string }

func (s *subject) seen() identity {
	switch {
	case s.pod != nil:
		return identity{s.pod.GetUid(), s.pod.GetResourceVersion()}
	case s.claim != nil:
		return identity{s.claim.GetUid(), s.claim.GetResourceVersion()}
	case s.revision != nil:
		return identity{s.revision.GetUid(), s.revision.GetResourceVersion()}
	case s.action.GetTarget().GetKind() == s.set.GetKind() && s.name() == s.set.GetName():
		return identity{s.set.GetUid(), s.set.GetResourceVersion()}
	}
	return identity{}
}

// aloneFault: beside another controller that runs the sets, only the drain acts.
func aloneFault(s *subject) string {
	part := false
	switch s.operation {
	case deleteClaim, setFinalizer, patchAnnotations:
		part = true
	case setClaimOwners: // of which ownersAddedFault lets some go
		part = s.draining()
	case createPod:
		part = s.isDrain()
	case deletePod:
		part = s.drainPod(s.pod) || s.emptying()
	}
	if !part {
		return "another controller runs the set, and this is not part of a drain"
	}
	return ""
}

func alone(s *subject) bool {
	return s.snapshot.GetPolicy().GetScope() > setplanv1.Scope_SCOPE_WHOLE_SET // one that we do not know is no wider
}
