package servers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/cmd/internal/crowd"
	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// Pauses between the calls of an adapter: a quiet one has a set to plan now and then; the normal ones together keep the server
// busy a small part of the time.
const (
	quietPause  = 50 * time.Millisecond
	normalPause = 100 * time.Millisecond
)

// adapter asks for plans of one cluster's sets, one after another.
type adapter struct {
	client   *setplan.Client
	requests []*setplanv1.PlanRequest
	pause    time.Duration // the real pause is between half and one and a half of it
}

// asked is the result of calls.
type asked struct {
	took   []float64 // milliseconds
	failed []error
}

func (a *asked) add(other asked) {
	a.took, a.failed = append(a.took, other.took...), append(a.failed, other.failed...)
}

// work asks until the context ends.
func (a *adapter) work(ctx context.Context) (out asked) {
	for i := 0; ctx.Err() == nil; i++ {
		began := time.Now()
		// The call in progress at the end is finished, and counts.
		_, err := a.client.Plan(context.WithoutCancel(ctx), a.requests[i%len(a.requests)])
		out.took = append(out.took, time.Since(began).Seconds()*1000)
		if err != nil {
			out.failed = append(out.failed, err)
		}
		if a.pause > 0 {
			time.Sleep(a.pause/2 + rand.N(a.pause))
		}
	}
	return out
}

// fleet is all adapters, or some.
type fleet []*adapter

// newFleet dials for the adapters from one number up to another. Each has its own sets, of this many pods.
func newFleet(ids *identities, target string, from, to int, pause time.Duration, pods ...int) (fleet, error) {
	var f fleet
	for i := from; i < to; i++ {
		client, err := ids.dial(target, i)
		if err != nil {
			return f, errors.Join(err, f.close())
		}
		a := &adapter{client: client, pause: pause}
		f = append(f, a)
		for _, n := range pods {
			request, err := steady(adapterName(i), n)
			if err != nil {
				return f, errors.Join(err, f.close())
			}
			a.requests = append(a.requests, request)
		}
	}
	return f, nil
}

func (f fleet) close() error {
	var errs []error
	for _, a := range f {
		errs = append(errs, a.client.Close())
	}
	return errors.Join(errs...)
}

// work lets all of them ask until the context ends.
func (f fleet) work(ctx context.Context) (out asked) {
	each := make([]asked, len(f))
	var all sync.WaitGroup
	for i, a := range f {
		all.Go(func() { each[i] = a.work(ctx) })
	}
	all.Wait()
	for _, one := range each {
		out.add(one)
	}
	return out
}

// steady is an adapter's request for a set at rest with this many pods.
func steady(namespace string, pods int) (*setplanv1.PlanRequest, error) {
	set := crowd.Set(namespace, fmt.Sprintf("db-%d", pods), int32(pods))
	set.UID, set.ResourceVersion, set.Generation = "6f1a3c52-5d0e-4b7e-9a55-0c3f1f6a9b10", "1000", 1
	b, err := crowd.NewMaker().Make(context.Background(), set)
	if err != nil {
		return nil, err
	}
	set.Status = crowd.Status(set, b.Revision.Name)
	b.Revision.UID, b.Revision.ResourceVersion = "0f7d3b8e-1f57-4f0a-8a3e-6d0e5f5a2c11", "1001"
	for i, pod := range b.Pods {
		pod.UID, pod.ResourceVersion = types.UID(fmt.Sprintf("9b2d6c1e-3f4a-4d5b-8c6d-%012d", i)), fmt.Sprint(2000+i)
		pod.Status = crowd.Ready(time.Now().Add(-time.Hour))
	}
	return crowd.Request(set, b)
}

// p50 and p99 are in milliseconds.
func (a *asked) p50() float64 { return testbed.Percentile(a.took, 50) }
func (a *asked) p99() float64 { return testbed.Percentile(a.took, 99) }
