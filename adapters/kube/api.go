package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// API sends bytes to the API server as they are. A typed client would drop fields of a manifest that this build's Kubernetes
// types lack.
type API struct {
	client *rest.RESTClient
}

// NewAPI makes the raw client.
func NewAPI(config *rest.Config) (*API, error) {
	// The metadata client's settings decode answers of the kind Status into errors, in both encodings, and nothing else.
	config = metadata.ConfigFor(config)
	config.GroupVersion = nil
	config.APIPath = "/"
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("client for writes: %w", err)
	}
	return &API{client: client}, nil
}

// resource is one collection of the API, such as the pods of a namespace.
type resource struct {
	kind string // as the contract spells it
	path string // without a leading slash for names to follow
}

func pods(namespace string) resource {
	return resource{kind: kindPod, path: "/api/v1/namespaces/" + namespace + "/pods"}
}

func claims(namespace string) resource {
	return resource{kind: kindClaim, path: "/api/v1/namespaces/" + namespace + "/persistentvolumeclaims"}
}

func revisions(namespace string) resource {
	return resource{kind: kindRevision, path: "/apis/apps/v1/namespaces/" + namespace + "/controllerrevisions"}
}

func (k SetKind) in(namespace string) resource {
	return resource{kind: k.Kind, path: "/apis/" + k.APIVersion() + "/namespaces/" + namespace + "/" + k.Resource}
}

// The kinds of the contract's targets.
const (
	kindPod      = "Pod"
	kindClaim    = "PersistentVolumeClaim"
	kindRevision = "ControllerRevision"
)

// checkSegment refuses a name that is not exactly one segment of a path, as client-go's Request.Name does. AbsPath joins and
// cleans its arguments, so that "../x" would leave the namespace.
func checkSegment(name string) error {
	if name == "" {
		return errors.New("the object has no name")
	}
	if problems := rest.IsValidPathSegmentName(name); len(problems) > 0 {
		return fmt.Errorf("the name %.80q is not a path segment: %v", name, problems)
	}
	return nil
}

// metadataOnly asks for an answer without spec and status, as protobuf if possible: a type can lose nothing that is used here.
// Older servers answer with the whole object, which has the same metadata.
const metadataOnly = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1," +
	"application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"

func (a *API) get(ctx context.Context, in resource, name string) (*metav1.PartialObjectMetadata, error) {
	if err := checkSegment(name); err != nil {
		return nil, err
	}
	return metadataIn(a.client.Get().AbsPath(in.path, name).SetHeader("Accept", metadataOnly).Do(ctx))
}

// getBytes returns the whole object as the API server's JSON.
func (a *API) getBytes(ctx context.Context, in resource, name string) ([]byte, error) {
	if err := checkSegment(name); err != nil {
		return nil, err
	}
	result := a.client.Get().AbsPath(in.path, name).SetHeader("Accept", "application/json").Do(ctx)
	if err := result.Error(); err != nil {
		return nil, err
	}
	return result.Raw()
}

func (a *API) create(ctx context.Context, in resource, manifest []byte) (*metav1.PartialObjectMetadata, error) {
	return metadataIn(a.client.Post().MaxRetries(0).AbsPath(in.path).
		Param("fieldManager", Manager).
		SetHeader("Accept", metadataOnly).
		SetHeader("Content-Type", "application/json").
		Body(manifest).Do(ctx))
}

// dryRun is what would be stored if an object were created, as the API server's JSON. Fields that it does not know are dropped, as from
// what is created.
func (a *API) dryRun(ctx context.Context, in resource, manifest []byte) ([]byte, error) {
	result := a.client.Post().MaxRetries(0).AbsPath(in.path).
		Param("fieldManager", Manager).Param("dryRun", metav1.DryRunAll).Param("fieldValidation", metav1.FieldValidationIgnore).
		SetHeader("Accept", "application/json").
		SetHeader("Content-Type", "application/json").
		Body(manifest).Do(ctx)
	if err := result.Error(); err != nil {
		return nil, err
	}
	return result.Raw()
}

