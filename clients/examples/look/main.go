// Command look says why a set is waiting: look NAMESPACE NAME PLANNER.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/adapters/snapshot"
	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: look NAMESPACE NAME PLANNER")
	}
	if err := look(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func look(ctx context.Context, namespace, name, planner string) error {
	objects, err := read(ctx, namespace, name)
	if err != nil {
		return err
	}
	complete := &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true}
	request := &setplanv1.PlanRequest{}
	if request.Snapshot, err = snapshot.Of(objects, complete, time.Now()); err != nil {
		return err
	}
	client, err := setplan.Dial(planner, setplan.WithInsecure()) // it is on this machine
	if err != nil {
		return err
	}
	defer client.Close()
	response, err := client.Plan(ctx, request)
	if err != nil {
		return err
	}
	fmt.Printf("%s is %s", name, setplan.Describe(response.GetPlan()))
	return nil
}

// read lists what a snapshot is made from; snapshot.Of picks what belongs to the set.
func read(ctx context.Context, namespace, name string) (*snapshot.Objects, error) {
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(clientcmd.NewDefaultClientConfigLoadingRules(), nil).ClientConfig()
	if err != nil {
		return nil, err
	}
	clients, err := kube.NewClients(config)
	if err != nil {
		return nil, err
	}
	pods, noPods := clients.Core.Pods(namespace).List(ctx, metav1.ListOptions{})
	claims, noClaims := clients.Core.PersistentVolumeClaims(namespace).List(ctx, metav1.ListOptions{})
	revisions, noRevisions := clients.Apps.ControllerRevisions(namespace).List(ctx, metav1.ListOptions{})
	sets, noSets := clients.Dynamic.Resource(kube.StatefulSets().GVR()).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err := errors.Join(noPods, noClaims, noRevisions, noSets); err != nil {
		return nil, err
	}
	out := &snapshot.Objects{Pods: pointers(pods.Items), Claims: pointers(claims.Items), Revisions: pointers(revisions.Items)}
	for i := range sets.Items {
		set, err := snapshot.FromUnstructured(&sets.Items[i])
		if err != nil {
			return nil, err
		}
		if out.Others = append(out.Others, set); set.Name == name {
			out.Set = set
		}
	}
	return out, nil
}

func pointers[T any](items []T) (all []*T) {
	for i := range items {
		all = append(all, &items[i])
	}
	return all
}
