package snapshot

import (
	"encoding/json"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TypedSpec is the part of a set's message that comes from its spec, and the names of its claim templates, for a set of a typed
// client. Both are the same as from the API server's JSON, if the API server has the version of these types.
//
// Only the templates are needed as text with sorted keys, and those are in JSON once; the rest is small.
func TypedSpec(typed *appsv1.StatefulSetSpec) (message *setplanv1.StatefulSet, claimTemplates []string, err error) {
	small := *typed
	small.Template, small.VolumeClaimTemplates = corev1.PodTemplateSpec{}, nil
	text, err := json.Marshal(&small)
	if err != nil {
		return nil, nil, err
	}
	var spec spec
	if err := utiljson.Unmarshal(text, &spec); err != nil {
		return nil, nil, err
	}
	if spec.Template, err = sorted(&typed.Template); err != nil {
		return nil, nil, err
	}
	for _, template := range servedTemplates(typed.VolumeClaimTemplates) {
		text, err := sorted(&template)
		if err != nil {
			return nil, nil, err
		}
		spec.ClaimTemplates = append(spec.ClaimTemplates, text)
	}
	return spec.message(), templateNames(spec.ClaimTemplates), nil
}

// ServedJSON is the JSON that the API server would have sent for a set.
func ServedJSON(set *appsv1.StatefulSet) ([]byte, error) {
	whole := *set
	whole.Spec.VolumeClaimTemplates = servedTemplates(set.Spec.VolumeClaimTemplates)
	return json.Marshal(&whole)
}

// servedTemplates are claim templates as the API server sends them: with kind and version, which protobuf drops.
func servedTemplates(stored []corev1.PersistentVolumeClaim) []corev1.PersistentVolumeClaim {
	templates := slices.Clone(stored)
	for i := range templates {
		templates[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
	}
	return templates
}

// sorted returns the JSON of a value with sorted keys.
func sorted(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var tree any
	if err := utiljson.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}
