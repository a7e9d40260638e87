package kube

import (
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Events records Kubernetes events on the set: what was done to pods and claims, in the words that users of StatefulSets know,
// and once each what needs attention.
type Events struct {
	recorder  record.EventRecorder
	reference func(adapters.Key) *corev1.ObjectReference

	mu       sync.Mutex
	reported map[adapters.Key]reported
}

var _ adapters.Observer = (*Events)(nil)

// NewEvents makes the observer. reference returns the object of a key, or nil.
func NewEvents(recorder record.EventRecorder, reference func(adapters.Key) *corev1.ObjectReference) *Events {
	return &Events{recorder: recorder, reference: reference, reported: map[adapters.Key]reported{}}
}

// Applied implements adapters.Observer.
func (e *Events) Applied(_ adapters.Key, snapshot *setplanv1.Snapshot, action *setplanv1.Action, result adapters.Result) {
	if silent(result) {
		return
	}
	set := snapshot.GetSet()
	name := action.GetTarget().GetName()
	switch operation := action.GetOperation().(type) {
	case *setplanv1.Action_CreatePod:
		e.podOrDrainPod(set, "Create", action, result.Err)
	case *setplanv1.Action_EvictPod:
		e.evicted(set, action, result)
	case *setplanv1.Action_DeletePod:
		e.podOrDrainPod(set, "Delete", action, result.Err)
		e.repair(set, action, result.Err)
	case *setplanv1.Action_PatchPod:
		e.pod(set, "Update", name, result.Err)
	case *setplanv1.Action_UpdatePod, *setplanv1.Action_ResizePod: // of each pod of each rollout there are several
		if result.Err != nil {
			e.pod(set, "Update", name, result.Err)
		}
	case *setplanv1.Action_CreateClaim:
		e.claim(set, name, result.Err)
	case *setplanv1.Action_SetClaimOwners:
		if result.Err != nil {
			e.pod(set, "Update", podOfClaim(set, name), fmt.Errorf("could not update claim %s for delete policy ownerRefs: %w", name, result.Err))
		}
	case *setplanv1.Action_DeleteClaim:
		e.deletedClaim(set, action, result.Err)
	case *setplanv1.Action_SetFinalizer:
		e.finalizer(set, operation.SetFinalizer, action.GetCause(), result.Err)
	}
}

// silent: the next plan settles a conflict, and nothing can be created in a namespace that is being deleted. An event for either
// would only alarm people. Actions that the adapter itself refused have their own event.
func silent(result adapters.Result) bool {
	return result.Err != nil && (refusalOf(result.Err) != nil || result.Outcome == setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT ||
		apierrors.IsAlreadyExists(result.Err) || namespaceTerminating(result.Err))
}

// evicted tells an eviction in the words of a deletion, and what a disruption budget refuses in words of its own: nobody has an alert on these, and
// setplan why finds them.
func (e *Events) evicted(set *setplanv1.StatefulSet, action *setplanv1.Action, result adapters.Result) {
	verb := "Delete"
	if result.Outcome == setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET {
		verb = "Evict"
	}
	e.pod(set, verb, action.GetTarget().GetName(), result.Err)
}

// podOrDrainPod tells drain pods from replicas, which have the same names.
func (e *Events) podOrDrainPod(set *setplanv1.StatefulSet, verb string, action *setplanv1.Action, err error) {
	if reason, drains := drainReasons[action.GetCause().GetCode()]; drains {
		e.drainPod(set, verb, reason, action, err)
		return
	}
	e.pod(set, verb, action.GetTarget().GetName(), err)
}

// pod writes exactly the reasons and messages of the built-in controller: people have alerts on them.
func (e *Events) pod(set *setplanv1.StatefulSet, verb, pod string, err error) {
	if err != nil {
		e.warn(set, "Failed"+verb, fmt.Sprintf("%s Pod %s in StatefulSet %s failed error: %s", verb, pod, set.GetName(), err))
		return
	}
	e.tell(set, "Successful"+verb, fmt.Sprintf("%s Pod %s in StatefulSet %s successful", verb, pod, set.GetName()))
}

// claim writes a second event on the pod when a claim fails, as the built-in controller does.
func (e *Events) claim(set *setplanv1.StatefulSet, claim string, err error) {
	pod := podOfClaim(set, claim)
	if err == nil {
		e.tell(set, "SuccessfulCreate", fmt.Sprintf("Create Claim %s Pod %s in StatefulSet %s success", claim, pod, set.GetName()))
		return
	}
	e.warn(set, "FailedCreate", fmt.Sprintf("Create Claim %s for Pod %s in StatefulSet %s failed error: %s", claim, pod, set.GetName(), err))
	e.pod(set, "Create", pod, fmt.Errorf("failed to create PVC %s: %w", claim, err))
}

func (e *Events) tell(set *setplanv1.StatefulSet, reason, message string) {
	e.recorder.Event(referenceOf(set), corev1.EventTypeNormal, reason, brief(message))
}

func (e *Events) warn(set *setplanv1.StatefulSet, reason, message string) {
	e.recorder.Event(referenceOf(set), corev1.EventTypeWarning, reason, brief(message))
}

// podOfClaim is the pod whose claim has this name: the claim's name ends with the set's name and the ordinal.
func podOfClaim(set *setplanv1.StatefulSet, claim string) string {
	base, _, ok := snapshot.SplitOrdinal(claim)
	if !ok {
		return claim
	}
	return set.GetName() + claim[len(base):]
}

func referenceOf(set *setplanv1.StatefulSet) *corev1.ObjectReference {
	return &corev1.ObjectReference{
		APIVersion:      set.GetApiVersion(),
		Kind:            set.GetKind(),
		Namespace:       set.GetNamespace(),
		Name:            set.GetName(),
		UID:             types.UID(set.GetUid()),
		ResourceVersion: set.GetResourceVersion(),
	}
}
