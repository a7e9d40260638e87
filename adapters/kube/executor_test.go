package kube

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const (
	podsPath      = "/api/v1/namespaces/default/pods"
	claimsPath    = "/api/v1/namespaces/default/persistentvolumeclaims"
	revisionsPath = "/apis/apps/v1/namespaces/default/controllerrevisions"
	setPath       = "/apis/apps/v1/namespaces/default/statefulsets/web"

	rejected  = setplanv1.OutcomeResult_OUTCOME_RESULT_REJECTED
	conflicts = setplanv1.OutcomeResult_OUTCOME_RESULT_CONFLICT
	errored   = setplanv1.OutcomeResult_OUTCOME_RESULT_ERROR

	spentBudget = setplanv1.OutcomeResult_OUTCOME_RESULT_DISRUPTION_BUDGET
)

// The manifests have odd spacing and an unknown field: they must arrive unchanged.
var (
	podManifest      = `{"metadata":{"name":"web-0", "ownerReferences":[{"uid":"set","controller":true}]},"spec":{"fromTomorrow":1.0}}`
	revisionManifest = `{"metadata":{"name":"web-1f","ownerReferences":[{"uid":"set","controller":true}]},"data":{"a": "<1>"},"revision":1}`
)

func action(kind, name string, precondition *setplanv1.Precondition) *setplanv1.Action {
	return &setplanv1.Action{
		Id:           "id",
		Target:       &setplanv1.Target{Kind: kind, Namespace: "default", Name: name},
		Precondition: precondition,
	}
}

func is(uid, version string) *setplanv1.Precondition {
	return &setplanv1.Precondition{Uid: uid, ResourceVersion: version}
}

func createPod() *setplanv1.Action {
	a := action(kindPod, "web-0", &setplanv1.Precondition{MustNotExist: true})
	a.Operation = &setplanv1.Action_CreatePod{CreatePod: &setplanv1.CreatePod{Manifest: []byte(podManifest)}}
	return a
}

func createClaim() *setplanv1.Action {
	a := action(kindClaim, "data-web-0", &setplanv1.Precondition{MustNotExist: true})
	a.Operation = &setplanv1.Action_CreateClaim{CreateClaim: &setplanv1.CreateClaim{Manifest: []byte(`{"metadata":{"name":"data-web-0"}}`)}}
	return a
}

func createRevision() *setplanv1.Action {
	a := action(kindRevision, "web-1f", &setplanv1.Precondition{MustNotExist: true})
	a.Operation = &setplanv1.Action_CreateRevision{CreateRevision: &setplanv1.CreateRevision{Manifest: []byte(revisionManifest)}}
	return a
}

func deletePod(precondition *setplanv1.Precondition) *setplanv1.Action {
	a := action(kindPod, "web-0", precondition)
	a.Operation = &setplanv1.Action_DeletePod{DeletePod: &setplanv1.DeletePod{}}
	return a
}

func evictPod(precondition *setplanv1.Precondition) *setplanv1.Action {
	a := action(kindPod, "web-0", precondition)
	a.Operation = &setplanv1.Action_EvictPod{EvictPod: &setplanv1.EvictPod{}}
	return a
}

func releasePod() *setplanv1.Action {
	a := action(kindPod, "web-0", is("p", ""))
	a.Operation = &setplanv1.Action_ReleasePod{ReleasePod: &setplanv1.ReleasePod{OwnerUid: "set"}}
	return a
}

func patchPod() *setplanv1.Action {
	a := action(kindPod, "web-0", is("p", "5"))
	a.Operation = &setplanv1.Action_PatchPod{PatchPod: &setplanv1.PatchPod{
		Labels: map[string]string{"a": "b"},
		Claims: []*setplanv1.ClaimBinding{{Volume: "data", Claim: "data-web-0"}},
	}}
	return a
}

func updatePod(update *setplanv1.UpdatePod) *setplanv1.Action {
	a := action(kindPod, "web-0", is("p", "5"))
	a.Operation = &setplanv1.Action_UpdatePod{UpdatePod: update}
	return a
}

