//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
)

// helped gives pods a second container and a sidecar. Their names are not in the order of the alphabet.
func helped(set *appsv1.StatefulSet) {
	always := corev1.ContainerRestartPolicyAlways
	pod := &set.Spec.Template.Spec
	pod.Containers = append(pod.Containers, corev1.Container{Name: "log", Image: "registry.example/log:1"})
	pod.InitContainers = []corev1.Container{{Name: "proxy", Image: "registry.example/proxy:1", RestartPolicy: &always},
		{Name: "agent", Image: "registry.example/agent:1", RestartPolicy: &always}}
}

func revisionOf(pod *corev1.Pod) string { return pod.Labels[appsv1.ControllerRevisionHashLabelKey] }

// note is what the planner has noted of what is under way in a pod.
func note(pod *corev1.Pod) string { return pod.Annotations["setplan.io/in-place-update"] }

// imagesOf are the images of all containers by name, in their order.
func imagesOf(pod *corev1.Pod) string {
	var all []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		all = append(all, c.Name+"="+strings.TrimPrefix(c.Image, "registry.example/"))
	}
	return strings.Join(all, " ")
}

// changesOfPods goes through the changes of pods that stay.
func (h *history) changesOfPods(see func(before, after *corev1.Pod)) {
	last := map[string]*corev1.Pod{}
	for _, c := range h.all() {
		if c.kind() != "Pod" || c.event == watch.Deleted {
			continue
		}
		pod := typedPod(c.object)
		if before := last[pod.Name]; before != nil && before.UID == pod.UID {
			see(before, pod)
		}
		last[pod.Name] = pod
	}
}

func typedPod(object *unstructured.Unstructured) *corev1.Pod {
	pod := &corev1.Pod{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, pod); err != nil {
		panic(err) // the API server has made it
	}
	return pod
}

// inPlace tells what became of pods in place: "image web-1" where images of it changed, "size web-1" where its spec got other resources, "there web-1"
// where nothing is under way any more.
func (h *history) inPlace() (told []string) {
	h.changesOfPods(func(before, after *corev1.Pod) {
		if imagesOf(before) != imagesOf(after) {
			told = append(told, "image "+after.Name)
		}
		if sizesOf(before) != sizesOf(after) {
			told = append(told, "size "+after.Name)
		}
		if strings.Contains(note(before), `"revision"`) && note(after) == "{}" {
			told = append(told, "there "+after.Name)
		}
	})
	return told
}

// toldInPlace returns a function that waits until what became of pods in place has gone on by exactly these words.
func (s *scene) toldInPlace() func(words ...string) {
	var want []string
	return func(words ...string) {
		s.Helper()
		want = append(want, words...)
		eventually(s, 90*time.Second, "in place: "+strings.Join(want, ", "), func() error {
			if got := s.inPlace(); !slices.Equal(got, want) {
				return fmt.Errorf("in place: %s", strings.Join(got, ", "))
			}
			return nil
		})
	}
}

// restartsOf are how often each container of a pod was started anew.
func (s *scene) restartsOf(pod string) string {
	var all []string
	for _, c := range containersOf(s.pod(pod)) {
		all = append(all, fmt.Sprintf("%s %d", c.spec.Name, c.status.RestartCount))
	}
	return strings.Join(all, ", ")
}

