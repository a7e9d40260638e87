// Command setplan-bad-adapter is an adapter that breaks a rule of proto/SPEC.md on purpose, so that setplan-conformance can be seen to
// find it. Without -breach it keeps them all. It is slow, and asks about every set again and again.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	setplan "github.com/setplan/setplan/clients/go"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "`file`")
	address := flag.String("planner-address", "", "`address` of the planner")
	ca := flag.String("planner-ca-file", "", "`file` with its authority")
	name := flag.String("breach", "", "`name` of the rule's breach; empty: none")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *kubeconfig, *address, *ca, *name); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-bad-adapter:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig, address, ca, name string) error {
	breach, known := breaches[name]
	if !known && name != "" {
		return fmt.Errorf("no breach is called %q", name)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	if breach.body != nil {
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { return wire{next, breach.body} })
	}
	clients, err := kube.NewClients(config)
	if err != nil {
		return err
	}
	sets, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	client, err := setplan.Dial(address, setplan.WithTLSFiles(ca, "", ""))
	if err != nil {
		return err
	}
	defer client.Close()
	caches := kube.NewCaches(kube.StatefulSets(), clients, nil)
	if err := caches.Start(ctx, slog.New(slog.NewTextHandler(io.Discard, nil))); err != nil {
		return err
	}
	source := kube.NewSource(kube.StatefulSets(), caches, clients.API, time.Now)
	a := &adapter{Source: source, Executor: kube.NewExecutor(kube.StatefulSets(), clients.API, source), Planner: client, sets: sets, breach: breach}
	var observers adapters.Observers
	if !breach.noEvents {
		events := record.NewBroadcaster()
		defer events.Shutdown()
		events.StartRecordingToSink(&corev1client.EventSinkImpl{Interface: sets.CoreV1().Events("")})
		recorder := events.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "setplan-bad-adapter"})
		observers = append(observers, kube.NewEvents(recorder, source.Reference))
	}
	loop := adapters.NewLoop(withSource{a}, withExecutor{a}, withPlanner{a}, observers, adapters.Options{})
	return a.forever(ctx, loop)
}

// forever asks about every set again and again, about each by itself.
func (a *adapter) forever(ctx context.Context, loop *adapters.Loop) error {
	pause := a.breach.pause
	if pause == 0 {
		pause = 150 * time.Millisecond
	}
	begun := map[adapters.Key]bool{}
	for ; ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		list, err := a.sets.AppsV1().StatefulSets("").List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			key := adapters.Key{Namespace: list.Items[i].Namespace, Name: list.Items[i].Name}
			if begun[key] {
				continue
			}
			begun[key] = true
			go func() {
				for ; ctx.Err() == nil; time.Sleep(pause) {
					_, _ = loop.Reconcile(ctx, key) // it is tried again in any case
				}
			}()
		}
	}
	return nil
}
