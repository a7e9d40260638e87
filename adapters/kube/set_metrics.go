package kube

import (
	"errors"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// SetMetrics are the built-in controller's metrics under their own names, so that dashboards and alerts keep working. As there, two
// of them have a series for each set. It ends with the set.
type SetMetrics struct {
	maxUnavailable *prometheus.GaugeVec
	unavailable    *prometheus.GaugeVec
	skips          *prometheus.CounterVec

	mu       sync.Mutex
	policies map[adapters.Key]string // the other label of each set's series
}

var _ adapters.Observer = (*SetMetrics)(nil)

// NewSetMetrics registers the metrics.
func NewSetMetrics(registry prometheus.Registerer) *SetMetrics {
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Subsystem: "statefulset_controller", Name: name, Help: help},
			[]string{"statefulset_namespace", "statefulset_name", "pod_management_policy"})
	}
	m := &SetMetrics{
		maxUnavailable: gauge("statefulset_max_unavailable", "Pods that a rolling update may make unavailable at once."),
		unavailable:    gauge("statefulset_unavailable_replicas", "Replicas of the spec that are missing or not available."),
		skips: prometheus.NewCounterVec(prometheus.CounterOpts{Subsystem: "statefulset_controller", Name: "stale_sync_skips_total",
			Help: "Passes put off because the caches had not shown a write of ours yet, by what they lacked."}, []string{"group", "resource"}),
		policies: map[adapters.Key]string{},
	}
	registry.MustRegister(m.maxUnavailable, m.unavailable, m.skips)
	return m
}

// Planned implements adapters.Observer.
func (m *SetMetrics) Planned(key adapters.Key, snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) {
	set := snapshot.GetSet()
	replicas := int32(1)
	if set.Replicas != nil {
		replicas = set.GetReplicas()
	}
	policy := set.GetPodManagementPolicy()
	m.mu.Lock()
	defer m.mu.Unlock()
	if before, known := m.policies[key]; known && before != policy {
		m.remove(key) // a set that was recreated under the name
	}
	m.policies[key] = policy
	m.maxUnavailable.WithLabelValues(key.Namespace, key.Name, policy).Set(float64(mayBeUnavailable(set, replicas)))
	m.unavailable.WithLabelValues(key.Namespace, key.Name, policy).Set(float64(max(0, replicas-available(snapshot, plan))))
}

// available is the number of available pods: the snapshot's unless the plan writes another.
func available(snapshot *setplanv1.Snapshot, plan *setplanv1.Plan) int32 {
	found := snapshot.GetSet().GetStatus().GetAvailableReplicas()
	for _, stage := range plan.GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				if status := action.GetUpdateStatus().GetStatus(); status != nil && status.AvailableReplicas != nil {
					found = *status.AvailableReplicas
				}
			}
		}
	}
	return found
}

// mayBeUnavailable is computed as upstream does it: percentages are rounded down, and it is at least 1.
func mayBeUnavailable(set *setplanv1.StatefulSet, replicas int32) int {
	var value intstr.IntOrString
	switch limit := set.GetUpdateStrategy().GetRollingUpdate().GetMaxUnavailable().GetValue().(type) {
	case *setplanv1.IntOrPercent_Count:
		value = intstr.FromInt32(limit.Count)
	case *setplanv1.IntOrPercent_Percent:
		value = intstr.FromString(limit.Percent)
	default:
		return 1
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(&value, int(replicas), false)
	if err != nil {
		return 1
	}
	return max(1, n)
}

// Applied implements adapters.Observer.
func (m *SetMetrics) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {}

// Held implements adapters.Observer.
func (m *SetMetrics) Held(_ adapters.Key, reason string, err error) {
	unseen := adapters.Unseen{}
	if reason != adapters.ReasonGate || !errors.As(err, &unseen) {
		return
	}
	group, resource := "apps", "statefulsets"
	switch unseen.Write.Kind {
	case kindPod:
		group, resource = "", "pods"
	case kindClaim:
		group, resource = "", "persistentvolumeclaims"
	case kindRevision:
		resource = "controllerrevisions"
	}
	m.skips.WithLabelValues(group, resource).Inc()
}

// Forgotten implements adapters.Observer.
func (m *SetMetrics) Forgotten(key adapters.Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(key)
}

func (m *SetMetrics) remove(key adapters.Key) {
	policy, known := m.policies[key]
	if !known {
		return
	}
	m.maxUnavailable.DeleteLabelValues(key.Namespace, key.Name, policy)
	m.unavailable.DeleteLabelValues(key.Namespace, key.Name, policy)
	delete(m.policies, key)
}
