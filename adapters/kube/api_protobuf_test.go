package kube

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternal "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
)

// TestAnswersAsProtobuf: the API server's answer to a write is read in the encoding that it prefers, for objects as for errors.
func TestAnswersAsProtobuf(t *testing.T) {
	owner := controllerRef("set")
	var reply runtime.Object
	code := http.StatusCreated
	var accepted string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accepted = r.Header.Get("Accept")
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		w.WriteHeader(code)
		info, _ := runtime.SerializerInfoForMediaType(metainternal.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
		if err := metainternal.Codecs.WithoutConversion().EncoderForVersion(info.Serializer, metav1.SchemeGroupVersion).Encode(reply, w); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	api, err := NewAPI(&rest.Config{Host: server.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	want := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "web-0", UID: "u", ResourceVersion: "7", OwnerReferences: []metav1.OwnerReference{owner}}}
	reply = want.DeepCopy()
	got, err := api.create(context.Background(), pods("default"), []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.ObjectMeta, got.ObjectMeta); diff != "" {
		t.Error(diff)
	}
	if first, _, _ := strings.Cut(accepted, ","); first != "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" {
		t.Errorf("asked for %s", accepted)
	}
	code = http.StatusConflict
	reply = &metav1.Status{Status: metav1.StatusFailure, Code: http.StatusConflict, Reason: metav1.StatusReasonAlreadyExists, Message: "it is there",
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueDuplicate}}}}
	_, err = api.create(context.Background(), pods("default"), []byte(`{}`))
	if !apierrors.IsAlreadyExists(err) || !apierrors.HasStatusCause(err, metav1.CauseTypeFieldValueDuplicate) || err.Error() != "it is there" {
		t.Errorf("an error is read as %v", err)
	}
}
