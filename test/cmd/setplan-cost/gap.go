package main

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// gap finds the longest work between two checks of whether the caller still waits. It is measured in the thread's processor
// time, so that other programs do not count.
type gap struct {
	step    string // the current step
	from    time.Duration
	longest time.Duration
	in      string // the step with the longest gap
}

func newGap() *gap {
	runtime.LockOSThread()
	return &gap{}
}

func (g *gap) begin(step string) { g.step, g.from = step, threadTime() }

// look is the meter's question whether to stop. The answer is no.
func (g *gap) look() bool {
	now := threadTime()
	if took := now - g.from; took > g.longest {
		g.longest, g.in = took, g.step
	}
	g.from = now
	return false
}

func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
