//go:build nodes

package test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const uid = "{.metadata.uid}"

// TestResizeDeferred: what a node has in all, but not now, is named, and given without a restart once another pod goes.
func TestResizeDeferred(t *testing.T) {
	t.Parallel()
	s := newSpace(t, "replicas: 2", "replicas: 1", "annotations: {}", "annotations: {"+inPlace+"}")
	s.done()
	before, node := s.get("pods", uids+restarts), s.get("pod/web-0", "{.spec.nodeName}")
	const free = 2 << 20 // what other tests may still have
	var total int
	if _, err := fmt.Sscanf(s.get("node/"+node, "{.status.allocatable.memory}"), "%dKi", &total); err != nil {
		t.Fatal(err)
	}
	s.apply(fmt.Sprintf(`{apiVersion: v1, kind: Pod, metadata: {name: other}, spec: {nodeName: %s, terminationGracePeriodSeconds: 1,
		containers: [{name: app, image: 'setplan.local/app:1', resources: {requests: {memory: %dKi}}}]}}`, node, total-free))
	s.prints("Running", "pod/other", "{.status.phase}")
	s.kubectl("set", "resources", "statefulset/web", "--limits=memory=3Gi", "--requests=memory=3Gi,cpu=10m")
	s.says("no room for the new resources now", "memory")
	s.kubectl("delete", "pod", "other")
	s.done()
	if now := s.get("pods", uids+restarts); now != before {
		t.Errorf("the pods are %s, were %s", now, before)
	}
	s.prints("3Gi", "pod/web-0", "{.status.containerStatuses[0].resources.requests.memory}")
}

// TestResizeRestarts: a container whose resizePolicy wants it restarts for a resize, in its pod, and one pod after the other.
func TestResizeRestarts(t *testing.T) {
	t.Parallel()
	s := newSpace(t, "annotations: {}", "annotations: {"+inPlace+"}", "value: /data}", "value: /data}, {name: SLOW, value: 2s}",
		"resources: {requests: {cpu", "resizePolicy: [{resourceName: memory, restartPolicy: RestartContainer}]\n        resources: {requests: {cpu")
	s.done()
	pods := s.get("pods", uids)
	s.kubectl("set", "resources", "statefulset/web", "--limits=memory=96Mi", "--requests=memory=48Mi,cpu=10m")
	s.done()
	if now := s.get("pods", uids); now != pods {
		t.Errorf("the pods are %s, were %s", now, pods)
	}
	if got := s.get("pods", restarts); got != "11" {
		t.Errorf("restarts are %s, want 11", got)
	}
	ready := s.get("pod/web-1", `{.status.conditions[?(@.type=="Ready")].lastTransitionTime}`)
	if ended := s.get("pod/web-0", "{.status.containerStatuses[0].lastState.terminated.finishedAt}"); ended < ready {
		t.Errorf("web-0 ended at %s, before web-1 was ready at %s", ended, ready)
	}
}

// TestSidecar: containers start in their order; a sidecar gets another image in place, and an init container does not.
func TestSidecar(t *testing.T) {
	t.Parallel()
	s := newSpace(t, "annotations: {}", "annotations: {"+inPlace+"}", "      containers:", `      initContainers:
      - {name: first, image: 'setplan.local/app:1', env: [{name: CRASH, value: '0'}]}
      - name: side
        image: setplan.local/app:1
        restartPolicy: Always
        env: [{name: PORT, value: '8081'}, {name: SLOW, value: 2s}]
        startupProbe: {httpGet: {path: /ready, port: 8081}, periodSeconds: 1, failureThreshold: 30}
      containers:`)
	s.done()
	starts := func(pod string) {
		t.Helper()
		const init = "{.status.initContainerStatuses"
		ended, side := s.get("pod/"+pod, init+"[0].state.terminated.finishedAt}"), s.get("pod/"+pod, init+"[1].state.running.startedAt}")
		app := s.get("pod/"+pod, "{.status.containerStatuses[0].state.running.startedAt}")
		if a, b := clock(t, ended), clock(t, side); b.Before(a) || clock(t, app).Sub(b) < time.Second { // times of whole seconds
			t.Errorf("%s: the init container ended at %s, the sidecar started at %s and the other container at %s", pod, ended, side, app)
		}
	}
	starts("web-1")
	pods := s.get("pods", uids)
	s.kubectl("set", "image", "statefulset/web", "side=setplan.local/app:2")
	s.done()
	if now := s.get("pods", uids); now != pods {
		t.Errorf("another image of the sidecar: the pods are %s, were %s", now, pods)
	}
	const all = "{range .items[*]}{.status.initContainerStatuses[1].restartCount}{.status.containerStatuses[0].restartCount} {end}"
	if got := s.get("pods", all); got != "10 10" {
		t.Errorf("restarts of sidecars and containers are %s, want 10 10", got)
	}
	s.kubectl("set", "image", "statefulset/web", "first=setplan.local/app:2")
	s.done()
	for _, old := range strings.Fields(pods) {
		if now := s.get("pods", uids); strings.Contains(now, old) {
			t.Errorf("another image of the init container: the pods are %s, were %s", now, pods)
		}
	}
	starts("web-1")
}

func clock(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Error(err)
	}
	return at
}

