package convert

import (
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Case is a set to move, and what was found around it.
type Case struct {
	Set      *unstructured.Unstructured
	From, To Kind
	// Now is when all of it was read.
	Now time.Time
	// Program is the command that runs this program, such as "kubectl setplan".
	Program string
	// Cluster holds the flags, quoted for a shell, by which kubectl and this program find the cluster, such as --context=x: the current
	// context may change between two commands.
	Cluster []string

	// Pods, Claims and Revisions are all of the set's namespace.
	Pods      []corev1.Pod
	Claims    []corev1.PersistentVolumeClaim
	Revisions []appsv1.ControllerRevision
	// Scalers change or name the set: HorizontalPodAutoscalers, VerticalPodAutoscalers and ScaledObjects of KEDA.
	Scalers []unstructured.Unstructured
	// Budgets are PodDisruptionBudgets.
	Budgets []unstructured.Unstructured
	// Adopters control pods by their labels alone: ReplicaSets, ReplicationControllers, DaemonSets and Jobs.
	Adopters []unstructured.Unstructured
	// Unread says what could not be read, and why.
	Unread []string

	// Served reports whether the API server has the other kind.
	Served bool
	// There is the set of the other kind, if it exists already.
	There *unstructured.Unstructured
	// Template is the set's template with the API server's defaults; nil if they are not known.
	Template map[string]any
	// Refused says why the API server refuses the spec under apps/v1; empty if it does not.
	Refused string
	// Rejected says why the API server refuses the new set; empty if it does not.
	Rejected string

	spec   appsv1.StatefulSetSpec
	status appsv1.StatefulSetStatus
}

// decode reads the spec, without its templates, and the status.
func (c *Case) decode() error {
	parts := struct {
		Spec   appsv1.StatefulSetSpec   `json:"spec"`
		Status appsv1.StatefulSetStatus `json:"status"`
	}{}
	object := map[string]any{"status": c.Set.Object["status"]}
	spec, _, err := unstructured.NestedMap(c.Set.Object, "spec")
	if err != nil {
		return err
	}
	delete(spec, "template")
	delete(spec, "volumeClaimTemplates")
	object["spec"] = spec
	if object["status"] == nil {
		delete(object, "status")
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, &parts); err != nil {
		return err
	}
	c.spec, c.status = parts.Spec, parts.Status
	if c.spec.Replicas == nil {
		c.spec.Replicas = new(int32(1))
	}
	return nil
}

// name returns the set's name, which the new set keeps.
func (c *Case) name() string { return c.Set.GetName() }

// refers reports whether an object has an owner reference to the set.
func (c *Case) refers(object metav1.Object) bool {
	for _, owner := range object.GetOwnerReferences() {
		if owner.UID == c.Set.GetUID() {
			return true
		}
	}
	return false
}

// revision returns a revision of the set, or nil.
func (c *Case) revision(name string) *appsv1.ControllerRevision {
	for i := range c.Revisions {
		if r := &c.Revisions[i]; r.Name == name && metav1.IsControlledBy(r, c.Set) {
			return r
		}
	}
	return nil
}

// claimTemplates returns the names of the set's own claim templates.
func (c *Case) claimTemplates() (names []string) {
	templates, _, _ := unstructured.NestedSlice(c.Set.Object, "spec", "volumeClaimTemplates")
	for _, template := range templates {
		if object, is := template.(map[string]any); is {
			name, _, _ := unstructured.NestedString(object, "metadata", "name")
			names = append(names, name)
		}
	}
	return names
}

// member reports whether a pod has a name that the set gives to pods.
func (c *Case) member(pod string) bool {
	ordinal, of := strings.CutPrefix(pod, c.name()+"-")
	_, err := strconv.ParseUint(ordinal, 10, 31)
	return of && err == nil
}
