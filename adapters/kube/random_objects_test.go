package kube

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
)

// crowdOfSets are sets in two namespaces with confusable names, and objects that belong to them, or seem to.
type crowdOfSets struct {
	sets      []*unstructured.Unstructured
	pods      []*corev1.Pod
	claims    []*corev1.PersistentVolumeClaim
	revisions []*appsv1.ControllerRevision
}

func (c *crowdOfSets) all() []metav1.Object {
	var all []metav1.Object
	for _, set := range c.sets {
		all = append(all, set)
	}
	for _, pod := range c.pods {
		all = append(all, pod)
	}
	for _, claim := range c.claims {
		all = append(all, claim)
	}
	for _, revision := range c.revisions {
		all = append(all, revision)
	}
	return all
}

var (
	namespaces  = []string{"default", "other"}
	setsNamed   = []string{"c", "b-c", "a-b-c", "web", "web-0", "web-a"}
	claimsNamed = []string{"a", "a-b", "data", "data-web"}
	ordinals    = []string{"0", "1", "2", "10", "00", "01", "x1", "", "18446744073709551615", "18446744073709551616", "٣"}
)

func confusable(dice *rand.Rand) *crowdOfSets {
	c := &crowdOfSets{}
	for _, namespace := range namespaces {
		for _, name := range setsNamed {
			if maybe(dice) {
				c.sets = append(c.sets, randomSet(dice, namespace, name))
			}
		}
	}
	names := map[string]bool{} // of this kind; names are unique
	fresh := func(kind string, meta metav1.ObjectMeta) bool {
		key := kind + meta.Namespace + "/" + meta.Name
		was := names[key]
		names[key] = true
		return !was
	}
	for range 40 {
		namespace, set := oneOf(dice, namespaces), oneOf(dice, setsNamed)
		if pod := randomPod(dice, randomMeta(dice, namespace, set+"-"+oneOf(dice, ordinals))); fresh("pod", pod.ObjectMeta) {
			c.pods = append(c.pods, pod)
		}
		if claim := randomClaim(dice, randomMeta(dice, namespace, oneOf(dice, claimsNamed)+"-"+set+"-"+oneOf(dice, ordinals))); fresh("claim", claim.ObjectMeta) {
			c.claims = append(c.claims, claim)
		}
		if revision := randomRevision(dice, randomMeta(dice, namespace, set+"-"+oneOf(dice, []string{"1f", "2-1f", "3"}))); fresh("revision", revision.ObjectMeta) {
			c.revisions = append(c.revisions, revision)
		}
	}
	return c
}

func maybe(dice *rand.Rand) bool { return dice.IntN(2) == 0 }

func oneOf[T any](dice *rand.Rand, of []T) T { return of[dice.IntN(len(of))] }

// someOf returns nil or some of the entries.
func someOf(dice *rand.Rand, of map[string][]string) map[string]string {
	var some map[string]string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if maybe(dice) {
			if some == nil {
				some = map[string]string{}
			}
			some[name] = oneOf(dice, of[name])
		}
	}
	return some
}

func timeOrNone(dice *rand.Rand) *metav1.Time {
	if maybe(dice) {
		return nil
	}
	return &metav1.Time{Time: time.UnixMilli(1_700_000_000_000 + dice.Int64N(1000))}
}

func randomMeta(dice *rand.Rand, namespace, name string) metav1.ObjectMeta {
	meta := metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(fmt.Sprint("u-", name, dice.IntN(9))), ResourceVersion: fmt.Sprint(dice.IntN(100)),
		DeletionTimestamp: timeOrNone(dice), Labels: someOf(dice, map[string][]string{"app": {"web", "db", ""}, "tier": {"x"},
			labelPodName: {name, "other"}, labelPodIndex: {"0", "1", "00", ""}, labelRevision: {"web-1f", ""}}),
		Annotations: someOf(dice, map[string][]string{"note": {"x", "y"}, adapters.AnnotationDrainSet: {"web/u", "a\x00b"}, "setplan.io/later": {"", "\xff"}})}
	if created := timeOrNone(dice); created != nil {
		meta.CreationTimestamp = *created
	}
	for i := range dice.IntN(3) {
		owner := oneOf(dice, setsNamed)
		// The reference has its owner's true name: the caches look for a set's pods by that name, and would not find others.
		reference := metav1.OwnerReference{APIVersion: "apps/v1", Kind: "StatefulSet", Name: owner, UID: types.UID("u-" + namespace + "-" + owner)}
		if maybe(dice) {
			reference.UID += "-before"
		}
		controller, blocks := i == 0 && maybe(dice), maybe(dice)
		if controller || maybe(dice) {
			reference.Controller, reference.BlockOwnerDeletion = &controller, &blocks
		}
		meta.OwnerReferences = append(meta.OwnerReferences, reference)
	}
	return meta
}

