package compare

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/sim"
)

// updatedInPlace is a life in which an adapter of ours updates pods in place, as edits of the container want it.
func updatedInPlace(l *life, edits ...string) {
	l.byOurs()
	l.create(`{"template": {"spec": {"containers": [` + small + `]}}}`)
	l.annotate("setplan.io/in-place", "InPlaceOnly")
	l.run(15)
	for _, edit := range edits {
		l.edit(`{"template": {"spec": {"containers": [` + edit + `]}}}`)
		l.run(42)
	}
}

// The container as it is at first, and what becomes of it.
const (
	small    = `{"name": "nginx", "image": "nginx:v1", "resources": {"requests": {"cpu": "0.1", "memory": "64Mi"}, "limits": {"cpu": "1", "memory": "64Mi"}}}`
	newImage = `{"name": "nginx", "image": "nginx:v2", "resources": {"requests": {"cpu": "0.1", "memory": "64Mi"}, "limits": {"cpu": "1", "memory": "64Mi"}}}`
	badImage = `{"name": "nginx", "image": "nginx:bad", "resources": {"requests": {"cpu": "0.1", "memory": "64Mi"}, "limits": {"cpu": "1", "memory": "64Mi"}}}`
	bigger   = `{"name": "nginx", "image": "nginx:v2", "resources": {"requests": {"cpu": "0.2", "memory": "64Mi"}, "limits": {"cpu": "2", "memory": "64Mi"}}}`
)

// TestInPlace: each write to a pod that is updated in place is wanted by ours, too, however seldom somebody looks: then several of them count as one.
func TestInPlace(t *testing.T) {
	for every, atLeast := range map[int]int{1: 19, 2: 19, 3: 19, 5: 13, 7: 13} {
		l := newLife(t, every)
		updatedInPlace(l, newImage, badImage, bigger, small) // the second one starts one pod, which never gets ready
		if report := l.set.Report(); report.Differs || report.Undecided > 0 || report.Both["update_pod"] < atLeast || report.Both["resize_pod"] < 3 {
			t.Errorf("looking every %d seconds:\n%s", every, l.says())
		}
	}
}

// TestResizedByAnother: what gives a pod at rest other resources is an autoscaler, and no controller of sets.
func TestResizedByAnother(t *testing.T) {
	l := newLife(t, 1)
	updatedInPlace(l, newImage)
	before := l.says()
	need.Value(l.world.Resize("autoscaler", "web-1", sim.Preconditions{}, func(o sim.Object) {
		o.(*corev1.Pod).Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("300m")
	}))(t)
	l.run(30)
	if after := l.says(); after != before {
		t.Errorf("before:\n%safter:\n%s", before, after)
	}
}
