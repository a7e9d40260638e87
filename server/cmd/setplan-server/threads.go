package main

import (
	"os"
	"runtime"
)

// threadsPerProcessor: Go looks at the network when a thread has nothing to run, or else every 10 milliseconds. So while one caller keeps
// all threads busy, the calls of others lie unread. A second thread for each processor leaves it to the operating system who goes first.
// "make measure WHAT=scale-server" shows the difference: beside a flood a quiet adapter's median call takes 1.7 times as long instead of 3.9.
const threadsPerProcessor = 2

// useThreads has Go run more threads than there are processors, and returns how many processors there are. Whoever has set GOMAXPROCS has
// chosen for himself.
func useThreads() (processors int) {
	processors = runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(threadsPerProcessor * processors)
	}
	return processors
}
