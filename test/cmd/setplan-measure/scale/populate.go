package scale

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// populate creates what is missing: namespaces, and sets with their revisions and pods, all as they are at rest. No controller
// and no scheduler take part.
func (p *place) populate(ctx context.Context, upTo int) error {
	began, missing := time.Now(), p.every[len(p.sets):upTo]
	p.sets = p.every[:upTo]
	if err := p.makeNamespaces(ctx); err != nil {
		return err
	}
	if p.pattern == nil {
		var err error
		if p.pattern, err = makePattern(ctx, p.Client, missing[0], p.every.nodes()); err != nil {
			return err
		}
		missing = missing[1:]
	}
	etcd, err := p.Etcd()
	if err != nil {
		return err
	}
	var batch []stored
	for i, m := range missing {
		more, err := p.pattern.like(ctx, i, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if len(batch)+len(more) > mostPuts {
			if err := (storage{etcd}).put(ctx, batch); err != nil {
				return err
			}
			batch = nil
		}
		batch = append(batch, more...)
		if i%2000 == 1999 {
			fmt.Printf("  %d of %d sets are made\n", i+1, len(missing))
		}
	}
	if err := (storage{etcd}).put(ctx, batch); err != nil {
		return err
	}
	fmt.Printf("%d sets with %d pods are there; %.0f s to make %d of them\n", len(p.sets), p.sets.pods(), time.Since(began).Seconds(), len(missing))
	return p.calm(ctx)
}

func (p *place) makeNamespaces(ctx context.Context) error {
	for _, m := range p.sets {
		if p.namespaces[m.namespace] {
			continue
		}
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: m.namespace}}
		if _, err := p.Client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			return err
		}
		p.namespaces[m.namespace] = true
	}
	return nil
}

// many does something to each set, this many at a time, until one fails.
func many(ctx context.Context, sets members, atOnce int, do func(m *member) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(sets)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := do(sets[i]); err != nil {
					stop(fmt.Errorf("%s/%s: %w", sets[i].namespace, sets[i].name, err))
				}
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// calm waits until the control plane has little to do, so that one side's leftovers do not count against the next.
func (p *place) calm(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	pids, err := p.Pids()
	if err != nil {
		return err
	}
	var last []sample
	for {
		cpu, err := testbed.CPU(pids)
		if err != nil {
			return err
		}
		last = append(last, sample{time.Now(), cpu})
		if _, idle := idleSince(last, calmFor, calmCPU); idle {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the control plane is not calm: %w", ctx.Err())
		case <-time.After(glance):
		}
	}
}
