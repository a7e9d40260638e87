// Package cli is the setplan command line, also a kubectl plugin: what a set needs next, what it waits for, a live view, and
// recordings. It reads clusters and files, asks a planner, and writes to no cluster.
package cli
