package kube

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestVolume: what is written for a set without end is written at a pace, whatever its objects' sizes; what a rollout writes is not held back, and neither is
// another set.
func TestVolume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := func(kind string) *setplanv1.Action { return &setplanv1.Action{Target: &setplanv1.Target{Kind: kind}} }
		for name, row := range map[string]struct {
			kind       string
			pods, size int
			want       float64 // bytes a second, in ten minutes
		}{
			"notes on pods": {kindPod, 3, 1 << 10, 60 << 10}, "pods of a large template": {kindPod, 3, 500 << 10, 75 << 10},
			"the status": {"StatefulSet", 3, 1 << 10, 60 << 10}, "claims of many": {kindClaim, 175, 1 << 10, 65 << 10},
			"revisions with annotations": {kindRevision, 3, 100 << 10, 60 << 10},
		} {
			snapshot := &setplanv1.Snapshot{Pods: make([]*setplanv1.Pod, row.pods), Set: &setplanv1.StatefulSet{PodTemplate: make([]byte, row.size)}}
			if row.kind == kindRevision {
				snapshot.Set = &setplanv1.StatefulSet{Annotations: map[string]string{"a": strings.Repeat("x", row.size)}}
			}
			v := NewVolume()
			wait := v.before(func(context.Context, adapters.Key) (func(), error) { return func() {}, nil })
			v.Planned(webKey, snapshot, nil)
			size := volumeOfWrite
			if row.kind != kindClaim {
				size += row.size
			}
			began, written := time.Now(), 0
			for time.Since(began) < 10*time.Minute {
				if _, err := wait(t.Context(), webKey); err != nil {
					t.Fatal(err)
				}
				written += size
				time.Sleep(20 * time.Millisecond) // 50 a second
				v.Applied(webKey, snapshot, at(row.kind), adapters.Result{})
			}
			if rate := float64(written) / time.Since(began).Seconds(); rate > row.want || rate < volumePerSecond/2 {
				t.Errorf("%s: %.0f bytes a second, want at most %.0f", name, rate, row.want)
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := wait(ended, webKey); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: a write that is not meant any more waits: %v", name, err)
			}
			if other := v.ahead(adapters.Key{Name: "other"}); other > 0 {
				t.Errorf("%s: another set waits %s", name, other)
			}
			v.Forgotten(webKey)
			if len(v.sets) > 0 {
				t.Errorf("%s: a set that is gone is remembered", name)
			}
		}

		replicas := int32(5000)
		snapshot := &setplanv1.Snapshot{Pods: make([]*setplanv1.Pod, replicas-1000), Set: &setplanv1.StatefulSet{Replicas: &replicas, PodTemplate: make([]byte, 10<<10)}}
		v := NewVolume()
		v.Planned(webKey, &setplanv1.Snapshot{}, nil)
		v.Planned(webKey, snapshot, nil) // it was scaled up
		for range replicas {
			for _, kind := range []string{kindClaim, kindPod, kindPod, kindPod} { // created, deleted, and created again
				v.Applied(webKey, snapshot, at(kind), adapters.Result{})
			}
			v.Applied(webKey, snapshot, at(kindPod), adapters.Result{Err: errors.New("no")})
		}
		if wait := v.ahead(webKey); wait > 0 {
			t.Errorf("a rollout of %d pods is held back by %s", replicas, wait)
		}
	})
}

// TestVolumeOfAnyReplicas: no number of replicas makes a set wait for its second write.
func TestVolumeOfAnyReplicas(t *testing.T) {
	for size := 16 << 10; size <= 1<<20; size *= 2 {
		v := NewVolume()
		snapshot := &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Replicas: new(int32(math.MaxInt32)), PodTemplate: make([]byte, size)}}
		v.Planned(webKey, snapshot, nil)
		v.Applied(webKey, snapshot, &setplanv1.Action{Target: &setplanv1.Target{Kind: kindPod}}, adapters.Result{})
		if ahead := v.ahead(webKey); ahead > 0 {
			t.Errorf("a template of %d bytes: it waits %s", size, ahead)
		}
		if most := lasts(1000 * (volumeOfPod + 5*size)); v.sets[webKey].atOnce > most {
			t.Errorf("a template of %d bytes: %s at once for pods that are not there", size, v.sets[webKey].atOnce)
		}
	}
}