// TestSlowEnd: a pod that takes its time to end is waited for, by the next one that goes and by its own successor. Two of one pod would meet at their disk,
// and the second one would fail.
func TestSlowEnd(t *testing.T) {
	t.Parallel()
	s := newSpace(t, "replicas: 2", "replicas: 3", "PeriodSeconds: 1\n", "PeriodSeconds: 60\n", "value: /data}", "value: /data}, {name: LINGER, value: 3s}",
		"volumeMounts:", "lifecycle: {preStop: {sleep: {seconds: 2}}}\n        volumeMounts:")
	s.done()
	old := s.get("pod/web-2", uid)
	s.kubectl("delete", "pod", "web-2", "--wait=false")
	began := time.Now()
	s.until("another web-2", func() (string, bool) {
		out, err := s.try("get", "pod", "web-2", "-o", "jsonpath="+uid)
		return out, err == nil && out != old
	})
	if took := time.Since(began); took < 5*time.Second {
		t.Errorf("web-2 is another one after %s, and ends in 5 s", took)
	}
	s.done()
	if got := s.get("pods", restarts); got != "000" {
		t.Errorf("restarts are %s, want none: two of one pod ran at once", got)
	}
	s.kubectl("scale", "statefulset/web", "--replicas=1")
	began = time.Now()
	s.until("web-0 alone", func() (string, bool) {
		out, err := s.try("get", "pods", "-o", "jsonpath={range .items[*]}{.metadata.name} {.metadata.deletionTimestamp};{end}")
		if strings.Contains(out, "web-2") && !strings.Contains(out, "web-1 ;") {
			t.Errorf("web-2 is not gone, and web-1 goes: %s", out)
		}
		return out, err == nil && out == "web-0 ;"
	})
	if took := time.Since(began); took < 10*time.Second {
		t.Errorf("two pods are gone after %s, and each ends in 5 s", took)
	}
}

// TestUnmountable: a disk that its node cannot mount is named, with the driver's words, and mounted once it can be.
func TestUnmountable(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"NodeStageVolume", "NodePublishVolume"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			s := newSpace(t)
			s.done()
			volume := s.get("pvc/data-web-1", "{.spec.volumeName}")
			end := s.refuse(method + " " + volume)
			s.kubectl("delete", "pod", "web-1")
			s.says(volume, method+" of volume", "is refused")
			end()
			s.done()
			if now := s.get("pvc/data-web-1", "{.spec.volumeName}"); now != volume {
				t.Errorf("the volume is %s, was %s", now, volume)
			}
		})
	}
}

// TestGrowsAtMount: a file system that its driver grows only as it is mounted grows as the set recreates the pod.
func TestGrowsAtMount(t *testing.T) {
	t.Parallel()
	s := newSpace(t, "replicas: 2", "replicas: 1", "annotations: {}", "annotations: {setplan.io/claim-update-policy: InPlaceOrRecreate}")
	s.done()
	pod := s.get("pod/web-0", uid)
	end := s.refuse("NodeExpandVolume " + s.get("pvc/data-web-0", "{.spec.volumeName}") + " FAILED_PRECONDITION")
	s.kubectl("annotate", "statefulset", "web", `setplan.io/claim-templates={"data":{"spec":{"resources":{"requests":{"storage":"128Mi"}}}}}`)
	s.prints("True", "pvc/data-web-0", `{.status.conditions[?(@.type=="NodeResizeError")].status}`)
	s.says("data-web-0", "FILE_SYSTEM_RESIZE", "still has time to grow")
	end()
	s.prints("128Mi", "pvc/data-web-0", "{.status.capacity.storage}")
	s.done()
	if now := s.get("pod/web-0", uid); now == pod {
		t.Error("the file system has grown while it was mounted")
	}
}

// TestEvicted: a pod that uses more of its node's disk than it may is evicted, and another one takes its claim.
func TestEvicted(t *testing.T) {
	t.Parallel()
	s := newSpace(t, "limits: {memory: 64Mi}", "limits: {memory: 64Mi, ephemeral-storage: 8Mi}", "value: /data}", "value: /data}, {name: SLOW, value: 5s}")
	s.done()
	pod, claim := s.get("pod/web-1", uid), s.get("pvc/data-web-1", uid)
	if out, err := s.tell("web-1", "/fill?megabytes=20&folder=/"); err != nil {
		t.Fatal(out, err)
	}
	s.says("the pod before this one ended: event Evicted", "exceeds")
	s.done()
	if now := s.get("pod/web-1", uid); now == pod {
		t.Error("web-1 is still the same pod")
	}
	if now := s.get("pvc/data-web-1", uid); now != claim {
		t.Errorf("the claim is %s, was %s", now, claim)
	}
}

// TestTaint: a taint by hand moves pods without disks, and pods with disks wait for their node.
func TestTaint(t *testing.T) {
	s := newSpace(t)
	free, _, _ := strings.Cut(web, "  volumeClaimTemplates")
	s.apply(strings.NewReplacer("name: web", "name: free", "app: web", "app: free", "Name: web", "Name: free", "env: [{name: DATA, value: /data}]", "",
		"volumeMounts: [{name: data, mountPath: /data}]", "").Replace(free))
	s.done()
	node := s.get("pod/web-1", "{.spec.nodeName}")
	other := map[string]string{"node-0": "node-1", "node-1": "node-0"}[node]
	claims := s.get("pvc", uids)
	s.kubectl("taint", "node", node, "hand=made:NoExecute")
	t.Cleanup(func() { _, _ = s.try("taint", "node", node, "hand-") })
	s.says("web-1", "a taint that the pod does not tolerate (1 node)", "where its volume is (1 node)")
	s.until("the other set moves", func() (string, bool) {
		out, err := s.try("get", "pods", "-l", "app=free", "-o", `jsonpath={range .items[*]}{.spec.nodeName}:{.status.conditions[?(@.type=="Ready")].status} {end}`)
		return out, err == nil && out == other+":True "+other+":True"
	})
	s.kubectl("taint", "node", node, "hand-")
	s.done()
	if now := s.get("pvc", uids); now != claims {
		t.Errorf("the claims are %s, were %s", now, claims)
	}
}
