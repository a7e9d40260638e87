//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// randomSet picks what a set is like before its edit.
func (s *scene) randomSet(r *rand.Rand) (options []func(*appsv1.StatefulSet)) {
	maybe := func(one int, option func(*appsv1.StatefulSet)) {
		if r.IntN(one) == 0 {
			options = append(options, option)
		}
	}
	options = append(options, memoryLimit("64Mi"))
	maybe(2, parallel)
	maybe(2, annotated("setplan.io/in-place", "InPlaceIfPossible"))
	maybe(3, startsAnew)
	switch r.IntN(4) {
	case 0:
		options = append(options, withoutClaims)
	case 1:
		options = append(options, retention(retain, remove))
	case 2:
		options = append(options, ofClass(s.fixedClass()))
	}
	return options
}

// edit changes a set. It reports whether it fits the set.
type edit struct {
	what string
	make func(*appsv1.StatefulSet) bool
}

// always is an edit that fits every set.
func always(what string, change func(*appsv1.StatefulSet)) edit {
	return edit{what, func(set *appsv1.StatefulSet) bool { change(set); return true }}
}

// policy is the edit of an annotation.
func policy(name, value string) edit {
	return always(name+"="+value, annotated("setplan.io/"+name, value))
}

// randomEdit changes a set in one to four ways, and says how. A pod that is to run something else gets no image that is never ready: nobody foresees
// that of what no pod runs.
func (s *scene) randomEdit(r *rand.Rand, name string) (*unstructured.Unstructured, string) {
	s.Helper()
	set := s.get(name)
	edits := slices.Concat(templateEdits(), rangeEdits(r), strategyEdits(r), claimEdits())
	var what []string
	for many := 1 + r.IntN(4); len(what) < many; {
		if e := edits[r.IntN(len(edits))]; e.make(set) {
			what = append(what, e.what)
		}
	}
	if now := s.get(name); set.Spec.Template.Spec.Containers[0].Image == broken &&
		(!equality.Semantic.DeepEqual(set.Spec.Template.Spec, now.Spec.Template.Spec) || set.Annotations[claimTemplates] != now.Annotations[claimTemplates]) {
		set.Spec.Template.Spec.Containers[0].Image = image2
		what = append(what, "image")
	}
	return s.underKind(set, underTest, "StatefulSet"), strings.Join(what, ", ")
}

func templateEdits() []edit {
	return []edit{
		always("image", func(set *appsv1.StatefulSet) { set.Spec.Template.Spec.Containers[0].Image = image2 }),
		always("image", func(set *appsv1.StatefulSet) { set.Spec.Template.Spec.Containers[0].Image = image2 }),
		always("memory", memoryLimit("128Mi")),
		always("label", func(set *appsv1.StatefulSet) { set.Spec.Template.Labels["tier"] = "gold" }),
		always("environment", func(set *appsv1.StatefulSet) {
			set.Spec.Template.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "TIER", Value: "gold"}}
		}),
		always("one restart", func(set *appsv1.StatefulSet) {
			metav1.SetMetaDataAnnotation(&set.Spec.Template.ObjectMeta, "kubectl.kubernetes.io/restartedAt", "now")
		}),
	}
}

func rangeEdits(r *rand.Rand) []edit {
	return []edit{
		always("replicas", func(set *appsv1.StatefulSet) { set.Spec.Replicas = new(r.Int32N(6)) }),
		always("start", startingAt(1+r.Int32N(2))),
		policy("reserved-ordinals", fmt.Sprint(r.IntN(3))),
		policy("scale-up-limit", "1"),
	}
}

func strategyEdits(r *rand.Rand) []edit {
	return []edit{
		always("partition", partition(r.Int32N(3))),
		{"budget", func(set *appsv1.StatefulSet) bool {
			if set.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType {
				return false // the API server refuses it
			}
			if set.Spec.UpdateStrategy.RollingUpdate == nil {
				set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{}
			}
			set.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = new(intstr.FromInt32(2))
			return true
		}},
		always("OnDelete", func(set *appsv1.StatefulSet) {
			set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}
		}),
		always("retention", retention(remove, remove)),
		always("no history", func(set *appsv1.StatefulSet) { set.Spec.RevisionHistoryLimit = new(int32(0)) }),
		policy("in-place", "InPlaceIfPossible"),
		policy("in-place", "Recreate"),
		policy("in-place", "InPlaceOnly"),
		policy("update-rank", "role=primary"), // which no pod has
		policy("claim-update-limit", "some"),  // which is no number
		policy("pause", "Updates"),
		policy("disruption-budget", "Respect"),
	}
}

// claimEdits grow claims, ask for less, label them, add a template and remove one.
func claimEdits() []edit {
	return []edit{
		{"claims grow", claimTemplate("www", asksFor("2Gi"))},
		{"claims grow", claimTemplate("www", asksFor("2Gi"))},
		{"claims shrink", claimTemplate("www", asksFor("512Mi"))},
		{"claims get a label", claimTemplate("www", `{"www":{"metadata":{"labels":{"tier":"gold"}}}}`)},
		policy("claim-update-policy", "OnDelete"),
		{"a claim template more", func(set *appsv1.StatefulSet) bool {
			claimTemplate("wal", fmt.Sprintf(wal, "1Gi"))(set)
			pod := &set.Spec.Template.Spec
			if slices.ContainsFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == "wal" }) {
				return true
			}
			pod.Volumes = append(pod.Volumes, corev1.Volume{Name: "wal", VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "wal"}}})
			pod.Containers[0].VolumeMounts = append(pod.Containers[0].VolumeMounts, corev1.VolumeMount{Name: "wal", MountPath: "/wal"})
			return true
		}},
		{"a claim template less", func(set *appsv1.StatefulSet) bool {
			mounts := &set.Spec.Template.Spec.Containers[0].VolumeMounts
			*mounts = slices.DeleteFunc(*mounts, func(m corev1.VolumeMount) bool { return m.Name == "www" })
			return hasClaims(set) && claimTemplate("www", `{"www":null}`)(set)
		}},
	}
}

func hasClaims(set *appsv1.StatefulSet) bool { return len(set.Spec.VolumeClaimTemplates) > 0 }

// claimTemplate returns the edit that puts the members of a text into the annotation of claim templates. It fits sets that have a template of the
// name, and every set if that is none that webSet has.
func claimTemplate(name, text string) func(*appsv1.StatefulSet) bool {
	return func(set *appsv1.StatefulSet) bool {
		if name == "www" && !hasClaims(set) {
			return false
		}
		all := map[string]any{}
		_ = json.Unmarshal([]byte(set.Annotations[claimTemplates]), &all) // there is none yet
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			panic(err)
		}
		text, err := json.Marshal(all)
		if err != nil {
			panic(err)
		}
		metav1.SetMetaDataAnnotation(&set.ObjectMeta, claimTemplates, string(text))
		return true
	}
}

// fixedClass makes a storage class that lets no volume grow. Only its test uses it: classes have no namespace.
func (s *scene) fixedClass() (class string) {
	s.Helper()
	classes, class := s.client.StorageV1().StorageClasses(), s.namespace
	must(classes.Create(context.Background(), &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: class}, Provisioner: "kwok.x-k8s.io/volume"},
		metav1.CreateOptions{}))(s)
	s.Cleanup(func() { _ = classes.Delete(context.Background(), class, metav1.DeleteOptions{}) })
	return class
}

// ofClass gives the claims of a set a storage class.
func ofClass(class string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Spec.VolumeClaimTemplates[0].Spec.StorageClassName = &class }
}
