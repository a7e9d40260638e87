package cli

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/adapters"
)

// ofOneSet reports whether an error is about a set, and other sets may fare better.
func ofOneSet(ctx context.Context, err error) bool {
	_, busy := adapters.ComeAgain(err)
	return !busy && (ofTheRequest(ctx, err) || status.Code(err) == codes.Unknown)
}

// unplanned notes that a set could not be compared, and has it looked at again in a while.
func (c *comparison) unplanned(key adapters.Key, err error) {
	set := c.sets[key]
	if set.Failed(err) {
		c.options.note("%s is not compared: %v", key, err)
	}
	set.Blind()
	set.again = time.Now().Add(lastPause)
}

// sightless notes why nothing is seen. What is done meanwhile shows later, but not for how long it was not done. At the start it is an
// error if waiting will not help.
func (c *comparison) sightless(err error) error {
	for key, set := range c.sets {
		set.Blind()
		c.changed(key)
	}
	if err == nil {
		return nil
	}
	if refused(err) && c.begun.IsZero() {
		return err
	}
	if c.blind == nil || c.blind.Error() != err.Error() {
		c.options.note("nothing is compared now: %v", err)
	}
	c.blind = err
	return nil
}

// why is the reason that nothing was seen.
func (c *comparison) why() string {
	if c.blind != nil {
		return c.blind.Error()
	}
	return "the API server has not answered"
}
