package kube

import (
	"context"
	"sync"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The pace of one set's writes, in bytes. etcd keeps each version of an object for minutes, so a planner that has one set written without end would
// fill it for everybody. Every object of a set may be written a few times at once: that is a rollout.
const (
	volumePerSecond = 50 << 10
	volumeOfSet     = 256 << 10 // and four writes of the set
	volumeOfPod     = 32 << 10  // and four writes of the pod
	volumeOfWrite   = 4 << 10   // and what the object is made of

	podsAhead = 1000 // pods that are not there: a plan creates no more, and replicas can be any number
)

// Volume holds back the writes of sets for which too much was written. A write counts once it has succeeded, so those under way come on top.
type Volume struct {
	mu   sync.Mutex
	sets map[adapters.Key]*volume
}

type volume struct {
	paid   time.Time     // when all that was written is within the pace
	atOnce time.Duration // how far ahead of that a write may be
}

var _ adapters.Observer = (*Volume)(nil)

// NewVolume makes the observer.
func NewVolume() *Volume { return &Volume{sets: map[adapters.Key]*volume{}} }

// turnFunc returns when a set may write once; done must follow. Or it returns an error.
type turnFunc func(ctx context.Context, key adapters.Key) (done func(), err error)

// before puts the pace before another wait.
func (v *Volume) before(wait turnFunc) turnFunc {
	return func(ctx context.Context, key adapters.Key) (func(), error) {
		for ahead := v.ahead(key); ahead > 0; ahead = v.ahead(key) {
			select {
			case <-time.After(ahead):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return wait(ctx, key)
	}
}

// ahead is how long a write of a set has to wait.
func (v *Volume) ahead(key adapters.Key) time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	of := v.sets[key]
	if of == nil {
		return 0
	}
	return time.Until(of.paid.Add(-of.atOnce))
}

// lasts is how long a set takes to write so many bytes.
func lasts(bytes int) time.Duration { return time.Duration(bytes) * (time.Second / volumePerSecond) }

// Planned implements adapters.Observer: it sees how large the set is.
func (v *Volume) Planned(key adapters.Key, snapshot *setplanv1.Snapshot, _ *setplanv1.Plan) {
	set := snapshot.GetSet()
	pods := len(snapshot.GetPods())
	pods = min(max(pods, int(set.GetReplicas())), pods+podsAhead)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sets[key] == nil {
		v.sets[key] = &volume{}
	}
	v.sets[key].atOnce = lasts(volumeOfSet + 4*set.SizeVT() + pods*(volumeOfPod+4*len(set.GetPodTemplate())))
}

// Applied implements adapters.Observer.
func (v *Volume) Applied(key adapters.Key, snapshot *setplanv1.Snapshot, action *setplanv1.Action, result adapters.Result) {
	bytes := volumeOfWrite
	switch action.GetTarget().GetKind() {
	case kindPod:
		bytes += len(snapshot.GetSet().GetPodTemplate())
	case kindClaim:
	default: // a revision has the annotations of the set and its templates
		bytes += snapshot.GetSet().SizeVT()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if of := v.sets[key]; of != nil && result.Err == nil {
		if now := time.Now(); of.paid.Before(now) {
			of.paid = now
		}
		of.paid = of.paid.Add(lasts(bytes))
	}
}

// Held implements adapters.Observer.
func (v *Volume) Held(adapters.Key, string, error) {}

// Forgotten implements adapters.Observer.
func (v *Volume) Forgotten(key adapters.Key) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.sets, key)
}