func resizePod(resize *setplanv1.ResizePod) *setplanv1.Action {
	a := action(kindPod, "web-0", is("p", "5"))
	a.Operation = &setplanv1.Action_ResizePod{ResizePod: resize}
	return a
}

func image(name, image string) *setplanv1.ContainerImage {
	return &setplanv1.ContainerImage{Name: name, Image: image}
}

func owner(name string, controller bool) *setplanv1.OwnerReference {
	return &setplanv1.OwnerReference{ApiVersion: "apps/v1", Kind: "StatefulSet", Name: name, Uid: "set", Controller: controller, BlockOwnerDeletion: controller}
}

// TestRequests checks what each operation sends, byte for byte.
func TestRequests(t *testing.T) {
	adoptPod := action(kindPod, "web-0", is("p", ""))
	adoptPod.Operation = &setplanv1.Action_AdoptPod{AdoptPod: &setplanv1.AdoptPod{Owner: owner("web", true)}}
	adoptRevision := action(kindRevision, "web-1f", is("r", ""))
	adoptRevision.Operation = &setplanv1.Action_AdoptRevision{AdoptRevision: &setplanv1.AdoptRevision{Owner: owner("web", true)}}
	setOwners := action(kindClaim, "data-web-0", is("c", "9"))
	setOwners.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{Owners: []*setplanv1.OwnerReference{owner("web", false)}}}
	noOwners := action(kindClaim, "data-web-0", is("c", "9"))
	noOwners.Operation = &setplanv1.Action_SetClaimOwners{SetClaimOwners: &setplanv1.SetClaimOwners{}}
	renumber := action(kindRevision, "web-1f", is("r", "9"))
	renumber.Operation = &setplanv1.Action_RenumberRevision{RenumberRevision: &setplanv1.RenumberRevision{Number: 1 << 60}}
	deleteRevision := action(kindRevision, "web-1f", is("r", "9"))
	deleteRevision.Operation = &setplanv1.Action_DeleteRevision{DeleteRevision: &setplanv1.DeleteRevision{}}
	updateStatus := action("StatefulSet", "web", is("set", "7"))
	updateStatus.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: &setplanv1.StatefulSetStatus{
		ObservedGeneration: new(int64(3)), Replicas: new(int32(1)), ReadyReplicas: new(int32(0)), AvailableReplicas: new(int32(0)),
		CurrentReplicas: new(int32(0)), UpdatedReplicas: new(int32(0)), CurrentRevision: new("web-1f"), UpdateRevision: new("web-2f"),
		CollisionCount: new(int32(2)),
	}}}

	partOfStatus := action("StatefulSet", "web", is("set", "7"))
	partOfStatus.Operation = &setplanv1.Action_UpdateStatus{UpdateStatus: &setplanv1.UpdateStatus{Status: &setplanv1.StatefulSetStatus{
		ReadyReplicas: new(int32(0)), CurrentRevision: new(""),
	}}}

	setConditions := proto.CloneOf(updateStatus)
	setConditions.GetUpdateStatus().Status.Conditions = []*setplanv1.Condition{
		{Type: "Blocked", Status: "True", Reason: "PodNameTaken", Message: "Pod web-0 is somebody's.", LastTransitionTime: &timestamppb.Timestamp{Seconds: 1_800_000_000}},
		{Type: "Reconciling", Status: "True", Reason: "Scaling", LastTransitionTime: &timestamppb.Timestamp{Seconds: 1_800_000_000}},
	}
	stored := storedConditions{
		object{"type": "Blocked", "status": "False"}, object{"type": "OfAnother", "status": "True", "fromTomorrow": int64(1)},
	}

	const manager, merge, strategic = "?fieldManager=setplan-adapter", "application/merge-patch+json", "application/strategic-merge-patch+json"
	ref := `{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"set","controller":true,"blockOwnerDeletion":true}`
	tests := []struct {
		name   string
		reason string
		action *setplanv1.Action
		want   request
		kind   string
	}{
		{"create pod", "the manifest as it is", createPod(), request{"POST " + podsPath + manager, "application/json", podManifest}, kindPod},
		{"create claim", "the manifest as it is", createClaim(), request{"POST " + claimsPath + manager, "application/json", `{"metadata":{"name":"data-web-0"}}`}, kindClaim},
		{"create revision", "the manifest as it is", createRevision(), request{"POST " + revisionsPath + manager, "application/json", revisionManifest}, kindRevision},
		{"delete pod", "only the pod that the planner saw", deletePod(is("p", "")), request{"DELETE " + podsPath + "/web-0", "application/json", `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"p"}}`}, kindPod},
		{"evict pod", "the API server asks the budget", evictPod(is("p", "5")), request{"POST " + podsPath + "/web-0/eviction" + manager, "application/json", `{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"web-0"},"deleteOptions":{"preconditions":{"uid":"p","resourceVersion":"5"}}}`}, kindPod},
		{"delete revision", "a version in the precondition travels too", deleteRevision, request{"DELETE " + revisionsPath + "/web-1f", "application/json", `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"r","resourceVersion":"9"}}`}, kindRevision},
		{"patch pod", "volumes merge by name", patchPod(), request{"PATCH " + podsPath + "/web-0" + manager, strategic, `{"metadata":{"labels":{"a":"b"},"resourceVersion":"5","uid":"p"},"spec":{"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data-web-0"}}]}}`}, kindPod},
		{"update pod", "labels and annotations alone: a merge patch, and a null removes", updatePod(&setplanv1.UpdatePod{Labels: map[string]string{"a": "b"}, RemoveLabels: []string{"c"}, RemoveAnnotations: []string{"d"}}),
			request{"PATCH " + podsPath + "/web-0" + manager, merge, `{"metadata":{"annotations":{"d":null},"labels":{"a":"b","c":null},"resourceVersion":"5","uid":"p"}}`}, kindPod},
		{"update images", "containers merge by name and keep their order", updatePod(&setplanv1.UpdatePod{RemoveLabels: []string{"c"}, Annotations: map[string]string{"n": "{}"}, Containers: []*setplanv1.ContainerImage{image("web", "web:2"), image("logs", "logs:1")}}),
			request{"PATCH " + podsPath + "/web-0" + manager, strategic, `{"metadata":{"annotations":{"n":"{}"},"labels":{"c":null},"resourceVersion":"5","uid":"p"},"spec":{"$setElementOrder/containers":[{"name":"web"},{"name":"logs"}],"containers":[{"image":"web:2","name":"web"},{"image":"logs:1","name":"logs"}]}}`}, kindPod},
		{"update the image of a sidecar", "the same among init containers, and nothing of others", updatePod(&setplanv1.UpdatePod{InitContainers: []*setplanv1.ContainerImage{image("first", "first:1"), image("proxy", "proxy:2")}}),
			request{"PATCH " + podsPath + "/web-0" + manager, strategic, `{"metadata":{"annotations":{},"labels":{},"resourceVersion":"5","uid":"p"},"spec":{"$setElementOrder/initContainers":[{"name":"first"},{"name":"proxy"}],"initContainers":[{"image":"first:1","name":"first"},{"image":"proxy:2","name":"proxy"}]}}`}, kindPod},
		{"resize", "what it names through the subresource, and the order of all", resizePod(&setplanv1.ResizePod{Containers: []*setplanv1.ContainerResize{{Name: "logs"},
			{Name: "web", Requests: map[string]string{"cpu": "1"}, Limits: map[string]string{"cpu": "2", "memory": "1Gi"}}}}),
			request{"PATCH " + podsPath + "/web-0/resize" + manager, strategic, `{"metadata":{"resourceVersion":"5","uid":"p"},"spec":{"$setElementOrder/containers":[{"name":"logs"},{"name":"web"}],"containers":[{"name":"web","resources":{"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"1"}}}]}}`}, kindPod},
		{"resize a sidecar", "the same among init containers, and nothing of others", resizePod(&setplanv1.ResizePod{InitContainers: []*setplanv1.ContainerResize{{Name: "first"}, {Name: "proxy", Requests: map[string]string{"memory": "1Gi"}}}}),
			request{"PATCH " + podsPath + "/web-0/resize" + manager, strategic, `{"metadata":{"resourceVersion":"5","uid":"p"},"spec":{"$setElementOrder/initContainers":[{"name":"first"},{"name":"proxy"}],"initContainers":[{"name":"proxy","resources":{"requests":{"memory":"1Gi"}}}]}}`}, kindPod},
		{"adopt pod", "other owners stay", adoptPod, request{"PATCH " + podsPath + "/web-0" + manager, strategic, `{"metadata":{"ownerReferences":[` + ref + `],"uid":"p"}}`}, kindPod},
		{"adopt revision", "other owners stay", adoptRevision, request{"PATCH " + revisionsPath + "/web-1f" + manager, strategic, `{"metadata":{"ownerReferences":[` + ref + `],"uid":"r"}}`}, kindRevision},
		{"release pod", "one owner goes", releasePod(), request{"PATCH " + podsPath + "/web-0" + manager, strategic, `{"metadata":{"ownerReferences":[{"$patch":"delete","uid":"set"}],"uid":"p"}}`}, kindPod},
		{"set claim owners", "the whole list", setOwners, request{"PATCH " + claimsPath + "/data-web-0" + manager, merge, `{"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"set"}],"resourceVersion":"9","uid":"c"}}`}, kindClaim},
		{"no claim owners", "an empty list empties, null would too, absence would not", noOwners, request{"PATCH " + claimsPath + "/data-web-0" + manager, merge, `{"metadata":{"ownerReferences":[],"resourceVersion":"9","uid":"c"}}`}, kindClaim},
		{"renumber", "the number, nothing else, as an integer", renumber, request{"PATCH " + revisionsPath + "/web-1f" + manager, merge, `{"metadata":{"resourceVersion":"9","uid":"r"},"revision":1152921504606846976}`}, kindRevision},
		{"status", "the contract's fields, zeros included; conditions and others stay", updateStatus, request{"PATCH " + setPath + "/status" + manager, merge, `{"metadata":{"resourceVersion":"7","uid":"set"},"status":{"availableReplicas":0,"collisionCount":2,"currentReplicas":0,"currentRevision":"web-1f","observedGeneration":3,"readyReplicas":0,"replicas":1,"updateRevision":"web-2f","updatedReplicas":0}}`}, "StatefulSet"},
		{"part of the status", "what is not set is not written", partOfStatus, request{"PATCH " + setPath + "/status" + manager, merge, `{"metadata":{"resourceVersion":"7","uid":"set"},"status":{"currentRevision":"","readyReplicas":0}}`}, "StatefulSet"},
		{"conditions", "those of other types are repeated, since a merge patch takes lists whole", setConditions, request{"PATCH " + setPath + "/status" + manager, merge, `{"metadata":{"resourceVersion":"7","uid":"set"},"status":{"availableReplicas":0,"collisionCount":2,"conditions":[{"lastTransitionTime":"2027-01-15T08:00:00Z","message":"Pod web-0 is somebody's.","reason":"PodNameTaken","status":"True","type":"Blocked"},{"fromTomorrow":1,"status":"True","type":"OfAnother"},{"lastTransitionTime":"2027-01-15T08:00:00Z","message":"","reason":"Scaling","status":"True","type":"Reconciling"}],"currentReplicas":0,"currentRevision":"web-1f","observedGeneration":3,"readyReplicas":0,"replicas":1,"updateRevision":"web-2f","updatedReplicas":0}}`}, "StatefulSet"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			method, path := splitLine(test.want.Line)
			server, api := newAPIServer(t, map[string]answer{method + " " + path: objectAnswer("n", "u", "42")})
			result := NewExecutor(StatefulSets(), api, stored).Apply(context.Background(), webKey, test.action)
			if result.Err != nil {
				t.Fatal(result.Err)
			}
			requests := []request{test.want}
			if test.action.GetEvictPod() != nil {
				tried := test.want
				tried.Line = strings.Replace(tried.Line, "?", "?dryRun=All&", 1)
				requests = []request{tried, test.want}
			}
			if diff := cmp.Diff(requests, server.requests); diff != "" {
				t.Errorf("%s:\n%s", test.reason, diff)
			}
			want := &adapters.Write{Kind: test.kind, Name: "n", UID: "u", ResourceVersion: "42"}
			if method == http.MethodDelete || test.action.GetEvictPod() != nil {
				want = &adapters.Write{Kind: test.kind, Name: test.action.GetTarget().GetName(), UID: test.action.GetPrecondition().GetUid(), Deleted: true}
			}
			if diff := cmp.Diff(want, result.Write); diff != "" {
				t.Errorf("what the gate waits for:\n%s", diff)
			}
		})
	}
}

