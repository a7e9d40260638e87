package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/rand"
)

// newRevision is newRevision in pkg/controller/statefulset/stateful_set_utils.go and NewControllerRevision in
// pkg/controller/history, whose text is the same in all versions of the corpus.
func newRevision(set *appsv1.StatefulSet) (*appsv1.ControllerRevision, string, error) {
	data, err := getPatch(set)
	if err != nil {
		return nil, "", err
	}
	h := fnv.New32()
	h.Write(data)
	h.Write([]byte("0")) // the collision count
	hash := rand.SafeEncodeString(fmt.Sprint(h.Sum32()))
	revision := &appsv1.ControllerRevision{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ControllerRevision"},
		ObjectMeta: metav1.ObjectMeta{
			Name:              set.Name + "-" + hash,
			Namespace:         set.Namespace,
			UID:               "b1f0c1de-0000-4000-8000-000000000002",
			ResourceVersion:   "1001",
			CreationTimestamp: set.CreationTimestamp,
			Labels:            map[string]string{},
			Annotations:       set.Annotations,
			OwnerReferences:   owners(set),
		},
		Data:     runtime.RawExtension{Raw: data},
		Revision: 1,
	}
	for key, value := range set.Spec.Template.Labels {
		revision.Labels[key] = value
	}
	revision.Labels["controller.kubernetes.io/hash"] = hash
	return revision, hash, nil
}

// getPatch is upstream's function of that name.
func getPatch(set *appsv1.StatefulSet) ([]byte, error) {
	data, err := runtime.Encode(codec, set)
	if err != nil {
		return nil, err
	}
	var raw map[string]interface{}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	template := raw["spec"].(map[string]interface{})["template"].(map[string]interface{})
	template["$patch"] = "replace"
	return json.Marshal(map[string]interface{}{"spec": map[string]interface{}{"template": template}})
}

func owners(set *appsv1.StatefulSet) []metav1.OwnerReference {
	return []metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))}
}
