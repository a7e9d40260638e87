package main

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// gap finds the longest stretch of work between two looks at whether anybody still waits. It is measured in the processor time
// of the thread, so that other programs have no part in it.
type gap struct {
	step    string // what is being done
	from    time.Duration
	longest time.Duration
	in      string // where the longest was
}

func newGap() *gap {
	runtime.LockOSThread()
	return &gap{}
}

func (g *gap) begin(step string) { g.step, g.from = step, threadTime() }

// look is asked whether to stop, and says no.
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
