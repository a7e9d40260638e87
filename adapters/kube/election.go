package kube

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/setplan/setplan/adapters"
)

// electionTimes are the times of a lease; how long after its end a process may go on before it counts as stuck (tolerated); and how
// long a holder waits for its caches before it lets another replica try, and then stays out of the election (behind).
type electionTimes struct{ lease, renew, retry, tolerated, behind time.Duration }

// usualTimes begin with those of the controllers of Kubernetes.
var usualTimes = electionTimes{lease: 15 * time.Second, renew: 10 * time.Second, retry: 2 * time.Second, tolerated: 20 * time.Second, behind: time.Minute}

var (
	// ErrLeaseLost is what Run returns when another replica may act now.
	ErrLeaseLost = errors.New("the lease was lost")
	// errStoodDown is why a term ended before its lease did.
	errStoodDown = errors.New("the lease was released for a replica that can act")
)

// Election makes adapters of one cluster take turns. See leasesFor for the leases.
type Election struct {
	// Identity names this process. It must be unique among the processes that take part.
	Identity string

	times electionTimes // of tests; zero: usualTimes

	mu       sync.Mutex
	electors map[string]*leaderelection.LeaderElector // by lease
}

// Check fails when this process has lost its lease and is still there: something in it is stuck, and a restart helps. The
// monitor serves it.
func (e *Election) Check(*http.Request) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, elector := range e.electors {
		if err := elector.Check(e.usedTimes().tolerated); err != nil {
			return err
		}
	}
	return nil
}

func (e *Election) usedTimes() electionTimes {
	if e.times == (electionTimes{}) {
		return usualTimes
	}
	return e.times
}

// watch makes Check look at an elector; nil ends that for the lease.
func (e *Election) watch(lease string, elector *leaderelection.LeaderElector) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.electors == nil {
		e.electors = map[string]*leaderelection.LeaderElector{}
	}
	if elector == nil {
		delete(e.electors, lease)
		return
	}
	e.electors[lease] = elector
}

// campaign is what the elections for the leases of one adapter share.
type campaign struct {
	*Election
	times   electionTimes
	client  coordinationclient.LeasesGetter
	rivals  *rivals
	mayLead func(context.Context) error
	log     *slog.Logger
}

// campaign does not connect. mayLead returns why this process could not work if it had the lease.
func (e *Election) campaign(config *rest.Config, kind SetKind, namespaces []string, mayLead func(context.Context) error, log *slog.Logger) (*campaign, error) {
	c := &campaign{Election: e, times: e.usedTimes(), mayLead: mayLead, log: log}
	// Without a rate limit: a renewal must not queue behind a thousand pods, nor behind the renewal of another lease.
	config = rest.CopyConfig(config)
	config.UserAgent, config.RateLimiter, config.QPS = Manager, nil, -1
	config.Timeout = c.times.renew / 2
	client, err := coordinationclient.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("client for the lease: %w", err)
	}
	c.client, c.rivals = client, newRivals(client.Leases(LeaseNamespace), kind, len(namespaces) == 0, e.Identity, c.times.lease)
	return c, nil
}

// run takes the leases one after the other and calls act while this process holds all of them. It releases a lease only after
// act has returned: nobody else may begin while an action is under way. If act returns by itself the error is errStoodDown.
func (c *campaign) run(ctx context.Context, leases []string, act func(context.Context)) error {
	if len(leases) == 0 {
		act(ctx)
		return nil
	}
	for {
		if err := c.await(ctx); err != nil || ctx.Err() != nil {
			return err
		}
		elected, err := c.elect(ctx, leases[0], func(ctx context.Context) error { return c.run(ctx, leases[1:], act) })
		if elected || err != nil || ctx.Err() != nil {
			return err
		}
		// Of two processes that have stepped back from each other, one is faster next time.
		pause(ctx, wait.Jitter(c.times.retry/2, 8))
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// await waits until this process could work and nobody else works under another lease. It logs once what it waits for. A
// process that cannot work and already holds a lease must release it.
func (c *campaign) await(ctx context.Context) error {
	told := ""
	for {
		away := c.mayLead(ctx)
		if away != nil && adapters.TermOf(ctx) != context.Background() && ctx.Err() == nil {
			return errStoodDown
		}
		err := errors.Join(away, c.rivals.check(ctx))
		if err == nil || ctx.Err() != nil {
			return nil
		}
		if err.Error() != told {
			told = err.Error()
			c.log.Warn("this replica does not ask for the lease", "reason", err)
		}
		pause(ctx, c.times.retry)
	}
}

// elect waits for one lease, calls act while it is held, and reports whether it was.
func (c *campaign) elect(ctx context.Context, name string, act func(context.Context) error) (elected bool, err error) {
	electing, stopElecting := context.WithCancel(context.WithoutCancel(ctx))
	defer stopElecting()
	held := &lease{
		Interface: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: LeaseNamespace, Name: name},
			Client:     c.client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: c.Identity},
		},
		duration: c.times.lease,
		mayTake:  c.mayLead,
		rivals:   c.rivals.check,
		refused:  func(error) { stopElecting() }, // await says why
	}
	defer context.AfterFunc(ctx, func() {
		if held.current() == nil {
			stopElecting()
		}
	})()

	var acted error
	lost := false
	done := make(chan struct{})
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Name:          name,
		LeaseDuration: c.times.lease,
		RenewDeadline: c.times.renew,
		RetryPeriod:   c.times.retry,
		Lock:          held,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(leading context.Context) {
				defer close(done)
				term := held.current()
				// When the lease is lost or cannot be renewed, or when the process is told to stop, nothing new begins. Actions
				// under way have until the end of the term.
				working, stopWorking := context.WithCancel(ctx)
				defer stopWorking()
				defer context.AfterFunc(leading, stopWorking)()
				defer context.AfterFunc(term, stopWorking)()
				defer context.AfterFunc(adapters.TermOf(ctx), term.end)() // of the lease that was taken before
				acted = act(adapters.WithTerm(working, term))
				lost = leading.Err() != nil || term.Err() != nil
				stopElecting()
			},
			OnStoppedLeading: func() {},
			OnNewLeader: func(identity string) {
				c.log.Info("the lease is held", "lease", name, "holder", identity, "ours", identity == c.Identity)
			},
		},
	})
	if err != nil {
		return false, fmt.Errorf("lease %s: %w", name, err)
	}
	c.watch(name, elector)
	elector.Run(electing)
	if held.current() == nil {
		return false, nil
	}
	<-done
	held.current().end()
	if lost {
		return true, errors.Join(ErrLeaseLost, acted)
	}
	c.watch(name, nil) // it does not know that the lease is given back
	if err := held.release(ctx); err != nil {
		c.log.Warn("the lease was not released; the next holder has to wait until it expires", "error", err)
	}
	if acted == nil && ctx.Err() == nil {
		acted = errStoodDown
	}
	return true, acted
}
