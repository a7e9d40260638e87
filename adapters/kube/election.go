package kube

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/setplan/setplan/adapters"
)

// electionTimes are the times of a lease, and how long after its end a process may go on before it counts as stuck (tolerated).
type electionTimes struct{ lease, renew, retry, tolerated time.Duration }

// usualTimes begin with those of the controllers of Kubernetes.
var usualTimes = electionTimes{lease: 15 * time.Second, renew: 10 * time.Second, retry: 2 * time.Second, tolerated: 20 * time.Second}

var (
	// ErrLeaseLost is what Run returns when another replica may act now.
	ErrLeaseLost = errors.New("the lease was lost")
	// errNotNow keeps a lease from being given away while the last request is cut off, or in a successor's name, and from being renewed after the term.
	errNotNow = errors.New("the lease is not written now")
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

// run takes the leases one after the other and calls act while this process holds all of them. It gives a lease back once act has
// returned: nobody else may begin while an action is under way. It returns what act returns.
func (c *campaign) run(ctx context.Context, leases []string, act func(context.Context) error) error {
	if len(leases) == 0 {
		return act(ctx)
	}
	for {
		c.await(ctx)
		acted, err := c.elect(ctx, leases[0], func(ctx context.Context) error { return c.run(ctx, leases[1:], act) })
		if acted || err != nil || ctx.Err() != nil {
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

// mayAct returns why this process may not act: it could not work, or somebody else works under another lease.
func (c *campaign) mayAct(ctx context.Context) error {
	return errors.Join(c.mayLead(ctx), c.rivals.check(ctx))
}

// await waits until this process may act. It logs once what it waits for.
func (c *campaign) await(ctx context.Context) {
	for told := ""; ctx.Err() == nil; pause(ctx, c.times.retry) {
		err := c.mayAct(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		if err.Error() != told {
			told = err.Error()
			c.log.Warn("this replica does not ask for the lease", "reason", err)
		}
	}
}

// elect waits for one lease, calls act while it is held, and reports whether it did. Who works under another lease is asked before the lease is
// taken and again after, so that if two take theirs at once, at least one sees the other.
func (c *campaign) elect(ctx context.Context, name string, act func(context.Context) error) (acted bool, err error) {
	electing, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	waiting := context.AfterFunc(ctx, release) // whoever has the lease finishes first
	held := &lock{duration: c.times.lease - c.times.lease/10, Interface: &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: LeaseNamespace, Name: name},
		Client:     c.client,
		LockConfig: resourcelock.ResourceLockConfig{Identity: c.Identity},
	}}
	terms := make(chan context.Context, 1)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Name:            name,
		LeaseDuration:   c.times.lease,
		RenewDeadline:   c.times.renew,
		RetryPeriod:     c.times.retry,
		Lock:            held,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(term context.Context) { terms <- term },
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
	defer c.watch(name, nil)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		elector.Run(electing)
	}()
	select {
	case term := <-terms:
		if waiting() && c.mayAct(ctx) == nil { // if not, await says why
			acted, err = true, held.during(ctx, term, act)
		}
		release()
		<-ended
	case <-ended:
	}
	return acted, err
}

// lock is the lock of client-go's elector with two additions. It has a term, which ends before anybody else can see the lease expire, or once the lease is
// seen to name somebody else: the elector itself tries for another ten seconds, also in a process that was stopped for a while. And it is not given back
// while something is under way, nor once it is somebody else's: the elector would do that where it cannot renew the lease, or has not noticed.
type lock struct {
	resourcelock.Interface
	duration time.Duration // of a term, from when the last renewal was sent

	mu      sync.Mutex
	foreign bool // it named somebody else when it was read last
	sent    time.Time
	timer   *time.Timer // runs while something is under way
	term    context.Context
	end     context.CancelFunc // nil: nothing is under way
}

// during calls act with a context that ends with the elector's term or with this lock's. So do the requests under way then; those of a context that only
// ends are finished. The term of a lease that was taken before ends this one, too.
func (l *lock) during(ctx, elected context.Context, act func(context.Context) error) error {
	term, end := context.WithCancel(elected)
	defer end()
	defer context.AfterFunc(adapters.TermOf(ctx), end)()
	working, stop := context.WithCancel(adapters.WithTerm(ctx, term))
	defer stop()
	defer context.AfterFunc(term, stop)()
	l.mu.Lock()
	l.term, l.end, l.timer = term, end, time.AfterFunc(time.Until(l.sent.Add(l.duration)), end)
	l.mu.Unlock()
	err := act(working)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer.Stop()
	l.end = nil
	if term.Err() != nil && !errors.Is(err, ErrLeaseLost) {
		err = errors.Join(ErrLeaseLost, err)
	}
	return err
}

// Create implements resourcelock.Interface.
func (l *lock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.write(ctx, record, l.Interface.Create)
}

// Update implements resourcelock.Interface.
func (l *lock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.write(ctx, record, l.Interface.Update)
}

func (l *lock) write(ctx context.Context, record resourcelock.LeaderElectionRecord, write func(context.Context, resourcelock.LeaderElectionRecord) error) error {
	release := record.HolderIdentity == ""
	l.mu.Lock()
	refused := l.end != nil && (release || l.term.Err() != nil) || l.foreign && release
	l.mu.Unlock()
	if refused {
		return errNotNow
	}
	sent := time.Now()
	err := write(ctx, record)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil || release {
		return err
	}
	l.sent, l.foreign = sent, false
	if l.end != nil && l.timer.Stop() { // a term that has ended stays ended
		l.timer.Reset(time.Until(sent.Add(l.duration)))
	}
	return nil
}

// Get implements resourcelock.Interface.
func (l *lock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record, raw, err := l.Interface.Get(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.foreign = err == nil && record.HolderIdentity != "" && record.HolderIdentity != l.Identity()
	if l.end != nil && (apierrors.IsNotFound(err) || err == nil && record.HolderIdentity != l.Identity()) {
		l.end() // somebody gave it away without asking us
	}
	return record, raw, err
}
