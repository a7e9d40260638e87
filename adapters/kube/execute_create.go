package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// create sends a manifest. If the object exists already, that is a conflict.
func (e *Executor) create(ctx context.Context, in resource, manifest []byte) adapters.Result {
	object, err := e.api.create(ctx, in, manifest)
	if err != nil {
		return failed(err)
	}
	return written(in, object)
}

// createPod is create, but succeeds if the set controls the existing pod: then an earlier answer was lost.
func (e *Executor) createPod(ctx context.Context, in resource, action *setplanv1.Action, manifest []byte) adapters.Result {
	result := e.create(ctx, in, manifest)
	if !apierrors.IsAlreadyExists(result.Err) {
		return result
	}
	live, err := e.api.get(ctx, in, action.GetTarget().GetName())
	if err != nil {
		return conflict(fmt.Errorf("%w; reading it: %w", result.Err, err))
	}
	if !sameController(manifest, live) {
		return result
	}
	return written(in, live)
}

// createRevision is create, but succeeds if the existing revision is the set's and has the same data.
func (e *Executor) createRevision(ctx context.Context, in resource, action *setplanv1.Action, manifest []byte) adapters.Result {
	result := e.create(ctx, in, manifest)
	if !apierrors.IsAlreadyExists(result.Err) {
		return result
	}
	body, err := e.api.getBytes(ctx, in, action.GetTarget().GetName())
	if err != nil {
		return conflict(fmt.Errorf("%w; reading it: %w", result.Err, err))
	}
	live := &metav1.PartialObjectMetadata{}
	if err := json.Unmarshal(body, live); err != nil {
		return conflict(fmt.Errorf("%w; reading it: %w", result.Err, err))
	}
	if !sameController(manifest, live) || !sameData(manifest, body) {
		return result
	}
	return written(in, live)
}

// sameController compares the live object's controller with the manifest's.
func sameController(manifest []byte, live metav1.Object) bool {
	wanted := &metav1.PartialObjectMetadata{}
	if err := json.Unmarshal(manifest, wanted); err != nil {
		return false
	}
	uid := controllerOf(wanted)
	return uid != "" && uid == controllerOf(live)
}

func controllerOf(object metav1.Object) types.UID {
	if owner := metav1.GetControllerOfNoCopy(object); owner != nil {
		return owner.UID
	}
	return ""
}

// sameData compares the data of two revisions. White space and the escaping of < > & are up to the encoder.
func sameData(a, b []byte) bool {
	one, okOne := dataOf(a)
	other, okOther := dataOf(b)
	return okOne && okOther && bytes.Equal(one, other)
}

func dataOf(revision []byte) ([]byte, bool) {
	var fields struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(revision, &fields); err != nil {
		return nil, false
	}
	encoded, err := json.Marshal(fields.Data) // compacts and escapes
	return encoded, err == nil
}
