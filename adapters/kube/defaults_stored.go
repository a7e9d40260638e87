package kube

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// saidBefore is what the API server said when the set's update revision was made, if the spec has not been edited since: the revision holds
// the template with its defaults. So nobody is asked about sets at rest after a restart, and whatever has changed meanwhile, a webhook, a
// quota, or who may ask, restarts no pod and keeps no lost one away.
//
// What the definition of the kind fills in is in no revision, so that a set without it is asked about.
func saidBefore(set *cachedSet, revisions []*appsv1.ControllerRevision) []byte {
	m, st := set.message, set.message.GetStatus()
	if set.GetGeneration() == 0 || st.GetObservedGeneration() != set.GetGeneration() || m.Replicas == nil || m.RevisionHistoryLimit == nil ||
		m.GetPodManagementPolicy() == "" {
		return nil
	}
	for _, revision := range revisions {
		if revision.Name != st.GetUpdateRevision() || !metav1.IsControlledBy(revision, set) {
			continue // one of another controller may hold another set's template
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
		if m.GetUpdateStrategy().GetType() == "" { // the one default beside the templates' that no definition can say
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
