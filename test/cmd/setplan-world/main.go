// Command setplan-world runs long random lives of sets under faults. It checks every write and, whenever faults stop for a
// while, that everything comes to rest as it should. See package faults.
//
//	setplan-world -n 20 -steps 3000 -sets 4 -seed 1
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"

	"github.com/setplan/setplan/test/faults"
)

func main() {
	var bounds faults.Bounds
	n := flag.Int("n", 20, "lives; each has the next seed")
	seed := flag.Uint64("seed", 1, "seed of the first life")
	flag.IntVar(&bounds.Steps, "steps", 3000, "commands in a life")
	flag.IntVar(&bounds.Sets, "sets", 4, "sets in a life, at most 8")
	workers := flag.Int("workers", runtime.NumCPU(), "lives at once")
	flag.Parse()
	if !faults.RunAll(*seed, *n, bounds, *workers, os.Stdout) {
		fmt.Fprintln(os.Stderr, "setplan-world: something did not hold")
		os.Exit(1)
	}
}
