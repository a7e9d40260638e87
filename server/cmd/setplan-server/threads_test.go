package main

import (
	"runtime"
	"testing"
)

func TestUseThreads(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for set, want := range map[string]int{"3": before, "": threadsPerProcessor * before} {
		t.Setenv("GOMAXPROCS", set)
		runtime.GOMAXPROCS(before)
		if processors, threads := useThreads(), runtime.GOMAXPROCS(0); processors != before || threads != want {
			t.Errorf("GOMAXPROCS=%q: %d processors and %d threads, want %d and %d", set, processors, threads, before, want)
		}
	}
}