// TestAnswers checks what the API server's refusals mean.
func TestAnswers(t *testing.T) {
	exists := statusAnswer(409, metav1.StatusReasonAlreadyExists, "exists")
	gone := statusAnswer(404, metav1.StatusReasonNotFound, "gone")
	changed := statusAnswer(409, metav1.StatusReasonConflict, "changed")
	invalid := statusAnswer(422, metav1.StatusReasonInvalid, "invalid", metav1.StatusCause{Field: "spec.containers"})
	otherUID := statusAnswer(422, metav1.StatusReasonInvalid, "immutable", metav1.StatusCause{Field: "metadata.uid"})
	forbidden := statusAnswer(403, metav1.StatusReasonForbidden, "quota")
	tooSmall := statusAnswer(403, metav1.StatusReasonForbidden, "node didn't have enough allocatable resources", metav1.StatusCause{Type: "NodeCapacity"})
	broken := statusAnswer(500, metav1.StatusReasonInternalError, "broken")
	const eviction, resizing = "POST " + podsPath + "/web-0/eviction", "PATCH " + podsPath + "/web-0/resize"
	resize := resizePod(&setplanv1.ResizePod{})
	spent := statusAnswer(429, metav1.StatusReasonTooManyRequests, "Cannot evict pod as it would violate the pod's disruption budget.",
		metav1.StatusCause{Type: "DisruptionBudget", Message: "The disruption budget guard needs 2 healthy pods and has 2 currently"})
	busy := statusAnswer(429, metav1.StatusReasonTooManyRequests, "too many requests")
	many := statusAnswer(500, "", "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.")
	revision := func(data, uid string) answer {
		return answer{200, `{"metadata":{"name":"web-1f","uid":"r","resourceVersion":"8","ownerReferences":[{"uid":"` + uid + `","controller":true}]},"data":` + data + `}`}
	}
	const ok = setplanv1.OutcomeResult_OUTCOME_RESULT_UNSPECIFIED
	tests := []struct {
		name    string
		reason  string
		action  *setplanv1.Action
		answers map[string]answer
		want    setplanv1.OutcomeResult
		seen    string // version that the gate waits for
	}{
		{"pod exists, ours", "an earlier answer was lost", createPod(), map[string]answer{"POST " + podsPath: exists, "GET " + podsPath + "/web-0": objectAnswer("web-0", "p", "8", controllerRef("set"))}, ok, "8"},
		{"pod exists, another's", "the next snapshot shows it", createPod(), map[string]answer{"POST " + podsPath: exists, "GET " + podsPath + "/web-0": objectAnswer("web-0", "p", "8", controllerRef("other"))}, conflicts, ""},
		{"pod exists, nobody's", "an orphan is adopted by a plan, not by luck", createPod(), map[string]answer{"POST " + podsPath: exists, "GET " + podsPath + "/web-0": objectAnswer("web-0", "p", "8")}, conflicts, ""},
		{"pod exists, then gone", "it went while we looked", createPod(), map[string]answer{"POST " + podsPath: exists, "GET " + podsPath + "/web-0": gone}, conflicts, ""},
		{"claim exists", "the planner decides whose data is on it", createClaim(), map[string]answer{"POST " + claimsPath: exists}, conflicts, ""},
		{"revision exists, same", "an earlier answer was lost; escaping is no content", createRevision(), map[string]answer{"POST " + revisionsPath: exists, "GET " + revisionsPath + "/web-1f": revision(`{"a":"\u003c1\u003e"}`, "set")}, ok, "8"},
		{"revision exists, other data", "a hash collision, which the planner counts", createRevision(), map[string]answer{"POST " + revisionsPath: exists, "GET " + revisionsPath + "/web-1f": revision(`{"a":"2"}`, "set")}, conflicts, ""},
		{"revision exists, another's", "same data under another owner is not ours", createRevision(), map[string]answer{"POST " + revisionsPath: exists, "GET " + revisionsPath + "/web-1f": revision(`{"a":"<1>"}`, "other")}, conflicts, ""},
		{"create forbidden", "quota, admission, permission", createPod(), map[string]answer{"POST " + podsPath: forbidden}, rejected, ""},
		{"create invalid", "validation", createPod(), map[string]answer{"POST " + podsPath: invalid}, rejected, ""},
		{"create without namespace", "404 on a create is the namespace", createPod(), map[string]answer{"POST " + podsPath: gone}, rejected, ""},
		{"create broken", "may work the next time", createPod(), map[string]answer{"POST " + podsPath: broken}, errored, ""},
		{"delete gone", "as wanted", deletePod(is("p", "")), map[string]answer{"DELETE " + podsPath + "/web-0": gone}, ok, ""},
		{"delete another uid", "the pod we meant is gone, this is another", deletePod(is("p", "")), map[string]answer{"DELETE " + podsPath + "/web-0": changed}, conflicts, ""},
		{"delete forbidden", "permission", deletePod(is("p", "")), map[string]answer{"DELETE " + podsPath + "/web-0": forbidden}, rejected, ""},
		{"evict gone", "as wanted", evictPod(is("p", "")), map[string]answer{eviction: gone}, ok, ""},
		{"evict changed", "another pod, or it has become ready", evictPod(is("p", "5")), map[string]answer{eviction: changed}, conflicts, ""},
		{"evict, the budget is spent", "the planner asks again later", evictPod(is("p", "")), map[string]answer{eviction: spent}, spentBudget, ""},
		{"evict, an API server with too much to do", "that is no budget", evictPod(is("p", "")), map[string]answer{eviction: busy}, errored, ""},
		{"evict, two budgets", "no time cures it", evictPod(is("p", "")), map[string]answer{eviction: many}, rejected, ""},
		{"evict broken", "may work the next time", evictPod(is("p", "")), map[string]answer{eviction: broken}, errored, ""},
		{"evict forbidden", "permission", evictPod(is("p", "")), map[string]answer{eviction: forbidden}, rejected, ""},
		{"patch changed", "another version", patchPod(), map[string]answer{"PATCH " + podsPath + "/web-0": changed}, conflicts, ""},
		{"patch another uid", "the API server words it as an invalid change of the uid", patchPod(), map[string]answer{"PATCH " + podsPath + "/web-0": otherUID}, conflicts, ""},
		{"patch invalid", "volumes of a pod cannot change", patchPod(), map[string]answer{"PATCH " + podsPath + "/web-0": invalid}, rejected, ""},
		{"patch gone", "a precondition that does not hold", patchPod(), map[string]answer{"PATCH " + podsPath + "/web-0": gone}, conflicts, ""},
		{"resize changed", "another version", resize, map[string]answer{resizing: changed}, conflicts, ""},
		{"resize another uid", "this is another pod", resize, map[string]answer{resizing: otherUID}, conflicts, ""},
		{"resize gone", "a precondition that does not hold", resize, map[string]answer{resizing: gone}, conflicts, ""},
		{"resize, node too small", "the kubelet is not asked", resize, map[string]answer{resizing: tooSmall}, setplanv1.OutcomeResult_OUTCOME_RESULT_NODE_CAPACITY, ""},
		{"resize invalid", "another class of service", resize, map[string]answer{resizing: invalid}, rejected, ""},
		{"resize forbidden", "permission, quota", resize, map[string]answer{resizing: forbidden}, rejected, ""},
		{"resize nowhere", "an API server that does not have it: no time cures it", resize, map[string]answer{resizing: {404, "404 page not found"}}, rejected, ""},
		{"release gone", "as wanted", releasePod(), map[string]answer{"PATCH " + podsPath + "/web-0": gone}, ok, ""},
		{"release without owner", "as wanted", releasePod(), map[string]answer{"PATCH " + podsPath + "/web-0": invalid}, ok, ""},
		{"release forbidden", "permission", releasePod(), map[string]answer{"PATCH " + podsPath + "/web-0": forbidden}, rejected, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server, api := newAPIServer(t, test.answers)
			result := NewExecutor(StatefulSets(), api, storedConditions(nil)).Apply(context.Background(), webKey, test.action)
			if result.Outcome != test.want || (result.Err == nil) != (test.want == ok) {
				t.Errorf("%s: got %s, %v; want %s; requests %v", test.reason, result.Outcome, result.Err, test.want, server.lines())
			}
			if test.seen != "" && (result.Write == nil || result.Write.ResourceVersion != test.seen) {
				t.Errorf("the gate waits for %v, want version %s", result.Write, test.seen)
			}
		})
	}
}