func randomPod(dice *rand.Rand, meta metav1.ObjectMeta) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: meta, Status: corev1.PodStatus{Phase: oneOf(dice, []corev1.PodPhase{"", "Pending", "Running", "Succeeded", "Failed", "Unknown", "Later"}), StartTime: timeOrNone(dice)}}
	for _, kind := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodReady, corev1.DisruptionTarget} {
		if maybe(dice) {
			condition := corev1.PodCondition{Type: kind, Status: oneOf(dice, []corev1.ConditionStatus{"True", "False", "Unknown"})}
			if at := timeOrNone(dice); at != nil {
				condition.LastTransitionTime = *at
			}
			pod.Status.Conditions = append(pod.Status.Conditions, condition)
		}
	}
	for _, volume := range []string{"data", "a", "logs"} {
		switch dice.IntN(3) {
		case 0:
			pod.Spec.Volumes = append(pod.Spec.Volumes, claimVolume(volume, volume+"-"+meta.Name))
		case 1:
			pod.Spec.Volumes = append(pod.Spec.Volumes, claimVolume(volume, "elsewhere"), corev1.Volume{Name: "tmp"})
		}
	}
	for _, container := range []string{"main", "helper"} {
		c := corev1.Container{Name: container}
		if dice.IntN(4) == 0 {
			c.Env = []corev1.EnvVar{{Name: adapters.DrainTokenVariable, Value: oneOf(dice, []string{"", "t"})}}
		}
		pod.Spec.Containers = append(pod.Spec.Containers, c)
		if maybe(dice) {
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: container,
				State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Message: oneOf(dice, []string{"", "t", "é\xff"})}}})
		}
	}
	return pod
}

func randomClaim(dice *rand.Rand, meta metav1.ObjectMeta) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{ObjectMeta: meta,
		Status: corev1.PersistentVolumeClaimStatus{Phase: oneOf(dice, []corev1.PersistentVolumeClaimPhase{"", "Pending", "Bound", "Lost", "Later"})}}
}

func randomRevision(dice *rand.Rand, meta metav1.ObjectMeta) *appsv1.ControllerRevision {
	revision := &appsv1.ControllerRevision{ObjectMeta: meta, Revision: dice.Int64N(5)}
	revision.Data.Raw = []byte(oneOf(dice, []string{``, `{"spec":1.0}`, `{"b":1,"a":"\u003c","a":2}`}))
	return revision
}

// randomSet has or lacks each field, as the API server would send it.
func randomSet(dice *rand.Rand, namespace, name string) *unstructured.Unstructured {
	metadata := map[string]any{"namespace": namespace, "name": name, "uid": "u-" + namespace + "-" + name, "resourceVersion": "7", "generation": dice.Int64N(5)}
	spec, status := map[string]any{}, map[string]any{}
	for _, field := range []struct {
		in     map[string]any
		name   string
		values []string
	}{
		{metadata, "deletionTimestamp", []string{`"2023-11-14T22:13:20Z"`}},
		{metadata, "annotations", []string{`{"note":"x","setplan.io/repair":"Never"}`, `{}`}},
		{metadata, "finalizers", []string{`["setplan.io/drain"]`, `[]`}},
		{spec, "replicas", []string{`0`, `3`}},
		{spec, "ordinals", []string{`{"start":2}`, `{}`}},
		{spec, "selector", []string{`{"matchLabels":{"app":"web"}}`, `{}`, `{"matchExpressions":[{"key":"tier","operator":"In","values":["a"]}]}`}},
		{spec, "serviceName", []string{`"nginx"`, `""`}},
		{spec, "podManagementPolicy", []string{`"Parallel"`, `"OrderedReady"`, `"Later"`}},
		{spec, "updateStrategy", []string{`{}`, `{"type":"OnDelete"}`, `{"type":"RollingUpdate","rollingUpdate":{}}`, `{"rollingUpdate":{"partition":2,"maxUnavailable":"10%"}}`, `{"rollingUpdate":{"maxUnavailable":2}}`}},
		{spec, "minReadySeconds", []string{`0`, `5`}},
		{spec, "revisionHistoryLimit", []string{`0`, `10`, `-1`}},
		{spec, "persistentVolumeClaimRetentionPolicy", []string{`{}`, `{"whenDeleted":"Delete","whenScaled":"Retain"}`}},
		{spec, "template", []string{`null`, `{}`, `{"spec":{"containers":[{"share":0.5,"big":12345678901234567,"name":"<a>"}]},"metadata":{"creationTimestamp":null}}`}},
		{spec, "volumeClaimTemplates", []string{`[]`, `[{"metadata":{"name":"a"},"spec":{"z":1,"b":true}}]`, `[{"metadata":{"name":"a-b"}},{"metadata":{"name":"data"}},{"metadata":{"name":"data"}}]`, `[{"metadata":{"name":"data-web"}},{"metadata":{}},{}]`}},
		{spec, "later", []string{`{"a":1}`}},
		{status, "observedGeneration", []string{`0`, `3`}},
		{status, "replicas", []string{`0`, `3`}},
		{status, "readyReplicas", []string{`2`}},
		{status, "availableReplicas", []string{`2`}},
		{status, "currentReplicas", []string{`1`}},
		{status, "updatedReplicas", []string{`1`}},
		{status, "currentRevision", []string{`"web-1f"`, `""`}},
		{status, "updateRevision", []string{`"web-2f"`}},
		{status, "collisionCount", []string{`0`, `2`}},
		{status, "conditions", []string{`[]`, `[{"type":"Blocked","status":"True","reason":"r","message":"m","lastTransitionTime":"2023-11-14T22:13:20Z"},{"type":"Other","status":"False","lastTransitionTime":null}]`}},
	} {
		if maybe(dice) {
			field.in[field.name] = json.RawMessage(oneOf(dice, field.values))
		}
	}
	object := map[string]any{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata}
	if len(spec) > 0 {
		object["spec"] = spec
	}
	if len(status) > 0 {
		object["status"] = status
	}
	text, err := json.Marshal(object)
	if err != nil {
		panic(err) // the texts are JSON
	}
	set := &unstructured.Unstructured{}
	if err := set.UnmarshalJSON(text); err != nil {
		panic(err)
	}
	return set
}
