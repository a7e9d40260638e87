package kube

import (
	"bytes"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// errLossy means that this build's types cannot hold a set completely.
var errLossy = errors.New("this build's types do not hold all that the API server has sent")

// wholeSets is the serializer of a client that reads sets completely or not at all. lossy is called before errLossy is returned.
type wholeSets struct {
	runtime.NegotiatedSerializer
	lossy func()
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (s wholeSets) DecoderToVersion(decoder runtime.Decoder, version runtime.GroupVersioner) runtime.Decoder {
	return s.NegotiatedSerializer.DecoderToVersion(wholeDecoder{decoder, s.lossy}, version)
}

// wholeDecoder proves for each set and each list of sets that nothing was lost: encoding it again must give the same bytes. All API
// servers of one version encode an object in the same way, with maps in the order of their keys, so only fields that the types lack can
// make a difference.
type wholeDecoder struct {
	runtime.Decoder
	lossy func()
}

// writesSets writes protobuf as the API server does, with the object's own kind.
var writesSets = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)

// Decode implements runtime.Decoder.
func (d wholeDecoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	object, kind, err := d.Decoder.Decode(data, defaults, into)
	if err != nil {
		return object, kind, err
	}
	switch object.(type) {
	case *appsv1.StatefulSet, *appsv1.StatefulSetList:
	default:
		return object, kind, nil // such as a Status with the API server's error
	}
	again := bytes.NewBuffer(make([]byte, 0, len(data)+len(data)/8))
	if err := writesSets.Encode(object, again); err != nil {
		return nil, kind, fmt.Errorf("writing again what was read: %w", err)
	}
	if !bytes.Equal(again.Bytes(), data) {
		d.lossy()
		return nil, kind, errLossy
	}
	return object, kind, nil
}

// binarySets is a client for lists and watches of StatefulSets as protobuf.
func binarySets(config *rest.Config, lossy func()) (*rest.RESTClient, error) {
	config = rest.CopyConfig(config)
	version := appsv1.SchemeGroupVersion
	config.APIPath, config.GroupVersion = "/apis", &version
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf
	config.NegotiatedSerializer = wholeSets{scheme.Codecs.WithoutConversion(), lossy}
	return rest.RESTClientFor(config)
}