// patch sends a patch; subresource may be empty.
func (a *API) patch(ctx context.Context, in resource, name, subresource string, kind types.PatchType, body any) (*metav1.PartialObjectMetadata, error) {
	if err := checkSegment(name); err != nil {
		return nil, err
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	segments := []string{in.path, name}
	if subresource != "" {
		segments = append(segments, subresource)
	}
	return metadataIn(a.client.Patch(kind).MaxRetries(0).AbsPath(segments...).
		Param("fieldManager", Manager).
		SetHeader("Accept", metadataOnly).
		SetHeader("Content-Type", string(kind)).
		Body(data).Do(ctx))
}

// putStatus sends a set with another status.
func (a *API) putStatus(ctx context.Context, in resource, set *appsv1.StatefulSet) (*metav1.PartialObjectMetadata, error) {
	if err := checkSegment(set.Name); err != nil {
		return nil, err
	}
	set.APIVersion, set.Kind = appsv1.SchemeGroupVersion.String(), in.kind
	var body bytes.Buffer
	if err := writesSets.Encode(set, &body); err != nil {
		return nil, err
	}
	return metadataIn(a.client.Put().MaxRetries(0).AbsPath(in.path, set.Name, "status").
		Param("fieldManager", Manager).
		SetHeader("Accept", metadataOnly).
		SetHeader("Content-Type", runtime.ContentTypeProtobuf).
		Body(body.Bytes()).Do(ctx))
}

// delete deletes gracefully.
func (a *API) delete(ctx context.Context, in resource, name string, preconditions metav1.Preconditions) error {
	if err := checkSegment(name); err != nil {
		return err
	}
	body, err := json.Marshal(metav1.DeleteOptions{
		TypeMeta:      metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"},
		Preconditions: &preconditions,
	})
	if err != nil {
		return err
	}
	return a.client.Delete().MaxRetries(0).AbsPath(in.path, name).
		SetHeader("Accept", "application/json").
		SetHeader("Content-Type", "application/json").
		Body(body).Do(ctx).Error()
}

// evict asks for the eviction of a pod. The API server may answer 429 with Retry-After, which the client would wait for, up to ten times: it is
// sent once, and the planner says when to ask again. It is tried without effect first: the API server takes the disruption off the budget before it looks at
// the preconditions, and gives it back after two minutes only. Whatever else answers, such as a webhook that begins something when it is asked in earnest,
// is asked in earnest.
func (a *API) evict(ctx context.Context, in resource, name string, preconditions metav1.Preconditions) error {
	if err := checkSegment(name); err != nil {
		return err
	}
	body, err := json.Marshal(policyv1.Eviction{
		TypeMeta:      metav1.TypeMeta{APIVersion: "policy/v1", Kind: "Eviction"},
		ObjectMeta:    metav1.ObjectMeta{Name: name},
		DeleteOptions: &metav1.DeleteOptions{Preconditions: &preconditions},
	})
	if err != nil {
		return err
	}
	ask := func() *rest.Request {
		return a.client.Post().MaxRetries(0).AbsPath(in.path, name, "eviction").
			Param("fieldManager", Manager).
			SetHeader("Accept", "application/json").
			SetHeader("Content-Type", "application/json").
			Body(body)
	}
	tried := ask().Param("dryRun", metav1.DryRunAll).Do(ctx).Error()
	if apierrors.IsConflict(tried) || apierrors.IsNotFound(tried) || refusedByBudget(tried) {
		return evictionError(tried)
	}
	return evictionError(ask().Do(ctx).Error())
}

// readsMetadata decodes protobuf into the object that it is given.
var readsMetadata = protobuf.NewSerializer(runtime.NewScheme(), runtime.NewScheme())

func metadataIn(result rest.Result) (*metav1.PartialObjectMetadata, error) {
	if err := result.Error(); err != nil {
		return nil, err
	}
	body, err := result.Raw()
	if err != nil {
		return nil, err
	}
	object := &metav1.PartialObjectMetadata{}
	if binary, _, _ := readsMetadata.RecognizesData(body); binary {
		_, _, err = readsMetadata.Decode(body, nil, object)
	} else {
		err = json.Unmarshal(body, object)
	}
	if err != nil {
		return nil, fmt.Errorf("the API server's answer is not an object: %w", err)
	}
	return object, nil
}
