package upstream

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/setplan/setplan/test/oracle/world"
)

// api is an API server for one set. It records every write, answers as a real one would, and stores nothing, because a pass
// only sees its caches. Embedded interfaces are nil on purpose: an unexpected request panics.
type api struct {
	kubernetes.Interface
	w *world.World

	mu          sync.Mutex // upstream writes from several goroutines
	writes      []world.Write
	made        map[string]bool // objects created in this pass: op and name
	conflicting []string
}

func newAPI(w *world.World) *api { return &api{w: w, made: map[string]bool{}} }

func (a *api) CoreV1() coreclient.CoreV1Interface { return coreV1{api: a} }
func (a *api) AppsV1() appsclient.AppsV1Interface { return appsV1{api: a} }

type coreV1 struct {
	coreclient.CoreV1Interface
	api *api
}

func (c coreV1) Pods(string) coreclient.PodInterface { return podClient{api: c.api} }
func (c coreV1) PersistentVolumeClaims(string) coreclient.PersistentVolumeClaimInterface {
	return claimClient{api: c.api}
}

func (c coreV1) Events(string) coreclient.EventInterface { return eventClient{api: c.api} }

type appsV1 struct {
	appsclient.AppsV1Interface
	api *api
}

func (c appsV1) StatefulSets(string) appsclient.StatefulSetInterface { return setClient{api: c.api} }
func (c appsV1) ControllerRevisions(string) appsclient.ControllerRevisionInterface {
	return revisionClient{api: c.api}
}

// write records a request. refusal is the API's own answer; the world's fault takes precedence.
func (a *api) write(op world.Op, name, body string, refusal metav1.StatusReason) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.w.Fault.Hits(op, name) {
		refusal = metav1.StatusReason(a.w.Fault.Reason)
	}
	a.writes = append(a.writes, world.Write{Op: op, Name: name, Body: body, Refused: string(refusal)})
	if refusal != "" {
		return refused(refusal, name)
	}
	a.made[string(op)+"/"+name] = true
	return nil
}

// did reports whether a request succeeded in this pass.
func (a *api) did(op world.Op, name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.made[string(op)+"/"+name]
}

func refused(reason metav1.StatusReason, name string) error {
	resource := schema.GroupResource{Resource: "objects"}
	switch reason {
	case metav1.StatusReasonNotFound:
		return apierrors.NewNotFound(resource, name)
	case metav1.StatusReasonAlreadyExists:
		return apierrors.NewAlreadyExists(resource, name)
	case metav1.StatusReasonConflict:
		return apierrors.NewConflict(resource, name, fmt.Errorf("the object has changed"))
	case metav1.StatusReasonForbidden:
		return apierrors.NewForbidden(resource, name, fmt.Errorf("exceeded quota"))
	case metav1.StatusReasonInvalid:
		return apierrors.NewInvalid(schema.GroupKind{Kind: "Object"}, name, nil)
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure,
		Code: http.StatusInternalServerError, Reason: reason, Message: "refused"}}
}

// recorder keeps the events that the comparison checks.
func (a *api) recorder() record.EventRecorder { return eventRecorder{a} }

type eventRecorder struct{ api *api }

func (r eventRecorder) Event(_ runtime.Object, _, reason, message string) {
	if reason != "ConflictingController" {
		return
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(message, "PersistentVolumeClaim "), " ")
	r.api.mu.Lock()
	defer r.api.mu.Unlock()
	r.api.conflicting = append(r.api.conflicting, name)
}

func (r eventRecorder) Eventf(object runtime.Object, eventType, reason, format string, args ...any) {
	r.Event(object, eventType, reason, fmt.Sprintf(format, args...))
}

func (r eventRecorder) AnnotatedEventf(object runtime.Object, _ map[string]string, eventType, reason, format string, args ...any) {
	r.Eventf(object, eventType, reason, format, args...)
}

var _ record.EventRecorder = eventRecorder{}

// notFound answers a read with the world's object itself, as caches do, or with a NotFound error.
func notFound[T any](object *T, resource, name string) (*T, error) {
	if object == nil {
		return nil, apierrors.NewNotFound(corev1.Resource(resource), name)
	}
	return object, nil
}
