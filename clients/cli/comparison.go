package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/compare"
	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// comparison watches sets that another controller runs.
type comparison struct {
	options   *options
	kind      kube.SetKind
	namespace string
	keys      []adapters.Key // in order
	planner   *planner
	version   string
	behavior  setplanv1.Behavior
	grace     time.Duration
	events    coreclient.EventsGetter

	sets     map[adapters.Key]*comparedSet
	asker    *asker
	followed *followed
	begun    time.Time // zero: nothing is seen yet
	ended    time.Time
	told     time.Time // the progress
	blind    error     // why nothing is seen now
	pause    pause
	unread   bool // it was noted that events must not be read

	mu     sync.Mutex
	due    map[adapters.Key]bool    // something may have changed
	traces map[string]compare.Trace // by the uid of a pod that is going, or has to
}

// comparedSet is a set, and when the planner wants to be asked again although nothing changes.
type comparedSet struct {
	*compare.Set
	again time.Time
}

// changed notes that a set may have changed.
func (c *comparison) changed(key adapters.Key) bool {
	if c.sets[key] == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due[key] = true
	return true
}

// saw notes what a pod says about its end. Whoever asks does so after the pod is gone.
func (c *comparison) saw(pod *corev1.Pod) {
	c.mu.Lock()
	defer c.mu.Unlock()
	uid := string(pod.UID)
	if trace := c.traces[uid].With(pod); trace != (compare.Trace{}) {
		c.traces[uid] = trace
	}
}

// run watches until the context ends, which is no error, or an error shows that waiting does not help.
func (c *comparison) run(ctx context.Context, length time.Duration) (err error) {
	// The log lines of client-go would stand between ours.
	c.followed, err = c.options.follow(klog.NewContext(ctx, klog.Logger{}), c.kind, c.namespace, news{pod: c.saw, changed: c.changed})
	if err != nil {
		return err
	}
	c.asker = newAsker(c.followed.source, c.planner, c.behavior)
	second := time.NewTicker(time.Second) // for what changes with time alone
	defer second.Stop()
	for ctx.Err() == nil {
		if err := c.look(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		c.tell(length)
		select {
		case <-ctx.Done():
		case <-c.followed.changed:
		case <-second.C:
		}
	}
	if c.begun.IsZero() {
		return errors.New("nothing could be compared: " + c.why())
	}
	c.ended = time.Now()
	return nil
}

// look compares the sets about which there may be something new.
func (c *comparison) look(ctx context.Context) error {
	if err := c.followed.trouble(); err != nil || !c.followed.synced() {
		return c.sightless(err)
	}
	if c.pause.last(time.Now()) != nil {
		return nil
	}
	for _, key := range c.takeDue() {
		switch err := c.lookAt(ctx, key); {
		case ctx.Err() != nil:
			return nil
		case err != nil && ofOneSet(ctx, err):
			c.unplanned(key, err)
		case err != nil:
			c.pause.longer(err, time.Now())
			return c.sightless(err)
		default:
			c.sets[key].Failed(nil)
		}
	}
	switch {
	case c.begun.IsZero():
		c.begun, c.told = time.Now(), time.Now()
		c.options.note("comparing %s; Ctrl-C ends it and prints what was seen so far", show.Count(len(c.keys), "set"))
	case c.blind != nil:
		c.options.note("comparing again")
	}
	c.blind, c.pause = nil, pause{}
	return nil
}

// takeDue lists the sets to look at, in order.
func (c *comparison) takeDue() (keys []adapters.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for _, key := range c.keys {
		set := c.sets[key]
		if c.due[key] || set.Restless() || !set.again.IsZero() && now.After(set.again) {
			keys = append(keys, key)
		}
	}
	clear(c.due)
	return keys
}

func (c *comparison) lookAt(ctx context.Context, key adapters.Key) error {
	set := c.sets[key]
	answer, err := c.asker.ask(ctx, key)
	if errors.Is(err, adapters.ErrGone) {
		set.Gone()
		return nil
	}
	if err != nil {
		return err
	}
	set.again = time.Time{}
	if after := answer.plan.GetRequeueAfter().AsDuration(); after > 0 {
		set.again = time.Now().Add(after)
	}
	return set.Saw(ctx, answer.request.GetSnapshot(), answer.plan, &witness{comparison: c, key: key, request: answer.request})
}

// progressOfComparison is how often it is told how far a comparison is.
const progressOfComparison = time.Minute

func (c *comparison) tell(length time.Duration) {
	now := time.Now()
	if c.begun.IsZero() || now.Sub(c.told) < progressOfComparison {
		return
	}
	c.told = now
	c.options.note("%s of %s; different so far: %s", now.Sub(c.begun).Round(time.Second), length, show.Count(c.report().Differ(), "set"))
}

func (c *comparison) report() *compare.Report {
	r := &compare.Report{Planner: c.planner.where, Version: c.version, From: c.begun.UTC(), To: c.ended.UTC(), Grace: c.grace.String()}
	for _, key := range c.keys {
		r.Sets = append(r.Sets, c.sets[key].Report())
	}
	return r
}

// Trace implements compare.Witness.
func (c *comparison) Trace(uid string) compare.Trace {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.traces[uid]
}
