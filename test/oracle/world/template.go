package world

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// variants is how many templates a set has had: those of its history and the wanted one.
const variants = 6

// makeTemplates makes the templates that the set has had, with the API server's defaults, and gives the set the last.
func (b *builder) makeTemplates() {
	scratch := &appsv1.StatefulSet{}
	scratch.Spec.Template = *b.template()
	legacyscheme.Scheme.Default(scratch)
	for i := range variants {
		template := *scratch.Spec.Template.DeepCopy()
		template.Spec.Containers[0].Image = fmt.Sprintf("app:%d", i)
		if b.chance(10) {
			template.Labels["version"] = fmt.Sprint(i)
		}
		b.wanted = append(b.wanted, template)
	}
	b.wantVariant(variants - 1)
}

// patch is the data of a variant's revision.
func (b *builder) patch(variant int) []byte {
	if b.patches[variant] == nil {
		b.patches[variant] = patchOf(&b.wanted[variant])
	}
	return b.patches[variant]
}

// patchOf is the data of a template's revision: upstream's getPatch, which is not exported. If it differed, no generated
// revision would ever equal a template, and the coverage would show it.
func patchOf(template *corev1.PodTemplateSpec) []byte {
	text, err := json.Marshal(template)
	if err != nil {
		panic(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	fields["$patch"] = "replace"
	text, err = json.Marshal(map[string]any{"spec": map[string]any{"template": fields}})
	if err != nil {
		panic(err)
	}
	return text
}

// template draws a pod template from fields that real ones have, so that manifests are compared with content in them.
func (b *builder) template() *corev1.PodTemplateSpec {
	d := &b.dice
	t := &corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}}
	c := &t.Spec.Containers[0]
	for _, add := range []func(){
		func() { t.Labels["apps.kubernetes.io/pod-index"] = "7" },
		func() { t.Labels["team"] = "core" },
		func() { t.Annotations = map[string]string{"a": "<&>\u2028", "b/c": ""} },
		func() { t.Finalizers = []string{"example.com/wait"} },
		func() { c.Args = []string{"--x=<a&b>", "\u00e4\u4e16", "tab\tquote\"back\\slash", ""} },
		func() { c.Env = []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "EMPTY"}} },
		func() { c.Ports = []corev1.ContainerPort{{Name: "http", ContainerPort: 80}} },
		func() {
			c.Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("0.5"), "memory": resource.MustParse("1.5Gi")}
		},
		func() {
			c.LivenessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
				HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromString("http")}}}
		},
		func() {
			c.VolumeMounts = []corev1.VolumeMount{{Name: "data", MountPath: "/data"}, {Name: "tmp", MountPath: "/tmp"}}
		},
		func() {
			t.Spec.Volumes = append(t.Spec.Volumes, corev1.Volume{Name: "tmp",
				VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
		},
		func() { // a claim template replaces this one
			t.Spec.Volumes = append(t.Spec.Volumes, corev1.Volume{Name: "data",
				VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
					LocalObjectReference: corev1.LocalObjectReference{Name: "cm"}}}})
		},
		func() { t.Spec.Hostname, t.Spec.Subdomain = "ignored", "ignored" },
		func() {
			t.Spec.TerminationGracePeriodSeconds, t.Spec.NodeSelector = ptr(int64(0)), map[string]string{"disk": "ssd"}
		},
		func() {
			t.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: "host",
					LabelSelector: &metav1.LabelSelector{}, NamespaceSelector: nil}}}}
		},
		func() {
			t.Spec.InitContainers = []corev1.Container{{Name: "init", Image: "init:1"}}
		},
	} {
		if d.chance(15) {
			add()
		}
	}
	return t
}

// makeClaimTemplates makes none, one, two or three.
func (b *builder) makeClaimTemplates() {
	d := &b.dice
	for _, name := range []string{"data", "log", "web"}[:pick(d, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3)] {
		claim := corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources: corev1.VolumeResourceRequirements{
					Requests: corev1.ResourceList{"storage": resource.MustParse(pick(d, "1Gi", "1.5Ti", "100M"))}}}}
		if d.chance(20) {
			claim.Labels = map[string]string{"app": "overwritten", "kind": name}
		}
		if d.chance(20) {
			claim.Annotations = map[string]string{"note": "<&>"}
		}
		if d.chance(20) {
			claim.Spec.StorageClassName = ptr(pick(d, "", "fast"))
		}
		if d.chance(20) { // API servers have filled these in since 1.16
			claim.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
		}
		if d.chance(5) {
			claim.Namespace, claim.Finalizers = "default", []string{"example.com/keep"}
		}
		b.set.Spec.VolumeClaimTemplates = append(b.set.Spec.VolumeClaimTemplates, claim)
	}
}

var setKind = appsv1.SchemeGroupVersion.WithKind("StatefulSet")
