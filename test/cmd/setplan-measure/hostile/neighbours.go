package hostile

import (
	"fmt"
	"math"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
)

// neighbour is something that one user may do in one namespace.
type neighbour struct {
	name, what string
	// move returns when the neighbour is there. What it keeps doing goes on in the background.
	move func(*attacker) error
}

var neighbours = []neighbour{
	{"alias-55k", "20 sets whose drain template is YAML of 55 kB that means 260 MB", func(a *attacker) error {
		return a.sets(20, template(aliasBomb(55<<10)))
	}},
	{"alias-256k", "20 sets with the same of 256 KiB, the API's limit", func(a *attacker) error {
		return a.sets(20, template(aliasBomb(255<<10)))
	}},
	{"annotations", "20 sets with annotations of 255 KiB, which are no values of ours", func(a *attacker) error {
		return a.sets(20, func(set *appsv1.StatefulSet) {
			set.Annotations[adapters.AnnotationRepair] = strings.Repeat("x", 255<<10)
		})
	}},
	{"affinity-4000", "10 sets with 4,000 labels in an affinity, edited all the time", func(a *attacker) error {
		labels := map[string]string{}
		for i := range 4000 {
			labels[fmt.Sprintf("label-%d", i)] = "x"
		}
		err := a.sets(10, func(set *appsv1.StatefulSet) {
			set.Spec.Template.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
				PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 1, PodAffinityTerm: corev1.PodAffinityTerm{
					TopologyKey: "x", LabelSelector: &metav1.LabelSelector{MatchLabels: labels}}}}}}
		})
		a.edits(10, time.Second)
		return err
	}},
	{"labels-1000", "5 sets with 1,000 labels and 1,000 claim templates", func(a *attacker) error {
		return a.sets(5, func(set *appsv1.StatefulSet) {
			for i := range 1000 {
				set.Spec.Template.Labels[fmt.Sprintf("label-%d", i)] = "x"
				set.Spec.VolumeClaimTemplates = append(set.Spec.VolumeClaimTemplates, claimTemplate(fmt.Sprintf("c%d", i)))
			}
		})
	}},
	{"stuck-1000", "1,000 sets whose pods a quota refuses", func(a *attacker) error {
		if err := a.stuck(1000); err != nil {
			return err
		}
		return a.allSeen()
	}},
	{"arriving-1000", "the same 1,000 sets, while the adapter sees them for the first time", func(a *attacker) error {
		return a.stuck(1000)
	}},
	{"wide", "5 Parallel sets of 100,000 pods that a quota refuses", func(a *attacker) error {
		if err := a.noPods(); err != nil {
			return err
		}
		return a.sets(5, func(set *appsv1.StatefulSet) {
			set.Spec.PodManagementPolicy, set.Spec.Replicas = appsv1.ParallelPodManagement, new(int32(100_000))
		})
	}},
	{"replicas", "10 sets of 2,147,483,647 pods, half of them Parallel, edited all the time", func(a *attacker) error {
		err := a.sets(10, func(set *appsv1.StatefulSet) {
			set.Spec.Replicas = new(int32(math.MaxInt32))
			set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{claimTemplate("www")}
			if set.Name > "web4" {
				set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
			}
		})
		a.edits(10, 100*time.Millisecond)
		return err
	}},
	{"names", "a set under a new name 20 times a second, whose pods a quota refuses; each is deleted five seconds later", func(a *attacker) error {
		if err := a.noPods(); err != nil { // otherwise the healthy set would wait for the simulated kubelet
			return err
		}
		a.churns(50*time.Millisecond, 100)
		return nil
	}},
	{"failing-pods", "50 sets whose pods fail a second after they run, and are made again", func(a *attacker) error {
		return a.sets(50, func(set *appsv1.StatefulSet) {
			set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
			set.Spec.Template.Spec.Containers[0].Image = "registry.example/fails:1"
		})
	}},
	{"foreign", "a set, and 2,000 pods and 2,000 claims of nobody with names that it might want", func(a *attacker) error {
		err := a.sets(1, func(set *appsv1.StatefulSet) {
			set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{claimTemplate("www")}
		})
		if err != nil {
			return err
		}
		return many(2000, a.foreigner)
	}},
	{"edited", "20 stuck sets that are edited 50 times a second, each time to be looked at again", func(a *attacker) error {
		if err := a.noPods(); err != nil {
			return err
		}
		err := a.sets(20, func(*appsv1.StatefulSet) {})
		a.edits(20, 20*time.Millisecond)
		return err
	}},
	{"revisions", "10 sets that keep 20 revisions of 200 kB", func(a *attacker) error {
		err := a.sets(10, func(set *appsv1.StatefulSet) {
			set.Spec.RevisionHistoryLimit = new(int32(20))
			set.Spec.Template.Annotations = map[string]string{"x": strings.Repeat("x", 200<<10)}
		})
		a.edits(10, 500*time.Millisecond)
		return err
	}},
	{"finalizers", "50 sets whose pods never go, edited all the time", func(a *attacker) error {
		err := a.sets(50, func(set *appsv1.StatefulSet) {
			set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
			set.Spec.Template.Finalizers = []string{"example.com/never"}
		})
		a.edits(50, 100*time.Millisecond)
		return err
	}},
	{"drains", "100 sets whose drains fail", func(a *attacker) error {
		err := a.sets(100, func(set *appsv1.StatefulSet) {
			set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{claimTemplate("www")}
			template(`{"spec":{"restartPolicy":"Never","containers":[{"name":"drain","image":"registry.example/fails:1"}]}}`)(set)
		})
		if err != nil {
			return err
		}
		return many(100, func(i int) error { return a.patch(i, `{"spec":{"replicas":1}}`) })
	}},
}

