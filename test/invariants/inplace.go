package invariants

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

const (
	annotationInPlace = "setplan.io/in-place"
	annotationUpdate  = "setplan.io/in-place-update" // of a pod: the planner's note of what is under way
)

// inPlace and keepsPods read the policy. What is unknown counts as InPlaceOnly.
func (r *reading) inPlace() bool {
	policy := r.set.Annotations[annotationInPlace]
	return policy != "" && policy != "Recreate"
}

func (r *reading) keepsPods() bool {
	return r.inPlace() && r.set.Annotations[annotationInPlace] != "InPlaceIfPossible"
}

func (r *reading) inPlaceIsOdd() bool {
	return r.keepsPods() && r.set.Annotations[annotationInPlace] != "InPlaceOnly"
}

// note is what the planner has noted of a pod whose images or resources change.
type note struct {
	Revision   string `json:"revision"`
	At         int64  `json:"at"`   // when it was written, in seconds
	Seen       bool   `json:"seen"` // the kubelet had seen the change when this was noted
	Containers map[string]struct {
		Good struct {
			ID string `json:"id"` // of the container that ran before any change
		} `json:"good"`
	} `json:"containers"`
	Resize   map[string]map[string]map[string]string `json:"resize"`   // what the spec asked for, by container, list and resource
	Restarts bool                                    `json:"restarts"` // containers start again to get other resources
}

// noteOf reads the note; false if it cannot be read.
func noteOf(pod *corev1.Pod) (n note, ok bool) {
	text, noted := pod.Annotations[annotationUpdate]
	return n, !noted || json.Unmarshal([]byte(text), &n) == nil
}

// underWay is the revision whose images a pod is given in place; "" if there is none.
func underWay(pod *corev1.Pod) string {
	n, ok := noteOf(pod)
	if !ok {
		return law.Unreadable
	}
	return n.Revision
}

// timeTells reports whether nothing but time can tell which image a container runs: it has restarted, and that was noted. A container of before
// that has crashed looks the same, if its kubelet sees the change and then does nothing for longer than anybody waits.
func (n note) timeTells(container, id string) bool {
	return n.Seen && n.Containers[container].Good.ID != id
}

// revisionAt is the revision that a pod is made to run, whatever its label says.
func revisionAt(pod *corev1.Pod) string {
	if revision := underWay(pod); revision != "" {
		return revision
	}
	return revisionOf(pod)
}

// images are what containers and sidecars have, by their names.
func images(pod *corev1.Pod) map[string]string {
	images := map[string]string{}
	for i := range pod.Spec.Containers {
		images[pod.Spec.Containers[i].Name] = pod.Spec.Containers[i].Image
	}
	for i := range pod.Spec.InitContainers {
		if c := &pod.Spec.InitContainers[i]; sim.IsSidecar(c) {
			images[c.Name] = c.Image
		}
	}
	return images
}

// unlike says which container of a pod does not run what a revision says; "": none. That one does not run at all says nothing, unless something was
// under way: then it has to be seen that it does.
func unlike(pod *corev1.Pod, revision *appsv1.ControllerRevision, was note) string {
	if revision == nil {
		return "" // nobody can tell
	}
	var template corev1.Pod
	if json.Unmarshal(templateOf(revision), &template) != nil {
		return "its template cannot be read"
	}
	has, wants := images(pod), images(&template)
	for _, name := range slices.Sorted(maps.Keys(wants)) {
		image, status := wants[name], sim.StatusOf(pod, name)
		runs := status != nil && status.State.Running != nil
		switch {
		case has[name] != image:
			return fmt.Sprintf("container %s has the image %s", name, has[name])
		case runs && status.Image != image && !was.timeTells(name, status.ContainerID): // this kubelet tells the truth
			return fmt.Sprintf("container %s runs %s", name, status.Image)
		case was.Revision != "" && !runs:
			return fmt.Sprintf("container %s does not run", name)
		}
	}
	return unresized(pod, revision, was)
}

// differs is what else than labels and annotations differs between two revisions, or than these and images, and resources that are noted; "": nothing.
// It looks at what this package's clusters have, and at each word of it.
func differs(from, to *appsv1.ControllerRevision, butImages bool, noted note) string {
	if from == nil || to == nil {
		return "a revision that is gone"
	}
	if before, after := wantedOf(from), wantedOf(to); before != nil && after != nil {
		if why := canResize(before, after, noted); why != "" {
			return why
		}
	}
	var templates [2]map[string]any
	for i, revision := range [...]*appsv1.ControllerRevision{from, to} {
		if json.Unmarshal(templateOf(revision), &templates[i]) != nil {
			return "a revision that cannot be read"
		}
		metadata, _ := templates[i]["metadata"].(map[string]any)
		if annotations, _ := metadata["annotations"].(map[string]any); annotations["kubectl.kubernetes.io/restartedAt"] != nil {
			templates[i]["restartedAt"] = annotations["kubectl.kubernetes.io/restartedAt"] // it is there to have pods recreated
		}
		delete(metadata, "labels")
		delete(metadata, "annotations")
		if len(metadata) == 0 {
			delete(templates[i], "metadata")
		}
		if dropResources(templates[i]); butImages {
			drop(templates[i], func(c map[string]any) { delete(c, "image") })
		}
	}
	for key := range templates[0] {
		if !reflect.DeepEqual(templates[0][key], templates[1][key]) {
			return key
		}
	}
	if len(templates[0]) != len(templates[1]) {
		return "a field"
	}
	return ""
}

// dropResources takes the amounts of containers and sidecars out of a template that change while a pod stays.
func dropResources(template map[string]any) {
	drop(template, func(c map[string]any) {
		of, _ := c["resources"].(map[string]any)
		for _, list := range []string{"requests", "limits"} {
			amounts, _ := of[list].(map[string]any)
			delete(amounts, "cpu")
			delete(amounts, "memory")
			if len(amounts) == 0 {
				delete(of, list)
			}
		}
		if len(of) == 0 {
			delete(c, "resources") // none at all is the same as none of any kind
		}
	})
}

// drop takes something out of containers and sidecars of a template.
func drop(template map[string]any, what func(container map[string]any)) {
	spec, _ := template["spec"].(map[string]any)
	for _, list := range []string{"containers", "initContainers"} {
		containers, _ := spec[list].([]any)
		for _, item := range containers {
			if c, _ := item.(map[string]any); list == "containers" || c["restartPolicy"] == "Always" {
				what(c)
			}
		}
	}
}