// TestRefusedUnsent: an invalid action never reaches the API server.
func TestRefusedUnsent(t *testing.T) {
	elsewhere := createPod()
	elsewhere.Target.Namespace = "kube-system"
	tests := []struct {
		name   string
		reason string
		action *setplanv1.Action
		want   error
	}{
		{"unknown operation", "half knowledge must not write", action(kindPod, "web-0", nil), adapters.ErrUnknownOperation},
		{"delete without uid", "it could hit the pod's successor", deletePod(nil), errNoUID},
		{"evict without uid", "the same", evictPod(nil), errNoUID},
		{"other namespace", "a set's plan stays in its namespace", elsewhere, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server, api := newAPIServer(t, nil)
			result := NewExecutor(StatefulSets(), api, storedConditions(nil)).Apply(context.Background(), webKey, test.action)
			if result.Err == nil || (test.want != nil && !errors.Is(result.Err, test.want)) || len(server.requests) > 0 {
				t.Errorf("%s: error %v, requests %v", test.reason, result.Err, server.lines())
			}
		})
	}
}

// TestEveryOperationIsHandled walks the contract, so that no new operation is forgotten here.
func TestEveryOperationIsHandled(t *testing.T) {
	fields := (&setplanv1.Action{}).ProtoReflect().Descriptor().Oneofs().ByName("operation").Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		a := action(kindPod, "web-0", is("u", "1"))
		message := a.ProtoReflect()
		message.Set(field, message.NewField(field))
		_, api := newAPIServer(t, nil)
		result := NewExecutor(StatefulSets(), api, storedConditions(nil)).Apply(context.Background(), webKey, a)
		if errors.Is(result.Err, adapters.ErrUnknownOperation) {
			t.Errorf("%s: add it to Executor.Apply", field.Name())
		}
	}
}

func splitLine(line string) (method, path string) {
	for i := range len(line) {
		if line[i] == ' ' {
			method, line = line[:i], line[i+1:]
			break
		}
	}
	for i := range len(line) {
		if line[i] == '?' {
			return method, line[:i]
		}
	}
	return method, line
}