// aliasBomb is YAML of about this many bytes: half is one text, the rest are aliases that repeat it.
func aliasBomb(size int) string {
	return "metadata:\n  name: &a " + strings.Repeat("x", size/2) + "\nspec:\n  x: [" + strings.Repeat("*a,", size/6-20) + "*a]\n"
}

func template(text string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) { set.Annotations[adapters.AnnotationDrainTemplate] = text }
}

func claimTemplate(name string) corev1.PersistentVolumeClaim {
	return corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
		},
	}
}

func (a *attacker) patch(i int, text string) error {
	_, err := a.Client.AppsV1().StatefulSets(a.namespace).Patch(a.ctx, fmt.Sprintf("web%d", i), types.MergePatchType, []byte(text), metav1.PatchOptions{})
	return err
}

// ticks does something on each tick, with its number, from 1 on.
func (a *attacker) ticks(every time.Duration, do func(turn int) error) {
	clock, turn := time.NewTicker(every), 0
	a.goesOn(func() error {
		select {
		case <-a.ctx.Done():
			return nil
		case <-clock.C:
		}
		turn++
		return do(turn)
	})
}

// edits gives each of the first n sets in turn a new template, one per tick.
func (a *attacker) edits(n int, every time.Duration) {
	a.ticks(every, func(turn int) error {
		return a.patch(turn%n, fmt.Sprintf(`{"spec":{"template":{"metadata":{"labels":{"edit":"e%d"}}}}}`, turn))
	})
}

// churns creates a set with a new name on each tick, and deletes the one created this many ticks earlier.
func (a *attacker) churns(every time.Duration, behind int) {
	sets := a.Client.AppsV1().StatefulSets(a.namespace)
	a.ticks(every, func(turn int) error {
		set := webSet(fmt.Sprintf("name%d", turn), 3)
		set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
		if _, err := sets.Create(a.ctx, set, metav1.CreateOptions{}); err != nil || turn <= behind {
			return err
		}
		return sets.Delete(a.ctx, fmt.Sprintf("name%d", turn-behind), metav1.DeleteOptions{})
	})
}

// foreigner creates a pod and a claim without an owner, in the way of web0.
func (a *attacker) foreigner(i int) error {
	core := a.Client.CoreV1()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("web0-%d", i)}, Spec: webSet("web0", 1).Spec.Template.Spec}
	if _, err := core.Pods(a.namespace).Create(a.ctx, pod, metav1.CreateOptions{}); err != nil && i >= 3 {
		return err // the first three may already be the set's own
	}
	claim := claimTemplate(fmt.Sprintf("www-web0-%d", i))
	if _, err := core.PersistentVolumeClaims(a.namespace).Create(a.ctx, &claim, metav1.CreateOptions{}); err != nil && i >= 3 {
		return err
	}
	return nil
}
