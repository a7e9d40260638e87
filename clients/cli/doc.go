// Package cli is the setplan command line, which is a kubectl plugin too: what a set needs next, what it waits for, a live
// view, and recordings. It reads clusters and files and asks a planner; only rollout writes, to the set that it is told of.
package cli
