package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/world"
)

// edit is a set as a manifest wants it.
type edit struct {
	*unstructured.Unstructured
	argument string // that names the set
}

// readEdit reads a manifest; nil if none was given. It names the set, unless the manifest is of another one than the argument names.
func (o *options) readEdit(file string, args []string) (*edit, error) {
	if file == "" {
		return nil, nil
	}
	set, err := world.ReadManifest(file, o.config.Streams.In)
	if err != nil {
		return nil, err
	}
	if _, template, _ := unstructured.NestedMap(set.Object, "spec", "template"); !template {
		return nil, fmt.Errorf("%s: %s %q is %w", file, set.GetKind(), set.GetName(), errNoSet) // without asking an API server
	}
	kind, err := o.kindOf(set)
	if err == nil {
		err = (anySet{set, kind.GVR()}).check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	e := &edit{set, argument(kind, set.GetName())}
	if len(args) == 1 {
		what, err := o.oneSought(args[0])
		if err != nil {
			return nil, err
		}
		if what.kind != kind || what.names[0] != set.GetName() {
			return nil, fmt.Errorf("%s is the manifest of %s, not of %s", file, e.argument, args[0])
		}
	}
	if namespace := set.GetNamespace(); namespace != "" {
		if given := *o.kube.Namespace; given != "" && given != namespace {
			return nil, fmt.Errorf("%s is in namespace %s, but --namespace is %s", file, namespace, given)
		}
		*o.kube.Namespace = namespace
	}
	return e, nil
}

// take puts the edited set into what was read, as an API server would store it.
func (s *session) take(ctx context.Context, o *options, e *edit) error {
	live := s.world.Set(s.keys[0])
	after := edited(live, e.Unstructured)
	if s.cluster == nil {
		if fields := fixed(live, after); s.kind == kube.StatefulSets() && len(fields) > 0 {
			return fmt.Errorf("the API server refuses this change of %s: apps/v1 does not let %s of an existing set change", s.keys[0], strings.Join(fields, ", "))
		}
		o.note("without a cluster no API server adds defaults to the manifest, so a field that it leaves out may show as a change")
	} else {
		stored, err := s.cluster.DryRun(ctx, after)
		if err != nil {
			return apiError(err)
		}
		after = stored
	}
	return s.edit(after)
}

// fixed lists the fields of apps/v1 that differ although the API server lets none of them change. What a manifest leaves out has its default.
func fixed(live, after *unstructured.Unstructured) (fields []string) {
	var a, b appsv1.StatefulSet
	convert := runtime.DefaultUnstructuredConverter.FromUnstructured
	if convert(live.Object, &a) != nil || convert(after.Object, &b) != nil {
		return nil // the planner says what is wrong
	}
	for _, set := range []*appsv1.StatefulSet{&a, &b} {
		set.Spec.PodManagementPolicy = cmp.Or(set.Spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement)
		for i := range set.Spec.VolumeClaimTemplates {
			claim := &set.Spec.VolumeClaimTemplates[i]
			claim.TypeMeta, claim.Status = metav1.TypeMeta{}, corev1.PersistentVolumeClaimStatus{}
			claim.Namespace, claim.CreationTimestamp = "", metav1.Time{}
			if claim.Spec.VolumeMode == nil {
				claim.Spec.VolumeMode = new(corev1.PersistentVolumeFilesystem)
			}
		}
	}
	for _, field := range []struct {
		name string
		a, b any
	}{
		{"spec.selector", a.Spec.Selector, b.Spec.Selector},
		{"spec.serviceName", a.Spec.ServiceName, b.Spec.ServiceName},
		{"spec.podManagementPolicy", a.Spec.PodManagementPolicy, b.Spec.PodManagementPolicy},
		{"spec.volumeClaimTemplates", a.Spec.VolumeClaimTemplates, b.Spec.VolumeClaimTemplates},
	} {
		if !equality.Semantic.DeepEqual(field.a, field.b) {
			fields = append(fields, field.name)
		}
	}
	return fields
}

// edit puts the set into what was read.
func (s *session) edit(set *unstructured.Unstructured) error {
	s.world.Replace(s.keys[0], set)
	source, err := s.world.Source(s.at)
	if err != nil {
		return err
	}
	s.asker.use(source)
	return nil
}

// edited is the live set with the manifest's spec, labels and annotations. What the manifest does not say of metadata stays, and so does the
// number of replicas, which an autoscaler may own.
func edited(live, manifest *unstructured.Unstructured) *unstructured.Unstructured {
	after := live.DeepCopy()
	after.SetLabels(merged(live.GetLabels(), manifest.GetLabels()))
	after.SetAnnotations(merged(live.GetAnnotations(), manifest.GetAnnotations()))
	spec, _, _ := unstructured.NestedMap(manifest.Object, "spec")
	if _, said := spec["replicas"]; !said {
		if replicas, there, _ := unstructured.NestedFieldNoCopy(live.Object, "spec", "replicas"); there {
			spec["replicas"] = replicas
		}
	}
	after.Object["spec"] = spec
	if !equality.Semantic.DeepEqual(spec, live.Object["spec"]) {
		after.SetGeneration(live.GetGeneration() + 1) // an API server does it again
	}
	return after
}

func merged(under, over map[string]string) map[string]string {
	all := map[string]string{}
	for _, layer := range []map[string]string{under, over} {
		for name, value := range layer {
			all[name] = value
		}
	}
	return all
}
