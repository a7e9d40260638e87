package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	coordination "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	core "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

const (
	tick     = 100 * time.Millisecond
	renewal  = time.Second
	fence    = 6 * time.Second  // so long after its last renewal a primary stops
	duration = 10 * time.Second // of the lease: then another one may take it
	patience = 10 * time.Second // with a standby that does not stream
	handover = "handover"       // the lease's annotation: the member that is to be the primary
)

// agent runs a member.
type agent struct {
	name      string
	server    server
	leases    coordinationclient.LeaseInterface
	pods      core.PodInterface
	seen      string // the lease's resource version
	seenAt    time.Time
	renewed   time.Time
	fence     *time.Timer
	leads     bool      // its server is, or becomes, a primary
	primary   string    // whom its server follows
	streaming time.Time // when it last was, or was not expected to be
	rewound   bool      // since then
	role      string    // its label
}

// here is the database of this pod.
var here *pgxpool.Pool

func run(ctx context.Context) (err error) {
	if here, err = pgxpool.New(context.Background(), connection(local, "")); err != nil {
		return err
	}
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	config.QPS, config.Burst, config.Timeout = 50, 50, 2*time.Second
	api, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	space := os.Getenv("NAMESPACE")
	a := &agent{name: os.Getenv("POD"), leases: api.CoordinationV1().Leases(space), pods: api.CoreV1().Pods(space)}
	a.fence = time.AfterFunc(fence, func() { log.Fatal("the lease could not be renewed") }) // the end of the first process ends all of the container
	a.fence.Stop()
	go func() { log.Fatal(http.ListenAndServe(":8008", probes())) }()
	for {
		if err := a.step(ctx); err != nil && ctx.Err() == nil {
			log.Print(err)
		}
		select {
		case <-ctx.Done():
			return a.resign(context.Background())
		case <-time.After(tick):
		}
	}
}

// state is what a server says of itself.
type state struct {
	Member              string
	Recovery, Streaming bool
	Position            string // timeline and end of what it has, of which the greater has more; none while it replays what it has
}

func look(ctx context.Context) (s state, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	s.Member = os.Getenv("POD")
	err = here.QueryRow(ctx, `SELECT pg_is_in_recovery(), EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming'),
		coalesce((SELECT max(substr(name, 1, 8)) FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$') || lpad(to_hex((CASE
			WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn()
			WHEN pg_last_wal_receive_lsn() IS NOT NULL THEN greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())
		END - '0/0')::bigint), 16, '0'), '')`).Scan(&s.Recovery, &s.Streaming, &s.Position)
	return s, err
}

func probes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/livez", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, r *http.Request) {
		if s, err := look(r.Context()); err != nil || s.Recovery && !s.Streaming {
			http.Error(w, fmt.Sprint(s, err), http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("/state", func(w http.ResponseWriter, r *http.Request) {
		s, err := look(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		json.NewEncoder(w).Encode(s)
	})
	return mux
}

// step does what the lease asks of this member.
func (a *agent) step(ctx context.Context) error {
	lease, err := a.leases.Get(ctx, os.Getenv("SET"), metav1.GetOptions{})
	if apierrors.IsNotFound(err) && a.name == members()[0] {
		return a.begin(ctx)
	}
	if err != nil {
		return err
	}
	if a.seen != lease.ResourceVersion {
		a.seen, a.seenAt = lease.ResourceVersion, time.Now()
	}
	holder, wanted := *lease.Spec.HolderIdentity, lease.Annotations[handover]
	if holder != a.name && time.Since(a.seenAt) > duration {
		holder = ""
	}
	switch {
	case holder == a.name && (!exists(data) || wanted != "" && wanted != a.name):
		return a.resign(ctx)
	case holder == a.name:
		return a.lead(ctx, lease)
	case holder == "" && newest(ctx, a.name) == a.name:
		return a.lead(ctx, lease)
	}
	return a.follow(ctx, holder)
}

// begin makes the database. That there is a lease says that there is one.
func (a *agent) begin(ctx context.Context) error {
	if !exists(data) {
		if err := initialize(ctx); err != nil {
			return err
		}
	}
	_, err := a.leases.Create(ctx, &coordination.Lease{ObjectMeta: metav1.ObjectMeta{Name: os.Getenv("SET")}, Spec: coordination.LeaseSpec{HolderIdentity: &a.name}}, metav1.CreateOptions{})
	return err
}

// newest is the member that has the most, the preferred one if it has as much; none where nobody knows. What was acknowledged is at the former primary and at
// one other, so all but one have to answer; the first answers are enough, as one that has gone may keep its address for a second.
func newest(ctx context.Context, preferred string) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	answers := make(chan state, len(members()))
	for _, member := range members() {
		go func() {
			if s, err := ask(ctx, member); err == nil && s.Position != "" {
				answers <- s
			}
		}()
	}
	var most state
	for range len(members()) - 1 {
		select {
		case s := <-answers:
			if s.Position > most.Position || s.Position == most.Position && s.Member == preferred {
				most = s
			}
		case <-ctx.Done():
			return ""
		}
	}
	return most.Member
}

func ask(ctx context.Context, member string) (s state, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host(member)+":8008/state", nil)
	if err != nil {
		return s, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return s, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return s, fmt.Errorf("%s answers %s", member, response.Status)
	}
	return s, json.NewDecoder(response.Body).Decode(&s)
}

