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

func kindFault(s *subject) string {
	for _, kind := range kinds[s.operation] {
		if kind == "" {
			kind = s.set.GetKind()
		}
		if kind == s.action.GetTarget().GetKind() {
			return ""
		}
	}
	return "this adapter has no checks for the operation, or it is not for this kind"
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
	if uid := s.target.GetUid(); uid == "" || s.action.GetPrecondition().GetUid() != uid {
		return "the snapshot has no such object, or the action does not name its uid"
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
	case version != "" && version != s.target.GetResourceVersion():
		return "the snapshot shows another resource version"
	}
	return ""
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
