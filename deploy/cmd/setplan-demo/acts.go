package main

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/setplan/setplan/adapters/narrate"
)

//go:embed nginx.yaml
var nginx []byte

// act is one command of the user, what it is about, and how many pods it must update before the act is over.
type act struct {
	about   string
	command []string
	updated func(set *appsv1.StatefulSet) int32
}

func all(set *appsv1.StatefulSet) int32 { return *set.Spec.Replicas }

// onlyAbovePartition is what an update behind a partition comes to rest at.
func onlyAbovePartition(set *appsv1.StatefulSet) int32 {
	return *set.Spec.Replicas - *set.Spec.UpdateStrategy.RollingUpdate.Partition
}

var acts = []act{
	{"three replicas, one after the other, each ready for 2 seconds before the next begins",
		[]string{"apply", "-f"}, all},
	{"two more", []string{"scale", "statefulset/web", "--replicas=5"}, all},
	{"three fewer, from the highest; their claims stay", []string{"scale", "statefulset/web", "--replicas=2"}, all},
	{"three again: web-2 gets its old claim", []string{"scale", "statefulset/web", "--replicas=3"}, all},
	{"from now on only ordinals from 2 on are updated", []string{"patch", "statefulset/web", "-p",
		`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}`}, all},
	{"a new image: web-2 is the canary", []string{"set", "image", "statefulset/web", "nginx=registry.k8s.io/nginx-slim:0.9"},
		onlyAbovePartition},
	{"the canary sings: now all of them", []string{"patch", "statefulset/web", "-p",
		`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}`}, all},
	{"back to the first image; its revision is used again", []string{"rollout", "undo", "statefulset/web"}, all},
	{"the end: whenDeleted is Delete, so the claims go too", []string{"delete", "statefulset/web", "--wait=false"}, nil},
}

// audience plays one act at a time and waits until the cluster has come to rest.
type audience struct {
	stage    *stage
	narrator *narrate.Narrator
	client   kubernetes.Interface
}

func (a *audience) connect(config *rest.Config) (err error) {
	a.client, err = kubernetes.NewForConfig(config)
	return err
}

// patience is how long one act may take on a slow machine.
const patience = 3 * time.Minute

func (a *audience) watch(ctx context.Context, act act) error {
	if err := a.user(ctx, act.about, act.command); err != nil {
		return err
	}
	return a.until(ctx, func(ctx context.Context) (string, error) { return a.unfinished(ctx, act) })
}

// user lets the user type a command.
func (a *audience) user(ctx context.Context, about string, command []string) error {
	shown := strings.Join(command, " ")
	if command[0] == "apply" {
		shown += " nginx.yaml"
	}
	a.narrator.Say("kubectl %s   # %s", shown, about)
	return a.kubectl(ctx, command)
}

// until waits for what somebody says is missing; empty if nothing is.
func (a *audience) until(ctx context.Context, missing func(context.Context) (string, error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		reason, err := missing(ctx)
		if err != nil {
			return err
		}
		if reason == "" {
			time.Sleep(300 * time.Millisecond) // the last lines belong to this act
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %s", ctx.Err(), reason)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// unfinished says what an act still waits for; empty if nothing.
func (a *audience) unfinished(ctx context.Context, act act) (string, error) {
	set, err := a.client.AppsV1().StatefulSets("default").Get(ctx, "web", metav1.GetOptions{})
	if act.updated == nil {
		return a.leftovers(ctx, err)
	}
	if err != nil {
		return "", err
	}
	want, st := *set.Spec.Replicas, set.Status
	if st.ObservedGeneration != set.Generation || st.Replicas != want || st.AvailableReplicas != want ||
		st.UpdatedReplicas != act.updated(set) || act.updated(set) == want && st.CurrentRevision != st.UpdateRevision {
		return fmt.Sprintf("the status is %+v", st), nil
	}
	return "", nil
}

// leftovers says what is left of a deleted set.
func (a *audience) leftovers(ctx context.Context, getErr error) (string, error) {
	if !apierrors.IsNotFound(getErr) {
		return "the set is still there", getErr
	}
	pods, err := a.client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", err
	}
	claims, err := a.client.CoreV1().PersistentVolumeClaims("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", err
	}
	if n, m := len(pods.Items), len(claims.Items); n+m > 0 {
		return fmt.Sprintf("%d pods and %d claims are still there", n, m), nil
	}
	return "", nil
}