// lead holds the lease, and makes the server a primary.
func (a *agent) lead(ctx context.Context, lease *coordination.Lease) error {
	if *lease.Spec.HolderIdentity != a.name || time.Since(a.renewed) > renewal {
		now := metav1.NowMicro()
		lease.Spec.HolderIdentity, lease.Spec.RenewTime = &a.name, &now
		delete(lease.Annotations, handover)
		if _, err := a.leases.Update(ctx, lease, metav1.UpdateOptions{}); err != nil {
			return err
		}
		a.renewed = now.Time
		a.fence.Reset(fence - time.Since(now.Time))
	}
	if !a.server.runs() {
		return a.server.start(a.name, "")
	}
	own, err := look(ctx)
	if err != nil || own.Position == "" {
		return err
	}
	if own.Recovery {
		log.Print("promote")
		a.leads = true
		_, err = here.Exec(ctx, "SELECT pg_promote(true, 3)")
		return err
	}
	if a.role != "primary" {
		for _, member := range members() {
			a.label(ctx, member, "replica") // a former primary may not be there to say so
		}
	}
	return a.label(ctx, a.name, "primary")
}

// follow makes the server a standby of the primary, if there is one.
func (a *agent) follow(ctx context.Context, primary string) error {
	if a.leads { // it has lost the lease
		a.server.stop(syscall.SIGQUIT)
		a.leads = false
		a.fence.Stop()
	}
	if primary != "" && !exists(data) {
		return create(ctx, "pg_basebackup", "-R", "-c", "fast", "-d", connection(host(primary), "target_session_attrs=read-write"))
	}
	if !exists(data) {
		return nil
	}
	if !a.server.runs() {
		if primary != "" && !exists(standby) { // it was a primary
			if err := a.server.rewind(ctx, primary, false); err != nil {
				return err
			}
		}
		a.primary, a.streaming = primary, time.Now()
		return a.server.start(a.name, primary)
	}
	if primary != "" && primary != a.primary {
		log.Print("follow ", primary)
		if err := configure(a.name, primary); err != nil {
			return err
		}
		if err := a.server.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			return err
		}
		a.primary, a.streaming = primary, time.Now()
	}
	own, err := look(ctx)
	if err != nil {
		return err
	}
	if own.Streaming || primary == "" {
		a.streaming, a.rewound = time.Now(), false
	}
	if time.Since(a.streaming) > patience {
		err := a.server.rewind(ctx, primary, a.rewound)
		a.rewound = err == nil
		return err
	}
	return a.label(ctx, a.name, "replica")
}

// resign ends the server, and gives the lease, if this member holds it, to one that has all that was written.
func (a *agent) resign(ctx context.Context) error {
	if a.leads { // what is on the disk already is not to be written while nobody is the primary
		short, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		if _, err := here.Exec(short, "CHECKPOINT"); err != nil {
			log.Print(err)
		}
	}
	a.server.stop(syscall.SIGINT)
	a.leads = false
	a.fence.Stop()
	lease, err := a.leases.Get(ctx, os.Getenv("SET"), metav1.GetOptions{})
	if err != nil || *lease.Spec.HolderIdentity != a.name {
		return err
	}
	successor := newest(ctx, lease.Annotations[handover])
	log.Print("hand over to ", successor)
	lease.Spec.HolderIdentity = &successor
	_, err = a.leases.Update(ctx, lease, metav1.UpdateOptions{})
	return err
}

func (a *agent) label(ctx context.Context, member, role string) error {
	if member == a.name && role == a.role {
		return nil
	}
	patch := fmt.Appendf(nil, `{"metadata":{"labels":{"role":%q}}}`, role)
	_, err := a.pods.Patch(ctx, member, types.MergePatchType, patch, metav1.PatchOptions{})
	if err == nil && member == a.name {
		a.role = role
	}
	return err
}
