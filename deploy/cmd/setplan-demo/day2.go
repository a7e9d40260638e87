package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/setplan/setplan/deploy/scenario"
)

// playDay2 plays the demo of what comes after the first day. It counts which pods are removed or recreated, and fails where that is not what
// the user asked for.
func (s *stage) playDay2(ctx context.Context, show *scenario.Managed) error {
	fmt.Println(show.Intro)
	if err := s.start(ctx, "off"); err != nil {
		return err
	}
	if err := s.act("apps/v1"); err != nil {
		return err
	}
	client, err := s.lay(show.File, show.Manifest)
	if err != nil {
		return err
	}
	hosting, stop := context.WithCancel(ctx)
	var hosts sync.WaitGroup
	hosts.Go(func() { host(hosting, client) })
	asked, err := s.steps(ctx, show)
	stop()
	hosts.Wait()
	if err != nil {
		return err
	}
	fmt.Printf("\n%d pods were recreated, all because a variable changed. The disks and the memory required none.\n", asked)
	return nil
}
