package kube

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// saidBefore returns the API server's answer from when the set's update revision was made, if the spec has not been edited since: the
// revision holds the template with its defaults. So after a restart no question is needed for sets at rest. Whatever has changed meanwhile,
// such as a webhook, a quota or the right to ask, restarts no pod, and does not keep a lost pod from being recreated.
//
// A revision lacks what the CustomResourceDefinition fills in, so the API server is asked about a set without those fields.
func saidBefore(set *cachedSet, revisions []*appsv1.ControllerRevision) []byte {
	m, st := set.message, set.message.GetStatus()
	if set.GetGeneration() == 0 || st.GetObservedGeneration() != set.GetGeneration() || m.Replicas == nil || m.RevisionHistoryLimit == nil ||
		m.GetPodManagementPolicy() == "" {
		return nil
	}
	for _, revision := range revisions {
		if revision.Name != st.GetUpdateRevision() || !metav1.IsControlledBy(revision, set) {
			continue // a revision of another controller may hold another template
		}
		var data struct {
			Spec struct {
				Template map[string]json.RawMessage `json:"template"`
			} `json:"spec"`
		}
		if json.Unmarshal(revision.Data.Raw, &data) != nil || data.Spec.Template["spec"] == nil {
			return nil
		}
		delete(data.Spec.Template, "$patch")
		spec := object{"template": data.Spec.Template}
		if m.GetUpdateStrategy().GetType() == "" { // besides the templates, the one default that no CustomResourceDefinition can express
			spec["updateStrategy"] = object{"type": appsv1.RollingUpdateStatefulSetStrategyType, "rollingUpdate": object{"partition": 0}}
		}
		said, err := json.Marshal(object{"spec": spec})
		if err != nil {
			return nil
		}
		return said
	}
	return nil
}
