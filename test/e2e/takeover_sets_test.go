//go:build e2e

package e2e

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// life is a set of the take-over, and what happens to it first.
type life struct {
	set   *appsv1.StatefulSet
	steps []episode
}

// episode is something that happens to a set, and how many pods are at the newest revision when the set is at rest again.
type episode struct {
	do      func(s *scene)
	updated int32
}

// lives are the six sets of the take-over.
func lives() []life {
	toImage := func(set, image string) func(s *scene) {
		return func(s *scene) { s.image(set, "registry.example/nginx:"+image) }
	}
	toScale := func(set string, replicas int) func(s *scene) {
		return func(s *scene) { s.scale(set, replicas) }
	}
	return []life{
		{webSet("ordered", 2, odd), []episode{{toImage("ordered", "2"), 2}}},
		{webSet("parallel", 3, parallel, withoutClaims), []episode{{toImage("parallel", "2"), 3}, {toImage("parallel", "1"), 3}}},
		{webSet("canary", 3, partition(2), odd), []episode{{toImage("canary", "2"), 1}}},
		{webSet("ondelete", 2, onDelete, withoutClaims), []episode{
			{toImage("ondelete", "2"), 0},
			{func(s *scene) { s.deletePod("ondelete-1") }, 1},
		}},
		{webSet("numbered", 1, minReady(2), startAt(5), withoutClaims), []episode{{toScale("numbered", 2), 2}}},
		{webSet("retained", 4, deletedWithAll, maxUnavailable(intstr.FromInt32(2)), odd), []episode{
			{toImage("retained", "2"), 4}, {toScale("retained", 3), 3}}},
	}
}

// live makes the sets and runs their lives side by side until they are at rest.
func (s *scene) live() {
	s.Helper()
	all := lives()
	for _, l := range all {
		s.create(l.set)
	}
	for _, l := range all {
		s.settled(l.set.Name)
	}
	for step := 0; ; step++ {
		changed := false
		for _, l := range all {
			if step < len(l.steps) {
				l.steps[step].do(s)
				changed = true
			}
		}
		if !changed {
			break
		}
		for _, l := range all {
			if step < len(l.steps) {
				s.steady(l.set.Name, l.steps[step].updated)
			}
		}
	}
	for _, name := range []string{"ordered", "parallel", "numbered", "retained"} {
		s.settled(name)
	}
	s.claimsBecome("www-canary-0 www-canary-1 www-canary-2 www-ordered-0 www-ordered-1 www-retained-0 www-retained-1 www-retained-2")
}

func startAt(ordinal int32) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: ordinal} }
}

// odd fills a template with what an encoder can get wrong: characters that JSON may escape, quantities with several spellings,
// ports by number and by name, empty and absent parts, zeros.
func odd(set *appsv1.StatefulSet) {
	set.Annotations = map[string]string{"example.com/note": "<copied> & kept"}
	template := &set.Spec.Template
	template.Annotations = map[string]string{"example.com/odd": "<a href=\"x\">&\u2028ü\\\n</a>", "example.com/empty": ""}
	spec := &template.Spec
	no, zero, sixty := false, int64(0), int64(60)
	spec.AutomountServiceAccountToken = &no
	spec.SecurityContext = &corev1.PodSecurityContext{FSGroup: &zero, SupplementalGroups: []int64{}}
	spec.Tolerations = []corev1.Toleration{{Key: "a", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &sixty}}
	spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{}}
	spec.Volumes = []corev1.Volume{
		{Name: "scratch", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		{Name: "info", VolumeSource: corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{
			Items: []corev1.DownwardAPIVolumeFile{{Path: "name", FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}}}}},
	}
	c := &spec.Containers[0]
	c.Command = []string{}
	c.Args = []string{"--expr", "a<b && c>d", ""}
	c.Env = []corev1.EnvVar{
		{Name: "EMPTY"}, {Name: "ODD", Value: "1e3 $(POD) \u2029 é"},
		{Name: "POD", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
	}
	c.Ports = []corev1.ContainerPort{{Name: "web", ContainerPort: 80}}
	c.Resources = corev1.ResourceRequirements{
		Requests: corev1.ResourceList{"cpu": resource.MustParse("0.010"), "memory": resource.MustParse("1024Ki")},
		Limits:   corev1.ResourceList{"cpu": resource.MustParse("1000m"), "memory": resource.MustParse("0.5Gi")},
	}
	c.ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("web")}}}
	c.LivenessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(80)}}}
}
