package cli

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// restarts counts the container restarts of pods. Snapshots do not have them, because no plan depends on them.
type restarts struct {
	mu    sync.Mutex
	count map[string]int32 // by the pod's uid
}

func (r *restarts) saw(pod *corev1.Pod) {
	count := int32(0)
	for i := range pod.Status.ContainerStatuses {
		count += pod.Status.ContainerStatuses[i].RestartCount
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count[string(pod.UID)] = count
}

// of returns the number of restarts of a pod, by its uid.
func (r *restarts) of(uid string) int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count[uid]
}
