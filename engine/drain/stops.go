package drain

import (
	"fmt"

	"github.com/setplan/setplan/engine/jsontree"
)

// A drain pod that has succeeded counts as drained, so nothing in its template may make a kubelet stop a container before it is done: a
// program that exits with 0 on SIGTERM would then have succeeded. These fields do (Kubernetes 1.36.3):
//
//	livenessProbe, startupProbe  computePodActions, pkg/kubelet/kuberuntime/kuberuntime_manager.go. Under Never the pod has
//	                             succeeded then (getPhase, pkg/kubelet/kubelet_pods.go). Under OnFailure the container is
//	                             started again, unless the back-off or a restart of the kubelet comes between: then one that
//	                             ended with 0 is not (ShouldContainerBeRestarted, pkg/kubelet/container/helpers.go)
//	lifecycle.postStart          one that fails: startContainer, pkg/kubelet/kuberuntime/kuberuntime_container.go
//
// Sidecars may not have them either: how they end does not count, but a drain may depend on them. docs/drain.md has what else can stop a
// container. activeDeadlineSeconds is harmless: the pod has failed, whatever its containers exited with (generateAPIPodStatus,
// pkg/kubelet/kubelet_pods.go). So is a readinessProbe.

// stopsItself names the first field of a drain template by which a kubelet could stop a container before it is done.
func stopsItself(spec jsontree.Value) (container, field string) {
	for _, list := range []string{"initContainers", "containers"} {
		for i, c := range spec.Get(list).Items() {
			container = c.Get("name").Text
			if container == "" {
				container = fmt.Sprintf("%s[%d]", list, i)
			}
			for _, probe := range []string{"livenessProbe", "startupProbe"} {
				if c.Get(probe).Kind != jsontree.Null {
					return container, probe
				}
			}
			if c.Get("lifecycle").Get("postStart").Kind != jsontree.Null {
				return container, "lifecycle.postStart"
			}
		}
	}
	return "", ""
}
