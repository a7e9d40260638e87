//go:build e2e

package e2e

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// The tests in this file and the next build a stuck set, ask why, run the remedy as printed, and check that the set goes on.

func TestWhyBadImage(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, image(broken)))
	s.reaches("+web-0")
	// This is what a kubelet reports. kwok pulls no images.
	eventually(t, 30*time.Second, "web-0 runs", func() error { return s.hasPhase("web-0", "Running") })
	s.podStatus("web-0", `{"status":{"containerStatuses":[{"name":"nginx","image":"`+broken+`","imageID":"","ready":false,"restartCount":0,
		"state":{"running":null,"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image: not found"}}}]}}`)
	r := s.firstCause("web", "POD_NOT_READY", "Pod/web-0", "image "+broken+" of container nginx cannot be pulled", "Back-off pulling image")
	if len(r.Waiting) != 1 || r.Waiting[0] != "web-1" {
		t.Errorf("waiting are %v, want web-1", r.Waiting)
	}
	s.do(r.Commands[0], "IMAGE", image2) // the existing pod is repaired
	s.unblocked("web")
}

func TestWhyTerminatingClaim(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2))
	s.settled("web")
	s.pinClaim("www-web-1")
	s.deleteClaim("www-web-1")
	s.deletePod("web-1")
	r := s.firstCause("web", "CLAIM_TERMINATING", "PersistentVolumeClaim/www-web-1", "The finalizer setplan.io/test keeps it")
	s.do(r.Commands[0])
	s.unblocked("web")
}

func TestWhyForeignOwnerOfClaim(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 1, retention(remove, retain)))
	s.settled("web")
	s.do("kubectl -n " + s.namespace + " create configmap other")
	s.do(`uid=$(kubectl -n ` + s.namespace + ` get configmap other -o jsonpath='{.metadata.uid}')
		kubectl -n ` + s.namespace + ` patch pvc www-web-0 --type=merge -p '{"metadata":{"ownerReferences":[
		{"apiVersion":"v1","kind":"ConfigMap","name":"other","uid":"'$uid'","controller":true}]}}'`)
	r := s.firstCause("web", "CLAIM_FOREIGN_CONTROLLER", "PersistentVolumeClaim/www-web-0", "ConfigMap other controls the claim")
	s.do(r.Commands[0])
	s.unblocked("web")
	s.ownersBecome("www-web-0", "StatefulSet/web*")
}

func TestWhyPodNameTaken(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.do("kubectl -n " + s.namespace + " run web-1 --image=registry.example/nginx:1 --labels=app=stranger")
	s.create(webSet("web", 2))
	r := s.firstCause("web", "POD_NAME_TAKEN", "Pod/web-1", "The pod has no controller", "app=stranger")
	s.do(r.Commands[0])
	s.unblocked("web")
}

func TestWhyPartition(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, func(set *appsv1.StatefulSet) {
		set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(2))}
	}))
	s.settled("web")
	s.image("web", image2)
	s.steady("web", 1)
	r := s.firstCause("web", "PARTITION_HELD", "Pod/web-0", "partition is 2")
	if r.Severity != "info" {
		t.Errorf("the severity is %s: a partition is no trouble", r.Severity)
	}
	s.do(r.Commands[0])
	s.unblocked("web")
	s.wantImages("web", "nginx:2", "nginx:2", "nginx:2")
}
