// Package cli is the setplan command line, also a kubectl plugin: what a set needs next, what it waits for, a live view, and
// recordings. It reads clusters and files and asks a planner. Only rollout writes, to the set that it is given.
package cli
