package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"time"

	"google.golang.org/protobuf/proto"
	"k8s.io/client-go/rest"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	setplan "github.com/setplan/setplan/clients/go"
	"github.com/setplan/setplan/engine/model"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/server/codec"
)

// remote is the whole way from the adapter's caches to a plan: the adapter's loop, in observe mode, over informers that have
// listed the sets, the Go client, TLS on loopback, and the server with its interceptors and log.
type remote struct {
	api    *httptest.Server
	client *setplan.Client
	source *kube.Source
	loop   *adapters.Loop
	last   *setplanv1.Plan // of the last reconcile
	held   error           // why the last reconcile had no plan
	stop   context.CancelFunc
	served chan error // nil until the server runs
	folder string
}

// connect starts all of it; close ends it.
func connect(sets ...*work) (r *remote, err error) {
	ctx, stop := context.WithCancel(context.Background())
	r = &remote{stop: stop}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	if r.folder, err = os.MkdirTemp("", "setplan-bench-"); err != nil {
		return r, err
	}
	files, err := certificate(r.folder)
	if err != nil {
		return r, err
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil)) // lines are formatted and discarded
	s, err := server.New(server.Config{ListenAddress: "127.0.0.1:0", TLS: files, Log: log})
	if err != nil {
		return r, err
	}
	r.served = make(chan error, 1)
	go func() { r.served <- s.Run(ctx) }()
	if r.client, err = setplan.Dial(s.Addr().String(), setplan.WithTLSFiles(files.CertFile, "", "")); err != nil {
		return r, err
	}
	r.api = apiServer(sets)
	clients, err := kube.NewClients(&rest.Config{Host: r.api.URL, QPS: -1})
	if err != nil {
		return r, err
	}
	caches := kube.NewCaches(kube.StatefulSets(), clients, nil)
	if err = caches.Start(ctx, log); err != nil {
		return r, err
	}
	r.source = kube.NewSource(kube.StatefulSets(), caches, clients.API, func() time.Time { return noon })
	r.loop = adapters.NewLoop(r.source, nil, r.client, r, adapters.Options{
		Behavior: setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_37, ObserveOnly: true})
	return r, nil
}

// call reconciles a set as often as its work takes.
func (r *remote) call(w *work, plans int) func() error {
	key := keyOf(w)
	return func() error {
		for range plans {
			if _, err := r.loop.Reconcile(context.Background(), key); err != nil {
				return err
			}
		}
		return r.held
	}
}

func keyOf(w *work) adapters.Key { return adapters.Key{Namespace: w.set.Namespace, Name: w.set.Name} }

// check compares the remote plan of a set with the engine's.
func (r *remote) check(w *work, plan *model.Plan) error {
	r.last = nil
	if err := r.call(w, 1)(); err != nil {
		return err
	}
	if !proto.Equal(r.last, codec.Encode(plan, namespace)) {
		return fmt.Errorf("the remote plan of %s differs from the engine's:\n%.2000s", w.set.Name, r.last)
	}
	return nil
}

func (r *remote) close() {
	if r.client != nil {
		_ = r.client.Close()
	}
	r.stop()
	if r.served != nil {
		<-r.served
	}
	if r.api != nil {
		r.api.CloseClientConnections()
		r.api.Close()
	}
	_ = os.RemoveAll(r.folder)
}

// The loop's observer keeps the plan.

func (r *remote) Planned(_ adapters.Key, _ *setplanv1.Snapshot, plan *setplanv1.Plan) {
	r.last, r.held = plan, nil
}
func (r *remote) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {}
func (r *remote) Held(_ adapters.Key, _ string, err error)                                      { r.held = err }
func (r *remote) Forgotten(key adapters.Key)                                                    { r.held = fmt.Errorf("%s is gone", key) }