// TestInPlaceImages: images of a template reach pods that stay, one after another from the highest ordinal down. The label follows when the kubelet has
// said that the containers run them, and not before. An image that cannot be pulled stops the first pod, and to take it back is enough.
func TestInPlaceImages(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	h := newHosts(s)
	then := s.toldInPlace()
	s.create(webSet("web", 3, helped, annotated("setplan.io/in-place", "InPlaceOnly")))
	first := s.settled("web").Status.UpdateRevision
	pods := s.podUIDs()

	h.ignore("web-2", true)
	s.image("web", image2)
	then("image web-2")
	waits := func() error {
		set := s.get("web")
		if pod := s.pod("web-2"); revisionOf(pod) != first || set.Status.UpdatedReplicas != 0 || set.Status.AvailableReplicas != 2 || len(s.inPlace()) != 1 {
			return fmt.Errorf("it is at %s, the status is %+v, in place: %v", revisionOf(pod), set.Status, s.inPlace())
		}
		return nil
	}
	eventually(t, 20*time.Second, "web-2 counts as unavailable", waits)
	s.stays(2*time.Second, "web-2, whose host has not looked,", waits)
	h.ignore("web-2", false)
	then("there web-2", "image web-1", "there web-1", "image web-0", "there web-0")
	second := s.settled("web").Status.UpdateRevision

	s.image("web", missing)
	then("image web-2")
	eventually(t, 20*time.Second, "web-2 has no image", func() error { return s.waitsFor("web-2", "ImagePullBackOff") })
	s.stays(2*time.Second, "the set", func() error {
		if pod := s.pod("web-2"); revisionOf(pod) != second || s.get("web").Status.UpdatedReplicas != 0 {
			return fmt.Errorf("web-2 is at %s, and the status is %+v", revisionOf(pod), s.get("web").Status)
		}
		return nil
	})
	s.image("web", image2)
	then("image web-2", "there web-2")
	s.settled("web")

	// A label, the second container and a sidecar. The others run on.
	before := s.restartsOf("web-0")
	s.patch("web", `{"spec":{"template":{"metadata":{"labels":{"tier":"gold"}},"spec":{"initContainers":[{"name":"agent","image":"registry.example/agent:2"}],
		"containers":[{"name":"log","image":"registry.example/log:2"}]}}}}`)
	then("image web-2", "there web-2", "image web-1", "there web-1", "image web-0", "there web-0")
	third := s.settled("web").Status.UpdateRevision
	for name := range pods {
		pod := s.pod(name)
		if got, want := imagesOf(pod), "proxy=proxy:1 agent=agent:2 nginx=nginx:2 log=log:2"; got != want || pod.Labels["tier"] != "gold" || revisionOf(pod) != third {
			t.Errorf("%s has %s, tier %q, at %s", name, got, pod.Labels["tier"], revisionOf(pod))
		}
	}
	if got, want := s.restartsOf("web-0"), "nginx 1, log 1, proxy 0, agent 1"; got != want || before != "nginx 1, log 0, proxy 0, agent 0" {
		t.Errorf("containers of web-0 were started anew: %s, want %s; before %s", got, want, before)
	}
	s.samePods(pods)
	s.unbroken()
	for _, lie := range h.untrue() {
		t.Error(lie)
	}
}

// TestInPlaceSameImage: another name of the same image. The kubelet goes on to call it by the first one, so nothing but time shows that the
// containers have started anew.
func TestInPlaceSameImage(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	h := newHosts(s)
	then := s.toldInPlace()
	s.create(webSet("web", 2, parallel, withoutClaims, image("registry.example/nginx:same1"), annotated("setplan.io/in-place", "InPlaceOnly")))
	s.settled("web")
	pods := s.podUIDs()
	s.image("web", "registry.example/nginx:same2")
	then("image web-1")
	then("there web-1", "image web-0") // after a minute
	then("there web-0")                // after another one
	s.settled("web")
	s.samePods(pods)
	s.unbroken()
	for _, lie := range h.untrue() {
		t.Error(lie)
	}
}

// TestInPlaceImagesAtOnce: as many pods are on their way at once as may be unavailable.
func TestInPlaceImagesAtOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	h := newHosts(s)
	s.create(webSet("web", 5, parallel, withoutClaims, maxUnavailable(intstr.FromInt32(2)), annotated("setplan.io/in-place", "InPlaceIfPossible")))
	s.settled("web")
	pods, from := s.podUIDs(), s.all()
	s.image("web", image2)
	s.settled("web")
	s.samePods(pods)
	open, most := 0, 0
	var began []string
	for _, word := range s.inPlace() {
		if pod, begins := strings.CutPrefix(word, "image "); begins {
			began, open = append(began, pod), open+1
		} else {
			open--
		}
		most = max(most, open)
	}
	if !slices.Equal(began, []string{"web-4", "web-3", "web-2", "web-1", "web-0"}) || most != 2 {
		t.Errorf("%d pods were on their way at once, want 2, the highest first: %v", most, s.inPlace())
	}
	if most := s.mostUnavailable(from[len(from)-1].version, 5); most > 2 {
		t.Errorf("%d pods were unavailable at once: %s", most, s.pods())
	}
	s.unbroken()
	for _, lie := range h.untrue() {
		t.Error(lie)
	}
}
